"""The whole sentence to a wish: when, what, whether to confirm, how urgent, whom, where.

"明天早上8点提醒我吃药，要确认" is tomorrow 08:00, 吃药, confirmed. Which words say what is learned
(`parts`); the instants are read by `when`.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby, pairwise
from zoneinfo import ZoneInfo

from clarion.language.clauses import (
    CLOCK,
    UNIT,
    asks_itself,
    by_clocks,
    by_hours,
    one_then_another,
)
from clarion.language.parts.tagger import (
    ASKING,
    CONTENT,
    REST,
    URGENCY,
    WHEN,
    WHO,
    Part,
    tagger,
    wish_in,
)
from clarion.language.when.model import Habits, Once, Recurring, Span, When
from clarion.language.when.parse import DEFAULT_HABITS, LETTERS_MAX, TimeReading
from clarion.language.when.parse import read as read_time

CRITICAL, HIGH, NORMAL, LOW = 100, 50, 10, 0  # the levels of a reminder, as everywhere in Clarion

_LOW = re.compile(
    r"不|没|沒|唔|小事|随缘|次要|可早可晚|可有可无|无所谓|有空|闲了|低|\bno\b|not\b|low|whenever|"
    r"trivial|minor|small|optional|can wait|nothing|p[34]\b",
    re.IGNORECASE,
)
_MUST = re.compile(
    r"[误拖虎]不得|不容|不能|can't|not (?:be )?miss|not let", re.IGNORECASE
)  # a no that says how much it matters
_NORMAL = re.compile(
    r"普通|一般|平常|常规|正常|中等|normal|usual|regular|standard|moderate|ordinary|medium",
    re.IGNORECASE,
)
_CRITICAL = re.compile(
    r"急|命|最高|一级|火|最前|天塌|p0|critical|urgent|emergency|top|highest|serious|asap|"
    r"life|sev|whatever it takes|红|priority one|must\b",
    re.IGNORECASE,
)


def level_of(said: str) -> int:
    """How urgent something is, by the words that say that it is (or is not)."""
    if _NORMAL.search(said):
        return NORMAL
    if _LOW.search(said) and not _MUST.search(said):
        return LOW
    if _CRITICAL.search(said):
        return CRITICAL
    return HIGH


_THING = re.compile(
    r"音箱|音响|手机|手表|平板|电视|机器人|设备|喇叭|电脑|電腦|小智|小爱|小度|门铃|屏|中控|闹钟|广播|对讲|座机|收音机|学习机|"
    r"导航|一体机|telegram|电报|微信|邮件|邮箱|短信|飞书|钉钉|speaker|watch|tablet|device|display|\btv\b|"
    r"phone|laptop|computer|email|\bsms\b|slack|panel|monitor|terminal|echo|landline|intercom|dashboard",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"^(?:在|喺|到|往)|(?:厅|房|室|屋|楼|厨房|书房|车间|门口|门卫|前台|护士站|护理站)$|^(?:in|at|over|on|from|through)\b|"
    r"^(?:the )?(?:kitchen|upstairs|downstairs|bedroom|living room|garage|shop|reception)$",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:麻烦你?|帮我|替我|请|让|給|给|跟|和|同|用|在|喺|通过|拿|从|到|往|发到|推送到|打给|问|把这条发到|@|"
    r"(?:remind|tell|wake|text|page|buzz|ping|ask|for|have|get|let|put a reminder on|on|via|over|"
    r"through|by|from|to|with)\b|"
    r"(?:the|my)\s(?=\w+ ?(?:speaker|watch|tablet|tv|phone|display))|\s)+|"
    r"(?:上面|上|里面|里|那里|来|给我|说一声|说|讲|講|知|聽|一下|一声|都|发|播放|\bto|:|：|,|，|\s)+$",
    re.IGNORECASE,
)
SELF = frozenset(
    ("me", "us", "myself", "我", "我们", "咱", "咱们", "俺", "我自己", "自己", "both of us")
)


def is_device(said: str) -> bool:
    return _THING.search(said) is not None


def is_place(said: str) -> bool:
    return _PLACE.search(said.strip()) is not None


def name_in(said: str) -> str | None:
    """Who or what is named: 在卧室的音箱上 → 卧室的音箱, "tell Pete" → Pete; None for oneself."""
    named = _AROUND.sub("", said.strip()).strip()
    return None if not named or named.lower() in SELF else named


_HAN = re.compile("[\u3400-\u9fff]")
_MARKS = " \t\n，,。.；;：:、!！?？-—~"
# What is left at the edges of a content when the words around it are gone.
_LEADING = re.compile(
    r"^(?:的(?=.)|一下(?=.)|一声|(?:to|about|that|of|for|and|then|please|also|is|at|on|by)\b\s*)+",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"(?:(?<!目)的|吧|哦|啊|呀|哈|谢谢|\b(?:at|by|and|is|are|please|thanks|from|every|then|the))$",
    re.IGNORECASE,
)


_NOBODY = re.compile(r"not|never|then|also|and|住|跟住|之后|然后", re.IGNORECASE)
_JOINS = re.compile(r"about|with|for|regarding", re.IGNORECASE)
_REMEMBER = re.compile(
    r"(?:千万|一定|可)?(?:别|不要|唔好|勿)忘[了记]?|记得|"
    r"(?:please )?(?:don'?t|do not) forget(?: to)?|remember(?: to)?",
    re.IGNORECASE,
)
_NOT_TO = re.compile(r"\b(not|never) to\s+$", re.IGNORECASE)
_ONLY_ASKS = re.compile(
    r"(?:请|帮我|给我)?(?:设|定|加)?(?:个|一个)?提醒(?:我|一下|我一下)?|叫(?:醒)?我|把我叫醒|"
    r"(?:please )?(?:remind(?: me)?|wake (?:me|us)(?: up)?|"
    r"(?:set|add|make) (?:me )?(?:a|an?other) reminder)",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.([0-5]\d)(?![\d.])")  # 8.30, where it is an hour
# 下午两点，哦不，三点半…: what stands behind the first hour takes it back.
_ONLY_CORRECTS = re.compile(
    r"(?:(?:[哦噢啊呃嗯不]|不[对是]|er+m?|um+|uh|oh|no|wait|sorry|actually)\W*)+", re.IGNORECASE
)
# "The concert is at 7, remind me before".
_IS_AT = re.compile(
    r"(?!it\b|that\b|this\b|there\b|[sh]?he\b|they\b|what\b|here\b)[\w' ]+ (?:is|starts|begins)",
    re.IGNORECASE,
)
_OR_AT = re.compile(  # 八点还是九点
    r"(?:还是|或者?)[^，,。 ]{0,6}?点[^，,。 ]{0,3}|or (?:at )?\d{1,2}(?::\d\d)?(?: ?[ap]m)?",
    re.IGNORECASE,
)
_DOSE = re.compile(
    r"(?<![\d.:])\d+(?:[./]\d+)? (?:mg|ml|mcg|g|units?|puffs?|drops?)\b", re.IGNORECASE
)
_WAY = re.compile(r"\b(?:via|over|through) (?:telegram|matrix)\b", re.IGNORECASE)
# A time that hangs on another one: "an hour before", 提前十分钟.
_AHEAD = re.compile(
    r"提前|之前|前一|前$|早[一半两十\d]|提早|\b(?:before|beforehand|ahead|earlier|prior)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(r"[后後]|\b(?:in|after|later)\b", re.IGNORECASE)
_NAMES_DAY = re.compile(
    r"[今明昨]|[后後][天日]|[周週月号號日]|礼拜|星期|每|天天|"
    r"\b(?:today|tonight|tomorrow|every|daily|weekly|next|this|on|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur?|sun)(?:day)?s?)\b",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"大?后天|[今明][天晚早日]|每[天晚早日]|天天|每?(?:下?[周週]|星期|礼拜)[一二三四五六日天]|\d+月\d+[日号]|"
    r"\b(?:today|tonight|tomorrow|every ?day|daily|(?:next |on |every )?(?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(r"都|每[个次件]|全|\b(?:each|both|all|every)\b", re.IGNORECASE)
# Whoever is asked to be told: oneself; somebody beside oneself; somebody only spoken of.
TO_ONESELF = re.compile(
    r"(?:提醒|叫|喊|告诉|通知)(?:一下)?我(?:们|自己)?$|"
    r"\b(?:remind|tell|wake|nudge|nag|alert|notify|text|ping) (?:me|us)\b",
    re.IGNORECASE,
)
TOGETHER = re.compile(r"我(?:们|俩|和|跟|与|自己)|(?:和|跟|还有|及)|and\b", re.IGNORECASE)
WITH_SOMEBODY = re.compile(r"(?:给|和|跟|同|陪|帮|with)(?!.*[说讲]$)", re.IGNORECASE)
_JOINED = re.compile(r"\band$", re.IGNORECASE)
_CALL = re.compile(
    r"\W*(?:call|ring|phone|visit|meet|email|打个?电话|[发打]个?(?:微信|短信|消息|视频))\W*",
    re.IGNORECASE,
)
_ONLY_TO = re.compile(r"\W*(?:and )?to\W*", re.IGNORECASE)
_LATE_DAY = re.compile(
    r"(?P<all>.*\bat \d.*\band at \d.*?)[, ]+(?P<day>today|tonight|tomorrow)\W*", re.IGNORECASE
)
_SAYS_WHEN = WHEN + CONTENT + ASKING
_OPENING = ASKING + WHO + URGENCY  # what belongs to the thing that follows


@dataclass(frozen=True, slots=True)
class Request:
    when: When
    content: str
    """What to be reminded of; empty when nothing but the time was said."""
    confirm: bool | None
    """True: wanted; False: explicitly not; None: not said."""
    level: int | None
    """0 to 100, when the person said how urgent it is."""
    person: str | None
    """Who is to be told, when it is somebody else."""
    device: str | None
    asks: bool = True
    """Whether anything is asked for at all; a story about yesterday is not."""
    wish: str = ""
    """The words that wish for a confirmation, or refuse it."""
    words: str = ""
    """The words that ask for this one thing, when a sentence asks for several."""


def read(text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS) -> Request:
    text = text[:LETTERS_MAX]
    time = read_time(text, base, zone, habits)
    return _request(text, time, _parts(text, time))


def read_all(
    text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS
) -> list[Request]:
    """Each thing with its own time is a request: 八点吃药，九点量血压 is two."""
    found = _read_all(text[:LETTERS_MAX], base, zone, habits)
    meant = [one for one in found if not _ONLY_CORRECTS.fullmatch(one.content)]
    return meant if meant and meant[-1] is found[-1] else found


def _read_all(text: str, base: datetime, zone: ZoneInfo, habits: Habits) -> list[Request]:
    if late := _LATE_DAY.fullmatch(text):
        text = f"{late['day']} {late['all']}"  # the day that comes last is meant for all of them
    clauses = by_hours(text) or one_then_another(text)
    one_by_one = _one_by_one(clauses, base, zone, habits) if len(clauses) > 1 else []
    if one_by_one:
        return one_by_one
    found = _by_parts(text, base, zone, habits)
    clauses = by_clocks(text)
    if len(clauses) <= len(found):
        return found
    things = _one_by_one(clauses, base, zone, habits)
    return things if things and all(one.content for one in things) else found


def _by_parts(text: str, base: datetime, zone: ZoneInfo, habits: Habits) -> list[Request]:
    """As the learned parts tell it: a time and a thing, another time and another thing."""
    time = read_time(text, base, zone, habits)
    parts = _parts(text, time)
    groups = _groups(text, parts)
    if groups is None:
        return [_request(text, time, parts)]
    found: list[Request] = []
    for group in groups:
        when = _when(text, group, found, base, zone, habits)
        if not isinstance(when, Once | Recurring):
            return [_request(text, time, parts)]
        words = _own_words(text, group, groups[0], found)
        own = [text[part.start : part.end] for part in group if part.kind == ASKING]
        if all(_ONLY_TO.fullmatch(one) for one in own):  # "remind me" was said of all of them
            group = [*(part for part in groups[0] if part.kind == ASKING), *group]
        found.append(replace(_request(text, time, group), when=when, words=words))
    wish = next((one for one in found if one.confirm is not None), None)
    if wish is None or not _OF_ALL.search(wish.wish):
        return found
    return [replace(one, confirm=wish.confirm, wish=wish.wish) for one in found]


def _one_by_one(
    clauses: list[str], base: datetime, zone: ZoneInfo, habits: Habits
) -> list[Request]:
    """Each read by itself, with the day that was said with the first. Empty: one has no time."""
    day, found = _DAY.search(clauses[0]), list[Request]()
    for clause in clauses:
        if found and day and not _NAMES_DAY.search(clause):
            clause = f"{day[0]}{clause}" if _HAN.search(clause) else f"{clause} {day[0]}"
        follows = found and not day and CLOCK.search(clause) and not UNIT.search(clause)
        last = found[-1].when if follows else None
        since = last.at if isinstance(last, Once) else base
        several = _by_parts(clause, since, zone, habits)  # 九点吃药，十点量血压，还有十一点浇花
        if not all(isinstance(one.when, Once | Recurring) for one in several):
            return []
        if not several[0].content and not asks_itself(clause):
            return []
        found += several if len(several) > 1 else [replace(several[0], words=clause)]
    return found


def _groups(text: str, parts: list[Part]) -> list[list[Part]] | None:
    """The parts of each thing, when every thing has its own time; None: it is one request."""
    told = [part for part in parts if part.kind in (WHEN, CONTENT)]
    runs = [list(run) for _, run in groupby(told, key=lambda part: part.kind)]
    times = [run for run in runs if run[0].kind == WHEN]
    if len(runs) < 4 or len(runs) % 2 or any(_AHEAD.search(_said(text, run)) for run in times):
        return None
    starts = [runs[n][0].start for n in range(2, len(runs), 2)]
    groups: list[list[Part]] = [[]]
    for n, part in enumerate(parts):
        coming = next((later for later in parts[n:] if later in told), None)
        opens = coming is not None and coming.start in starts and part.kind in _OPENING
        if opens or part.start in starts:
            starts = [start for start in starts if coming is None or start != coming.start]
            groups.append([])
        groups[-1].append(part)
    return groups


def _own_words(text: str, group: list[Part], first: list[Part], before: list[Request]) -> str:
    """九点量血压 after 每天八点吃药 is 每天九点量血压."""
    own = text[group[0].start : group[-1].end]
    times = _said(text, [part for part in group if part.kind == WHEN])
    if not before or _NAMES_DAY.search(times):
        return own
    day = _DAY.search(_said(text, [part for part in first if part.kind == WHEN]))
    if day is None:
        return own
    return f"{day[0]}{own}" if _HAN.search(own) else f"{own} {day[0]}"


def _said(text: str, parts: list[Part]) -> str:
    space = "" if _HAN.search(text) else " "
    return space.join(text[part.start : part.end] for part in parts)


def _when(
    text: str,
    group: list[Part],
    before: list[Request],
    base: datetime,
    zone: ZoneInfo,
    habits: Habits,
) -> When:
    """The time of one thing; what it leaves out was said with the first: 明天八点…，九点…."""
    told = [part for part in group if part.kind in _SAYS_WHEN]
    own = text[told[0].start : told[-1].end]  # 六点叫我起床: that it is in the morning
    if before and _DOTTED.search(text[: told[0].start]):
        own = _DOTTED.sub(r"\1:\2", own)  # tomorrow 8.30 meds and 9.15 bus
    times = _said(text, [part for part in told if part.kind == WHEN])
    if not before or _NAMES_DAY.search(times):
        return read_time(own, base, zone, habits).when
    first = before[0].when
    last = before[-1].when
    if isinstance(last, Once):
        later = _AFTER.search(times) and _AFTER.search(text[: told[0].start])
        return read_time(own, base if later else last.at, zone, habits).when
    if not isinstance(first, Recurring):
        return read_time(own, base, zone, habits).when
    return _as_often(own, first, base, zone, habits)


def _as_often(own: str, first: Recurring, base: datetime, zone: ZoneInfo, habits: Habits) -> When:
    """每天八点吃药，九点量血压: the second, too, is every day."""
    at = first.rule.next_after(base)
    alone = read_time(own, at or base, zone, habits).when
    if not isinstance(alone, Once):
        return alone
    times = (alone.at.time().replace(tzinfo=None),)
    return Recurring(replace(first.rule, times=times), first.span, first.assumptions)


def _parts(text: str, time: TimeReading) -> list[Part]:
    rings = isinstance(time.when, Once | Recurring)
    found = tagger().parts(text, time.cuts, time.verb, rings=rings)
    for kind, sure in ((WHO, _WAY), (CONTENT, _DOSE)):
        said = sure.search(text)
        if said and not any(begin < said.end() and end > said.start() for begin, end in time.cuts):
            found = sorted([*_outside(found, said.span()), Part(kind, *said.span())], key=_start)
    return [_rather(text, found, n) for n in range(len(found))]


def _start(part: Part) -> int:
    return part.start


def _outside(parts: list[Part], span: Span) -> list[Part]:
    return [
        Part(part.kind, start, end)
        for part in parts
        for start, end in _without((part.start, part.end), [span])
        if start < end
    ]


def _rather(text: str, parts: list[Part], n: int) -> Part:
    """A part as what it is, where it was taken for somebody to be told and cannot be."""
    part, after = parts[n], parts[n + 1] if n + 1 < len(parts) else None
    said = text[part.start : part.end]
    if part.kind == WHO and _NOBODY.fullmatch(said):
        return replace(part, kind=REST)
    if part.kind == WHO and _JOINED.search(said):
        return replace(part, kind=CONTENT)  # "call Sue and at 11 …": part of what comes before
    if part.kind == CONTENT and n > 0 and parts[n - 1].kind == WHEN and _OR_AT.fullmatch(said):
        return replace(part, kind=WHEN)
    if part.kind == REST and after and after.kind == WHEN and _IS_AT.fullmatch(said):
        return replace(part, kind=CONTENT)
    called = part.kind == WHO and n > 0 and _CALL.fullmatch(text[parts[n - 1].start : part.start])
    calls = part.kind == ASKING and _CALL.fullmatch(said) and after and after.kind == WHO
    return replace(part, kind=CONTENT) if calls or called else part


def _request(text: str, time: TimeReading, parts: list[Part]) -> Request:
    confirm, wish, gone = wish_in(text, parts)
    urgency = [text[part.start : part.end] for part in parts if part.kind == URGENCY]
    person, device = _whom(text, time, parts)
    if person and person == time.whom:  # 提醒我妈吃药: who is told is no part of it
        gone = [*gone, *(found.span() for found in re.finditer(f"提醒{re.escape(person)}", text))]
    asks = _asks(time, parts)
    return Request(
        when=time.when,
        content=_content(text, *_told(text, parts, time, gone)),
        confirm=confirm,
        level=level_of(" ".join(urgency)) if urgency else None,
        person=person,
        device=device,
        asks=asks,
        wish=wish,
    )


def _told(
    text: str, parts: list[Part], time: TimeReading, gone: list[Span]
) -> tuple[list[Part], list[Span]]:
    """The parts that are the content, and what of them is not."""
    timed = any(part.kind == WHEN and _is_read(part, time) for part in parts)
    content = [
        part
        for n, (before, part) in enumerate(pairwise([None, *parts]))
        if part
        and (
            part.kind == CONTENT
            or _is_spoken_of(text, part, parts)
            or _is_between(text, n, parts)
            or (timed and (_looks_like_time(before, part, time) or _counts(text, n, parts, time)))
        )
    ]
    if len(content) > 1 and _REMEMBER.fullmatch(text[content[0].start : content[0].end]):
        content = content[1:]  # 别忘了明天提醒我带伞
    if content or not time.cuts or any(part.kind == ASKING for part in parts):
        return content, gone
    rest = [part for part in parts if part.kind in (WHEN, REST)]
    return rest, [*gone, *time.cuts]  # 每年生日3月5日: what is no time is what it is about


def _is_between(text: str, n: int, parts: list[Part]) -> bool:
    """The "about" of "call Ann about the car", the "call me" of "ask Tom to call me today": words
    that ask for nothing, for they stand inside a content.
    """
    part, told = parts[n], [one for one in parts[:n] if one.kind == CONTENT]
    goes_on = n + 1 < len(parts) and (
        parts[n + 1].kind == CONTENT or _is_spoken_of(text, parts[n + 1], parts)
    )
    if part.kind != ASKING or not told or not goes_on:
        return False
    if _JOINS.fullmatch(text[part.start : part.end]):
        return True
    asked = any(one.kind == ASKING and one.end <= told[0].start for one in parts[:n])
    return asked and not text[told[-1].end : part.start].strip() and text.isascii()


def _counts(text: str, n: int, parts: list[Part], time: TimeReading) -> bool:
    """The 10 of "2 apples and 10 eggs", taken for a time that nobody could read."""
    part = parts[n]
    number = part.kind == WHEN and text[part.start : part.end].isdecimal()
    goes_on = n + 1 < len(parts) and parts[n + 1].kind == CONTENT
    return number and goes_on and n > 0 and not _is_read(part, time)


def _looks_like_time(before: Part | None, part: Part, time: TimeReading) -> bool:
    """浇花1号, with another time said: what no time was read from stays with its thing."""
    follows = before is not None and before.kind == CONTENT and before.end == part.start
    return part.kind == WHEN and follows and not _is_read(part, time)


def _is_read(part: Part, time: TimeReading) -> bool:
    return any(begin < part.end and stop > part.start for begin, stop in time.cuts)


def _asks(time: TimeReading, parts: list[Part]) -> bool:
    said = {part.kind for part in parts}
    return ASKING in said or (CONTENT in said and WHEN in said)


def _whom(text: str, time: TimeReading, parts: list[Part]) -> tuple[str | None, str | None]:
    person = time.whom if time.whom and not time.whom.isascii() else None
    device = None
    for part in parts:
        if part.kind != WHO or _is_spoken_of(text, part, parts):
            continue
        said = text[part.start : part.end]
        if TOGETHER.match(said):
            continue  # 提醒我和老婆: the speaker is told
        if is_device(said):
            device = device or name_in(said)
        elif not is_place(said):
            person = person or name_in(said)
    return person, device


def _is_spoken_of(text: str, part: Part, parts: list[Part]) -> bool:
    """Whether somebody belongs to the content: 八点给我妈打电话, "remind me to tell my wife"."""
    said = text[part.start : part.end]
    if part.kind != WHO or is_device(said) or is_place(said):
        return False
    asking = [text[one.start : one.end] for one in parts if one.kind == ASKING]
    if any(TO_ONESELF.search(one) for one in asking):
        return not TOGETHER.match(said)
    follows = any(one.kind == CONTENT and one.start == part.end for one in parts)
    return not asking and follows and WITH_SOMEBODY.match(said) is not None


def _content(text: str, parts: list[Part], gone: list[Span]) -> str:
    kept = [span for part in parts for span in _without((part.start, part.end), gone)]
    kept = [(start, end) for start, end in kept if text[start:end].strip(_MARKS)]
    kept = [  # 老婆生日是5月20号: what it is was the time
        (start, end - 1) if end < kept[-1][1] and text[end - 1] == "是" else (start, end)
        for start, end in kept
    ]
    said, last = "", 0
    for start, end in kept:
        said += (_joint(text[last:start], said, text[start]) if said else "") + text[start:end]
        last = end
    said = _tidy(said)
    refused = _NOT_TO.search(text[: kept[0][0]]) if kept and said else None
    return f"{refused[1].lower()} to {said}" if refused else said


def _without(span: Span, gone: list[Span]) -> list[Span]:
    """What is left of a stretch."""
    left, (start, end) = [], span
    for begin, stop in sorted(gone):
        if begin < end and stop > start:
            left.append((start, begin))
            start = max(start, stop)
    return [(a, b) for a, b in (*left, (start, end)) if a < b]


def _joint(between: str, before: str, after: str) -> str:
    """What parts two pieces of content: a comma where the speaker paused."""
    pause = re.search(r"[^\w\s]", between) or (_HAN.search(between) and len(between) > 4)
    if before[-1].isascii() and after.isascii():
        return ", " if pause else " "
    return "，" if pause else ""


def _tidy(content: str) -> str:
    content = content.strip(_MARKS)
    for _ in range(3):  # an ending may uncover another; three rounds are enough for speech
        before = content
        content = _TRAILING.sub("", _LEADING.sub("", content)).strip(_MARKS)
        if content == before:
            break
    for opening, closing in ("()", "（）"):
        if (opening in content) != (closing in content):
            content = content.replace(opening, "").replace(closing, "")
    content = re.sub(r"\s{2,}", " ", content.strip())
    return "" if _ONLY_ASKS.fullmatch(content) else content


_NOT_REMINDED = re.compile(
    r"^(?:(?!提醒|叫我).)*?(?<!要)(?:不要|不用|不必|别)再?(?:提醒|叫)我|"
    r"^(?:(?!remind).)*?\b(?:don'?t|don’t|do not|stop|no need to) remind(?:ing)? me\b",
    re.IGNORECASE,
)


_REFUSES = re.compile(
    r"(?:不要|不用|不必|别)再?(?=(?:提醒|叫)我)|"
    r"\b(?:don'?t|don’t|do not|stop|no need to) (?=remind(?:ing)? me\b)",
    re.IGNORECASE,
)


def refused(text: str) -> str:
    """What is refused, as if it were wished for: its time tells which reminder is meant."""
    return _REFUSES.sub("", text)


def takes_away(text: str) -> bool:
    """明天八点不要提醒我 takes something away, however much time it names."""
    return _NOT_REMINDED.search(text) is not None
