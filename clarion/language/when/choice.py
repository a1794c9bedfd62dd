"""Which of the times in a sentence is the wish, and what only qualifies it or is content.

"明天8点提醒我9点的会" names two hours; the one before the asking word is meant. What follows it
is content unless it instructs: a lead, a count, a start or an end.
"""

from itertools import pairwise
from typing import NamedTuple

from clarion.language.when.gather import ahead
from clarion.language.when.joining import (
    absorb,
    both_full,
    bounds_rhythm,
    clause_opening,
    completes,
    corrected,
    ends_rhythm,
    has_weekly_hours,
    in_same_part,
    inherited,
    is_another_hour,
    is_day,
    is_day_beside,
    is_its_span,
    is_length,
    is_of,
    merged,
    one_of_content,
    own_clause,
    takes_hour_of_part,
)
from clarion.language.when.stream import Every, Mention, Piece
from clarion.language.when.words import words

SKIPPED = frozenset(words("glue sep the of about at on dash"))


class Choice(NamedTuple):
    wish: Mention | None
    verb: Piece | None
    """The word that asked to be reminded: with it a missing time is a question, not nothing."""
    unclear: bool = False
    """Two times were offered: 三点还是四点."""


def choose(pieces: list[Piece], mentions: list[Mention]) -> Choice:
    verb = _verb(pieces)
    only = mentions[0] if len(mentions) == 1 else None
    if only and not only.negated and (verb is None or only.first < verb):
        return Choice(only, None if verb is None else pieces[verb])  # as in most sentences
    unwanted = [m for m in mentions if m.negated]
    live, taken_back = mentions, []
    if unwanted:
        _told_from_unwanted(mentions)
        live = [m for m in mentions if not m.negated]
        taken_back = [span for m in unwanted for span in (m.said_before, *m.spans)]
    if verb is None:
        wish = _fold(live, pieces, last_wins=False)
        return _chosen(wish, taken_back, None, unclear=_offered(wish, live))
    before = ahead([m for m in live if m.first < verb], pieces)
    behind = [m for m in live if m.first > verb]
    if behind and _is_over(before, pieces, verb):
        before = []
    wish = _fold(before, pieces, last_wins=True)
    if wish is not None and (settled := _settled(wish, behind, pieces, verb)):
        wish, behind = settled, behind[1:]
    if wish is not None and behind and bounds_rhythm(wish, behind[0]):
        behind[0].spans += wish.spans
        wish, behind = behind[0], behind[1:]
    if wish is None or wish.instructs:
        found = _behind_verb(behind, pieces, verb)
        if found is not None and wish is not None:
            absorb(found, wish)
        wish = found or wish or _length_alone(behind, pieces, verb)
    else:
        _instructed(wish, behind, pieces, verb)
    unclear = _offered(wish, live) or (wish is not None and _left_over(wish, behind, pieces))
    return _chosen(wish, taken_back, pieces[verb], unclear=unclear)


def _is_over(before: list[Mention], pieces: list[Piece], verb: int) -> bool:
    """I was up till 3 last night, wake me at 8:30: what is past is no part of the wish."""
    past = before and all(m.dates and all(said.is_behind for said in m.dates) for m in before)
    return bool(past) and any(p.kind in ("sep", "gap") for p in pieces[before[-1].behind : verb])


def _length_alone(behind: list[Mention], pieces: list[Piece], verb: int) -> Mention | None:
    """Set a timer for ten minutes; but "renew my 3 year subscription" is content."""
    lengths = [m for m in behind if m.length or m.last_for]
    near = (m for m in lengths if _adjacent(m, pieces, verb, _BEFORE_LENGTHS))
    return next(near, None) or next((m for m in lengths if own_clause(m, pieces)), None)


_BEFORE_LENGTHS = SKIPPED | {"for", "last_for"}


