"""Words to time: normalise, tokenise, gather, choose, resolve. Never raises, on any string.

A time that is only named sets nothing: 星期一的英文怎么写, "Friday's child". A word of time
that nobody could read is asked about: half 9 o'clock.
"""

import re
from datetime import datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from clarion.base.errors import Unprocessable
from clarion.language.when.choice import Choice, choose
from clarion.language.when.days import (
    NoSuchDay,
    ReadingContext,
    Unclear,
    agrees,
    days_of,
    make_context,
)
from clarion.language.when.gather import Gatherer
from clarion.language.when.instants import options, resolve_end, resolve_once
from clarion.language.when.model import (
    Grain,
    Habits,
    Invalid,
    NeedsClarification,
    Nothing,
    Once,
    Recurring,
    Span,
    When,
)
from clarion.language.when.pieces import read_pieces
from clarion.language.when.routines import by_routine
from clarion.language.when.stream import (
    ClockWords,
    Date,
    Every,
    Mention,
    Piece,
)
from clarion.language.when.tokens import Normal, stream_of
from clarion.language.when.unread import half_read
from clarion.language.when.unset import is_only_named, is_story, is_told, speaks_of_what_is_set
from clarion.language.when.words import EVENT_NIGHTS
from clarion.language.when.zones import zone_of

if TYPE_CHECKING:
    from clarion.language.when.rules.recurrence import Recurrence

LETTERS_MAX = 20_000  # nobody speaks longer; what follows is not looked at
_ALARM = re.compile(
    r"起床|闹[钟铃]|叫[醒早]|唤醒|醒来|wake|woken|(?:get (?:me|us)|be) up\b"
    r"|alarm(?! (?:batter|system|code|limit|company|panel|off\b|is\b))"
    "(?<!smoke alarm)(?<!fire alarm)(?<!burglar alarm)(?<!car alarm)(?<!door alarm)"
    "(?<!house alarm)(?<!monoxide alarm)(?<!bed alarm)(?<!mattress alarm)(?<!ventilator alarm)"
)
_NAP = re.compile(r"午[睡休觉]|小睡|\bnap\b")  # nobody who naps is woken in the morning
# An event that names the half of its day, where nobody asked for another hour: dinner at 8.
_OF_EVENINGS = (
    "(?:dinner|supper|drinks|party|cinema|movie|film|concert|theatre|gig|pub|disco"
    "|prom|fireworks|clubbing|date night|quiz night|table for [a-z0-9]+)"
)
_EVENING = re.compile(
    rf"(?:[a-z']+ )?{_OF_EVENINGS}\b|.{{0,60}}\b{_OF_EVENINGS} (?:is )?at (?:\d|half)"
)
_BEFORE_NIGHT = re.compile(
    "(?<!午)(?:睡觉|上床|入睡|早[点些]睡|就寝|瞓觉)|go(?:ing)? to (?:bed|sleep)"
    "|[做煮吃烧食备]晚[饭餐]|(?:bonfire|burns|guy fawkes) night"
    "|(?:cook|make|eat|start|have) (?:the |our |my )?(?:dinner|supper)"
    rf"|\b{EVENT_NIGHTS}'?s? (?:evening|night)\b.{{0,60}}(?:\d|past|to|o'clock|\bat )"
)
TIMER = ("计时", "定时", "倒数", "timer", "countdown", "闹钟", "闹铃")
DEFAULT_HABITS = Habits()
ANY_RHYTHM = Habits(seconds_between=0)  # whoever reads a pattern has limits of their own
# Five fields with a star, or the first words of an RRULE: all others are sentences.
_PATTERN = re.compile(
    r"\s*(?:(?:RRULE:|DTSTART|FREQ=)|(?=[^\n]{0,99}\*)[\d*]\S{0,20}(?:\s+\S{1,30}){4}\s*$)",
    re.IGNORECASE,
)


class TimeReading(NamedTuple):
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


