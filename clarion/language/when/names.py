"""Words of time that name somebody or something: 十月革命, Tuesday Weld, Dr. Friday, 第三章."""

import re

from clarion.language.when.stream import Date, Pieces, TokenStream, one
from clarion.language.when.words import words
from clarion.language.when.words.beside_zh import FOLLOWS_A_TIME


def names_a_thing(s: TokenStream, i: int, end: int) -> bool:
    """十月革命, 谷雨茶: a lone month or festival before what nobody says behind a time."""
    if s.kinds[end] not in ("gap", "glue"):
        return False
    if i and s.kinds[i - 1] not in ("gap", "sep", "skip"):
        return False
    tail = s.tail(end - 1, 1)
    of_a_thing = tail == "的" and s.kinds[end + 1] == "gap"  # 五月的花
    of_a_thing = of_a_thing or _GOT_THEN.match(s.tail(end - 1, 3)) is not None
    if tail.isascii() or (FOLLOWS_A_TIME.match(tail) and not of_a_thing):
        return False
    return not WISHED.intersection(s.kinds)


_GOT_THEN = re.compile("[买租装搬签办拍领]的[^，,。话时]|(?:出生|结婚|毕业)的")  # 五月买的房


WISHED = frozenset(("verb", "recall", "ask", "point", "clock"))


def is_weak(said: Date) -> bool:
    """A month or a festival alone."""
    month = said.month is not None and said == Date(month=said.month, lunar=said.lunar)
    return month or (said.festival is not None and said == Date(festival=said.festival))


def persons(s: TokenStream, i: int) -> Pieces | None:
    """Text Tuesday Weld, call Sunday Oliseh: a capital name of two words, behind who calls it."""
    title = i - 2 if i > 1 and s.tokens[i - 1].raw == "." else i - 1
    if title >= 0 and s.tokens[title].raw in _TITLES and not {"clock", "at"} & set(s.kinds):
        return one(s, "gap", None, i, i + 1)  # Dr. Friday
    if s.kinds[i + 1] != "gap" or not i or not (s.is_capital(i) and s.is_capital(i + 1)):
        return None
    called = s.kinds[i - 1] == "ask" or s.tokens[i - 1].raw in _MET
    return one(s, "gap", None, i, i + 2) if called else None


_TITLES = frozenset(words("mr mrs ms miss dr prof sir aunt auntie uncle inspector sergeant"))


_MET = frozenset(words("ring phone email meet see visit thank give pay ask invite dm with from"))


def weds(s: TokenStream, i: int) -> bool:
    """Wed the two, sat the dog: a verb with its object, and nothing else is said."""
    if s.tokens[i].raw not in ("sat", "sun", "wed") or s.kinds[i + 1] != "the":
        return False
    object_only = s.kinds[i + 3] == "end" and not s.tokens[i + 2].raw.isdecimal()
    return object_only and s.kinds[i + 2] in ("gap", "num")


SITTING = frozenset(words("the he she they i we who it"))


def numbered(s: TokenStream, i: int) -> Pieces | None:
    """第一节课, 第三章: the number of a thing."""
    return one(s, "gap", None, i, i + 2) if s.kinds[i + 1 : i + 3] == ["num", "gap"] else None


def abbreviated(s: TokenStream, i: int) -> Pieces | None:
    """At 8:10 with Dr. Lee on October 9: this dot ends no sentence."""
    short = i > 0 and s.tokens[i].raw == "." and s.tokens[i - 1].raw in _TITLES
    return one(s, "gap", None, i, i + 1) if short else None
