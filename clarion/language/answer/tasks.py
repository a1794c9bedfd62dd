"""From a reminder's content to its task, for replies in either language; remembered by content."""

import re
from functools import lru_cache

from clarion.language.answer import task_en, task_zh
from clarion.language.answer.lexicon import Lexicon
from clarion.language.answer.pairs import PAIRS
from clarion.language.answer.task import Task
from clarion.language.script import HAN, fold

TASKS_KEPT = 512  # contents repeat: the same pill every day


@lru_cache(maxsize=TASKS_KEPT)
def understand(content: str) -> Task:
    folded = fold(content)[:200]
    chinese = HAN(folded) is not None
    first, second = (folded, _english(folded)) if chinese else (_chinese(folded), folded)
    zh_words, zh_family, loose = task_zh.words_of(first or "做")
    en_words, en_family = task_en.words_of(second or "do")
    family = zh_family if chinese else en_family
    return Task(
        words=Lexicon(zh_words),
        english=Lexicon(en_words),
        shareable=family.shareable if family else not (chinese and task_zh.is_bodily(folded)),
        once=family.once if family else False,
        loose=loose,
        outdoors=family is not None and family.outdoors,
        measures=family.measures if family else "",
    )


def _english(content: str) -> str:
    return next(
        (f"take {word}" if "药" in han else word for han, word in PAIRS if han in content), ""
    )


def _chinese(content: str) -> str:
    found = next((han for han, word in PAIRS if re.search(rf"\b{word}", content)), "")
    return f"吃{found}" if found in ("药", "维生素") else found


def is_action(content: str) -> bool:
    """A plain thing to do (吃药, take your pills), not a note with a time or a subject."""
    folded = fold(content)
    if HAN(folded):
        return task_zh.is_action(folded)
    return task_en.is_action(folded)


def names_task(text: str, content: str) -> bool:
    """Whether a folded text speaks of this content: its words, or the thing it is about."""
    folded = fold(content)
    if folded in text:
        return True
    keys = task_zh.keys_of(folded) if HAN(folded) else task_en.keys_of(folded)
    return bool(keys) and all(key in text for key in keys)
