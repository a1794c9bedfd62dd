"""What an LLM may add to language. Each may answer None: no opinion, go on without me.

None of them raises for a slow, broken or absent endpoint, and none of them can overrule what the
grammar was sure of; the callers' own rules hold whatever comes back.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from clarion.language.answer.model import Answer


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
