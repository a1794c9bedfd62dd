"""What happens again, however it was written: cron, RRULE, or words."""

from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.base.errors import Unprocessable
from clarion.language.when.model import Recurring
from clarion.language.when.parse import parse
from clarion.language.when.repeat.cron import looks_like_cron
from clarion.language.when.repeat.rrule import looks_like_rrule
from clarion.language.when.repeat.rule import Recurrence

__all__ = ["Recurrence", "read_pattern"]


def read_pattern(pattern: str, zone: ZoneInfo, now: datetime) -> Recurrence:
    """Raises Unprocessable when it is none of the three, or says something that happens once."""
    if looks_like_rrule(pattern):
        return Recurrence.from_rrule(pattern, zone, now)
    if looks_like_cron(pattern):
        return Recurrence.from_cron(pattern, zone, starts_at=now)
    when = parse(pattern, now, zone)
    if isinstance(when, Recurring):
        return when.rule
    raise Unprocessable(
        f"{pattern[:80]!r} does not say when it happens again.",
        hint="Cron ('0 9 * * 1-5'), RRULE ('FREQ=DAILY') or words ('every weekday at 9').",
    )
