"""The whole sentence to a wish: when, what, whether to confirm, how urgent, whom, where.

"明天早上8点提醒我吃药，要确认" is tomorrow 08:00, 吃药, confirmed. The content is what remains when
the time, the asking words and the instructions are taken out.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.language.when.model import Habits, Span, When
from clarion.language.when.parse import DEFAULT_HABITS, LETTERS_MAX, Reading
from clarion.language.when.parse import read as read_time
from clarion.language.wishes import Found, confirm_wish, device_named, level_hint, person_named

_ASKING_BEFORE = re.compile(
    r"(?:请你?|麻烦你?|帮忙|帮我|给我|能不能|能|可以|可不可以|你|记得|到时候?|届时|要|再|准时|按时|来|"
    r"务必|就|并且?|的时候|时候?|左右|之?前|以前|整|的|在|于|吧|好了?|请帮我|一定要?|嘿|喂|小智|，|,|、|：|:|\s)+$"
)
_ASKING_BEFORE_EN = re.compile(
    r"(?:\b(?:please|pls|can you|could you|would you|will you|hey|ok|okay|um+|uh+|so|and|then|just|"
    r"i want you to|i need you to|you|to|is|at|on|by|for|of|like|well|also|kindly|,|;)[\s,]*)+$",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:[\s，,。.；;：:、!！?？\-—~)）\]】]|的(?!士)|一下|一声|(?:时候|时|左右|之前|以前|准时|按时)(?!装|间|差)|"
    r"[前后](?=[，,]|$)|之后|以后|开始|起(?=[，,]|$)|记得(?:要)?|别忘了|不要忘记|不要忘了|别忘记|要(?=[^点求不领])|"
    r"(?:帮我|给我|请你?|麻烦你?|内容[是为]?[:：]?)(?=.))+"
)
_TRAILING = re.compile(
    r"(?:[\s，,。.；;：:、!！?？\-—~(（\[【]|的时候|(?<!目)的|在|于|吧|哦|啊|呀|呢|哈|谢谢|好吗|行吗|可以吗|"
    r"(?:，|,|\s)(?:到时候?|届时|记得|请|麻烦你?|帮我|就|并且?|再|从|到)|(?<=.)(?:从|每|到)(?=$))+$"
)
_LEADING_EN = re.compile(
    r"^(?:[\s,.;:!?\-)]|(?:to|about|that|of|for|and|then|please|also|is|at|on|by|i need to|"
    r"i have to|i should|it's time to|um+|uh+|so|like|hey|ok|okay|just|well)\b\s*)+",
    re.IGNORECASE,
)
_TRAILING_EN = re.compile(
    r"(?:[\s,.;:!?\-(]|\b(?:at|by|and|is|are|please|thanks|thank you|from|until|every|then|the|"
    r"um+|uh+)(?=[\s,.;:!?\-(]*$))+$",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"^(?:请|帮我|麻烦|给我|你)*(?:定|设|订|设置|设定|上|开|建|创建|建立|添加|新建|新增|加|弄|来|安排|预约)"
    r"(?:了|一?个|一下|好|条|一条)*(?=.*(?:闹钟|闹铃|提醒|定时|倒计时|计时|日程|待办)|$)"
)
_SET_THING = re.compile(
    r"(?:的)?(?:闹钟|闹铃|定时器|倒计时|计时器?|日程|待办(?:事项)?|提醒(?:事项)?)"
    r"(?:$|(?=[，,：:]))[，,：:]?"
)
ENDING_LETTERS = 40
_HAN = re.compile("[\u3400-\u9fff]")


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


def read(text: str, base: datetime, zone: ZoneInfo, habits: Habits = DEFAULT_HABITS) -> Request:
    text = text[:LETTERS_MAX]
    time = read_time(text, base, zone, habits)
    after = time.verb[1] if time.verb else None
    confirm = confirm_wish(text)
    level = level_hint(text)
    device = device_named(text)
    person = person_named(text, time.verb, time.whom)
    found = [part for part in (confirm, level, device, person) if part is not None]
    content = _content(text, time, found, after)
    return Request(
        when=time.when,
        content=content,
        confirm=confirm.value if confirm else None,
        level=level.value if level else None,
        person=person.value if person else None,
        device=device.value if device else None,
    )


def _content(text: str, time: Reading, found: list[Found], after: int | None) -> str:
    cuts: list[Span] = list(time.cuts)
    cuts += [span for part in found for span in part.cuts]
    if time.verb is None:
        return _tidy(_kept(text, cuts, 0, len(text)))
    begin, end = time.verb
    behind = _tidy(_kept(text, cuts, end, len(text)))
    if behind:
        return behind
    ahead = _kept(text, cuts, 0, begin)
    return _tidy(_without_end(_ASKING_BEFORE_EN, _without_end(_ASKING_BEFORE, ahead)))


def _without_end(ending: re.Pattern[str], content: str) -> str:
    """Looks at the last letters only: an ending sought from every letter would take for ever."""
    keep, tail = content[:-ENDING_LETTERS], content[-ENDING_LETTERS:]
    return keep + ending.sub("", tail)


def _kept(text: str, cuts: list[Span], start: int, end: int) -> str:
    """What the cuts leave of a stretch; a space where words of two sides would run together."""
    kept: list[str] = []
    place = start
    for begin, stop in sorted(cuts):
        if begin >= end or stop <= place:
            continue
        if begin > place:
            kept.append(text[place:begin])
        place = max(place, stop)
    if place < end:
        kept.append(text[place:end])
    return _joined([part for part in kept if part.strip()])


def _joined(parts: list[str]) -> str:
    joined = ""
    for part in parts:
        latin = joined[-1:].isascii() and part[:1].isascii()
        joined += (" " if joined and latin and not joined.endswith(" ") else "") + part
    return joined


_MARKS = " \t\n，,。.；;：:、!！?？-—~"


def _tidy(content: str) -> str:
    content = content.strip(_MARKS)
    for _ in range(3):  # an ending may uncover another; three rounds are enough for speech
        before = content
        content = _clean_chinese(content) if _HAN.search(content) else _clean_english(content)
        if content == before:
            break
    return "" if content in ("是", "在", "到") else re.sub(r"\s{2,}", " ", content)


def _clean_chinese(content: str) -> str:
    content = _LEADING.sub("", content)
    setting = _SETTING.sub("", content)
    if setting != content or _SET_THING.fullmatch(setting):
        content = _SET_THING.sub("", setting, count=1)
    return _balanced(_without_end(_TRAILING, content))


def _clean_english(content: str) -> str:
    return _balanced(_without_end(_TRAILING_EN, _LEADING_EN.sub("", content)))


def _balanced(content: str) -> str:
    """Brackets that lost their other half go too."""
    for opening, closing in ("()", "（）"):
        if (opening in content) != (closing in content):
            content = content.replace(opening, "").replace(closing, "")
    return content.strip()
