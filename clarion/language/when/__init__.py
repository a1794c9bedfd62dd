"""Words to time, in Chinese and English: once, again, unclear, impossible, or nothing.

parse("明天早上8点", base, zone)        Once(at=..., grain=hour)
parse("every weekday at 9", base, zone)   Recurring(rule=...)
parse("2月30日", base, zone)            Invalid(why="no_such_day")
"""

from typing import TYPE_CHECKING, Any

from clarion.language.when.model import (
    Grain,
    Habits,
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    When,
)
from clarion.language.when.parse import check_proposal, named, parse, read_pattern

if TYPE_CHECKING:
    from clarion.language.when.rules.recurrence import Recurrence

__all__ = [
    "Grain",
    "Habits",
    "Invalid",
    "NeedsClarification",
    "Nothing",
    "Once",
    "Recurrence",
    "Recurring",
    "When",
    "check_proposal",
    "named",
    "parse",
    "read_pattern",
]


def __getattr__(name: str) -> Any:
    """What repeats is loaded when it is first asked for: most sentences are about one time."""
    if name == "Recurrence":
        from clarion.language.when.rules.recurrence import Recurrence

        return Recurrence
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
