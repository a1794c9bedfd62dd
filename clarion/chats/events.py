"""Events about rules and chats."""

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
    unsent: int = 0
    """How many messages waited for it; they are not sent."""
    task: str = ""
    """The dead task that sends what it missed when it is replayed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMoved(Event):
    kind: ClassVar[str] = "chat.moved"
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReturned(Event):
    """The bot may write there again; new messages are sent."""

    kind: ClassVar[str] = "chat.returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessageLost(Event):
    """The platform will never take it, or we failed at it too often."""

    kind: ClassVar[str] = "chat.message_lost"
    direction: str
    """`in`: it could not be handled. `out`: it could not be sent."""
    text: str
    reason: str
    task: str
    """The dead task that tries it again when it is replayed."""