def _left_over(wish: Mention, behind: list[Mention], pieces: list[Piece]) -> bool:
    """What nothing could be made of: …，九点 in a clause of its own; …，周日九点叫我 asks again."""
    for m in behind:
        if m is wish or m.event or set(m.spans) & set(wish.spans):
            continue
        behind_it = [piece.kind for piece in pieces[m.behind : m.behind + 2]]
        verb = behind_it[:1] == ["verb"] or behind_it == ["gap", "verb"]
        asked = verb and (m.dates or m.after or (wish.repeats and not m.repeats))
        once_more = m.after and any(p.kind == "then" for p in pieces[m.first - 2 : m.first])
        more = m.clocks or m.repeats or (m.after and asked)
        if once_more or (more and (asked or own_clause(m, pieces))):
            return True
    return False


def _settled(
    event: Mention, behind: list[Mention], pieces: list[Piece], verb: int
) -> Mention | None:
    """The call moved from 2 to 3 tomorrow, remind me at 3: what was asked for."""
    m = behind[0] if behind else None
    if m is None or m.repeats or m.shift or m.corrects or event.lead or event.beside:
        return None
    if event.repeats and (m.dates or m.after or not event.clocks or not event.dates):
        return None
    again = any(other.repeats for other in behind)
    if event.start and not (event.dates or event.clocks or again) and m.clocks:
        event.dates, event.clocks = event.start.dates, event.start.clocks
    dated = m.dates or m.after
    if m.vague and event.clocks and _adjacent(m, pieces, verb):
        return m  # it's 9 o'clock, remind me at quarter past
    named = any(piece.kind == "gap" and _letters(piece) > 1 for piece in pieces[: event.first])
    full = m.dates and m.clocks and not event.clocks and named  # my exam is friday remind me …
    if dated and not full and not _is_event(event, pieces[:verb]):
        return None
    if dated and not event.dates and not (m.clocks and m.clocks[0].hour is not None):
        return None  # dinner at 8, remind me tomorrow
    if not (dated or (m.clocks and event.clocks)) or not _adjacent(m, pieces, verb):
        return None
    after = pieces[m.behind] if m.behind < len(pieces) else None
    ends = after is None or after.kind == "sep" or (after.kind == "to" and _letters(after) > 1)
    hour = bool(m.clocks) and m.clocks[0].hour is not None and not is_of(m, pieces)
    if not ends and not (hour and _is_event(event, pieces[:verb])):
        return None
    return inherited(m, event)  # 明天十点面试，提醒我八点出门


def _is_event(event: Mention, before: list[Piece]) -> bool:
    """My exam is on December 10, remind me on the 8th: something happens on the first day."""
    told = any(piece.kind == "gap" and _letters(piece) > 1 for piece in before)
    last = [piece.kind for piece in before[event.behind :]]
    parted = any(kind in ("sep", "and") for kind in last[-WORDS_OF_MANNERS:])
    return bool(event.dates or event.clocks) and told and parted


WORDS_OF_MANNERS = 4  # …, so could you please remind me


def _letters(piece: Piece) -> int:
    return piece.end - piece.start


def _told_from_unwanted(mentions: list[Mention]) -> None:
    """Not tomorrow but the day after: the day that is not meant tells which one is."""
    for one, other in pairwise(mentions):
        if other.negated and one.dates and other.dates and not (one.negated or one.clocks):
            one.clocks = other.clocks  # Thursday not Wednesday at 11
        if one.dismissed and one.clocks and other.clocks and not (other.dated or other.repeats):
            other.dates = one.dates  # 明天七点不要叫我，八点再叫我
    days = [m.dates for m in mentions if m.negated and m.dates]
    for m in mentions:
        if days and m.shift and not m.negated and not m.dates:
            m.dates = days[-1]


def _chosen(
    wish: Mention | None, taken_back: list[tuple[int, int]], verb: Piece | None, *, unclear: bool
) -> Choice:
    if wish is not None:
        wish.spans += taken_back
    return Choice(wish, verb, unclear)


