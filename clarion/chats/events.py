"""What happens to rules and chats, as the event log tells it."""

from dataclasses import dataclass
from typing import ClassVar

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePriorityChanged(Event):
    """Who changed it, and from what to what."""

    kind: ClassVar[str] = "rule.priority_changed"
    chat: str
    before: int
    after: int
    by: str
    moved: int
    """How many waiting messages were re-ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChanged(Event):
    kind: ClassVar[str] = "rule.changed"
    chat: str
    by: str
    what: str
    """`created`, `updated` or `deleted`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessageReceived(Event):
    kind: ClassVar[str] = "chat.message_received"
    sender: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessageSent(Event):
    kind: ClassVar[str] = "chat.message_sent"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatDied(Event):
    """Nothing can be sent there any more: the bot was blocked or removed."""

    kind: ClassVar[str] = "chat.died"
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMoved(Event):
    kind: ClassVar[str] = "chat.moved"
    to: str
