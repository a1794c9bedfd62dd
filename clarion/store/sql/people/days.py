"""Days as they are kept: pairs of the first and the last."""

from collections.abc import Sequence
from datetime import date

from clarion.people.model import AwayDays


def days_values(days: Sequence[AwayDays]) -> list[list[str]]:
    return [[one.first.isoformat(), one.last.isoformat()] for one in days]


def read_days(kept: Sequence[Sequence[str]] | None) -> tuple[AwayDays, ...]:
    return tuple(AwayDays(*(date.fromisoformat(day) for day in one)) for one in kept or ())