def named(text: str, base: datetime, zone: ZoneInfo) -> When:
    """The time that words about reminders name, though none is to be set: 把八点的闹钟关了."""
    return read(text, base, zone, setting=False).when


def read(
    text: str,
    base: datetime,
    zone: ZoneInfo,
    habits: Habits = DEFAULT_HABITS,
    *,
    setting: bool = True,
) -> TimeReading:
    # Every rule has one of these two signs: sentences are spared the look.
    signed = "=" in text or "*" in text
    if signed and is_formal(text) and (pattern := _written_rule(text, base, zone)):
        return TimeReading(pattern, ((0, len(text)),))
    normal = Normal(text[:LETTERS_MAX])
    pieces = read_pieces(stream_of(normal.text, normal.original))
    choice = choose(pieces, Gatherer().read(pieces))
    wish, asking = choice.wish, choice.verb
    verb = normal.back(asking.start, asking.end) if asking else None
    whom = asking.value if asking else None
    if setting and _unasked(choice, pieces, normal.text):
        return TimeReading(Nothing(), (), verb, whom)
    if wish is None:
        missing = NeedsClarification("time", (0, 0)) if asking else Nothing()
        return TimeReading(missing, (), verb, whom)
    if wish.zone == "UTC":  # nobody says it of a face of twelve hours
        wish.clocks = [c if c.part else c._replace(exact=True) for c in wish.clocks]
    open_half = _open_half(wish)
    asked_first = asking is not None and asking.start <= wish.spans[0][0]
    if open_half and _is_of_evening(normal.text, asked=asked_first):
        hours = range(5, 13 if asking else 12)  # at twelve people sleep, or go to a film
        wish.clocks = [_of_evening(clock, hours) for clock in wish.clocks]
    spans = normal.spans(wish.spans)
    hull = (spans[0][0], max([end for _, end in spans])) if spans else (0, 0)
    alarm = open_half and _is_alarm(normal.text)
    alone = asking is None and hull[1] - hull[0] == len(text.strip())
    clock_zone = zone_of(wish.zone) if wish.zone else None
    local = _in_zone(base, zone)
    asked = asking is not None
    scene = make_context((local, local.date(), zone, habits, hull, alarm, alone, asked, clock_zone))
    when = _resolve(wish, choice, scene, normal.text)
    when = _doubted(when, wish, pieces, scene, normal.text, setting=setting)
    if isinstance(when, Nothing):
        return TimeReading(when, (), verb, whom)
    return TimeReading(when, tuple(spans), verb, whom)


def _in_zone(base: datetime, zone: ZoneInfo) -> datetime:
    local = base if base.tzinfo is zone else base.astimezone(zone)
    return local.replace(microsecond=0) if local.microsecond else local


def _doubted(
    when: When,
    wish: Mention,
    pieces: list[Piece],
    scene: ReadingContext,
    text: str,
    *,
    setting: bool,
) -> When:
    """What was resolved, unless the rest of the sentence makes it a story or leaves it open."""
    if isinstance(when, Invalid):
        told = not (scene.asked or scene.alone) and is_told(wish, text)
        return when._replace(proposal=None) if told else when
    if not isinstance(when, _RINGS):
        return when
    kinds = [piece.kind for piece in pieces]
    if "gap" in kinds:
        if setting and is_story(wish, text, asked=scene.asked):
            return Nothing()
        if half_read(wish, pieces, text):
            return NeedsClarification("time", scene.span)
    if scene.asked and isinstance(when, Once) and _is_late_bed(when, wish, scene, text):
        return NeedsClarification("hour", scene.span, (when.at - timedelta(hours=12), when.at))
    if scene.asked and (_is_condition(wish, text) or _is_after_event(wish, text)):
        return NeedsClarification("event", scene.span)
    if scene.asked and isinstance(when, Once) and _several_times(when, text):
        return NeedsClarification("hour", scene.span)
    if (
        kinds.count("clock") > 1
        and isinstance(when, Once)
        and _for_each(wish, pieces, text, asked=scene.asked)
    ):
        return NeedsClarification("choice", scene.span)
    return when


