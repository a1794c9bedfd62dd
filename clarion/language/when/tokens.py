"""Text to typed tokens: one spelling for one thing, then one compiled alternation, one pass.

In `Normal` every letter is replaced by one letter, so positions stay; only spaces beside Chinese
and invisible letters go, and then a map says where each remaining letter stood. In the stream,
what no word claims becomes a `gap`, so that two tokens which stand side by side in the list
also stand side by side in the sentence (spaces aside).
"""

import re
import string
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from clarion.language.script import SIMPLIFIED
from clarion.language.when.calendar import FESTIVALS_EN
from clarion.language.when.stream import TimeToken, TokenStream, make_token
from clarion.language.when.words import CHINESE, chinese
from clarion.language.when.words.words_en import PAIRS
from clarion.language.when.words.words_en import WORDS as ENGLISH
from clarion.language.when.words.words_zh import GUARDS, chinese_verbs
from clarion.language.when.words.words_zh import WORDS as ZH
from clarion.language.when.zones import chinese_zones, english_zones, zone_codes

# Letters of dates and figures that replies have no need of, and what is read otherwise here.
_MORE = (
    "鍾钟臘腊閏闰誕诞錶表錯错弍二貳贰叄叁無无係系複复蟄蛰祇只鈕钮儘尽頁页兌兑劇剧叢丛墊垫"
    "彙汇拋抛晝昼氈毡準准灑洒稅税綱纲衝冲語语貼贴跡迹較较鋼钢鎮镇韓韩頒颁參叁帳账"
)
FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
PUNCTUATION = {
    0x3000: " ",
    0xA0: " ",
    0x2009: " ",
    0x202F: " ",
    0x2019: "'",
    0x2018: "'",
    0x301C: "~",
    0x2013: "-",
    0x2014: "-",
    0x2015: "-",
    0x2236: ":",
    0xFE55: ":",
    0xB7: " ",
}

TABLE: dict[int, int | str | None] = {
    **SIMPLIFIED,
    **{ord(one): other for one, other in zip(_MORE[::2], _MORE[1::2], strict=True)},
    **{code: chr(to) for code, to in FULL_WIDTH.items()},
    **{ord("A") + n: chr(ord("a") + n) for n in range(26)},
    **{0xFF21 + n: chr(ord("a") + n) for n in range(26)},
    **PUNCTUATION,
}
INVISIBLE = "\u200b"  # and all others like it
TABLE |= dict.fromkeys((*range(0x200B, 0x2010), 0x2060, 0xFEFF, 0xAD), INVISIBLE)
TABLE[0xFF0C] = "，"  # the comma of a Chinese sentence parts clauses, not thousands
TABLE[0xFF08] = "("
TABLE[0xFF09] = ")"

# A space that touches a Chinese letter says nothing; between Latin words it is needed.
_IDLE = re.compile(
    f"{INVISIBLE}|(?<=[\u3400-\u9fff\u3007，。])[ \t]+|[ \t](?=[\u3400-\u9fff\u3007])"
)


