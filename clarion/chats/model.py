"""Chats, their rules, and what is said in them. Plain values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType

from clarion.chats.marks import Marks
from clarion.chats.patterns import is_found
from clarion.tasks.model import Level

ChatId = NewType("ChatId", str)
"""`telegram:-100123` or `console:main`: the platform, then its own name for the chat.

A topic of a forum is a chat of its own, `telegram:-100123#5`: order, reminders and rings stay in
it. Its rule and its administrators are the group's.
"""
PersonId = NewType("PersonId", str)
"""`telegram:42`: the platform, then its own name for the person."""
RuleId = NewType("RuleId", int)
"""Small and easy to say: people type it in a private chat."""


WEIGHT_MIN, WEIGHT_MAX = 0.1, 100.0
MESSAGE_KINDS = (
    *("text", "photo", "video", "animation", "audio", "voice", "document", "video_note"),
    *("sticker", "venue", "location", "poll", "contact", "dice"),
)


def group_of(chat_id: ChatId) -> ChatId:
    """The group that a topic belongs to: `telegram:-100123#5` is one of `telegram:-100123`."""
    return ChatId(chat_id.partition("#")[0])


class ChatKind(StrEnum):
    PRIVATE = "private"
    GROUP = "group"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    id: ChatId
    kind: ChatKind
    title: str = ""
    language: str = "zh"
    dead_at: datetime | None = None
    """Since when nothing can be sent there: the bot was blocked or removed."""
    paused_until: datetime | None = None
    """The platform asked us to wait this long before the next message there."""
    moved_to: ChatId | None = None
    """A group that became a supergroup lives on under another name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which messages are forwarded. Nothing set lets everything through."""

    words: tuple[str, ...] = ()
    """At least one of them must be in the text."""
    without: tuple[str, ...] = ()
    """None of them may be."""
    patterns: tuple[str, ...] = ()
    """Regular expressions, at least one of which must be found in the text."""
    senders: tuple[PersonId, ...] = ()
    kinds: tuple[str, ...] = ()
    """Of `MESSAGE_KINDS`."""

    def let_through(self, text: str, sender: PersonId, kind: str = "text") -> bool:
        return not self.stopped_by(text, sender, kind)

    def stopped_by(self, text: str, sender: PersonId, kind: str = "text") -> str:
        """The name of the list that stops it; empty when it passes."""
        said = text.casefold()
        found = (is_found(each, text) for each in self.patterns)
        stops = {
            "words": self.words and not any(word.casefold() in said for word in self.words),
            "without": any(word.casefold() in said for word in self.without),
            "patterns": self.patterns and not any(found),
            "senders": self.senders and sender not in self.senders,
            "kinds": self.kinds and kind not in self.kinds,
        }
        return next((name for name, stopped in stops.items() if stopped), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRule:
    """A chat's settings: its priority, where its messages go, whether it is on."""

    id: RuleId
    chat_id: ChatId
    chat_title: str = ""
    priority: int = Level.NORMAL
    targets: tuple[ChatId, ...] = ()
    dead_targets: tuple[ChatId, ...] = ()
    """Those that take nothing at present: the bot was blocked or removed there."""
    filters: Filters = Filters()
    enabled: bool = True
    weight: float | None = None
    """How large a share of the queue the chat has before it waits behind itself; None: as its
    priority says."""
    created_by: str = ""
    created_at: datetime | None = None
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSender:
    """Who wrote. `anonymous` is an administrator who hides behind the group's own name."""

    id: PersonId
    name: str = ""
    language: str = "zh"
    anonymous: bool = False
    is_channel: bool = False
    """A channel's name in place of a person. Only in its own channel that is an administrator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A received message. `update` is the platform's id of it, by which repeats are recognised."""

    update: str
    chat: Chat
    sender: ChatSender
    text: str
    sent_at: datetime
    button: str = ""
    """What a pressed button carries; then `text` is empty."""
    button_id: str = ""
    """The platform wants each press answered under this name."""
    message_id: str = ""
    reply_to: str = ""
    is_history: bool = False
    """Imported, not live: handled as bulk."""
    is_forwarded: bool = False
    """Somebody else's words, passed on: never a command."""
    mentions: tuple[str, ...] = ()
    """Who is named with an @, in small letters and without it."""
    answers: str = ""
    """Whose message it replies to: their name as in `mentions`."""
    kind: str = "text"
    """Or `photo`, `document`, `voice` …; then `text` is its caption."""
    media: str = ""
    """The platform's name of the picture or file: an edit may have put another in its place."""
    marks: Marks = ()
    """What is bold, a link and so on in the text."""
    is_edit: bool = False
    """An earlier message reads so now: never a command or a request."""
    is_deletion: bool = False
    """The message `message_id` is no more."""
    album: str = ""
    """What it was sent together with: photos of one album have the same."""
    others: tuple[str, ...] = ()
    """The ids of the album's further parts, when they arrived with this one."""
    words_under: str = ""
    """The id of the album's part that the words are under; empty: its first."""
    said_in: ChatId | None = None
    """The chat under its old name, where it has moved since: there its ids mean something."""
    addressed: bool = False
    """It is said to the bot: in private, by command, by name, or as a reply to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPlace:
    """A chat's place in the queue: its priority, what waits in it, and what comes before."""

    priority: int
    waiting: int = 0
    oldest_seconds: float = 0.0
    ahead: int = 0
    """How many tasks begin before its next message."""
    seconds: float | None = None
    """After which that may begin; None when nothing tells."""
    paused: bool = False
    """Whether the queue of messages is paused."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How much waits at one level, and how long the oldest has."""

    level: int
    count: int
    oldest_seconds: float
