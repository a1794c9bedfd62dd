"""Writes what a synthesiser misreads as it should be said. Pure."""

import re

CLOCK = re.compile(r"(?<!\d)(\d{1,2})[:：](\d{2})(?!\d)")
SYMBOLS = re.compile(r"[~～*_#`|<>\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]+")
LATIN_ONLY = re.compile(r"[\x00-\x7f]*[A-Za-z][\x00-\x7f]*")


def spell(text: str, language: str) -> str:
    """`08:30` is read "eight thirty" in Mandarin, so it becomes 8点30分."""
    spoken = SYMBOLS.sub(" ", text)
    if language == "zh":
        spoken = CLOCK.sub(_chinese_clock, spoken)
    return " ".join(spoken.split())


def _chinese_clock(found: re.Match[str]) -> str:
    hour, minute = int(found[1]), int(found[2])
    if minute == 0:
        return f"{hour}点"
    return f"{hour}点{'零' if minute < 10 else ''}{minute}分"


def language_of(text: str, language: str) -> str:
    """The language to speak it in: words in Latin letters alone are not Mandarin."""
    return "en" if language == "zh" and LATIN_ONLY.fullmatch(text) else language