def _offered(wish: Mention | None, live: list[Mention]) -> bool:
    offers = [m for m in live if m.alternative and (m.timed or m.dated)]
    return wish is not None and bool(offers)


def _verb(pieces: list[Piece]) -> int | None:
    """The first word that asks; 记得 asks only when nothing stronger does."""
    recall, refused = None, False
    for index, piece in enumerate(pieces):
        kind = piece.kind
        if kind == "verb" and not (refused and _is_unwanted(pieces, index)):
            return index
        refused = refused or kind == "not"
        if kind == "recall" and recall is None:
            recall = index
    return recall


def _is_unwanted(pieces: list[Piece], index: int) -> bool:
    """别等他来了再提醒，六点五十就提醒我: not this one, where another follows."""
    opens = index
    while opens and pieces[opens - 1].kind not in ("sep", "verb"):
        opens -= 1
    refused = any(p.kind == "not" and p.value is None for p in pieces[opens:index])
    return refused and any(piece.kind == "verb" for piece in pieces[index + 1 :])


def _fold(mentions: list[Mention], pieces: list[Piece], *, last_wins: bool) -> Mention | None:
    wish: Mention | None = None
    for m in mentions:
        if wish is None:
            wish = m
        elif m.corrects:
            wish = corrected(wish, m)
        elif m.instructs:
            absorb(wish, m)
        elif len(wish.clocks) > 1 and _only_length(m) and own_clause(m, pieces):
            wish.last_for = wish.last_for or m.length  # 早八点和晚八点各一次，连吃五天
            wish.spans += m.spans
        elif wish.instructs:
            absorb(m, wish)
            wish = m
        elif has_weekly_hours(wish, m, pieces):
            wish.beside.append(m)
            wish.spans += m.spans
        else:
            told = _at_event(wish, m, pieces) if last_wins and m.event else None
            if m.repeats and bounds_rhythm(wish, m):
                m.spans += wish.spans
                told = m
            told = told or one_of_content(wish, m, pieces, last_wins=last_wins)
            wish = told or _second(wish, m, pieces, last_wins=last_wins)
    if wish is not None and wish.lead:
        _one_of_several(mentions)
    return wish


def _one_of_several(mentions: list[Mention]) -> None:
    """周一九点周会，周三两点例会，每次提前十分钟: before which of them?"""
    full = [m for m in mentions if m.dates and m.clocks and not m.repeats]
    if len(full) > 1 and full[0].dates != full[-1].dates and not any(m.corrects for m in mentions):
        full[-1].alternative = True


def _second(wish: Mention, m: Mention, pieces: list[Piece], *, last_wins: bool) -> Mention:
    """Another time that says something by itself."""
    if _told_by_day(wish, m) or _ends(wish, m, pieces) or _beside_event(wish, m, pieces):
        wish.spans += m.spans
        return wish
    if m.vague or m.event:
        open_day = m.event and wish.every == Every("year")  # 每年老婆生日那天早上八点
        told = wish.timed or wish.dates or (wish.repeats and not open_day)
        return wish if told else m
    if wish.vague and not (wish.dates or wish.clocks):
        part_alone = bool(m.clocks) and all(clock.hour is None for clock in m.clocks)
        m.vague, m.vague_day = wish.vague_day or part_alone, wish.vague_day and not m.repeats
        return m
    beside = m.joined or wish.behind == m.first
    if (beside and m.after and wish.after) or both_full(wish, m, pieces):
        m.alternative = True  # 一分钟后和五分钟后; 周二10点，周三3点: which of the two?
    if completes(wish, m) or ((last_wins or is_day(wish, m, pieces)) and completes(m, wish)):
        return merged(wish, m)
    if not last_wins and is_another_hour(wish, m, pieces):
        m.alternative = True
    if m.alternative:
        return wish
    if (not last_wins or own_clause(m, pieces)) and takes_hour_of_part(wish, m):
        wish.spans += m.spans
        return wish
    if not last_wins:
        return _fuller(wish, m, pieces)
    return inherited(m, wish)


