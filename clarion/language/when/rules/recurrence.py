"""One type for everything that happens again: cron, RRULE, intervals, lunar dates, workdays.

Days are reckoned in the zone's calendar, so 08:00 stays 08:00 across a change of clocks: an
hour that is skipped rings as much later as the clocks moved, one that comes twice rings the
first time only. Minutes and hours between firings are real ones.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from heapq import merge
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from clarion.language.when.calendar import (
    DAY,
    KINDS,
    DayRule,
    FixedDates,
    begun_earlier,
    is_workday,
)
from clarion.language.when.rules import rrule as rrules
from clarion.language.when.rules.cron import looks_like_cron, read_cron
from clarion.language.when.rules.rrule import looks_like_rrule

__all__ = ["Recurrence", "looks_like_cron", "looks_like_rrule"]

CLOCKS_MOVE = timedelta(hours=3)  # by no more than this at once
DAYS_LOOKED_AT = 30_000  # more than 80 years of days: whoever matches none of them never will
EPOCH = date(2000, 1, 1)  # from when a cron expression without a start is taken to run


@dataclass(frozen=True, slots=True)
class Recurrence:
    """Exactly one of `days` (with `times`), `step` and `rrule` is what repeats it."""

    zone: ZoneInfo
    starts_at: datetime
    """No firing is earlier; an interval counts from here."""
    until: datetime | None = None
    """No firing is later; one exactly then still rings."""
    count: int | None = None
    days: DayRule | None = None
    times: tuple[time, ...] = ()
    step: timedelta | None = None
    rrule: str | None = None
    skip_weekdays: tuple[int, ...] = ()
    skip_holidays: bool = False
    each_hour: bool = False
    """Also the second of two equal hours when clocks go back, as an hourly cron means it."""
    lead: timedelta = timedelta()
    """Rings this much before the time that the rule names."""
    skip_days: tuple[DayRule, ...] = ()
    """Days on which it is silent: 后天不用, except Christmas."""
    beside: tuple["Recurrence", ...] = ()
    """Rules that ring too: other hours on other days. They share the end and the count."""

    def next_after(self, after: datetime) -> datetime | None:
        """The first firing strictly later than `after`; None when there is none any more."""
        last = _last(self) if self.count is not None else None
        for firing in self._firings(after):
            if last is not None and firing > last:
                return None
            return firing
        return None

    def preview(self, after: datetime, n: int) -> list[datetime]:
        last = _last(self) if self.count is not None else None
        found = list(islice(self._firings(after), n))
        return [f for f in found if last is None or f <= last]

    def dump(self) -> str:
        """Lossless text for a database; `load` reads it."""
        facts: dict[str, Any] = {
            "zone": self.zone.key,
            "starts_at": self.starts_at.isoformat(),
            "until": self.until.isoformat() if self.until else None,
            "count": self.count,
            "days": _day_facts(self.days) if self.days else None,
            "times": [at.isoformat() for at in self.times],
            "step": self.step.total_seconds() if self.step else None,
            "rrule": self.rrule,
            "skip_weekdays": self.skip_weekdays,
            "skip_holidays": self.skip_holidays,
            "each_hour": self.each_hour,
            "lead": self.lead.total_seconds(),
            "skip_days": [_day_facts(days) for days in self.skip_days],
            "beside": [json.loads(rule.dump()) for rule in self.beside],
        }
        return json.dumps({name: fact for name, fact in facts.items() if fact})

    @classmethod
    def load(cls, text: str) -> "Recurrence":
        return cls._from_facts(json.loads(text))

    @classmethod
    def _from_facts(cls, facts: dict[str, Any]) -> "Recurrence":
        zone = ZoneInfo(facts["zone"])
        until = facts.get("until")
        return cls(
            zone=zone,
            starts_at=datetime.fromisoformat(facts["starts_at"]).astimezone(zone),
            until=datetime.fromisoformat(until).astimezone(zone) if until else None,
            count=facts.get("count"),
            days=_day_rule(facts["days"]) if "days" in facts else None,
            times=tuple(time.fromisoformat(at) for at in facts.get("times", ())),
            step=timedelta(seconds=facts["step"]) if "step" in facts else None,
            rrule=facts.get("rrule"),
            skip_weekdays=tuple(facts.get("skip_weekdays", ())),
            skip_holidays=facts.get("skip_holidays", False),
            each_hour=facts.get("each_hour", False),
            lead=timedelta(seconds=facts.get("lead", 0)),
            skip_days=tuple(_day_rule(days) for days in facts.get("skip_days", ())),
            beside=tuple(cls._from_facts(rule) for rule in facts.get("beside", ())),
        )

    @classmethod
    def from_cron(
        cls,
        expr: str,
        zone: ZoneInfo,
        *,
        starts_at: datetime | None = None,
        until: datetime | None = None,
        count: int | None = None,
    ) -> "Recurrence":
        """Five fields. Raises Unprocessable when a field is wrong or no day ever fits."""
        parts = read_cron(expr)
        return cls(
            zone=zone,
            starts_at=starts_at or datetime.combine(EPOCH, time(), zone),
            until=until,
            count=count,
            days=parts.days,
            times=parts.times,
            each_hour=parts.each_hour,
        )

    @classmethod
    def from_rrule(cls, text: str, zone: ZoneInfo, starts_at: datetime) -> "Recurrence":
        """RFC 5545. Raises Unprocessable when it cannot be read or never fires."""
        parts = rrules.read_rrule(text, zone, starts_at)
        return cls(
            zone, parts.starts_at, parts.until, parts.times, step=parts.step, rrule=parts.line
        )

    def in_zone(self, zone: ZoneInfo) -> "Recurrence":
        """The same hours of the day elsewhere. Steps of real time stay where they are."""
        if self.step is not None:
            return self

        def there(at: datetime) -> datetime:
            return at.astimezone(self.zone).replace(tzinfo=zone, fold=0)

        return replace(
            self,
            zone=zone,
            starts_at=there(self.starts_at),
            until=there(self.until) if self.until else None,
            beside=tuple(rule.in_zone(zone) for rule in self.beside),
        )

    def begun_earlier(self, by: timedelta, now: datetime) -> "Recurrence":
        """As if it had begun about so much earlier, in the same rhythm; days not after `now`."""
        beat = self.step or DAY
        moved = self.starts_at.astimezone(UTC if self.step else self.zone)
        moved -= round(by / beat) * beat
        start = min(self.starts_at - by, now) if self.days is not None else moved
        return replace(
            self,
            starts_at=start.astimezone(self.zone),
            days=self.days and begun_earlier(self.days, by),
            beside=tuple(rule.begun_earlier(by, now) for rule in self.beside),
        )

    def to_rrule(self) -> str | None:
        """None when RRULE has no words for it: lunar dates, decreed workdays, a lead."""
        if self.lead or self.skip_holidays or self.skip_days or self.beside:
            return None
        text: str | None = None
        if self.days is not None:
            text = rrules.days_text(self.days, self.times, self.skip_weekdays)
        elif not self.skip_weekdays:
            text = rrules.step_text(self.step) if self.step else self.rrule
        return text + rrules.ending_text(self.until, self.count) if text else None

    def _firings(self, after: datetime) -> Iterator[datetime]:
        own = self._own_firings(after)
        if not self.beside:
            return own
        return _each_once(merge(own, *(rule._firings(after) for rule in self.beside)))

    def _own_firings(self, after: datetime) -> Iterator[datetime]:
        floor = after + self.lead - CLOCKS_MOVE if self.lead else after
        for instant in self._instants(max(floor, self.starts_at - timedelta(microseconds=1))):
            if self.until is not None and instant > self.until:
                return
            firing = earlier(instant, self.lead, self.zone) if self.lead else instant
            if firing > after:
                yield firing.astimezone(self.zone)

    def _instants(self, after: datetime) -> Iterator[datetime]:
        if self.step is not None:
            return self._steps(after)
        if self.rrule is not None:
            return rrules.instants(self.rrule, self.zone, self.starts_at, after)
        return self._of_days(after)

    def _steps(self, after: datetime) -> Iterator[datetime]:
        assert self.step is not None, "asked only of intervals"
        start = self.starts_at.astimezone(UTC)
        passed = max((after - start) // self.step + 1, 0)
        for n in range(passed, passed + DAYS_LOOKED_AT):
            try:
                instant = (start + self.step * n).astimezone(self.zone)
            except OverflowError:
                return
            if not self._skipped(instant.date()):
                yield instant

    def _of_days(self, after: datetime) -> Iterator[datetime]:
        assert self.days is not None, "a recurrence repeats by something"
        previous = after.astimezone(UTC)
        first = after.astimezone(self.zone).date()
        for day in islice(self.days.since(first), DAYS_LOOKED_AT):
            if self._skipped(day):
                continue
            for instant in self._on(day):
                if instant > previous:
                    previous = instant
                    yield instant.astimezone(self.zone)

    def _on(self, day: date) -> list[datetime]:
        local = [datetime.combine(day, at, self.zone) for at in self.times]
        if self.each_hour:
            local += [at.replace(fold=1) for at in local]
        return sorted({at.astimezone(UTC) for at in local})

    def _skipped(self, day: date) -> bool:
        if day.weekday() in self.skip_weekdays:
            return True
        if any(next(days.since(day), None) == day for days in self.skip_days):
            return True
        return self.skip_holidays and day.weekday() < 5 and not is_workday(day)


def earlier(at: datetime, by: timedelta, zone: ZoneInfo) -> datetime:
    """Whole days by the calendar, also where the clocks change between; the rest in real time."""
    local = at.astimezone(zone)
    day = local.replace(tzinfo=None) - timedelta(days=by.days)
    there = day.replace(tzinfo=zone, fold=local.fold).astimezone(UTC)
    return (there - timedelta(seconds=by.seconds)).astimezone(zone)


def _each_once(firings: Iterator[datetime]) -> Iterator[datetime]:
    previous: datetime | None = None
    for firing in firings:
        if firing != previous:
            yield firing
        previous = firing


@lru_cache(maxsize=1024)
def _last(rule: Recurrence) -> datetime | None:
    """The firing that exhausts the count."""
    count = min(rule.count or 0, rrules.COUNT_MAX)
    before = rule.starts_at - rule.lead - DAY
    return next(islice(rule._firings(before), count - 1, count), None)


def _day_facts(rule: DayRule) -> dict[str, Any]:
    facts: dict[str, Any] = {"kind": type(rule).__name__}
    for field in fields(rule):
        value = getattr(rule, field.name)
        if field.name == "dates" and isinstance(rule, FixedDates):
            value = [day.isoformat() for day in rule.dates]
        facts[field.name] = value.isoformat() if isinstance(value, date) else value
    return facts


def _day_rule(facts: dict[str, Any]) -> DayRule:
    values = {name: _frozen(value) for name, value in facts.items() if name != "kind"}
    if "anchor" in values:
        values["anchor"] = date.fromisoformat(values["anchor"])
    if facts["kind"] == FixedDates.__name__:
        values["dates"] = tuple(date.fromisoformat(day) for day in values["dates"])
    return KINDS[facts["kind"]](**values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
