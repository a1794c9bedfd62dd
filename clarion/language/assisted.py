"""Language with an LLM's help, where there is one: the rules first, and their word is final.

Each port may answer None: no opinion, go on without me. None of them raises for a slow, broken or
absent endpoint, and none can overrule what the rules were sure of.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from clarion.language import phrasing
from clarion.language.answer.model import Answer, Label
from clarion.language.answer.reader import read


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is known when a reminder is put into words."""

    content: str
    attempt: int
    confirm: bool
    local_hour: int
    name: str = ""
    lang: str = "zh"
    late: timedelta | None = None
    context: Sequence[str] = ()
    """What the user's memory holds that may colour the words: 喜欢喝茶, has a cat."""


class AnswerJudge(Protocol):
    async def judge(self, reply: str, content: str, read: Answer) -> Answer | None:
        """A second opinion on an UNCLEAR reading; anything but UNCLEAR is not judged."""
        ...


class PhraseWriter(Protocol):
    async def write(self, occasion: Occasion) -> str | None:
        """The reminder's words, already checked: at most 50 characters, naming the task."""
        ...


class FollowUpWriter(Protocol):
    async def ask(self, content: str, reply: str, lang: str) -> str | None:
        """A short question whether it is done: at most 20 characters in Chinese."""
        ...


async def understand(
    reply: str,
    content: str,
    judge: AnswerJudge | None,
    *,
    now: datetime | None = None,
    zone: ZoneInfo | None = None,
    keywords: Sequence[str] = (),
) -> Answer:
    """The rules' reading; only where it is UNCLEAR, the judge's."""
    answer = read(reply, content, now=now, zone=zone, keywords=keywords)
    if answer.label is not Label.UNCLEAR or judge is None:
        return answer
    return await judge.judge(reply, content, answer) or answer


async def words(occasion: Occasion, writer: PhraseWriter | None, *, seed: str = "") -> str:
    """The writer's sentence if it passes the checks, else a template. Never empty."""
    written = None if writer is None else await writer.write(occasion)
    if written and phrasing.is_sayable(written, occasion.content, occasion.lang):
        return written
    return phrasing.phrase(
        occasion.content,
        attempt=occasion.attempt,
        confirm=occasion.confirm,
        name=occasion.name,
        lang=occasion.lang,
        local_hour=occasion.local_hour,
        late=occasion.late,
        seed=seed,
    )


async def question(
    content: str, reply: str, writer: FollowUpWriter | None, *, lang: str = "zh", seed: str = ""
) -> str:
    """The one follow-up question for a reply that stayed UNCLEAR."""
    written = None if writer is None else await writer.ask(content, reply, lang)
    if written and phrasing.is_askable(written, lang):
        return written
    return phrasing.follow_up(content, lang=lang, seed=seed)
