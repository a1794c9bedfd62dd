"""A call for help: all contacts are told at once, whoever is on call."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from clarion.base.ids import DeviceId, ReminderId, UserId, new_id
from clarion.people.model import Actor, Contact
from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import Decision, LockedReminder
from clarion.reminders.decisions.moves import confirm
from clarion.reminders.events import HelpCalled
from clarion.reminders.guarded import GuardedReminders
from clarion.reminders.model import DISTRESS, Reminder, ReminderStatus
from clarion.reminders.ports import Search
from clarion.tasks.model import Level

SAME_CALL = timedelta(minutes=2)  # 救命 said five times is one call; two minutes later it is two
TAKEN_BACK = timedelta(hours=6)  # later it cannot be taken back
WORDS_MAX = 200


class Recalled(NamedTuple):
    calls: Sequence[Reminder]
    told: Sequence[str]
    """The names of those who had heard of it, and hear the end."""


class HelpCalls:
    def __init__(self, guarded: GuardedReminders) -> None:
        self._guarded = guarded

    async def call(
        self, actor: Actor, *, user_id: UserId, text: str, device_id: DeviceId | None = None
    ) -> Sequence[Contact]:
        """Tell every contact at once; returns whom. Stored as a reminder that nobody confirmed,
        so that a contact's link shows who is on it, and a crash loses nothing.
        """
        actor.must_see(user_id)
        now = self._guarded.clock.now()
        if await self._since(user_id, now - SAME_CALL):
            return await self._ladder(user_id)

        def decide(scene: LockedReminder) -> Decision:
            called = scene.contacts
            call = Reminder(
                id=ReminderId(new_id("rem", now)),
                user_id=user_id,
                content=text[:WORDS_MAX],
                trigger_at=now,
                planned_at=now,
                created_at=now,
                ended_at=now,
                device_id=device_id,
                status=ReminderStatus.TIMEOUT,
                reason=DISTRESS,
                base=Level.CRITICAL,
                created_by=actor.label,
            )
            heard = HelpCalled(
                subject=call.id,
                user=user_id,
                text=call.content,
                device=device_id or "",
                contacts=tuple(one.id for one in called),
            )
            calls = escalation.begin(scene, call, now, everybody=True)
            return Decision(reminders=(call,), events=(heard,)) + calls

        await self._guarded.store.add(user_id, decide, now, None)
        return await self._ladder(user_id)

    async def unanswered(self, actor: Actor, user_id: UserId) -> Sequence[Reminder]:
        """Their calls for help that nobody has answered or taken back yet."""
        actor.must_see(user_id)
        return await self._since(user_id, self._guarded.clock.now() - TAKEN_BACK)

    async def recall(self, actor: Actor, user_id: UserId) -> Recalled:
        """没事了: no other contact is told, and those who were told hear that all is well."""
        now = self._guarded.clock.now()
        calls = await self.unanswered(actor, user_id)
        told: set[str] = set()
        for one in calls:
            await self._guarded.change(
                actor, one.id, lambda s: confirm(s, now, s.user.name or s.user.id)
            )
            told |= {each.contact_id for each in await self._guarded.store.told(one.id)}
        known = await self._guarded.people.contacts(user_id)
        return Recalled(calls, [one.name for one in known if one.id in told])

    async def _since(self, user_id: UserId, since: datetime) -> list[Reminder]:
        status = (ReminderStatus.TIMEOUT,)
        search = Search(user_id=user_id, status=status, since=since, limit=50)
        return [one for one in await self._guarded.store.find(search) if one.reason == DISTRESS]

    async def _ladder(self, user_id: UserId) -> Sequence[Contact]:
        found = await self._guarded.people.contacts(user_id)
        return [one for one in found if one.agreed_ways]
