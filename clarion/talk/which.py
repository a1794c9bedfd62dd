"""Which reminder is meant: by its words, its time, its place in a list, or "the last one". Pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language import request as requests
from clarion.language.clauses import CLOCK
from clarion.language.when import named
from clarion.language.when.model import Grain, Once
from clarion.language.when.words import words
from clarion.reminders.model import Reminder
from clarion.talk.dialogue import Hints

ALL = re.compile(
    r"全部|所有|统统|通通|都(?=取消|删|清|撤|不|别|停|关|推|延|往|提|早|晚|改|挪|\W*$)|"
    r"全(?=取消|删|清|撤|不|停|关|都|推|延|往|提|改|挪)|清空|一个不留|其[他余它]|别的|剩下|"
    r"[两三]个都|\b(?:all|both)\b(?! right)|\beverything\b|\bevery (?:one|reminder|alarm)|"
    r"\bthe (?:lot|rest|others)\b",
    re.IGNORECASE,
)
SPARED = re.compile(
    r"除了?(?P<but>.+?)(?:以外|之外|外|，|,|都|全|$)|(?:只|就|光|净系|淨係)(?:要|留|保留)(?:着|下|返)?(?P<only>[^，,。]+)|"
    r"(?:留|保留)(?:着|下)?(?P<left>[^，,。]+?)[，,]?(?=其[他余它]|别的|剩下)|"
    r"(?P<still>[^，,。]+?)(?:留着|留下|保留|别动|不动)[，,。 ]*(?=\w)|"
    r"\b(?:keep|leave)(?: only)? (?P<keep>.+?)"
    r"(?:$|,| but | and (?=(?:cancel|drop|delete|remove|lose|clear|move|push|put)\b))|"
    r"\b(?:except|excluding|other than|apart from|besides|but(?: not)?)\b(?P<except>.+)",
    re.IGNORECASE,
)
AND = re.compile(r"[和跟与、，,]|\band\b", re.IGNORECASE)
LAST = re.compile(
    r"最后(?:那|一|的)|刚才|刚刚|刚设|上一?个|上一条|刚(?:加|定|说)的|"
    r"\blast (?:one|reminder|alarm|timer)\b|\bthe last\b|\bjust (?:set|made|added)\b|\blatest\b",
    re.IGNORECASE,
)
NEXT = re.compile(
    r"下一?个(?!月|星期|礼拜|周)|下一?(?:条|次)|最近的|马上要|"
    r"\b(?:the |my )?next\b(?! (?:week|month|year))",
    re.IGNORECASE,
)
ORDINAL = re.compile(
    r"第\s*([一二两三四五六七八九十\d]{1,2})\s*[个条项]?|\b(first|second|third|fourth|fifth|sixth)\b"
    r"|\bnumber (\d|one|two|three|four|five|six)\b",
    re.IGNORECASE,
)
BARE = re.compile(r"^\W*([一二两三四五六\d])(?:号|个)?\W*$")
NUMBERS = {
    **{word: n for n, word in enumerate("一二三四五六七八九十", 1)},
    **{word: n for n, word in enumerate(words("first second third fourth fifth sixth"), 1)},
    **{word: n for n, word in enumerate(words("one two three four five six"), 1)},
    "两": 2,
}
# What a sentence about a reminder says besides the reminder.
ASIDE_ZH = re.compile(
    r"取消|删[除掉]?|去掉|撤销?|恢复|不用|不要|别|再|提醒|闹[钟铃]|叫我|把|那个|这个|的|了|吧|给我|帮我|请|一下|我|"
    r"关于|保?留着?|只|以后|今后|永远|算了|剩下|其[他余]|响|叫|没事|哎|啊|所有|全部|统统|通通|都|全|清空|帮|改[到成为]?|换[到成]?|挪[到]?|推[迟后]?|延[后迟]?|提前|几点|什么时候|有没有|还有|吗|呢|是|在"
)
SMALL_EN = frozenset(
    words(
        "a all an and about alarm alarms any at be can cancel change clear delete do drop every"
        " everything for forget from get i in is it just kill make me move my of off on one please"
        " mind never next other others pls remaining rest skip scrap thanks them those"
        " bin both by chuck ditch forward good just keep leave lose only rename wipe"
        " actually ok okay oh so well then sure now yes no instead"
        " back bring delay earlier later postpone push put reschedule shift snooze"
        " remind reminder reminders remove set stop take that the thing this timer to up want"
        " today tomorrow tonight what when you your"
    )
)
CLOCK_WORDS = (
    (re.compile(r"计时|\b(?:timer|countdown)\b", re.IGNORECASE), {"时间到了", "time's up"}),
    (
        re.compile(r"闹[钟铃]|\balarm\b", re.IGNORECASE),
        {"闹钟", "alarm", "起床", "wake up"},
    ),
)
POINTS = re.compile(
    r"那个|这个|那条|这条|提醒|闹钟|[的啊呀哦]|\b(?:the|that|this|my|one|reminder|alarm|timer|for|to)\b|[,.!?]"
)
BESIDE_NAME = frozenset(words("the my a an and but"))
DAY = re.compile(r"今天|明天|大?后天|\b(?:today|tomorrow|tonight)\b", re.IGNORECASE)
PARTS = (  # from which hour until which
    (re.compile(r"早上|早晨|上午|早|\bmorning\b", re.IGNORECASE), 4, 12),
    (re.compile(r"中午|午间|\b(?:noon|midday|lunch)\b", re.IGNORECASE), 11, 14),
    (re.compile(r"下午|\bafternoon\b", re.IGNORECASE), 12, 18),
    (re.compile(r"晚|夜|\b(?:evening|night|tonight)\b", re.IGNORECASE), 17, 24),
)
SCATTERED = 0.8  # 吃药 in 吃痛风药 counts a little less than in one piece
NAMES_A_PART = 0.3  # "sugar" of "check blood sugar"
LIKELY = 0.5  # of the shorter one's words have to be in the other


def find(
    said: str, there: Sequence[Reminder], hints: Hints, now: datetime, zone: ZoneInfo
) -> list[Reminder]:
    """Those that fit, by time. Empty: none does. Several: somebody has to choose."""
    by_words = matching(said, there)
    if by_words:
        timed = at_time(said, by_words, now, zone)
        return timed or by_words
    number = ordinal(said, listed=bool(hints.listed))
    if number is not None:
        if not hints.listed:
            return list(there[number - 1 : number])
        return [one for one in there if one.id in hints.listed[number - 1 : number]]
    if LAST.search(said):
        return latest(there, hints)
    if NEXT.search(said):
        return list(there[:1])
    timed = at_time(said, there, now, zone) or in_part(said, there, zone)
    if timed:
        return timed
    if names_something(said, now, zone):
        return []
    pointed = [one for one in there if one.id == hints.ringing]
    if not pointed and hints.recent:
        pointed = [one for one in there if one.id in hints.recent]
    return pointed or list(there)


def spare(said: str, there: Sequence[Reminder]) -> tuple[str, list[Reminder]]:
    """What is said without "but the pills" or 药留着, and those that it can mean then. None are
    left when what is spared is not there.
    """
    found = SPARED.search(said)
    if found is None:
        return said, list(there)
    names = AND.split(found[found.lastgroup or 0])
    spared = [one for name in names for one in matching(name, there)]
    rest = f"{said[: found.start()]} {said[found.end() :]}"
    return rest, [one for one in there if one not in spared] if spared else []


def several(
    said: str, there: Sequence[Reminder], hints: Hints, now: datetime, zone: ZoneInfo
) -> list[Reminder] | None:
    """All that are meant, where it is more than one: "both", 下午的都…, "bread and lunch", "the
    first and the third". None: one is meant. Empty: there are no such ones.
    """
    numbers = ordinals(said)
    places = hints.listed or [one.id for one in there]
    if len(numbers) > 1:
        chosen = {places[n - 1] for n in numbers if 0 < n <= len(places)}
        found = [one for one in there if one.id in chosen]
        return found if len(found) == len(set(numbers)) else []
    if named := _each_named(said, there, now, zone):
        return named
    if not ALL.search(said):
        return None
    found = matching(said, there)
    found = at_time(said, found or there, now, zone) or in_part(said, found or there, zone) or found
    return found or ([] if names_something(said, now, zone) else list(there))


def _each_named(
    said: str, there: Sequence[Reminder], now: datetime, zone: ZoneInfo
) -> list[Reminder]:
    """喝水和买菜, "bread and lunch", 十点和十一点的: each part names some, and says no more."""
    parts = AND.split(ALL.sub("", said))
    found = [
        [one for one in matching(part, there) if _says_no_more(part, one)]
        or (at_time(part, there, now, zone) if CLOCK.search(part) else [])
        for part in parts
    ]
    each = {one.id: one for some in found for one in some}
    return list(each.values()) if len(each) > 1 and len(parts) > 1 and all(found) else []


def _says_no_more(said: str, one: Reminder) -> bool:
    if said.isascii():
        return all(any(_same(word, name) for name in _words(one.content)) for word in _words(said))
    return not set(re.findall(r"\w", ASIDE_ZH.sub("", said))) - set(one.content)


def ordinal(said: str, *, listed: bool) -> int | None:
    """第二个, "the second"; where something was read out also 二 and 2."""
    found = ORDINAL.search(said) or (BARE.match(said) if listed else None)
    if found is None:
        return None
    word = next(group for group in found.groups() if group).lower()
    return int(word) if word.isdecimal() else NUMBERS.get(word)


def ordinals(said: str) -> list[int]:
    """第二个和第三个, "the first and the third": the places, when several are named."""
    words_ = [next(group for group in found if group).lower() for found in ORDINAL.findall(said)]
    return [int(word) if word.isdecimal() else NUMBERS.get(word, 0) for word in words_]


def on_another_day(said: str, one: Reminder, now: datetime, zone: ZoneInfo) -> bool:
    """Whether a day was named on which it is not: 取消明天的吃药 leaves today's alone."""
    day = DAY.search(said)
    when = named(day[0], now, zone) if day and day[0] not in one.content else None
    return isinstance(when, Once) and one.trigger_at.astimezone(zone).date() != when.at.date()


