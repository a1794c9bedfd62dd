"""The verbs behind every door: set, find, change, snooze, confirm and end reminders and series.

Each is one transaction with its event, and each may be repeated.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Unpack
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput
from clarion.base.events import StoredEvent
from clarion.base.ids import DeviceId, Key, ReminderId, SeriesId, UserId, make_key
from clarion.base.paging import Page, read_cursor, write_cursor
from clarion.language.when.parse import read_pattern
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.model import CLARION, Actor, User, known_zone
from clarion.people.service import KEEP
from clarion.reminders.contact_calls import ContactCalls, LinkAnswers
from clarion.reminders.decisions import moves
from clarion.reminders.decisions import series as series_moves
from clarion.reminders.decisions.decision import (
    Decision,
    LockedReminder,
    RingFacts,
    is_explicit,
    known_device,
)
from clarion.reminders.distress import HelpCalls
from clarion.reminders.errors import NeverRings, NotRinging
from clarion.reminders.guarantee import Guarantee, Guarantees
from clarion.reminders.guarded import GuardedReminders, whose
from clarion.reminders.links import Links
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus, Series
from clarion.reminders.ports import Search
from clarion.reminders.reports import OPEN, ReminderReports
from clarion.reminders.setting import (
    Created,
    Means,
    NaturalRequests,
    NewReminders,
    Preview,
    ReminderLimits,
    SaidFields,
    asked_for,
)
from clarion.reminders.way_tests import WayTests

SERIES_AT_ONCE = 100
GIVEN_UP = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
ANSWERABLE = timedelta(hours=4)  # later, "I have taken it" means another reminder
SNOOZE = timedelta(minutes=10)  # what a bare "later" means
SOON = timedelta(days=1)  # what is due later than this has nothing to be put off yet

__all__ = ["KEEP", "Actor", "Created", "Means", "Preview", "Reminders"]


class SeriesBook:
    def __init__(self, guarded: GuardedReminders, new: NewReminders) -> None:
        self._guarded = guarded
        self._new = new
        self._store = guarded.store
        self._clock = guarded.clock
        self._limits = new.limits

    async def create(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        pattern: str,
        end_date: datetime | None = None,
        count: int | None = None,
        zone: str | None = None,
        key: str | None = None,
        known: bool = False,
        **said: Unpack[SaidFields],
    ) -> Series:
        """`pattern` is cron, an RRULE or words; `zone` is the user's when it is not given.

        `known`: raises NoSuchUser when an admin names somebody who was never added.
        """
        user = await self._new.user(actor, user_id, known=known)
        rule = read_pattern(pattern, known_zone(zone or user.zone), self._clock.now())
        when = {"pattern": pattern, "zone": zone, "ends": end_date, "count": count}
        asked = make_key(user_id, key, **when, **asked_for(said))
        ends = bounded(rule, end_date, count)
        return await self._new.add_series(
            actor, user_id, ends, pattern=pattern, asked=asked, **said
        )

    async def list(
        self,
        actor: Actor,
        *,
        user_id: UserId | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Series]:
        """The oldest first. An admin without `user_id` sees everybody's."""
        owner = whose(actor, user_id)
        size = self._limits.page(limit)
        found = await self._store.find_series(owner, after=cursor or "", limit=size + 1)
        more = len(found) > size
        return Page(tuple(found[:size]), found[size - 1].id if more else None)

    async def get(self, actor: Actor, series_id: SeriesId) -> Series:
        return await self._guarded.series(actor, series_id)

    async def update(
        self,
        actor: Actor,
        series_id: SeriesId,
        *,
        version: int | None = None,
        content: str = KEEP,
        pattern: str = KEEP,
        zone: str = KEEP,
        end_date: datetime | None = KEEP,
        count: int | None = KEEP,
        device_id: DeviceId | None = KEEP,
        confirmation: ConfirmationConfig = KEEP,
        base: int = KEEP,
        context: Mapping[str, Any] = KEEP,
    ) -> Series:
        """The waiting reminder is changed too; one that rings already is not."""
        now = self._clock.now()
        limits = self._limits
        fields = given(
            limits,
            content=content,
            confirmation=confirmation,
            base=base,
            context=context,
            device_id=device_id,
        )

        def decide(scene: LockedReminder) -> Decision:
            series = scene.series
            assert series is not None
            if device_id is not KEEP:
                known_device(scene, device_id)
            rule = Recurrence.load(series.rule)
            if pattern is not KEEP or zone is not KEEP:
                words = series.pattern if pattern is KEEP else pattern
                where = known_zone(series.zone if zone is KEEP else zone)
                rule = read_pattern(words, where, now)
                fields.update(pattern=words, zone=where.key)
            ends = series.ends_at if end_date is KEEP else end_date
            times = series.count if count is KEEP else count
            rule = replace(rule, until=ends and ends.astimezone(rule.zone), count=times)
            limits.recurrence(rule, now, scene.user)
            fields.update(rule=rule.dump(), ends_at=ends, count=times)
            return series_moves.update(series, scene.current, fields, now, actor.label)

        return await self._guarded.change_series(actor, series_id, decide, version)

    async def follow_zone(self, user: User, old: str) -> int:
        """A person moved: their series ring at the same local hours there. Returns how many.

        A series in another zone than the person's was set so on purpose and stays.
        """
        now, zone = self._clock.now(), ZoneInfo(user.zone)

        def decide(scene: LockedReminder) -> Decision:
            assert scene.series is not None
            rule = Recurrence.load(scene.series.rule).in_zone(zone)
            fields = {"rule": rule.dump(), "zone": rule.zone.key, "ends_at": rule.until}
            return series_moves.update(scene.series, scene.current, fields, now, CLARION.label)

        moved, after = 0, ""
        while found := await self._store.find_series(user.id, after=after, limit=SERIES_AT_ONCE):
            for series in found:
                if series.zone == old and series.ended_at is None:
                    with suppress(NeverRings):  # in the new zone it would have ended: leave it
                        await self._guarded.change_series(CLARION, series.id, decide)
                        moved += 1
            after = found[-1].id
        return moved

    async def pause(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """The waiting reminder is cancelled; one that rings goes on to its end."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.pause(scene, now, actor.label), version
        )

    async def resume(self, actor: Actor, series_id: SeriesId, version: int | None = None) -> Series:
        """From the next occurrence; those that passed are not made up for."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.resume(scene, now, actor.label), version
        )

    async def skip_next(
        self, actor: Actor, series_id: SeriesId, version: int | None = None
    ) -> Series:
        now = self._clock.now()
        return await self._guarded.change_series(
            actor, series_id, lambda scene: series_moves.skip_next(scene, now, actor.label), version
        )

    async def end(
        self,
        actor: Actor,
        series_id: SeriesId,
        version: int | None = None,
        *,
        keep_open: bool = False,
    ) -> Series:
        """Also ends its snoozed, retried and ringing reminders; `keep_open` lets those go on."""
        now = self._clock.now()
        return await self._guarded.change_series(
            actor,
            series_id,
            lambda scene: series_moves.end(scene, now, actor.label, keep_open=keep_open),
            version,
        )


