"""What talking needs from outside: a place to remember, and perhaps a language model."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from clarion.base.ids import UserId
from clarion.talk.memory import Said


class DialogueStore(Protocol):
    async def recall(self, place: str, since: datetime) -> dict[str, Any] | None:
        """What was remembered there; None when it is older than `since`."""
        ...

    async def remember(
        self, place: str, user_id: UserId, memory: dict[str, Any], now: datetime
    ) -> None: ...

    async def forget(self, before: datetime) -> int:
        """How many talks were older than that."""
        ...


class TalkModel(Protocol):
    """Somebody to talk to: a language model."""

    async def reply(
        self, history: Sequence[Said], reminder_content: str, user_text: str, lang: str
    ) -> str | None:
        """None when it is away."""
        ...
