"""What dialogues need from outside: a memory, and perhaps a language model."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from clarion.base.ids import UserId
from clarion.language.answer import Answer
from clarion.reminders.ports import Reaction, RingId
from clarion.talk.dialogue import Said


class DialogueStore(Protocol):
    async def recall(self, place: str, since: datetime) -> dict[str, Any] | None:
        """What was remembered there; None when it is older than `since`."""
        ...

    async def remember(
        self, place: str, user_id: UserId, memory: dict[str, Any], now: datetime
    ) -> None: ...

    async def forget(self, before: datetime) -> int:
        """Delete older dialogues; returns how many."""
        ...


class Reports(Protocol):
    """Where what was said to a ring goes."""

    async def answered(
        self,
        ring_id: RingId,
        text: str,
        meant: Answer | None = None,
        *,
        language: str = "",
        last_told: RingId | None = None,
    ) -> Reaction: ...


class ToolCall(NamedTuple):
    """What a language model would do: create, list, change, cancel, snooze or confirm."""

    verb: str
    fields: Mapping[str, Any]


class TalkModel(Protocol):
    """Somebody to talk to: a language model."""

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str | Sequence[ToolCall] | None:
        """Words, or what it would do. `known` is what goes on. None when it is away."""
        ...
