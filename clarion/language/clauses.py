"""Where one thing ends and the next one begins, when a sentence asks for several. Pure."""

import re
from itertools import pairwise

_THEN = re.compile(
    r"[，,；;。]?\s*(?:然后|接着|另外|还有|跟住)(?:再)?[，,]?\s*|"
    r"[,;]?\s*\band (?=(?:set )?(?:an? |another )?(?:timer|alarm|remind)\b)|"
    r"[,;]?\s*\band (?:another|one more)(?: one)? (?=(?:for|at|in)\b)|"
    r"[,;.]?\s*\b(?:and then|then also|then|and also)\b,?\s*",
    re.IGNORECASE,
)
_ASKS_ITSELF = re.compile(
    r"提醒|[叫喊](?:我|醒)|闹钟|\b(?:remind|wake|alarm|timer)\b", re.IGNORECASE
)
CLOCK = re.compile(r"点|\d:\d\d|\bat \d|\d ?[ap]m\b|\bfor \d", re.IGNORECASE)
_SET_CLOCK = re.compile(r"^.{0,20}?\b(?:alarm|timer|reminder)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"(?:for|at|in)\b", re.IGNORECASE)
UNIT = re.compile(r"\b(?:min(?:ute)?s?|hours?|hrs?|sec(?:ond)?s?)\b", re.IGNORECASE)
_BARE = re.compile(r"^((?:for|in) (?:\d{1,3}|five|ten|fifteen|twenty|thirty))\W*$", re.IGNORECASE)
_HOUR = re.compile(
    r"\bat (\d{1,2})\b(?![:.]?\d)|\b(\d{1,2})(?::\d\d)? ?[ap]m\b|"
    r"\bat (\d{1,2}):\d\d|^(\d{1,2})(?= [a-z])",
    re.IGNORECASE,
)
_HOUR_AND_THING = (
    r"(?P<hour>\d{1,2})(?::[0-5]\d)?(?P<late> ?pm| ?am)?\s+"
    r"(?!(?:and|or|of|more|times?|people|each|per|mg|ml|kg|km|cm|percent|pm|am|o'clock|"
    r"(?:minute|hour|second|day|week|month|year|mile|page|person|point|dollar|euro|pound)s?|"
    r"\w*[^su\W]s)\b)(?=[a-z])"
)
_HALF = re.compile(r"\d ?[ap]m\b", re.IGNORECASE)
LIST_LEAST = 3  # hours in a row, where not even the first one says that it is one
_BARE_HOUR = re.compile(rf"(?:[,;]|[,;]? and)\s+{_HOUR_AND_THING}", re.IGNORECASE)
_NEXT_HOUR = re.compile(rf"(?:[,;]|[,;]? and)\s+(?:at )?{_HOUR_AND_THING}", re.IGNORECASE)
_CLOCKS = re.compile(
    r"\bat \d{1,2}(?::\d\d)?(?: ?[ap]m)?\b|\b\d{1,2}(?::\d\d)? ?[ap]m\b|\bat noon\b|"
    r"(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?!滴|心|名)",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"[,;.]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_OF_ME = re.compile(r"\b(?:me|i)\b", re.IGNORECASE)
"""Without an hour, a wish about the thing before: "and nag me"."""
_LEADS = re.compile(
    r"\W*(?:(?:please )?(?:remind|tell|wake) me |(?:today|tonight|tomorrow)(?: morning)?,? )*"
    r"(?:at )?\d{1,2}(?::\d\d)?(?: ?[ap]m)?\b",
    re.IGNORECASE,
)
_HOUR_ZH = re.compile(
    r"(?:(?:今天|明天|后天|今晚|明早|早上|上午|中午|下午|晚上)*)"
    r"(?<![到至和或跟与、\-~])(?<!还是)(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:半|[一三]刻|钟|\d{1,2}分?)?"
    r"(?![到至和或跟与、前左之以的滴心名]|还是)"
)
_RATHER = re.compile(
    r"不对|不是|错|还是|\b(?:no|wait|sorry|actually|rather|instead|make that)\b", re.IGNORECASE
)
_OF_THE_OTHER = re.compile(
    r"\b(?:it|that|which|he|she|they|starts?|begins?|leaves?|opens?|closes?|departs?|arrives?|is|"
    r"are|was|or|until|till|before|if|from|between|unless)\b|开始|出发|起飞|截止|关门|结束|发车|开门|还是|或者|就|才",
    re.IGNORECASE,
)


def by_hours(text: str) -> list[str]:
    """A bare hour opens a thing ("at 8 pills, 9 blood pressure") when it comes after the hour
    before it and counts nothing ("10 eggs"). Empty: none does.
    """
    first = _HOUR.search(text)
    if first is None or not text.isascii():
        return []
    last = int(next(hour for hour in first.groups() if hour))
    clauses, begun = list[str](), 0
    bare = _BARE_HOUR.search(text, first.end()) is not None
    for found in (_NEXT_HOUR if bare else _BARE_HOUR).finditer(text, first.end()):
        late = 12 if (found["late"] or "").endswith("pm") and found["hour"] != "12" else 0
        if last < int(found["hour"]) + late <= 12 + late:
            last = int(found["hour"]) + late
            clauses.append(text[begun : found.start()])
            begun = found.start("hour")
    told = [*clauses, text[begun:]] if clauses else []
    if text.lstrip()[:1].isdecimal() and len(told) < LIST_LEAST and not _HALF.search(text):
        return []  # "2 milk, 3 bread" are no hours
    return [f"at {one}" if one[:1].isdecimal() else one for one in told]


def by_clocks(text: str) -> list[str]:
    """A clause for each hour, so that no thing is lost between the parts: "pills at 8, walk at 9
    and lunch at 12", 明天8点吃药9点量血压. Empty: there is only one, or they are about each other.
    """
    clauses = _clauses(text) if text.isascii() else _pieces(text)
    once = all(len(_CLOCKS.findall(one)) == 1 for one in clauses)
    beside = any(_OF_THE_OTHER.search(one) for one in clauses[1:])
    if len(clauses) < 2 or not once or beside or _RATHER.search(text):
        return []
    return clauses


def _clauses(text: str) -> list[str]:
    """English: what has no hour goes with the one before, or after, as the first one does."""
    split = [one for one in _PAUSE.split(text) if one.strip()]
    leads = bool(split) and _LEADS.match(split[0]) is not None
    clauses, waiting = list[str](), ""
    for one in split:
        timed = _CLOCKS.search(one) is not None
        if not timed and clauses and (leads or _OF_ME.search(one)):
            clauses[-1] += f" and {one}"
        elif leads or timed:
            clauses.append(f"{waiting}{one}")
            waiting = ""
        else:
            waiting += f"{one} and "
    return clauses if not waiting else []


def _pieces(text: str) -> list[str]:
    """Chinese, as speech is written down: without a comma."""
    cuts = [found.start() for found in _HOUR_ZH.finditer(text)]
    if not cuts:
        return []
    return [text[start:end] for start, end in pairwise([0, *cuts[1:], len(text)])]


def one_then_another(text: str) -> list[str]:
    """明早六点半叫醒我，然后七点提醒我吃早饭: each asks for itself. Empty: none do."""
    clauses = _THEN.split(text)
    asking = _SET_CLOCK.match(clauses[0])
    if asking:  # "set an alarm for 6 and another for 6:30"
        unit = UNIT.search(clauses[0])  # "a timer for 5 minutes and another for 10"
        more = [_BARE.sub(rf"\1 {unit[0]}", one) if unit else one for one in clauses[1:]]
        more = [f"{asking[0]} {one}" if _ANOTHER.match(one) else one for one in more]
        clauses = [clauses[0], *more]
    timed = all(CLOCK.search(one) for one in clauses)  # "at 8 pills, then at 9 blood pressure"
    return clauses if timed or all(asks_itself(one) for one in clauses) else []


def asks_itself(text: str) -> bool:
    """Whether it has words that ask for a reminder, and not only a time and a thing."""
    return _ASKS_ITSELF.search(text) is not None