def _at_event(wish: Mention, m: Mention, pieces: list[Piece]) -> Mention | None:
    """明天八点看牙医，出门前一小时提醒我: when that is, the hour before does not tell."""
    asks = m.behind < len(pieces) and pieces[m.behind].kind == "verb"
    if not asks or m.clocks or pieces[m.first - 1].kind != "sep" or not wish.clocks:
        return None
    m.dates, m.open_event = m.dates or wish.dates, True
    return m


def _beside_event(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    parted = any(piece.kind == "sep" for piece in pieces[wish.behind : m.first])
    return not parted and is_day_beside(wish, m)


def _fuller(wish: Mention, m: Mention, pieces: list[Piece]) -> Mention:
    """A day alone, and behind it another with an hour, though nobody asked.

    周六的票，周三十点抢 means the second; christmas dinner 1pm on the 25th names one day
    twice; of two days that differ neither is sure.
    """
    if m.shift and wish.dates and not (m.dates or m.repeats or wish.repeats or wish.timed):
        m.dates, m.also, m.spans = wish.dates, wish.also, wish.spans + m.spans
        return m  # 大后天体检 前一晚八点
    if not (wish.dates and m.dates and m.clocks) or wish.timed or wish.repeats or m.repeats:
        return wish
    if is_of(wish, pieces) or wish.dates[0].names_no_day:
        return m
    if wish.dates[0].festival or m.dates[0].festival:
        wish.also += m.dates
        wish.clocks, wish.to_clock = m.clocks, m.to_clock
        wish.spans += m.spans
    else:
        m.alternative = True
    return wish


def _told_by_day(wish: Mention, m: Mention) -> bool:
    """明天提醒我睡前吃药: the day first, then what happens on it."""
    steps = wish.every is not None and wish.every.unit in ("second", "clock_hour")
    if not m.routines or m.dates or m.clocks or wish.timed or wish.event or steps:
        return False
    wish.event, wish.routines, wish.length = True, m.routines, m.length
    return True


def _adjacent(
    m: Mention, pieces: list[Piece], verb: int, skipped: frozenset[str] = SKIPPED
) -> bool:
    return all(piece.kind in skipped for piece in pieces[verb + 1 : m.first])


_CORRECTING = SKIPPED | {"correct"}  # 把明天的提醒改到后天


def _told_beside(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    return _told_by_day(wish, m) or _beside(wish, m, pieces) or is_its_span(wish, m, pieces)


def _instructed(wish: Mention, behind: list[Mention], pieces: list[Piece], verb: int) -> None:
    """Take from behind the asking word what instructs; leave what is content."""
    for m in behind:
        if _of_steps(wish, m, pieces, verb) or _told_beside(wish, m, pieces):
            wish.spans += m.spans
        elif _only_length(m) and wish.repeats and own_clause(m, pieces):
            wish.last_for = wish.last_for or m.length
            wish.spans += [*m.spans, clause_opening(m, pieces)]
        elif (often := _how_often(wish, m)) and (often[1] == "day" or _closes(m, pieces, verb)):
            wish.often = often  # 每周提醒我两次
            wish.spans += m.spans
        elif m.instructs:
            if _is_instruction(wish, m, pieces):
                absorb(wish, m)
        elif m.clocks and _other_hours(wish, m, pieces):
            wish.spans += m.spans
        elif m.corrects and (_adjacent(m, pieces, verb, _CORRECTING) or wish.timed):
            last = corrected(wish, m)
            wish.dates, wish.clocks, wish.spans = last.dates, last.clocks, last.spans
        elif _belongs(wish, m, pieces, verb):
            merged(wish, m)


def _belongs(wish: Mention, m: Mention, pieces: list[Piece], verb: int) -> bool:
    """Whether it says the rest of the wish: the hour of a day, the rhythm of an hour."""
    adjacent = _adjacent(m, pieces, verb)
    if completes(wish, m):
        both_repeat = m.repeats and wish.repeats
        last = bool(m.clocks) and m.behind >= len(pieces)  # 明天提醒我吃药早上八点
        last = last and pieces[m.first - 1].kind not in ("glue", "to")  # 火车是八点: when it leaves
        if (adjacent and not is_of(m, pieces)) or both_repeat or last or own_clause(m, pieces):
            return True
    ends = m.behind >= len(pieces) and bool(wish.clocks)  # …, ring me for it daily
    if completes(m, wish) and is_day(wish, m, pieces) and own_clause(m, pieces):
        return not wish.repeats and not m.repeats  # 五点提醒我看牙，周六
    return _makes_it_repeat(wish, m) and (adjacent or ends or _as_clause(m, pieces))


def _of_steps(wish: Mention, m: Mention, pieces: list[Piece], verb: int) -> bool:
    """What opens or ends a rhythm of minutes or hours."""
    if _goes_on(wish, m, pieces[verb : m.first]):
        wish.start, wish.every = _as_start(wish), m.every
        wish.until, wish.last_for, wish.count = m.until, m.last_for, m.count
        return True
    return _ends(wish, m, pieces)


def _ends(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    return ends_rhythm(wish, m, pieces) or _ends_steps(wish, m, pieces)


def _goes_on(wish: Mention, m: Mention, between: list[Piece]) -> bool:
    """一小时后提醒我，然后每隔10分钟: the first time opens a rhythm of steps."""
    steps = m.every is not None and m.every.unit in ("second", "clock_hour")
    once = (wish.after or wish.clocks) and not (wish.repeats or wish.start or wish.lead)
    parted = any(piece.kind in ("sep", "then") for piece in between)
    return bool(steps and once and parted and not (m.dates or m.clocks or m.start))


def _ends_steps(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """每隔半小时提醒我一次，到中午十二点: the hour at which it stops."""
    steps = wish.every is not None and wish.every.unit in ("second", "clock_hour")
    led = any(piece.kind in ("to", "until") for piece in pieces[m.first - 1 : m.behind])
    only = not (m.repeats or m.after or m.to_clock or wish.until)
    if not (steps and led and m.clocks and only):
        return False
    wish.until = Mention(m.dates, m.clocks)
    return True


def _as_start(wish: Mention) -> Mention:
    start = Mention(wish.dates, wish.clocks, wish.also)
    start.after, start.shift = wish.after, wish.shift
    wish.dates, wish.clocks, wish.also, wish.after, wish.shift = [], [], [], None, 0
    return start


def _beside(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """工作日七点半叫我，周末九点: other days of the week with an hour of their own."""
    by_day = wish.every is not None and wish.every.unit in ("day", "workday", "weekend", "week")
    if not by_day or not wish.clocks or not m.clocks or m.after or m.lead or m.shift:
        return False
    weekly = all((day.weekdays or day.weekend) and day.week is None for day in m.dates)
    named = bool(m.dates) or (m.every is not None and m.every.unit in ("workday", "weekend"))
    if not (weekly and named and own_clause(m, pieces)):
        return False
    wish.beside.append(m)
    return True


def _as_clause(m: Mention, pieces: list[Piece]) -> bool:
    """…，每天都要: behind a comma, and nothing but a letter or two with it."""
    rest = pieces[m.behind : m.behind + 2]
    short = not rest or rest[0].kind == "sep" or (_letters(rest[0]) <= 2 and len(rest) == 1)
    return short and m.first > 0 and pieces[m.first - 1].kind == "sep"


def _closes(m: Mention, pieces: list[Piece], verb: int) -> bool:
    """每周提醒我两次; 每天提醒我喝水8次: the count ends what is said."""
    ends = m.behind >= len(pieces) or pieces[m.behind].kind == "sep"
    return _adjacent(m, pieces, verb) or (ends and not own_clause(m, pieces))


def _how_often(wish: Mention, m: Mention) -> tuple[int, str] | None:
    if not m.times or m.times < 2 or m.count or not m.instructs:
        return None
    daily = wish.every is not None and wish.every.unit in ("day", "week", "month", "year")
    return (m.times, wish.every.unit) if wish.every and daily and not wish.clocks else None


def _other_hours(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """Hours behind the asking word that are no content: one more, another, or the night before."""
    behind = pieces[m.behind].kind if m.behind < len(pieces) else "sep"
    led = pieces[m.first - 1]  # tonight remind me to set an alarm for five: that is content
    asked = led.kind == "verb" and led.value != "alarm" and behind in ("sep", "to")
    if (asked or own_clause(m, pieces)) and takes_hour_of_part(wish, m):
        return True  # every evening remind me at 10
    if wish.clocks and _asked_again(m, wish, pieces):
        wish.clocks = [*wish.clocks, *(in_same_part(wish, clock) for clock in m.clocks)]
        return True
    if wish.clocks and _instead(m, wish, pieces):
        wish.clocks = [in_same_part(wish, clock) for clock in m.clocks]
        return True
    if m.shift and wish.dates and not (m.dates or m.repeats or (m.shift > 0 and wish.clocks)):
        wish.shift, wish.clocks = m.shift, m.clocks  # …, remind me the night before at 8
        return True
    return False


def _asked_again(m: Mention, wish: Mention, pieces: list[Piece]) -> bool:
    """七点四十叫我，七点五十再叫我: two times, each with its asking word."""
    behind = [piece.kind for piece in pieces[m.behind : m.behind + 2]]
    asks = behind[:1] == ["verb"] or behind == ["gap", "verb"]
    return asks and not (wish.repeats or m.dates or m.after or m.repeats or wish.to_clock)


def _instead(m: Mention, wish: Mention, pieces: list[Piece]) -> bool:
    """…六点前提醒我交表，就五点五十吧: the hour that was settled on."""
    led = pieces[m.first - 1] if m.first else None
    just = led is not None and led.value in ("just", "that")  # …, remind me that afternoon
    return just and not (wish.repeats or m.dates or m.after or m.repeats)


def _only_length(m: Mention) -> bool:
    """…，吃7天."""
    return is_length(m) and m.length is not None and m.length.days + m.length.months > 0


def _makes_it_repeat(wish: Mention, m: Mention) -> bool:
    """8点提醒我每天吃药; the first Saturday of the month …, every month."""
    if not m.repeats or wish.repeats or m.dates or wish.after:
        return False
    if not wish.dates:
        return bool(wish.clocks)
    said, unit = wish.dates[0], m.every.unit if m.every else ""
    in_month = bool(said.nth or said.days) and said.month is None and said.month_offset is None
    in_week = bool(said.weekdays) and said.week is None
    in_year = said.month is not None and bool(said.days or said.nth) and said.year is None
    of = {"month": in_month, "week": in_week, "year": in_year or said.festival is not None}
    return of.get(unit, False)


def _is_instruction(wish: Mention, m: Mention, pieces: list[Piece]) -> bool:
    """A count says how often to ring; 吃3次药 says what to do. A lead needs a time to lead."""
    if m.times and not (m.count or m.start or m.until or m.last_for):
        clause = m.first == 0 or pieces[m.first - 1].kind in ("sep", "verb")
        if not clause and own_clause(m, pieces):
            m.spans.append(clause_opening(m, pieces))
            clause = True
        return wish.repeats and (m.times == 1 or clause)
    if m.last_for and not wish.repeats and not m.start:
        return pieces[m.first - 1].kind == "sep"
    steps = wish.every is not None and wish.every.unit in ("second", "clock_hour")
    if m.last_for and m.last_for.seconds and not (steps or m.start or m.until or m.count):
        return False  # every Tuesday, water the plants for ten minutes
    if m.shift and (is_of(m, pieces) or (m.shift > 0 and wish.clocks and wish.first < m.first)):
        return False  # 第二天的会议; 周五晚上提醒我第二天要早起
    return not (m.lead or m.before) or bool(wish.clocks or wish.dates)


def _behind_verb(behind: list[Mention], pieces: list[Piece], verb: int) -> Mention | None:
    """提醒我明天5点买药; 提醒我买药，明天5点; "remind me to buy milk tomorrow at 5"."""
    timed = [
        m for m in behind if not m.instructs and (own_clause(m, pieces) or not _only_length(m))
    ]
    near = [m for m in timed if _adjacent(m, pieces, verb)]
    if near and (len(timed) == 1 or not _is_thing(near[0], pieces)):
        rest = behind[behind.index(near[0]) + 1 :]
        _two_things([near[0], *(m for m in rest if m.joined)], pieces)
        return _completed(near[0], rest, pieces)
    own = [m for m in timed if _stands_alone(m, pieces)] or near[:1]
    if not own:
        return next((m for m in behind if m.instructs and (m.lead or m.before or _begins(m))), None)
    full = [m for m in own if m.clocks or m.after or m.repeats]
    _two_things(own, pieces)
    wish = _best(own, full, pieces)
    rest = [m for m in behind if (m is not wish and m in own) or m.instructs]
    return _completed(wish, rest, pieces)


def _begins(m: Mention) -> bool:
    """提醒我周五下午两点开始开会: the hour at which a thing starts, and no rhythm."""
    return m.start is not None and bool(m.start.clocks)


def _two_things(full: list[Mention], pieces: list[Piece]) -> None:
    """… thaw it at noon and roast it at 5: each has an hour of its own, so which is meant?"""
    for one, other in pairwise(full):
        hours = all(m.clocks and m.clocks[0].hour is not None for m in (one, other))
        bare = hours and not (other.dates or other.repeats or other.corrects or one.repeats)
        two_days = one.dates and other.dates and one.dates != other.dates and not one.clocks
        bare = bare or (bool(two_days) and bool(other.clocks) and not other.corrects)
        if bare and any(piece.kind == "and" for piece in pieces[one.behind : other.behind]):
            other.alternative = True


def _is_thing(m: Mention, pieces: list[Piece]) -> bool:
    return is_of(m, pieces) and pieces[m.first - 1].kind == "the"


def _best(own: list[Mention], full: list[Mention], pieces: list[Piece]) -> Mention:
    """A repeating wish before others; then a full one; the last, as English puts time last."""
    repeating = [m for m in own if m.repeats]
    return (repeating or full or own)[-1 if not repeating else 0]


def _completed(wish: Mention, rest: list[Mention], pieces: list[Piece]) -> Mention:
    for m in rest:
        if m.corrects:
            wish = corrected(wish, m)
        elif _beside_event(wish, m, pieces):
            wish.spans += m.spans
        elif m.joined and m.after and wish.after:
            m.alternative = True  # in one hour and again in two
        elif _ends(wish, m, pieces):
            wish.spans += m.spans
        elif m.instructs:
            if _is_instruction(wish, m, pieces):
                absorb(wish, m)
        elif own_clause(m, pieces) and takes_hour_of_part(wish, m):
            wish.spans += m.spans
        elif (completes(wish, m) or completes(m, wish)) and _stands_alone(m, pieces):
            wish = merged(wish, m)
    return wish


def _stands_alone(m: Mention, pieces: list[Piece]) -> bool:
    """Not part of a thing's name: 明天的会议, the Friday report, a day inside a clause."""
    led_on = bool(m.first and m.clocks) and pieces[m.first - 1].kind == "to"
    if led_on or is_of(m, pieces):  # 把八点的会推到十点
        return False
    if m.clocks or m.after or m.repeats or m.bad or m.vague or m.event:
        return True
    behind = pieces[m.behind].kind if m.behind < len(pieces) else "sep"
    ahead = pieces[m.first - 1].kind if m.first else "sep"
    english = any(date.english for date in m.dates)
    return behind in ("sep", "verb") or ahead == "sep" or (english and behind != "gap")
