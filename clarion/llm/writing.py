"""The LLM as a writer: the reminder's words, the follow-up question, the talk afterwards."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from clarion.base.errors import ClarionError
from clarion.language.assisted import Occasion
from clarion.language.phrasing.words import (
    CHARACTERS_MAX,
    FOLLOW_UP_MAX,
    is_askable,
    is_sayable,
    tone,
)
from clarion.llm.client import LlmClient, Message, ModelCall
from clarion.llm.prompts import CHAT, FOLLOW_UP, PHRASE, TEXT, TOOLS, asked

_TONES: Final = {"gentle": "gentle", "nudging": "a friendly nudge", "earnest": "earnest, worried"}
_LANGUAGES: Final = {"zh": "Chinese", "en": "English"}
CHAT_CHARACTERS_MAX: Final = 120  # about fifteen seconds of speech
TURNS_MAX: Final = 12
_LINK: Final = re.compile(r"https?:|www\.|\]\(", re.IGNORECASE)


class LlmPhrases:
    """Writes reminders and follow-ups; what does not pass the checks is None."""

    def __init__(self, client: LlmClient) -> None:
        self._client = client

    async def write(self, occasion: Occasion) -> str | None:
        system = PHRASE.format(
            limit=CHARACTERS_MAX,
            lang=_LANGUAGES[occasion.lang],
            tone=_TONES[tone(occasion.attempt)],
            ask="Ask for an answer." if occasion.confirm else "Do not ask for an answer.",
        )
        data = {
            "task": occasion.content,
            "name": occasion.name,
            "hour": occasion.local_hour,
            "attempt": occasion.attempt,
            "known": list(occasion.context)[:8],
        }
        text = await self._text("phrase", asked(system, **data))
        fits = text is not None and is_sayable(text, occasion.content, occasion.lang)
        return text if fits else None

    async def ask(self, content: str, reply: str, lang: str) -> str | None:
        limit = FOLLOW_UP_MAX[lang]
        system = FOLLOW_UP.format(limit=limit, lang=_LANGUAGES[lang])
        text = await self._text("follow_up", asked(system, task=content, reply=reply[:300]))
        return text if text is not None and is_askable(text, lang) else None

    async def _text(self, purpose: str, messages: Sequence[Message]) -> str | None:
        try:
            filled = await self._client.fill(purpose, messages, TEXT)
        except ClarionError:
            return None
        return str(filled["text"]).strip()


@dataclass(frozen=True, slots=True)
class ModelTurn:
    role: Literal["user", "assistant"]
    text: str


class ModelConversation:
    """The talk with a person. It says things, or names the verbs that it would use."""

    def __init__(self, client: LlmClient) -> None:
        self._client = client

    async def reply(
        self,
        history: Sequence[ModelTurn],
        known: Mapping[str, object],
        user_text: str,
        lang: str,
    ) -> str | list[ModelCall] | None:
        """What to say next; None when the LLM is away or its words cannot be said."""
        system = CHAT.format(limit=CHAT_CHARACTERS_MAX, lang=_LANGUAGES[lang])
        messages = asked(system, **known)
        messages += [{"role": t.role, "content": t.text[:500]} for t in history[-TURNS_MAX:]]
        messages.append({"role": "user", "content": user_text[:500]})
        try:
            text = await self._client.act("chat", messages, TOOLS)
        except ClarionError:
            return None
        if isinstance(text, list):
            return text
        said = " ".join(text.split())
        return said if len(said) <= 2 * CHAT_CHARACTERS_MAX and not _LINK.search(said) else None