class Normal:
    """The text as the grammar reads it. `back` turns its positions into those of the original."""

    __slots__ = ("_places", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        self._places: list[int] | None = None
        if original.isascii():
            self.text = original.lower()
            return
        text = original.translate(TABLE)
        if " " in text or "\t" in text or INVISIBLE in text:
            places: list[int] = []
            last = 0
            for idle in _IDLE.finditer(text):
                places.extend(range(last, idle.start()))
                last = idle.end()
            places.extend(range(last, len(text)))
            text = "".join([text[n] for n in places])
            self._places = places
        self.text = text

    def spans(self, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The stretches in their order, as the original has them; what is empty says nothing."""
        said = [span for span in found if span[0] < span[1]]
        if self._places is not None:
            said = [self.back(*span) for span in said]
        said.sort()
        return said

    def back(self, start: int, end: int) -> tuple[int, int]:
        if self._places is None or start >= end:
            return start, end
        return self._places[start], self._places[end - 1] + 1


ONLY_NEAR = 40  # a date in figures stands near the beginning, or behind a mark
TOKENS_MAX = 1500  # a long speech; what follows in a longer one is not looked at
FIGURES_MAX = 9  # longer numbers are telephones and orders, never times


# What a word is, with what must not follow it.
_WORDS: dict[str, tuple[str, Any, str]] = {
    word: (*said, GUARDS.get(word, ""))
    for word, said in {**ZH, **chinese_verbs(), **chinese_zones()}.items()
}
_ENGLISH: dict[str, tuple[str, Any]] = {**zone_codes(), **ENGLISH}


def _lengths(words: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """For the two letters that words begin with the lengths of these, the longest first."""
    found: dict[str, set[int]] = {}
    for word in words:
        found.setdefault(word[:2], set()).add(len(word))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


_LENGTHS = _lengths(_WORDS)
# What is a word by itself is tried last, and numerals may begin where no word does.
_OPENS = {letter: _LENGTHS.get(letter, ()) for letter in {*CHINESE, *(w[0] for w in _WORDS)}}
_LENGTHS = {two: (*lengths, *_OPENS[two[0]]) for two, lengths in _LENGTHS.items() if two[1:]}
_PHRASES: dict[str, tuple[str, Any]] = {
    phrase: ("festival", name) for phrase, name in FESTIVALS_EN.items()
}
_PHRASES |= PAIRS | english_zones()
_PHRASE_LENGTHS: dict[str, tuple[int, ...]] = {}
"""For each first word the lengths of its phrases, the longest first."""
for _phrase in sorted(_PHRASES, key=len, reverse=True):
    _first = re.split("[ 4-]", _phrase)[0].rstrip(".'")
    _known = _PHRASE_LENGTHS.get(_first, ())
    if len(_phrase) not in _known:
        _PHRASE_LENGTHS[_first] = (*_known, len(_phrase))
# One look for each word: the phrases that begin with it, and what it is by itself.
_ENTRIES: dict[str, tuple[tuple[int, ...], str, Any]] = {
    word: (_PHRASE_LENGTHS.get(word, ()), *_ENGLISH.get(word, ("gap", None)))
    for word in {*_ENGLISH, *_PHRASE_LENGTHS}
}
_AFTER_DAY = "早上中下傍晚凌午夜提叫喊周星礼"  # what may follow the 3 of "6-3"
# Each alternative begins with a set of letters, so that a wrong one costs a single look. No look
# behind is needed: the figures before a match were taken by the match before it.
_PATTERN = re.compile(
    "|".join(
        (
            r"(?P<plain>(?<!t)\d{1,4}(?![\d/.:hmnrst-]| ?:))",  # 8点, 5 pm: as most figures
            r"(?P<date>\d{4}(?:-\d{1,2}-\d{1,2}|/\d{1,2}/\d{1,2}|\.\d{1,2}\.\d{1,2})(?!\d)"
            r"|\d{1,2}/\d{1,2}(?:/\d{4}|/\d{2})?(?![\d/])"
            r"|\d{1,2}/20\d\d(?![\d/])"
            r"|\d{1,2}[.-]\d{1,2}[.-]\d{4}(?!\d)"
            r"|(?:19|20)\d\d-[01]\d(?![\d-])"
            r"|20\d\d[01]\d[0-3]\d(?!\d)"
            r"|0\d-\d\d(?= *[\u3400-\u9fff])"
            rf"|\d{{1,2}}-\d{{1,2}}(?= *(?:$|[，,。;；)@{_AFTER_DAY}]|at\b))"
            r"|\d{1,2}-\d{1,2}(?= \d{1,2}:\d\d))",
            r"(?P<clock>(?<=\dt)\d{4}(?:\d\d)?(?!\d)"
            r"|\d{1,2} ?: ?\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?!\d|:\d)"
            r"|\d{1,2}\.\d{2}(?= ?[ap]\.?m\b)|(?:1[3-9]|2[0-3])\.[0-5]\d(?= ?h\b)"
            r"|\d{1,2}h\d{2}(?![\da-z]))",
            r"(?P<ord>\d{1,3}(?:st|nd|rd|th)\b)",
            r"(?P<texted>2(?:mor+ow?|mrw|nite)\b)",
            r"(?P<num>\d+(?:\.\d+)?)",
            r"(?P<quarter_code>q[1-4]\b)",
            r"(?P<meridiem>[ap](?:\.m\.?|m\b))",
            r"(?P<word>[a-z])",
            r"(?P<dash>[-~])",
            r"(?P<sign>[@&+]|/(?=\d{1,2}:\d\d))",
            r"(?P<quote>[《“「『\"【‘](?:(?<=《)[^》]{0,60}》|(?<=“)[^”]{0,60}”|(?<=「)[^」]{0,60}」"
            r"|(?<=『)[^』]{0,60}』|(?<=\")[^\"]{1,60}\"|(?<=【)[^】]{0,60}】|(?<=‘)[^’]{0,60}’))",
        )
    )
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")
_LETTERS = frozenset(string.ascii_lowercase)
_NO_WORDS = frozenset(("am", "a.", "pm", "p.", "q1", "q2", "q3", "q4"))  # how others may begin
_SEPARATORS = frozenset("，,；;。.!?！？…\n()[]<>|:")
_NUMERALS = re.compile(f"[{CHINESE}]+")
# 周一三五|七点, 周四、五|两点, 周三四五|三天
_LISTED_DAYS = re.compile(
    "[周期拜][一二三四五六](?:[二三四五六]?[、和]){0,4}([二三四五六日]{1,5})"
    "(?=[一二两三四五六七八九]点|[两二三四五]天)"
)
_DAY_AND_HOUR = re.compile(
    "(?<=初)(?P<one>[一二三四五六七八九十])(?=[一二三四五六七八九]点)"  # 初七|六点
    "|(?:(?<=初)([一二三四五六七八九十])|((?:二?十[一二三四五六七八九]?)))"
    "(?=(?:零|二十[一二三四]?|十[一二三四五六七八九]?)[点时])"
)
_SIGNS = {"@": "at", "&": "and", "+": "plus", "/": "and"}


def stream_of(text: str, original: str = "") -> TokenStream:
    return TokenStream(text, tokenize(text), original)


def tokenize(text: str) -> list[TimeToken]:
    tokens: list[TimeToken] = []
    add = tokens.append
    place = last = 0
    size = len(text)
    while place < size:
        letter = text[place]
        alone = _OPENS.get(letter)
        # Most letters are told by one look; the rest goes to the pattern.
        if alone is not None:
            lengths = _LENGTHS.get(text[place : place + 2], alone)
            read = _chinese_word(text, place, lengths) if lengths or letter in CHINESE else None
        elif letter == " " or "\u3400" <= letter <= "\u9fff":  # of no word, sign or figure
            read = None
        elif letter in _LETTERS and text[place : place + 2] not in _NO_WORDS:
            read = _english_word(text, place)
        elif letter in _SEPARATORS:
            read = "sep", letter, letter
        else:
            read = _other_word(text, place)
        if read is None:
            place += 1
            continue
        kind, value, raw = read
        if place > last and not (gap := text[last:place]).isspace():
            add(make_token(("gap", None, last, place, gap)))
        last = place + len(raw)
        add(make_token((kind, value, place, last, raw)))
        place = last
        if len(tokens) >= TOKENS_MAX:
            break
    if last < size and not text[last:].isspace():
        add(make_token(("gap", None, last, size, text[last:])))
    return tokens


def _other_word(text: str, start: int) -> tuple[str, Any, str] | None:
    match = _PATTERN.match(text, start)
    if match is None:
        return None
    group, raw = match.lastgroup or "", match[0]
    if group == "plain":
        return "num", int(raw), raw
    if group == "word":
        return _english_word(text, start)
    if group == "date" and raw == "24/7":  # all the time
        return "gap", None, raw
    if group == "date" and len(raw) < 6 and not _opens_date(text, start, raw):
        raw = raw.partition("-")[0]
        return "num", int(raw), raw
    kind, value = _READ[group](raw)
    return kind, value, raw


def _opens_date(text: str, start: int, raw: str) -> bool:
    """Whether 6-3 is a day: not the score, room or hours that the words before make of it."""
    if "-" not in raw:
        return True
    before = text[:start].rstrip()[-1:] if start < ONLY_NEAR else text[start - 2 : start].strip()
    month, _, day = raw.partition("-")
    sized = (0 < int(month) <= 12 and 0 < int(day) <= 31) or (int(month) > 12 >= int(day) > 0)
    if raw in ("7-11", "9-5"):  # the shop, a day of work
        return False
    if _SCORED.search(text, 0, start):  # lost 7-5, 6-4
        return False
    if raw[0] == "0" and len(raw) == 5 and sized:
        return not before.isascii() or not before
    return sized and before in ("", *"，,。；;我在于(")


_SCORED = re.compile(r"\d-\d[,;] ?$")


def _chinese_word(text: str, start: int, lengths: tuple[int, ...]) -> tuple[str, Any, str] | None:
    for length in lengths:
        raw = text[start : start + length]
        word = _WORDS.get(raw)
        if word is None:
            continue
        kind, value, guard = word
        if not guard or not _guard(guard).match(text, start + length):
            if start and raw[0] in "一后半十" and text[start - 1] in _TAKES_FIRST.get(raw, "初"):
                continue  # 初一早上: the figure is the day's; 三天后|晚八点
            return kind, value, raw
    numerals = _NUMERALS.match(text, start)
    if numerals is None:
        return None
    raw = numerals[0]
    if len(raw) > 1 and (days := _listed_days(text, start)):
        raw = days
    elif len(raw) > 1 and (day := _DAY_AND_HOUR.match(text, start)):  # 初七|十七点, 十五|十七点
        raw = day["one"] or day[2] or day[3]
    value = chinese(raw)
    return ("gap", None, raw) if value is None else ("num", value, raw)


def _listed_days(text: str, start: int) -> str | None:
    """The figures from here that are weekdays, where those behind them count hours or days."""
    opens = max(text.rfind(letter, max(0, start - LISTED_MAX), start) for letter in "周期拜")
    found = _LISTED_DAYS.match(text, opens) if opens >= 0 else None
    return found[1] if found and found.start(1) == start else None


LISTED_MAX = 10  # letters from 周 to the last of its days

_TAKES_FIRST = {
    **dict.fromkeys(("后晚", "后半夜", "后晌"), "天周期拜月年日时钟"),
    **dict.fromkeys(("半路", "半山", "半价", "半成品", "半月板"), "点"),  # 七点半|路由器
    "十点读书": "早晨午晚上天日",
}
"""What stands before a word when its first letter belongs to that."""


@cache
def _guard(pattern: str) -> re.Pattern[str]:
    """Compiled when first met: most sentences meet few of them, and imports stay fast."""
    return re.compile(pattern)


def _english_word(text: str, start: int) -> tuple[str, Any, str]:
    word = _WORD.match(text, start)
    assert word is not None, "it begins with a letter"
    raw = word[0]
    entry = _ENTRIES.get(raw)
    if entry is None:
        return "gap", None, raw
    lengths, kind, value = entry
    for length in lengths:
        phrase = text[start : start + length]
        if phrase in _PHRASES and not text[start + length : start + length + 1].isalnum():
            return (*_PHRASES[phrase], phrase)
    return kind, value, raw


def _number(raw: str) -> tuple[str, Any]:
    if len(raw) > FIGURES_MAX:
        return "gap", None
    return "num", float(raw) if "." in raw else int(raw)


_READ: dict[str, Callable[[str], tuple[str, Any]]] = {
    "quote": lambda raw: ("quote", None),
    "date": lambda raw: ("date", raw),
    "clock": lambda raw: ("clock", raw),
    "ord": lambda raw: ("ord", int(raw[:-2])),
    "texted": lambda raw: ("day", (0, "tonight") if raw == "2nite" else (1, None)),
    "num": _number,
    "quarter_code": lambda raw: ("quarter_code", int(raw[1])),
    "meridiem": lambda raw: ("meridiem", raw[0] + "m"),
    "dash": lambda raw: ("dash", None),
    "sign": lambda raw: (_SIGNS[raw], None),
}
