"""Which instant a change or a correction means, seen from the one that was planned. Pure."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language.when import parse
from clarion.language.when.model import Grain, Habits, Once, Recurring
from clarion.talk.patterns import DAY_BESIDE, OTHER_HALF

HAPPENED = re.compile(r"[了啦咯]+\W*$")  # 改到十一点了: the new hour, not the one it is
TO = re.compile(
    r"改(?=[\d一二两三四五六七八九十早上下晚明后今周每])|(?:改|换|挪|调|移|推迟?|延后?|提前|搬|放|定|设)(?:到|成|为|在|叫|做)|"
    r"(?<!quarter )(?<!(?:it|at) ten )(?<!(?:it|at) five )(?<!(?:it|at) twenty )"  # ten to nine
    r"\b(?:to|until|till|for|make (?:it|that)|make)\b(?=\s+(?!take|the|my)\S)",
    re.IGNORECASE,
)
SPAN_EN = (
    r"(?:an?|one|two|three|four|five|six|ten|fifteen|twenty|thirty|half an?|a couple of|\d+) "
    r"(?:more )?(?:minutes?|mins?|hours?|days?|weeks?)"
)
ADDS_EN = rf"\badd (?:another |on )?(?P<added>{SPAN_EN})(?: more| on)?(?: to (?:it|that|this))?"
NO_LENGTH = re.compile(r"\s*(?:[到成]|点|(?:till?|until|to)\b)", re.IGNORECASE)
UNIT = re.compile(
    r"分|时|小時|钟|鐘|刻|天|日|周|星期|礼拜|月|\b(?:min|h(?:ou)?r|day|week|month)|\d ?[mh]\b",
    re.IGNORECASE,
)
SAME_TIME = re.compile(
    r"的?(?:同一|同样的?|一样的?|这个|老)(?:时间|时候|时刻|钟点)|(?:at )?(?:the )?same time",
    re.IGNORECASE,
)
LATER = re.compile(
    r"(?:推[迟遲]|延[后後]|延[迟遲]|往[后後](?:推|延|挪)?|晚|后推|延|再加|多加|再?推)(?:个|一个)?(?P<zh>[\d一二两三四五六七八九十半]+[^，。,]*)|"
    r"\b(?:push|move|delay|postpone|put)\b.*?\b(?:by|back|off)\s+(?:by\s+)?(?P<en>.+)|"
    rf"(?P<en2>{SPAN_EN})\s+later\b|{ADDS_EN}",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"(?:提前|提早|往前(?:推|挪)?|早)(?:个|一个)?(?P<zh>[\d一二两三四五六七八九十半]+[^，。,]*)|"
    r"\b(?:bring|move)\b.*?\b(?:forward|up)\s+(?:by\s+)?(?P<en>.+)|(?P<en2>"
    rf"{SPAN_EN})\s+earlier\b",
    re.IGNORECASE,
)
HALF_NAMED = re.compile(
    r"早|上午|中午|下午|晚|夜|凌晨|傍晚|\d{1,2}[:：]\d\d|\d ?[ap]\.?m\b|"
    r"\b(?:morning|evening|night|afternoon|noon)\b",
    re.IGNORECASE,
)
DAY_NAMED = re.compile(
    r"今|明|后天|大后|周|星期|礼拜|\d+[月号日]|月|\b(?:today|tomorrow|tonight|mon|tues?|wednes|thurs?|fri|satur|sun)(?:day)?\b|"
    r"\bnext\b|\bthe \d+",
    re.IGNORECASE,
)
NOT = re.compile(
    r"不是[^，,。 ]*?(?=是|，|,|。| |$)|\bnot (?:at )?[\w:]+(?: ?[ap]m)?\b", re.IGNORECASE
)
SORRY = re.compile(
    r"^\W*(?:不对|不是|唔系|唔係|唔啱|错了|说错了?|我是说|我说的?是?|不)?[\W啊呀哦]*(?:应该)?(?:是|系|係)?"
)
SORRY_EN = re.compile(
    r"^\W*(?:(?:no|sorry|wait|actually|oops)\b)?\W*(?:i meant|i said|it's|it is)?\s*", re.IGNORECASE
)
LATE_HOUR = re.compile(r"(?:十[三四五六七八九]|二十[一二三四]?)点|\b(?:1[3-9]|2[0-4])(?:点| ?h\b)")
A_BIT = re.compile(r"(?<=[声早晚快慢轻响多少好短长高低大小])一点(?![钟半一二三四五\d])")
"""大声一点 and 晚一点 name no hour."""
HALF_DAY = timedelta(hours=12)


def target(text: str) -> str:
    """What it is changed to: the words behind 改到 or "to", else all of them."""
    marks = list(TO.finditer(text))
    return HAPPENED.sub("", text[marks[-1].end() :]) if marks else text


def pointer(text: str) -> str:
    """What is to be changed: the words without 改到九点, 提前五分钟 or "back half an hour"."""
    if shift := length_said(text):
        start, end = shift.span(str(shift.lastgroup))
        return f"{text[: shift.start()] if not text.isascii() else text[:start]}{text[end:]}"
    marks = list(TO.finditer(text))
    return text[: marks[-1].start()] if marks else text


def length_said(text: str) -> re.Match[str] | None:
    """推迟半小时, "back by an hour": the last group is the length; 推迟到三点 has none."""
    for pattern in (LATER, EARLIER):
        found = pattern.search(text)
        said = found[found.lastgroup or 0] if found else ""
        if UNIT.search(said) and not NO_LENGTH.match(said):
            return found
    return None


def points_at_nothing(text: str, detail: str) -> bool:
    """Whether 改到九点, "make it Friday" or 后天吧 leaves open what is to be changed; `detail` is
    what the reader took for it.
    """
    return detail.partition("->")[0].strip() in ("", "this") or not pointer(text).strip()


def shifted(text: str, old: datetime, now: datetime, zone: ZoneInfo) -> datetime | None:
    """推迟半小时, "ten minutes earlier": counted from the instant that was planned."""
    found = length_said(text)
    if found is None:
        return None
    said, sign = found[str(found.lastgroup)], 1 if found.re is LATER else -1
    length = parse(f"in {said}" if said.isascii() else f"{said}后", now, zone)
    if not isinstance(length, Once) or length.at <= now:
        return None
    return old + sign * (length.at - now.replace(microsecond=0))


def next_to_it(text: str, old: datetime) -> datetime | None:
    """不是明天，前一天 and "the day after": counted from the day that was planned."""
    found = DAY_BESIDE.search(text)
    if found is None:
        return None
    earlier = found["before"] or found["before_zh"]
    return old + timedelta(days=-1 if earlier else 1)


def in_other_half(text: str, old: datetime, now: datetime) -> datetime | None:
    """What "pm" or 是晚上 changes: the same hour in the half of the day that was said."""
    said = OTHER_HALF.search(text)
    if said is None:
        return None
    late = re.match(r"下午|晚上|p|afternoon|evening|night", said["half"], re.IGNORECASE)
    if bool(late) == (old.hour >= 12):
        return old
    other = old + HALF_DAY if late else old - HALF_DAY
    before = other - timedelta(days=1)
    return before if late and before > now else other if other > now else other + timedelta(days=1)


def read_short(
    words: str, now: datetime, zone: ZoneInfo, habits: Habits
) -> tuple[str, Once | Recurring | None]:
    """As it was read, and what was read: "nine" is "at nine", and 两小时 is 两小时后."""
    for way in [words, f"at {words}", f"in {words}"] if words.isascii() else [words, f"{words}后"]:
        when = parse(way, now, zone, habits)
        if isinstance(when, Once | Recurring):
            return way, when
    return words, None


def new_time(
    text: str, old: datetime, now: datetime, zone: ZoneInfo, habits: Habits
) -> datetime | Recurring | None:
    """The instant meant by 改到九点 or 不对，是九点; None when no time was said.

    Without a day it is the day of `old`; without morning or evening the half of `old`; a day
    alone keeps the hour of `old`.
    """
    text = A_BIT.sub("", text)
    here = old.astimezone(zone)
    moved = (
        shifted(text, old, now, zone) or next_to_it(text, here) or in_other_half(text, here, now)
    )
    if moved is not None:
        return moved
    words = SAME_TIME.sub("", NOT.sub("", target(text)))
    words = (SORRY_EN if words.isascii() else SORRY).sub("", words, count=1)
    words, when = read_short(words, now, zone, habits)
    if not isinstance(when, Once):
        return when
    if re.search(r"后|\bin \b|\bfrom now\b", words) and not DAY_NAMED.search(words):
        return when.at  # so long from now
    old = old.astimezone(zone)
    if when.grain in (Grain.DAY, Grain.WEEK):
        return datetime.combine(when.at.date(), old.timetz().replace(tzinfo=None), zone)
    if DAY_NAMED.search(words):
        return when.at
    same_day = datetime.combine(old.date(), when.at.time(), zone)
    if HALF_NAMED.search(words) or LATE_HOUR.search(words):
        return same_day if same_day > now else when.at
    around = [same_day, same_day + HALF_DAY, same_day - HALF_DAY]
    coming = [at for at in around if at > now and at.date() == old.date()]
    return min(coming, key=lambda at: abs(at - old), default=when.at)
