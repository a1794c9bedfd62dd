"""The verbs that look back and ahead: adherence, export, and what is coming up."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.base.errors import BadInput
from clarion.base.ids import SeriesId, UserId
from clarion.reminders.access import Actor
from clarion.reminders.change import RingFacts
from clarion.reminders.export import to_csv, to_json
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.ports import Search
from clarion.reminders.recurring import load_rule
from clarion.reminders.tally import Adherence, measure
from clarion.reminders.verbs import Verbs, own

PAGE = 500
READ_MAX = 100_000  # reminders in one report; a person has about ten a day
SPAN = timedelta(days=30)
UPCOMING_MAX = 1_000
TIMES_AT_ONCE = 100
OPEN = (ReminderStatus.PENDING, ReminderStatus.TRIGGERED)
GIVEN_UP = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
ANSWERABLE = timedelta(hours=4)  # later, "I have taken it" means another one


@dataclass(frozen=True, slots=True)
class Upcoming:
    """One thing to come, as a calendar shows it. `uid` stays the same from day to day."""

    uid: str
    at: datetime
    content: str
    confirm: bool
    series_id: SeriesId | None = None


class LookingVerbs(Verbs):
    async def adherence(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        series_id: SeriesId | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Adherence:
        """The last thirty days, unless said otherwise."""
        user = await self._user(actor, user_id)
        found = await self._between(user_id, series_id, since, until)
        return measure(found, ZoneInfo(user.zone))

    async def export(
        self,
        actor: Actor,
        *,
        user_id: UserId,
        form: str = "csv",
        series_id: SeriesId | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> str:
        """`form` is `csv` or `json`."""
        writers = {"csv": to_csv, "json": to_json}
        if form not in writers:
            raise BadInput(f"There is no form {form!r}.", hint="csv or json.")
        user = await self._user(actor, user_id)
        found = await self._between(user_id, series_id, since, until)
        return writers[form](found, ZoneInfo(user.zone))

    async def upcoming(
        self, actor: Actor, *, user_id: UserId, ahead: timedelta = timedelta(days=90)
    ) -> list[Upcoming]:
        """What waits, and when series will ring after that, by time. At most a thousand."""
        await self._user(actor, user_id)
        until = self._clock.now() + ahead
        search = Search(user_id=user_id, status=OPEN, until=until, limit=UPCOMING_MAX)
        waits = await self._store.find(search)
        coming = [_one(reminder) for reminder in waits]
        for series in await self._all_series(user_id):
            coming += _rest(series, until)
        return sorted(coming, key=lambda one: (one.at, one.uid))[:UPCOMING_MAX]

    async def awaiting(self, actor: Actor, *, user_id: UserId) -> list[tuple[Reminder, RingFacts]]:
        """What rang and may still be answered, with its newest ring, the latest first: until it
        rings again, is settled, or was given up hours ago.
        """
        own(actor, user_id)
        now = self._clock.now()
        searches = (
            Search(user_id=user_id, status=OPEN, until=now + ANSWERABLE),
            Search(user_id=user_id, status=GIVEN_UP, since=now - ANSWERABLE),
        )
        found = [one for search in searches for one in await self._store.find(search)]
        rung = [(one, (await self._store.rings(one.id))[-1]) for one in found if one.rings]
        return sorted(rung, key=lambda pair: pair[1].fired_at, reverse=True)

    async def _between(
        self,
        user_id: UserId,
        series_id: SeriesId | None,
        since: datetime | None,
        until: datetime | None,
    ) -> list[Reminder]:
        now = self._clock.now()
        search = Search(
            user_id=user_id,
            series_id=series_id,
            since=since or (until or now) - SPAN,
            until=until or now,
            limit=PAGE,
        )
        found: list[Reminder] = []
        for _ in range(READ_MAX // PAGE):
            page = await self._store.find(search)
            found += page
            if len(page) < PAGE:
                break
            search = replace(search, after=(page[-1].trigger_at, page[-1].id))
        return found

    async def _all_series(self, user_id: UserId) -> list[Series]:
        found: list[Series] = []
        for _ in range(READ_MAX // PAGE):
            after = found[-1].id if found else ""
            page = await self._store.find_series(user_id, after=after, limit=PAGE)
            found += page
            if len(page) < PAGE:
                break
        return [one for one in found if one.enabled and one.ended_at is None]


def _one(reminder: Reminder) -> Upcoming:
    planned = reminder.planned_at or reminder.trigger_at
    return Upcoming(
        uid=occurrence_uid(reminder.series_id, planned) if reminder.series_id else reminder.id,
        at=reminder.trigger_at,
        content=reminder.content,
        confirm=reminder.confirmation.required,
        series_id=reminder.series_id,
    )


def _rest(series: Series, until: datetime) -> list[Upcoming]:
    """The occurrences after the one that waits already."""
    return [
        Upcoming(
            occurrence_uid(series.id, at),
            at,
            series.content,
            series.confirmation.required,
            series.id,
        )
        for at in _times(series, until)
        if at not in series.skipped
    ]


def _times(series: Series, until: datetime) -> Iterator[datetime]:
    rule, last = load_rule(series.rule), series.next_at
    for _ in range(UPCOMING_MAX // TIMES_AT_ONCE):
        if last is None:
            return
        times = rule.preview(last, TIMES_AT_ONCE)
        yield from (at for at in times if at < until)
        last = times[-1] if times and times[-1] < until else None


def occurrence_uid(series_id: SeriesId, planned: datetime) -> str:
    return f"{series_id}-{planned.timestamp():.0f}"
