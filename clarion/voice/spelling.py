"""Writes what a synthesiser misreads as it should be said, to the digit. Pure.

A phrase of two scripts is split, so that each part is spoken by a voice that knows it.
"""

import re
import unicodedata

from clarion.voice.spelling_en import spell_en
from clarion.voice.spelling_zh import UNIT, spell_zh

SYMBOLS = re.compile(
    r"[*_#`|\\^\U0001F000-\U0001FAFF\u2600-\u27BF\u2190-\u21FF\uFE0F\u200B-\u200F]+"
)
TILDES = re.compile("[~～〜]+")
WIDE = {code: chr(code - 0xFEE0) for code in (*range(0xFF10, 0xFF1A), 0xFF05, 0xFF0B, 0xFF0F)}
FRACTIONS = re.compile("[¼½¾⅓⅔⅛]")
LATIN_ONLY = re.compile(
    r"[\x00-\x7f\u00a3\u00b0\u00d7\u2013\u2014\u2018-\u201d\u2103\u20ac\u2212]*"
)
LETTER = re.compile("[A-Za-z]")
HAN = re.compile("[\u3400-\u9fff]")
AMOUNT = re.compile(rf"\d\s*(?:{UNIT})(?![A-Za-z])", re.IGNORECASE)


def spell(text: str, language: str) -> str:
    """As it is said in this language: 08:30 is 八点三十分, 2.5mg is 二点五毫克."""
    text = FRACTIONS.sub(_fraction, text.translate(WIDE))
    spoken = spell_zh(text) if voice_of(text, language) == "zh" else spell_en(text)
    spoken = SYMBOLS.sub(" ", TILDES.sub(" ", spoken))
    return " ".join(spoken.split())


def _fraction(found: re.Match[str]) -> str:
    plain = unicodedata.normalize("NFKC", found[0]).replace("\u2044", "/")
    return f" {plain}" if found.start() and found.string[found.start() - 1].isdigit() else plain


def voice_of(text: str, language: str) -> str:
    """The language to speak it in: words in Latin letters alone are not Mandarin."""
    if language == "zh" and LATIN_ONLY.fullmatch(text) and LETTER.search(AMOUNT.sub("", text)):
        return "en"
    return "zh" if language != "zh" and _mostly_chinese(text) else language


def _mostly_chinese(text: str) -> bool:
    return HAN.search(text) is not None and LETTER.search(text) is None


def voices(text: str, language: str) -> list[tuple[str, str]]:
    """Spelled text in stretches, each with the voice that can speak it."""
    found: list[tuple[str, str]] = []
    for piece in re.split("([\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+)", text):
        if not piece.strip():
            found[-1:] = [(found[-1][0] + piece, found[-1][1])] if found else []
            continue
        han = HAN.search(piece) is not None
        letters = LETTER.search(piece) is not None
        voice = "zh" if han else "en" if letters else found[-1][1] if found else language
        if found and found[-1][1] == voice:
            found[-1] = (found[-1][0] + piece, voice)
        else:
            found.append((piece, voice))
    return found
