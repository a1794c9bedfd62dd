"""The delay that a refusal asks for: a duration or a clock time, and only when one was said."""

import re
from datetime import time, timedelta
from typing import Final, NamedTuple

from clarion.language.answer import moments, moments_en
from clarion.language.script import HAN

_CLAUSE: Final = re.compile(
    r"[,!;，。！；、？?\n]+|(?<!\d)\.|\.(?!\d)|\bbut\b|但是|不过|"
    r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])"
)
_MINUTES_MAX: Final = 366 * 24 * 60
_PAST: Final = re.compile(
    r"(?:分钟|小时|钟头|天)(?:之|以)?前|刚才|刚刚|昨天|昨晚|上次|\bago\b|\byesterday\b|"
    r"\blast\b|"
    r"已经.{0,8}了|花了|用了|才.{0,4}的"
)


class Delay(NamedTuple):
    """The fields of an `Answer` that say how long or until when; all empty for no delay."""

    snooze: timedelta | None = None
    snooze_until: time | None = None
    either_half: bool = False
    days_ahead: int = 0
    said: str = ""


def delay_in(text: str) -> Delay:
    """The delay that a folded text names, the last one said."""
    for clause in reversed(_CLAUSE.split(text)):
        if clause and not _PAST.search(clause):
            found = _from(clause.strip())
            if found is not None:
                return found
    return Delay()


def _from(clause: str) -> Delay | None:
    reader = moments if HAN(clause) or ":" in clause else moments_en
    minutes = moments_en.bare_minutes(clause) if reader is moments_en else None
    if minutes is None:
        minutes = reader.minutes(clause)
    if minutes is not None:
        # Nobody puts a pill off for years: such a number was misheard, and is no delay.
        return Delay(snooze=timedelta(minutes=minutes)) if minutes <= _MINUTES_MAX else None
    clock = reader.clock(clause)
    if clock is None:
        return None
    until, open_half, days = clock
    return Delay(None, until, open_half, days, clause)
