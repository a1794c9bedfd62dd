"""Words to time: normalise, tokenise, gather, choose, resolve. Never raises, on any string."""

import re
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from clarion.base.errors import Unprocessable
from clarion.language.when.compose import Choice, choose
from clarion.language.when.gather import Gatherer
from clarion.language.when.mention import Mention
from clarion.language.when.model import (
    Habits,
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    Span,
    When,
)
from clarion.language.when.normal import Normal
from clarion.language.when.pieces import read_pieces
from clarion.language.when.resolve import Scene, resolve_once
from clarion.language.when.spec import Every
from clarion.language.when.tokens import Stream
from clarion.language.when.zones import zone_of

LETTERS_MAX = 20_000  # nobody speaks longer; what follows is not looked at
_ALARM = re.compile("起床|闹[钟铃]|叫[醒早]|唤醒|醒来|wake|alarm")
TIMER = ("计时", "定时", "倒数", "timer", "countdown", "闹钟", "闹铃")
DEFAULT_HABITS = Habits()
# Five fields with a star, or the first words of an RRULE: all others are sentences.
_PATTERN = re.compile(
    r"\s*(?:(?:RRULE:|DTSTART|FREQ=)|(?=[^\n]{0,99}\*)[\d*]\S{0,20}(?:\s+\S{1,30}){4}\s*$)",
    re.IGNORECASE,
)


class Reading(NamedTuple):
    """What was understood, and every stretch of the text that it was read from."""

    when: When
    cuts: tuple[Span, ...]
    verb: Span | None = None
    """The words that asked: 提醒我, "wake me up"."""
    whom: str | None = None
    """Who is to be told, when the asking word named somebody."""


def parse(text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS) -> When:
    """What the text says about time. `base` is aware; the answer is in `zone`."""
    return read(text, base, zone, habits).when


def read(text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS) -> Reading:
    if _PATTERN.match(text) and (pattern := _written_rule(text, base, zone)):
        return Reading(pattern, ((0, len(text)),))
    normal = Normal(text[:LETTERS_MAX])
    pieces = read_pieces(Stream(normal.text))
    choice = choose(pieces, Gatherer().read(pieces))
    wish, asking = choice.wish, choice.verb
    verb = normal.back(asking.start, asking.end) if asking else None
    whom = asking.value if asking else None
    if wish is None:
        missing = NeedsClarification("time", (0, 0)) if asking else Nothing()
        return Reading(missing, (), verb, whom)
    spans = sorted([normal.back(*span) for span in wish.spans if span[0] < span[1]])
    hull = (spans[0][0], max([end for _, end in spans])) if spans else (0, 0)
    scene = Scene(
        (base if base.tzinfo is zone else base.astimezone(zone)).replace(microsecond=0),
        zone,
        habits,
        hull,
        alarm=_ALARM.search(normal.text) is not None,
        clock_zone=zone_of(wish.zone) if wish.zone else None,
    )
    when = _resolve(wish, choice, scene, normal.text)
    if isinstance(when, Nothing):
        return Reading(when, (), verb, whom)
    return Reading(when, tuple(spans), verb, whom)


def _written_rule(text: str, base: datetime, zone: ZoneInfo) -> Recurring | None:
    """Cron and RRULE, wherever words may stand. What is wrong in them is no rule."""
    from clarion.language.when.repeat.cron import looks_like_cron
    from clarion.language.when.repeat.rrule import looks_like_rrule
    from clarion.language.when.repeat.rule import Recurrence

    try:
        if looks_like_rrule(text):
            return Recurring(Recurrence.from_rrule(text, zone, base), (0, len(text)))
        if looks_like_cron(text):
            rule = Recurrence.from_cron(text, zone, starts_at=base)
            return Recurring(rule, (0, len(text)))
    except Unprocessable:
        return None
    return None


def _resolve(wish: Mention, choice: Choice, scene: Scene, text: str) -> When:
    if wish.bad:
        return Invalid(wish.bad, scene.span)
    if wish.event:
        return NeedsClarification("event", scene.span)
    if choice.unclear or wish.split_hours:
        return NeedsClarification("choice", scene.span)
    _fill_lengths(wish, text, choice)
    if _again(wish):
        from clarion.language.when.resolve_again import resolve_again

        return resolve_again(wish, scene)
    if wish.instructs or not (wish.dates or wish.clocks or wish.after or wish.now):
        return _without_time(wish, choice, scene)
    found = resolve_once(wish, scene)
    if wish.vague and isinstance(found, Once) and not wish.clocks:
        return NeedsClarification("hour", scene.span)
    return found


def _fill_lengths(wish: Mention, text: str, choice: Choice) -> None:
    """定个10分钟的闹钟, 十分钟叫我: a length alone, where something is to ring after it."""
    gone = wish.length or wish.last_for
    if gone is None or wish.dates or wish.clocks or wish.after or wish.repeats:
        return
    to_ring = choice.verb is not None or any(word in text for word in TIMER)
    if to_ring and not wish.start and not wish.lead:
        wish.after, wish.last_for = gone, None


def _again(wish: Mention) -> bool:
    if wish.repeats:
        return True
    if wish.last_for is not None and wish.clocks and wish.after is None:
        wish.every = Every("day")
        return True
    days = [day for said in wish.dates for day in said.weekdays if said.week is None]
    if len(days) > 1 and wish.clocks:  # 周一三五早上7点, though nobody said 每
        wish.every = Every("week")
        return True
    return False


def _without_time(wish: Mention, choice: Choice, scene: Scene) -> When:
    if wish.vague:
        return NeedsClarification("time", scene.span)
    if wish.before and not wish.lead and not wish.count:
        return Invalid("past", scene.span)
    if wish.lead or wish.shift or wish.before:
        return NeedsClarification("event", scene.span)
    if wish.start is not None:
        wish.dates, wish.clocks = wish.start.dates, wish.start.clocks
        if wish.dates or wish.clocks:
            return resolve_once(wish, scene)
    if wish.until is not None and (wish.until.dates or wish.until.clocks):
        wish.dates, wish.clocks = wish.until.dates, wish.until.clocks
        return resolve_once(wish, scene)
    return NeedsClarification("time", scene.span) if choice.verb else Nothing()
