"""Somebody needs help now: their contacts are told at once, all of them, whatever their turn."""

from collections.abc import Sequence
from datetime import timedelta

from clarion.base.ids import DeviceId, ReminderId, UserId, new_id
from clarion.people.access import Actor
from clarion.people.model import Contact
from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import Decision, LockedReminder
from clarion.reminders.events import HelpCalled
from clarion.reminders.guarded import GuardedReminders, own
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.ports import Search
from clarion.tasks.model import Level

DISTRESS = "distress"
"""The reason of a reminder that stands for a cry for help."""
SAME_CALL = timedelta(minutes=2)  # 救命 said five times is one call; two minutes later it is two
WORDS_MAX = 200


class HelpCalls:
    def __init__(self, guarded: GuardedReminders) -> None:
        self._guarded = guarded

    async def call(
        self, actor: Actor, *, user_id: UserId, text: str, device_id: DeviceId | None = None
    ) -> Sequence[Contact]:
        """Tell every contact at once; whom it tells. Kept as a reminder that nobody confirmed,
        so that a contact's link says who takes care of it, and a crash loses nothing.
        """
        own(actor, user_id)
        now = self._guarded.clock.now()
        recent = Search(
            user_id=user_id, status=(ReminderStatus.TIMEOUT,), since=now - SAME_CALL, limit=50
        )
        if any(one.reason == DISTRESS for one in await self._guarded.store.find(recent)):
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
            told = escalation.begin(scene, call, now, everybody=True)
            return Decision(reminders=(call,), events=(heard,)) + told

        await self._guarded.store.add(user_id, decide, now, None)
        return await self._ladder(user_id)

    async def _ladder(self, user_id: UserId) -> Sequence[Contact]:
        found = await self._guarded.people.contacts(user_id)
        return [one for one in found if one.agreed_ways]
