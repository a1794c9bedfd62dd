"""Looks back and ahead: adherence, export, and what is coming up."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.ids import ReminderId, SeriesId, UserId
from clarion.people.model import Actor, User
from clarion.reminders.decisions.decision import pausing
from clarion.reminders.decisions.series import load_rule, occurrence
from clarion.reminders.model import DISTRESS, HEARD, Reminder, ReminderStatus, Series
from clarion.reminders.ports import ReminderStore, Search

LATE = timedelta(minutes=30)  # a pill half an hour later is still the morning's pill
MISSED = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)


@dataclass(frozen=True, slots=True)
class Outcome:
    planned_at: datetime
    ended_at: datetime
    status: ReminderStatus
    attempt: int

    @property
    def is_late(self) -> bool:
        """Done, but not at the first call, or long after it."""
        return self.attempt > 1 or self.ended_at - self.planned_at > LATE


@dataclass(frozen=True, slots=True)
class Tally:
    """How ended reminders ended. Cancelled ones are not counted."""

    total: int = 0
    confirmed: int = 0
    """Somebody said yes; the late ones are among them."""
    completed: int = 0
    """Plain ones that were told."""
    late: int = 0
    missed: int = 0
    open: int = 0
    """Not over yet, and not in the total."""
    done: int = 0
    """Of the confirmed: those where somebody said that it is done."""
    heard: int = 0
    """Of the confirmed: those where somebody only said that they know of it."""
    promised: int = 0
    """Somebody said that they will do it, and nobody has said yet that it is done."""

    @property
    def share_confirmed(self) -> float | None:
        """Of those that somebody had to confirm; None when there were none."""
        asked = self.confirmed + self.missed
        return self.confirmed / asked if asked else None

    @property
    def share_late(self) -> float | None:
        return self.late / self.confirmed if self.confirmed else None

    @property
    def share_missed(self) -> float | None:
        return self.missed / self.total if self.total else None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in Tally.__slots__))


@dataclass(frozen=True, slots=True)
class Adherence:
    whole: Tally
    days: tuple[tuple[date, Tally], ...]
    """By the day for which each was planned, in the user's zone."""


def tally(reminder: Reminder) -> Tally:
    if reminder.reason == DISTRESS or reminder.is_test:
        return Tally()  # a call for help is not a forgotten reminder
    promised = int(reminder.promised_at is not None)
    if reminder.status in MISSED:
        return Tally(total=1, missed=1, promised=promised)
    if reminder.status is ReminderStatus.CONFIRMED:
        heard = int(reminder.reason == HEARD)
        late = int(was_late(reminder))
        return Tally(total=1, confirmed=1, late=late, done=1 - heard, heard=heard)
    if reminder.status is ReminderStatus.COMPLETED:
        return Tally(total=1, completed=1)
    return Tally() if reminder.is_final else Tally(open=1, promised=promised)


def was_late(reminder: Reminder) -> bool:
    planned = reminder.planned_at or reminder.trigger_at
    ended = reminder.ended_at or planned
    return Outcome(planned, ended, reminder.status, reminder.attempt).is_late


def measure(reminders: Iterable[Reminder], zone: ZoneInfo) -> Adherence:
    days: defaultdict[date, Tally] = defaultdict(Tally)
    whole = Tally()
    for one in reminders:
        day = (one.planned_at or one.trigger_at).astimezone(zone).date()
        days[day] += tally(one)
        whole += tally(one)
    return Adherence(whole, tuple(sorted(days.items())))


COLUMNS = (
    "id",
    "content",
    "status",
    "planned_at",
    "ended_at",
    "late",
    "attempts",
    "confirm_required",
    "confirmed_by",
    "reason",
    "series_id",
    "device_id",
    "level",
)
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run these as formulas


def row(reminder: Reminder, zone: ZoneInfo) -> dict[str, Any]:
    """Instants in the user's zone, with their offset."""
    planned = reminder.planned_at or reminder.trigger_at
    ended = reminder.ended_at
    return {
        "id": reminder.id,
        "content": reminder.content,
        "status": reminder.status.value,
        "planned_at": planned.astimezone(zone).isoformat(),
        "ended_at": ended.astimezone(zone).isoformat() if ended else None,
        "late": reminder.status is ReminderStatus.CONFIRMED and was_late(reminder),
        "attempts": reminder.attempt,
        "confirm_required": reminder.confirmation.required,
        "confirmed_by": reminder.confirmed_by,
        "reason": reminder.reason,
        "series_id": reminder.series_id,
        "device_id": reminder.device_id,
        "level": reminder.base,
    }


def to_csv(reminders: Iterable[Reminder], zone: ZoneInfo) -> str:
    """With a heading. A quote is put before text that looks like a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for one in reminders:
        cells = row(one, zone)
        writer.writerow([_cell(cells[name]) for name in COLUMNS])
    return out.getvalue()


def to_json(reminders: Iterable[Reminder], zone: ZoneInfo) -> str:
    return json.dumps([row(one, zone) for one in reminders], ensure_ascii=False, indent=1)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value)
    return f"'{text}" if text.startswith(FORMULAS) else text


PAGE = 500
READ_MAX = 100_000  # reminders in one report; a person has about ten a day
SPAN = timedelta(days=30)
UPCOMING_MAX = 1_000
TIMES_AT_ONCE = 100
OPEN = (ReminderStatus.PENDING, ReminderStatus.TRIGGERED)


@dataclass(frozen=True, slots=True)
class Upcoming:
    """One thing to come, as a calendar shows it. `uid` stays the same from day to day."""

    uid: str
    at: datetime
    content: str
    confirm: bool
    series_id: SeriesId | None = None
    reminder_id: ReminderId | None = None
    """None: its series has not made it yet."""


class ReminderReports:
    def __init__(
        self,
        store: ReminderStore,
        clock: Clock,
        user: Callable[[Actor, UserId], Awaitable[User]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._user = user

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
        """What waits, and when series will ring after that, by time. At most a thousand.

        An absence leaves out what of a series falls into it, as it will be when it is due.
        """
        user = await self._user(actor, user_id)
        until = self._clock.now() + ahead
        search = Search(user_id=user_id, status=OPEN, until=until, limit=UPCOMING_MAX)
        waits = await self._store.find(search)
        coming = [_one(reminder) for reminder in waits if not _is_left_out(reminder, user)]
        for series in await self._all_series(user_id):
            coming += _rest(series, user, self._clock.now(), until)
        return sorted(coming, key=lambda one: (one.at, one.uid))[:UPCOMING_MAX]

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
        reminder_id=reminder.id,
    )


def _rest(series: Series, user: User, now: datetime, until: datetime) -> list[Upcoming]:
    """The occurrences after the one that waits already."""
    made = [occurrence(series, at, now) for at in _times(series, until) if at not in series.skipped]
    coming = [_one(reminder) for reminder in made if not _is_left_out(reminder, user)]
    return [replace(one, reminder_id=None) for one in coming]


def _is_left_out(reminder: Reminder, user: User) -> bool:
    absence = pausing(reminder, user, reminder.trigger_at)
    return reminder.series_id is not None and absence is not None


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
