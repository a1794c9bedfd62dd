"""Whether an instant that an LLM proposes may stand: the grammar has the last word."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language.when.day_of import NoSuchDay, Unclear, agrees, days_of
from clarion.language.when.gather import Gatherer
from clarion.language.when.hours import options
from clarion.language.when.mention import Mention
from clarion.language.when.model import Grain, Habits, Invalid, Once, Recurring
from clarion.language.when.normal import Normal
from clarion.language.when.parse import DEFAULT_HABITS, read
from clarion.language.when.pieces import read_pieces
from clarion.language.when.spec import Clock, Date
from clarion.language.when.tokens import Stream

HORIZON = timedelta(days=366 * 20)  # beyond it a number was misread, not a wish spoken


def check_proposal(
    text: str,
    proposal: datetime,
    base: datetime,
    zone: ZoneInfo,
    habits: Habits = DEFAULT_HABITS,
) -> Once | None:
    """The proposal as a reading of `text`, or None when it cannot be trusted.

    It has to carry a zone, lie ahead, and agree with every day and hour that the grammar did
    read. What the grammar read whole, or knows to be impossible, needs no proposal.
    """
    if proposal.tzinfo is None or not base < proposal <= base + HORIZON:
        return None
    seen = read(text, base, zone, habits)
    at = proposal.astimezone(zone).replace(microsecond=0)
    if isinstance(seen.when, Once):
        return seen.when if seen.when.at == at else None
    if isinstance(seen.when, Invalid | Recurring):
        return None
    mentions = Gatherer().read(read_pieces(Stream(Normal(text).text)))
    known = [m for m in mentions if not m.negated]
    if not all(_fits(m, at, base.astimezone(zone), habits) for m in known):
        return None
    return Once(at, Grain.MINUTE, seen.when.span, ("proposed",))


def _fits(m: Mention, at: datetime, base: datetime, habits: Habits) -> bool:
    if m.lead or m.before or m.shift or m.repeats:
        return True  # told from something that the grammar could not see
    days = not m.dates or any(_is_day(said, at, base, habits) for said in m.dates)
    hours = not m.clocks or any(_is_hour(clock, at, habits) for clock in m.clocks)
    return days and hours


def _is_day(said: Date, at: datetime, base: datetime, habits: Habits) -> bool:
    """Also the night behind it: 今晚 may ring after midnight."""
    near = {at.date(), at.date() - timedelta(days=1)} if at.hour < 6 else {at.date()}
    try:
        found = days_of(said, base.date(), habits)
    except Unclear:
        return any(agrees(said, day, base.date()) for day in near)
    except (NoSuchDay, ValueError, OverflowError):
        return False
    if found.grain != "day":
        return at.date() >= found.days[0]
    return bool(near & set(found.days))


def _is_hour(clock: Clock, at: datetime, habits: Habits) -> bool:
    if clock.hour is None:
        return True
    readings = options(clock, habits, dated=False, today=True, alarm=False)
    if isinstance(readings, str):
        return False
    same = [r for r in readings if (r.at.hour % 12, r.at.minute) == (at.hour % 12, at.minute)]
    return any(r.at.hour == at.hour or clock.part is None for r in same)