def latest(there: Sequence[Reminder], hints: Hints) -> list[Reminder]:
    recent = [one for one in there if one.id in hints.recent]
    return recent or sorted(there, key=lambda one: (one.created_at, one.id))[-1:]


def matching(said: str, there: Sequence[Reminder]) -> list[Reminder]:
    """Whose words are in what was said; the best ones when some fit better than others. The alarm
    and the timer are those that have no other content.
    """
    for pattern, titles in CLOCK_WORDS:
        called = [one for one in there if one.content in titles]
        if called and pattern.search(said):
            return called
    scores = [(likeness(said, one.content), one) for one in there]
    best = max((score for score, _ in scores), default=0.0)
    return [one for score, one in scores if score == best] if best >= LIKELY else []


def by_name(clauses: Sequence[str], there: Sequence[Reminder]) -> dict[str, str]:
    """Ids, each with what was said of it: the clause that names it and those behind it."""
    said: dict[str, str] = {}
    current = ""
    for clause in clauses:
        named = matching(clause, there)
        current = named[0].id if len(named) == 1 else current
        if current:
            said[current] = said.get(current, "") + clause
    return {id_: words_.strip(" ，,;；") for id_, words_ in said.items()}


def only_names(said: str, content: str) -> bool:
    """那个吃药的 and "the pills one": nothing is said of it."""
    left = POINTS.sub(" ", said.lower())
    if left.isascii():
        named = _words(content)
        return not any(not any(_same(one, word) for one in named) for word in left.split())
    return not (set(left) - set(content) - set(" ，,。.!！?？"))


