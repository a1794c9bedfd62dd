"""Puts a reminder into words: by attempt, hour and lateness, always short enough to say."""

import zlib
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final

from clarion.language.listener import to_listener
from clarion.language.phrasing import templates as t
from clarion.language.phrasing.task import is_action

CHARACTERS_MAX: Final = 50
FOLLOW_UP_MAX: Final = {"zh": 20, "en": 50}
VERBS: Final = frozenset("吃喝量打测擦洗买拿取倒浇喂关锁做写交寄")  # 吃药: 吃了，还是还没吃？
LATE_FROM: Final = timedelta(minutes=5)  # below that nobody feels it was late


def tone(attempt: int) -> str:
    """温和提醒 at first, 友好催促 the second time, 认真强调 from the third on."""
    return t.GENTLE if attempt <= 1 else t.NUDGING if attempt == 2 else t.EARNEST


def phrase(
    content: str,
    *,
    attempt: int,
    confirm: bool,
    name: str = "",
    lang: str = "zh",
    local_hour: int,
    late: timedelta | None = None,
    seed: str = "",
) -> str:
    """The words of this attempt, at most 50 characters. The same seed gives the same words."""
    lang = _known(lang)
    content = to_listener(" ".join(content.split()).rstrip("。.!！"), lang)
    kind = "do" if is_action(content) else "note"
    choice = f"{seed}/{attempt}"
    fields = {"c": content, "h": _greeting(lang, local_hour), "n": _called(name, lang)}
    if late is not None and late >= LATE_FROM and attempt <= 1:
        fields["t"] = _how_late(late, lang)
        wordings = _turned(t.LATE[lang, confirm], choice)
    elif confirm:
        wordings = _turned(t.ASKING[lang, tone(attempt), kind], choice)
    else:
        wordings = _turned(t.TELLING[lang, kind], choice)
    without = fields | {"h": ""}
    bare = without | {"n": ""}
    tries = [(w, f) for f in (fields, without, bare) for w in wordings]
    tries += [(w, bare) for w in t.SHORT[lang]]
    return _first_that_fits(tries, content, CHARACTERS_MAX)


def follow_up(content: str, *, lang: str = "zh", seed: str = "") -> str:
    """Asks once whether it is done: at most 20 characters in Chinese, 50 in English."""
    lang = _known(lang)
    content = to_listener(" ".join(content.split()).rstrip("。.!！"), lang)
    kind = "do" if is_action(content) else "note"
    fields = {"c": content, "v": content[:1]}
    if kind == "do" and lang == "zh" and content[:1] in VERBS and len(content) > 1:
        kind = "verb"
    tries = [(w, fields) for w in _turned(t.FOLLOW_UPS[lang, kind], seed)]
    tries += [(w, fields) for w in _turned(t.FOLLOW_UPS[lang, "any"], seed)]
    return _first_that_fits(tries, content, FOLLOW_UP_MAX[lang])


def check_back(content: str, *, lang: str = "zh", seed: str = "") -> str:
    """Asks what became of a promise, at most 50 characters."""
    lang = _known(lang)
    content = " ".join(content.split()).rstrip("。.!！")
    kind = "do" if is_action(content) else "note"
    tries = [(w, {"c": content}) for w in _turned(t.CHECK_BACKS[lang, kind], seed)]
    tries += [(w, {"c": content}) for w in t.CHECK_BACKS[lang, "any"]]
    return _first_that_fits(tries, content, CHARACTERS_MAX)


def _known(lang: str) -> str:
    return "en" if lang.lower().startswith("en") else "zh"


def _turned(wordings: Sequence[str], seed: str) -> list[str]:
    """All wordings, beginning at a place that depends on the seed alone."""
    start = zlib.crc32(seed.encode()) % len(wordings)
    return [*wordings[start:], *wordings[:start]]


def _greeting(lang: str, hour: int) -> str:
    return next(words for start, words in reversed(t.GREETINGS[lang]) if hour % 24 >= start)


def _called(name: str, lang: str) -> str:
    return f"{name}，" if name and lang == "zh" else f"{name}, " if name else ""


def _how_late(late: timedelta, lang: str) -> str:
    minutes = int(late.total_seconds() // 60)
    number, zh, en = (minutes, "分钟", "min") if minutes < 60 else (minutes // 60, "小时", "h")
    return f"{number}{zh}" if lang == "zh" else f"{number} {en}"


def _first_that_fits(tries: Iterable[tuple[str, dict[str, str]]], content: str, limit: int) -> str:
    for wording, fields in tries:
        said = wording.format(**fields)
        if len(said) <= limit:
            return said[0].upper() + said[1:]
    return content if len(content) <= limit else f"{content[: limit - 1]}…"
