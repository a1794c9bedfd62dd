"""Whether words that an LLM wrote may be said in a reminder's name."""

import re
from typing import Final

from clarion.language.phrasing.task import names_task
from clarion.language.phrasing.words import CHARACTERS_MAX, FOLLOW_UP_MAX
from clarion.language.script import HAN, fold

_LINK: Final = re.compile(
    r"https?:|www\.|\w\.(?:com|cn|net|org|io|me|ly)\b|@\w|\]\(|<[a-z/]", re.IGNORECASE
)
_MARKUP: Final = re.compile(
    r"[\n\r\t`{}|\\]|\*\*|^#|^\s*[-*] |^(?:assistant|system|user)\s*:", re.IGNORECASE
)
# A reminder that talks its hearer out of the task is worse than none; 别忘了 does not.
_DISSUADES: Final = re.compile(
    r"不用|不必|不需要|无需|不要(?!忘|担心)|别(?!忘|急|担心|光顾|拖|让)|取消|停止|跳过|不再|"
    r"已经(?:完成|确认|吃|做)|\bno need|\bdo(?:n't| not)(?! forget| worry| miss)|\bskip|\bcancel|"
    r"\bstop|\bnever\b|\balready",
    re.IGNORECASE,
)
_DIGITS_LONG: Final = re.compile(r"\d{5,}")


def is_sayable(text: str, content: str, lang: str) -> bool:
    """Short enough, in the user's language, about this task, and nothing in it to follow."""
    return len(text) <= CHARACTERS_MAX and _is_clean(text, lang) and names_task(fold(text), content)


def is_askable(text: str, lang: str) -> bool:
    """A follow-up: a short clean question."""
    limit = FOLLOW_UP_MAX["zh" if lang == "zh" else "en"]
    asks = text.endswith(("?", "？", "吗", "呢", "没", "没有"))
    return asks and len(text) <= limit and _is_clean(text.replace("已经", ""), lang)


def _is_clean(text: str, lang: str) -> bool:
    if not text or text != text.strip() or not text.isprintable():
        return False
    if any(pattern.search(text) for pattern in (_LINK, _MARKUP, _DISSUADES, _DIGITS_LONG)):
        return False
    return (HAN(text) is not None) == (lang == "zh")