def unnamed(said: str, content: str) -> str:
    """What is said besides the name; English only, for 药 is part of 药吃了."""
    if not said.isascii() or not content.isascii():
        return ""
    named = _words(content)
    left = [
        word
        for word in re.findall(r"[\w']+", said.lower())
        if word not in BESIDE_NAME and not any(_same(one, word) for one in named)
    ]
    return " ".join(left)


def is_of_another(said: str, told: Reminder, others: Sequence[Reminder]) -> bool:
    """Whether words name one of the others, and nothing of what was told."""
    if likeness(said, told.content) > 0:
        return False
    return any(likeness(said, one.content) > NAMES_A_PART for one in others)


def is_named(said: str, content: object) -> bool:
    return isinstance(content, str) and likeness(said, content) >= LIKELY


def likeness(said: str, content: str) -> float:
    """From 0 to 1: how much of the shorter one is in the other."""
    if re.search(r"[\u3400-\u9fff]", content):
        return _likeness_zh(ASIDE_ZH.sub("", said), content)
    heard, named = _words(said), _words(content)
    if not heard or not named:
        return 0.0
    shared = sum(any(_same(one, other) for other in heard) for one in named)
    return shared / min(len(heard), len(named)) if shared else 0.0


def _likeness_zh(said: str, content: str) -> float:
    core = ASIDE_ZH.sub("", content) or content
    if not said:
        return 0.0
    if len(said) == 1:  # 药 of 吃药
        return float(said in core and said not in NUMBERS)
    run = _longest_run(said, core)
    shared = len(set(said) & set(core))
    apart = SCATTERED * shared / min(len(set(said)), len(set(core))) if shared > 1 else 0.0
    if run < 2 and len(core) > 1:
        return apart
    return max(apart, run / min(len(said), len(core)))