def bounded(rule: Recurrence, end_date: datetime | None, count: int | None) -> Recurrence:
    """Apply bounds that were given besides the pattern; they override its own."""
    if end_date is not None:
        rule = replace(rule, until=end_date.astimezone(ZoneInfo(rule.zone.key)))
    return rule if count is None else replace(rule, count=count)


def asked_with(key: str | None, user_id: UserId, at: datetime, said: SaidFields) -> Key | None:
    return make_key(user_id, key, at=at, context=said.get("context"), **asked_for(said))


class Reminders:
    """One-time reminders; beside them `series`, `natural` (sentences), `reports`, `help` (a cry
    for it), `calls` and `links` (what contacts say) and `proofs` (does it ring?), over one guarded
    store.
    """

    def __init__(self, means: Means, links: Links | None = None) -> None:
        self._store = means.store
        self._clock = means.clock
        self._limits = means.limits
        people, channel = means.people, means.channel
        guarded = self._guarded = GuardedReminders(means.store, people, means.clock, channel)
        self._new = new = NewReminders(means)
        guarantees = Guarantees(people, means.clock, means.patience, means.unserved)
        self._guarantees = guarantees
        self.guarantees = guarantees.of
        self.series = SeriesBook(guarded, new)
        self.natural = NaturalRequests(new, guarantees)
        self.reports = ReminderReports(self._store, self._clock, new.user)
        self.help = HelpCalls(guarded)
        self.calls = ContactCalls(self._store, people, self._clock, guarded.decide)
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
        asked = asked_with(key, user_id, trigger_at, said)
        made, _ = await self._new.add(actor, user_id, trigger_at, asked=asked, **said)
        return made

    async def promise(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        trigger_at: datetime,
        key: str | None = None,
        known: bool = False,
        **said: Unpack[SaidFields],
    ) -> tuple[Reminder, Guarantee | None]:
        """`create`, and who will hear it; none when it was made before and is over.

        `known`: raises NoSuchUser when an admin names somebody who was never added.
        """
        asked = asked_with(key, user_id, trigger_at, said)
        made, there = await self._new.add(
            actor, user_id, trigger_at, asked=asked, known=known, **said
        )
        return made, await self._guarantees.of_new(made, there)

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
        actor.must_see(user_id)
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
        fields = given(
            limits,
            content=content,
            confirmation=confirmation,
            base=base,
            context=context,
            device_id=device_id,
            trigger_at=trigger_at,
        )

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


def given(limits: ReminderLimits, **fields: Any) -> dict[str, Any]:
    """Those that are given and not `KEEP`, each within its limits."""
    within: Mapping[str, Callable[[Any], Any]] = {
        "content": limits.content,
        "confirmation": limits.confirmation,
        "base": limits.base,
        "context": limits.context,
    }
    kept = {name: value for name, value in fields.items() if value is not KEEP}
    return {name: within[name](kept[name]) if name in within else kept[name] for name in kept}
