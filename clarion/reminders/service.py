"""The verbs behind every door: set, find, change, snooze, confirm and cancel reminders.

Each is one transaction with its event, and each may be repeated.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Unpack

from clarion.base.errors import BadInput
from clarion.base.events import StoredEvent
from clarion.base.ids import DeviceId, ReminderId, SeriesId, UserId, make_key
from clarion.base.paging import Page, read_cursor, write_cursor
from clarion.people.model import Actor
from clarion.people.service import KEEP
from clarion.reminders.contact_calls import ContactCalls, LinkAnswers
from clarion.reminders.decisions import moves
from clarion.reminders.decisions.decision import Decision, LockedReminder, RingFacts
from clarion.reminders.distress import HelpCalls
from clarion.reminders.errors import NotRinging
from clarion.reminders.guarded import (
    GuardedReminders,
    Means,
    SaidFields,
    asked_for,
    is_explicit,
    known_device,
    own,
    whose,
)
from clarion.reminders.links import Links
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus
from clarion.reminders.natural import Created, NaturalRequests, Preview
from clarion.reminders.ports import Search
from clarion.reminders.reports import OPEN, ReminderReports
from clarion.reminders.series import SeriesBook
from clarion.reminders.way_tests import WayTests

GIVEN_UP = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
ANSWERABLE = timedelta(hours=4)  # later, "I have taken it" means another reminder
SNOOZE = timedelta(minutes=10)  # what a bare "later" means
SOON = timedelta(days=1)  # what is due later than this has nothing to be put off yet

__all__ = ["KEEP", "Actor", "Created", "Means", "Preview", "Reminders"]


class Reminders:
    """One-time reminders; beside them `series`, `natural` (sentences), `reports`, `help` (a cry
    for it), `calls` and `links` (what contacts say) and `proofs` (does it ring?), over one guarded
    store.
    """

    def __init__(self, means: Means, links: Links | None = None) -> None:
        guarded = self._guarded = GuardedReminders(means)
        self._store = guarded.store
        self._clock = guarded.clock
        self._limits = guarded.limits
        self.guarantees = guarded.guarantees
        self.must_know = guarded.must_know
        self.series = SeriesBook(guarded)
        self.natural = NaturalRequests(guarded)
        self.reports = ReminderReports(guarded)
        self.help = HelpCalls(guarded)
        self.calls = ContactCalls(self._store, guarded.people, self._clock, guarded.decide)
        self.links = LinkAnswers(guarded, links, self.calls)
        self.proofs = WayTests(guarded)

    async def create(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        trigger_at: datetime,
        key: str | None = None,
        **said: Unpack[SaidFields],
    ) -> Reminder:
        """With a `key` that was used for the same request, returns the reminder made then."""
        context = said.get("context")
        asked = make_key(user_id, key, at=trigger_at, context=context, **asked_for(said))
        return await self._guarded.add(actor, user_id, trigger_at, asked=asked, **said)

    async def list(
        self,
        actor: Actor,
        *,
        user_id: UserId | None = None,
        status: Sequence[ReminderStatus] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        series_id: SeriesId | None = None,
        text: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Reminder]:
        """By trigger instant, the earliest first. An admin without `user_id` sees everybody's."""
        owner = whose(actor, user_id)
        size = self._limits.page(limit)
        found = await self._store.find(
            Search(
                user_id=owner,
                status=tuple(status),
                since=since,
                until=until,
                series_id=series_id,
                text=text.strip(),
                limit=size + 1,
                after=read_cursor(cursor) if cursor else None,
            )
        )
        shown = tuple(found[:size])
        more = len(found) > size
        return Page(shown, write_cursor(shown[-1].trigger_at, shown[-1].id) if more else None)

    async def get(self, actor: Actor, reminder_id: ReminderId) -> Reminder:
        return await self._guarded.reminder(actor, reminder_id)

    async def awaiting(
        self, actor: Actor, *, user_id: UserId
    ) -> Sequence[tuple[Reminder, RingFacts]]:
        """What rang and may still be answered, with its newest ring, the latest first. It ends when
        the reminder rings again, is settled, or was given up hours ago.
        """
        own(actor, user_id)
        now = self._clock.now()
        searches = (
            Search(user_id=user_id, status=OPEN, until=now + ANSWERABLE),
            Search(user_id=user_id, status=GIVEN_UP, since=now - ANSWERABLE),
        )
        found = [one for search in searches for one in await self._store.find(search)]
        called = [(one, (await self._store.rings(one.id))[-1]) for one in found if one.rings]
        return sorted(called, key=lambda pair: pair[1].fired_at, reverse=True)

    async def history(self, actor: Actor, reminder_id: ReminderId) -> Sequence[StoredEvent]:
        """What happened to it, line by line, the oldest first."""
        await self._guarded.reminder(actor, reminder_id)
        return await self._store.history(reminder_id)

    async def rings(self, actor: Actor, reminder_id: ReminderId) -> Sequence[RingFacts]:
        await self._guarded.reminder(actor, reminder_id)
        return await self._store.rings(reminder_id)

    async def update(
        self,
        actor: Actor,
        reminder_id: ReminderId,
        *,
        version: int | None = None,
        content: str = KEEP,
        trigger_at: datetime = KEEP,
        confirmation: ConfirmationConfig = KEEP,
        base: int = KEEP,
        device_id: DeviceId | None = KEEP,
        context: Mapping[str, Any] = KEEP,
    ) -> Reminder:
        """Only while it is pending. Fields that are not given do not change."""
        now = self._clock.now()
        limits = self._limits
        given = {
            "content": content if content is KEEP else limits.content(content),
            "confirmation": KEEP if confirmation is KEEP else limits.confirmation(confirmation),
            "base": base if base is KEEP else limits.base(base),
            "context": context if context is KEEP else limits.context(context),
            "device_id": device_id,
            "trigger_at": trigger_at,
        }
        fields = {name: value for name, value in given.items() if value is not KEEP}

        def decide(scene: LockedReminder) -> Decision:
            if device_id is not KEEP:
                known_device(scene, device_id)
            if trigger_at is not KEEP and trigger_at != scene.reminder.trigger_at:
                fields["trigger_at"] = limits.instant(trigger_at, now, scene.user)
                fields["explicit"] = is_explicit(actor, scene.user, trigger_at)
            return moves.update(scene, now, fields, actor.label)

        return await self._guarded.change(actor, reminder_id, decide, version)

    async def cancel(
        self, actor: Actor, reminder_id: ReminderId, version: int | None = None
    ) -> Reminder:
        """In every state that is not final; a ringing device falls silent."""
        now = self._clock.now()
        return await self._guarded.change(
            actor, reminder_id, lambda scene: moves.cancel(scene, now, actor.label), version
        )

    async def snooze(
        self,
        actor: Actor,
        reminder_id: ReminderId,
        duration: timedelta | None = None,
        until: datetime | None = None,
        *,
        version: int | None = None,
    ) -> Reminder:
        """Counted from now. Neither given: ten minutes, if it rings or is due within a day.

        A reminder that ended within the last hour is set again as a new one, which is returned.
        """
        if duration is not None and until is not None:
            raise BadInput("Say how long or until when, not both.")
        if duration is not None and duration <= timedelta():
            raise BadInput("A snooze goes forward in time.")
        now = self._clock.now()

        def decide(scene: LockedReminder) -> Decision:
            one, bare = scene.reminder, until is None and duration is None
            if bare and one.status is ReminderStatus.PENDING and one.trigger_at > now + SOON:
                raise NotRinging(one.id)  # it would only ring the sooner
            wanted = until or now + (duration or SNOOZE)
            at = self._limits.instant(wanted, now, scene.user)
            return moves.snooze(scene, now, at, actor.label)

        change = await self._guarded.decide(actor, reminder_id, decide, version)
        after = change.after
        alone = (one for one in change.reminders if one.id != after.id and one.series_id is None)
        return next(alone, after) if after.is_final else after

    async def confirm(self, actor: Actor, reminder_id: ReminderId, by: str = "") -> Reminder:
        """Also before it rang and after it gave up. People press buttons twice."""
        now = self._clock.now()
        return await self._guarded.change(
            actor, reminder_id, lambda scene: moves.confirm(scene, now, by or actor.label)
        )