def _longest_run(one: str, other: str) -> int:
    """Length of the longest piece that both have."""
    best = 0
    for start in range(len(other)):
        while other[start : start + best + 1] in one and start + best < len(other):
            best += 1
    return best


def _words(text: str) -> list[str]:
    found = re.findall(r"[a-z']+", text.lower())
    return [word.rstrip("'s") or word for word in found if word not in SMALL_EN]


def _same(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= 4 and one[:4] == other[:4])


def at_time(said: str, there: Sequence[Reminder], now: datetime, zone: ZoneInfo) -> list[Reminder]:
    """Those at the hour, or on the day, that was named; 八点 is both eights."""
    when = named(requests.refused(said), now, zone)
    if not isinstance(when, Once) and (day := DAY.search(said)):
        when = named(day[0], now, zone)  # "skip tomorrow"
    if not isinstance(when, Once):
        return []
    if when.grain in (Grain.DAY, Grain.PART, Grain.WEEK):
        days = [one for one in there if one.trigger_at.astimezone(zone).date() == when.at.date()]
        return in_part(said, days, zone) or days
    exact = [one for one in there if abs(one.trigger_at - when.at) < timedelta(minutes=1)]
    return exact or [one for one in there if same_clock(one.trigger_at.astimezone(zone), when.at)]


def in_part(said: str, there: Sequence[Reminder], zone: ZoneInfo) -> list[Reminder]:
    """晚上那个, "the morning one"; empty when no part of the day was named."""
    hours = hours_named(said)
    if hours is None:
        return []
    return [one for one in there if hours[0] <= one.trigger_at.astimezone(zone).hour < hours[1]]


def hours_named(said: str) -> tuple[int, int] | None:
    return next(((since, until) for part, since, until in PARTS if part.search(said)), None)


def same_clock(one: datetime, other: datetime) -> bool:
    return (one.hour - other.hour) % 12 == 0 and one.minute == other.minute


def names_something(said: str, now: datetime, zone: ZoneInfo) -> bool:
    """Whether words are left when those that ask are taken away: then they name something."""
    if isinstance(named(said, now, zone), Once):
        return True
    if said.isascii():
        return bool(_words(said))
    return len(re.sub(r"[\W\d_啊呀哦嘛啦哪一个]+", "", ASIDE_ZH.sub("", said))) > 1