_RINGS = (Once, Recurring)


def _for_each(wish: Mention, pieces: list[Piece], text: str, *, asked: bool) -> bool:
    """五点取蛋糕，六点接孩子，都提醒我: one of the two alone is half of what was asked for."""
    hours = [p.value for p in pieces if p.kind == "clock" and p.value.hour is not None]
    if len(set(hours)) <= len(wish.clocks) + len(wish.beside):  # looked at first: it is quick
        return False
    if wish.to_clock or wish.until or wish.start:
        return False
    if any(piece.kind in ("correct", "no", "not") for piece in pieces):
        return False
    return (asked and _EACH_OF_THEM.search(text) is not None) or _deeds_apart(pieces)


def _deeds_apart(pieces: list[Piece]) -> bool:
    """五点取蛋糕 六点接孩子 提醒我: two deeds, each behind its hour, the later one last."""
    said = [piece for piece in pieces if piece.kind not in ("sep", "and", "date", "verb")]
    kinds = [kind for kind, _ in groupby(piece.kind for piece in said)]
    asks = any(piece.kind == "verb" for piece in pieces[:-1])
    listed = kinds == ["gap", "clock"] * (len(kinds) // 2) and "sep" in [p.kind for p in pieces]
    if asks or len(kinds) < 4 or not (listed or kinds == ["clock", "gap", "clock", "gap"]):
        return False
    one, other = [piece.value for piece in said if piece.kind == "clock"][:2]
    full = one.hour is not None and other.hour is not None and other.part in (None, one.part)
    return full and (one.hour, one.minute) < (other.hour, other.minute)


_EACH_OF_THEM = re.compile(
    "(?:都|分别|各)(?:要|得|请|帮我|给我|记得){0,2}(?:提醒|叫|喊|通知)"
    r"|\b(?:remind|tell|alert|notify|ping) me (?:of|about|for|at|before) (?:both|each)\b"
)


def _unasked(choice: Choice, pieces: list[Piece], text: str) -> bool:
    if choice.verb is None and choice.wish is not None and is_only_named(choice.wish, pieces, text):
        return True
    return speaks_of_what_is_set(text)


def _is_late_bed(when: Once, wish: Mention, scene: ReadingContext, text: str) -> bool:
    """一点提醒我睡觉, 一点叫我起来, said late: of the night, though nobody said so."""
    late = scene.base.hour >= 18 and 13 <= when.at.hour <= 16 and not wish.dates
    bare = late and len(wish.clocks) == 1 and wish.clocks[0].part is None
    if not bare or wish.clocks[0].exact:
        return False
    return "起来" in text or (scene.base.hour >= 20 and _BEFORE_NIGHT.search(text) is not None)


def _is_condition(wish: Mention, text: str) -> bool:
    """If it's raining at 5 remind me: nobody knows before whether it will be."""
    hour = bool(wish.clocks) and wish.clocks[0].hour is not None
    # Looked for first, because it is quick.
    if not hour or not ("if " in text or "unless " in text or "如果" in text or "要是" in text
                        or "假" in text) or not _IF.search(text):  # fmt: skip
        return False
    start = min(wish.spans)[0]
    opens = max(text.rfind(mark, 0, start) for mark in "，,;；。") + 1
    return _WHETHER.search(text, opens, start) is not None


def _is_after_event(wish: Mention, text: str) -> bool:
    """起飞一小时后提醒我: when that is, nobody said."""
    if wish.dates or wish.clocks or text.isascii():
        return False
    if wish.repeats:
        return _EVENT_OF_EACH.search(text) is not None
    return wish.after is not None and bool(_EVENT_BEFORE.search(text, 0, min(wish.spans)[0]))


# 每月发工资那天
_EVENT_OF_EACH = re.compile("每个?[月年][^，,。\\d号日初底末]{2,8}(?:那|当|的那|的当)[天日]")


_EVENT_BEFORE = re.compile(
    "(?:起飞|降落|落地|登机|生日|婚礼|手术|考试|面试|放学|下班|开场|散场|毕业|开学|到家)(?:之?后)?$"
)
_IF = re.compile(
    r"\b(?:if|unless) (?:it|the)\b.{0,20}\b(?:rain|snow|wind|sunn|dry|wet|hot|cold|dark|freez)"
    "|(?:如果|要是|假如|假若).*?(?:下雨|下雪|刮风|天晴|出太阳|降温)"
)
_WHETHER = re.compile(r"\b(?:if|unless)\b|如果|要是|假如|假若")


def _several_times(when: Once, text: str) -> bool:
    """上午提醒我喝水三次: some hours of the morning, and nobody said which."""
    loose = when.grain in (Grain.PART, Grain.DAY)
    return loose and _COUNT_AT_END.search(text) is not None


_COUNT_AT_END = re.compile(
    r"(?<![第上下])(?:[两二三四五六七八九]|十|[2-9]|10)次[。!！]*$"
    r"|\b(?:a couple of|a few|several) times\b|几次"
    r"|\b(?:twice|(?:two|three|four|five|six|[2-6]) times)(?: (?:today|tomorrow|on [a-z]+))?[.!]*$"
)


def _is_alarm(text: str) -> bool:
    return _ALARM.search(text) is not None and not _NAP.search(text)


def is_formal(text: str) -> bool:
    """Whether it is cron or an RRULE, and not a sentence: "8 am take my pills" is one."""
    return _PATTERN.match(text) is not None


def _open_half(wish: Mention) -> bool:
    """Whether an hour may be of either half of the day: only then it matters who is woken."""
    if wish.start is not None or wish.until is not None or wish.beside:
        return True
    return bool([clock for clock in wish.clocks if clock.part is None and not clock.exact])


def _is_of_evening(text: str, *, asked: bool) -> bool:
    """Dinner tomorrow at 8; 每天十点提醒我睡觉: what is done tells which half of the day."""
    return (not asked and _EVENING.match(text) is not None) or bool(_BEFORE_NIGHT.search(text))


def _of_evening(clock: ClockWords, hours: range) -> ClockWords:
    bare = clock.part is None and not clock.exact and clock.hour in hours
    return clock._replace(part="evening") if bare else clock


def read_pattern(pattern: str, zone: ZoneInfo, now: datetime) -> "Recurrence":
    """What happens again, however it was written: cron, RRULE, or words.

    Raises Unprocessable when it is none of the three, or says something that happens once.
    """
    written = _formal_rule(pattern, now, zone)
    if written is not None:
        return written
    when = parse(pattern, now, zone, ANY_RHYTHM)
    if isinstance(when, Recurring):
        return when.rule
    raise Unprocessable(
        f"{pattern[:80]!r} does not say when it happens again.",
        hint="Cron ('0 9 * * 1-5'), RRULE ('FREQ=DAILY') or words ('every weekday at 9').",
    )


def _written_rule(text: str, base: datetime, zone: ZoneInfo) -> Recurring | None:
    """Cron and RRULE, wherever words may stand. What is wrong in them is no rule."""
    try:
        rule = _formal_rule(text, base, zone)
    except Unprocessable:
        return None
    return Recurring(rule, (0, len(text))) if rule is not None else None


def _formal_rule(text: str, base: datetime, zone: ZoneInfo) -> "Recurrence | None":
    # Loaded when first asked for: most sentences are about one time.
    from clarion.language.when.rules.recurrence import Recurrence, looks_like_cron, looks_like_rrule

    if looks_like_rrule(text):
        return Recurrence.from_rrule(text, zone, base)
    if looks_like_cron(text):
        return Recurrence.from_cron(text, zone, starts_at=base)
    return None


def _resolve(wish: Mention, choice: Choice, scene: ReadingContext, text: str) -> When:
    if wish.bad:
        return Invalid(wish.bad, scene.span)
    if wish.lead and wish.lead.grain == "open":
        return NeedsClarification("time", scene.span)
    if (wish.to_clock or wish.now) and _AT_END.search(text):
        return resolve_end(wish, scene)
    if wish.event:
        return _by_their_day(wish, choice, scene, text)
    return _by_clock(wish, choice, scene, text)


def _by_clock(wish: Mention, choice: Choice, scene: ReadingContext, text: str) -> When:
    if wish.contradicts or choice.unclear:
        return NeedsClarification("hour" if wish.contradicts else "choice", scene.span)
    if wish.vague_day and not wish.dates and not wish.repeats:
        return NeedsClarification("day" if wish.clocks else "time", scene.span)
    if (wish.start or wish.until) and wish.clocks and _several_weekdays(wish):
        wish.every = wish.every or Every("week")
    _fill_lengths(wish, text, choice)
    if wish.start is not None:
        _fill_start(wish)
    if _again(wish, text, asked=choice.verb is not None):
        from clarion.language.when.recurring import resolve_repeating

        return resolve_repeating(wish, scene)
    if len(wish.clocks) > 1 and wish.to_clock is None and not wish.after:
        from clarion.language.when.recurring import resolve_each

        return resolve_each(wish, scene)
    if wish.instructs or not (wish.dates or wish.timed):
        return _without_time(wish, choice, scene)
    found = resolve_once(wish, scene)
    if wish.vague and isinstance(found, Once) and all(c.hour is None for c in wish.clocks):
        return NeedsClarification("hour", scene.span)
    told = wish.clocks or scene.asked or scene.alone
    return found if told or not _is_idle(wish, scene.today.year) else Nothing()


# Told from the end of a range, and not from its beginning: two to four, 结束前十分钟.
_AT_END = re.compile(
    r"\b(?:before|after|when|once|as soon as) (?:it|that|this|the [a-z]+|class|work|school)"
    r"(?:'s| is)? (?:ends?|finish(?:es)?|over|done|closes?)\b|\b(?:before|after|at) the end\b"
    "|(?:结束|下课|散会|散场|收市|打烊|关门|下班)(?:之|以)?(?:前|后|时)|(?:开完会|考完|上完课|散了)"
)


def _is_idle(wish: Mention, year: int) -> bool:
    """我马上到; 我今年三十二岁, 去年买的, "in 2019": told of a year, and of no day in it."""
    if len(wish.dates) != 1:
        return wish.now and not wish.dates
    said = wish.dates[0]
    alone = said == Date(year=said.year, year_offset=said.year_offset)
    return alone and (said.year or year + (said.year_offset or 0)) <= year


def _by_their_day(wish: Mention, choice: Choice, scene: ReadingContext, text: str) -> When:
    """睡前, after lunch: by the habits of the person, where they are known."""
    notes = by_routine(wish, scene.habits, scene.base)
    if notes is None:
        return NeedsClarification("event", scene.span)
    found = _resolve(wish, choice, scene, text)
    if not isinstance(found, Once | Recurring):
        return found
    return found._replace(assumptions=(*found.assumptions, *notes))


def _fill_lengths(wish: Mention, text: str, choice: Choice) -> None:
    """定个10分钟的闹钟, 十分钟叫我: a length alone, where something is to ring after it."""
    gone = wish.length or wish.last_for
    if gone is None or wish.dates or wish.clocks or wish.after or wish.repeats:
        return
    from_now = wish.now and _FROM_NOW.search(text) is not None
    counted = from_now or any(word in text for word in TIMER)
    if gone is wish.last_for and not gone.seconds and not counted:
        return  # 连续三天提醒我: at which hour?
    to_ring = choice.verb is not None or counted
    if to_ring and not wish.start and not wish.lead:
        wish.after, wish.last_for, wish.now = gone, None, False


_FROM_NOW = re.compile(r"现在(?:起|算起|开始)后?[，, ]?[一二两三四五六七八九十百半\d]")


def _fill_start(wish: Mention) -> None:
    """后天的婚礼十一点开始: an event that starts, and no rhythm that does."""
    lasts_days = wish.last_for is not None and not wish.last_for.seconds
    if wish.start is None or wish.repeats or lasts_days:
        return
    if wish.clocks:
        _begins_in_part(wish, wish.start)
        return
    wish.clocks = wish.start.clocks
    wish.dates = wish.dates or wish.start.dates
    wish.start = None


def _begins_in_part(wish: Mention, start: Mention) -> None:
    """今天晚上家长会，六点半开始: the hour of the evening that was named."""
    part = wish.clocks[0].part if wish.clocks[0].hour is None else None
    if part is None or start.dates or len(start.clocks) != 1 or start.clocks[0].hour is None:
        return
    begins = start.clocks[0]
    wish.clocks = [begins._replace(part=begins.part or (None if begins.exact else part))]
    wish.start = None


def _again(wish: Mention, text: str, *, asked: bool) -> bool:
    if wish.repeats:
        return True
    through = wish.to_date is not None or wish.until is not None
    through = through and bool(wish.clocks) and (asked or _EACH_DAY.search(text) is not None)
    if through and _through_days(wish):
        wish.every = Every("day")
        return True
    lasts = wish.last_for is not None and bool(wish.last_for.days or wish.last_for.months)
    if lasts and wish.clocks and wish.after is None:
        wish.every = Every("day")
        return True
    if not wish.dates or not (wish.clocks or asked):
        return False
    # 周一三五早上7点, though nobody said 每
    if _several_weekdays(wish) and (wish.clocks or not any(said.ranged for said in wish.dates)):
        wish.every = Every("week")
        return True
    if _several_days(wish):
        wish.every = Every("dates")
        return True
    return False


_EACH_DAY = re.compile(r"\b(?:through|thru)\b")  # tomorrow through Saturday at 7


def _several_weekdays(wish: Mention) -> bool:
    days = 0
    for said in wish.dates:
        if not said.weekdays or said.coming:
            return False
        days += len(said.weekdays) if said.week is None else 0
    return days > 1


def _through_days(wish: Mention) -> bool:
    """Tomorrow through Sunday at 8: the same hour on each of the days."""
    if len(wish.dates) != 1 or wish.after or wish.to_clock or len(wish.dates[0].weekdays) > 1:
        return False
    if wish.to_date is None and wish.until is not None and wish.until.dates:
        wish.to_date, wish.until = wish.until.dates[0], None
    return wish.to_date is not None


def _several_days(wish: Mention) -> bool:
    """明天和后天; 12月5号和20号; 下周一三五; 明天8点和后天9点."""
    dates = wish.dates
    if not dates or wish.after or wish.to_date or wish.start or wish.until:
        return False
    said = dates[0]
    if len(dates) == 1:
        in_week = (said.week is not None or said.coming) and len(said.weekdays) > 1
        return bool(wish.beside) or len(said.days) > 1 or in_week
    return not any(other.nth and other.month is None for other in dates)


def _without_time(wish: Mention, choice: Choice, scene: ReadingContext) -> When:
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
    mentions = Gatherer().read(read_pieces(stream_of(Normal(text).text)))
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


def _is_hour(clock: ClockWords, at: datetime, habits: Habits) -> bool:
    if clock.hour is None:
        return True
    readings = options(clock, habits, dated=False, today=True, alarm=False)
    if isinstance(readings, str):
        return False
    same = [r for r in readings if (r.at.hour % 12, r.at.minute) == (at.hour % 12, at.minute)]
    return any(r.at.hour == at.hour or clock.part is None for r in same)
