"""What chats need from outside: a store, the platforms, and answers to requests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeAlias

from clarion.base.errors import Unavailable
from clarion.base.ids import TaskId
from clarion.chats.marks import MarkedWords, Marks
from clarion.chats.model import (
    Chat,
    ChatId,
    ChatPlace,
    ChatRule,
    Message,
    PersonId,
    RuleId,
    Waiting,
)
from clarion.tasks.model import Level
from clarion.tasks.ports import Claim

HANDLE = "message.handle"
SEND = "message.send"


@dataclass(frozen=True, slots=True)
class InboxMessage:
    """A message that is ours to handle until `fence` is overtaken."""

    sequence: int
    message: Message
    fence: int
    rule: ChatRule | None = None
    """Its chat's, or its group's, as it was when the message was taken up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A message to send. `buttons` are (label, data) rows; `edits` names a message to change."""

    chat_id: ChatId
    text: str
    base: int = Level.HIGH
    buttons: tuple[tuple[str, str], ...] = ()
    edits: str = ""
    reply_to: str = ""
    key: str = ""
    """At most one is ever queued under the same key."""
    kind: str = "text"
    """Anything else goes out as a copy, with the text as its caption where it can have one."""
    copies: str = ""
    """The platform's id of the message in `source` that is copied; of an album all, by commas."""
    parts: tuple[str, ...] = ()
    """Of an album: a key for each of `copies`. `key` is that of the part with the words."""
    head: int = 0
    """So many letters of the text say whose it is. Other parts of an album are without."""
    media: str = ""
    """The platform's name of the picture or file, for an edit that shows another."""
    copies_from: ChatId | None = None
    """Where that message lies, when its chat has moved since; None: in `source`."""
    edits_of: str = ""
    """The key of an earlier one that reads so now; nothing happens when that was never sent."""
    deletes_of: str = ""
    """The key of an earlier one that is taken back; one that still waits is never sent."""
    reply_of: str = ""
    """The key of an earlier one that this replies to, if that was sent."""
    source: ChatId | None = None
    """The chat whose message it passes on: it moves with that chat's priority."""
    marks: Marks = ()
    """What is bold, a link and so on."""


@dataclass(frozen=True, slots=True)
class ToSend:
    sequence: int
    outgoing: Outgoing
    chat: Chat
    fence: int


Say: TypeAlias = Callable[[str, int, int], MarkedWords]
"""(title, before, after) → the reply about a changed priority."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    chat_id: ChatId
    priority: int
    by: str
    say: Say


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDraft:
    """What a rule is made from or changed to; None leaves a field as it is."""

    priority: int | None = None
    targets: Sequence[ChatId] | None = None
    enabled: bool | None = None
    filters: dict[str, Any] | None = field(default=None)
    weight: float | None = None
    """0: as the priority says."""


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """A task's request for the next message of its chat, with the length of the lease."""

    chat_id: ChatId
    holder: TaskId
    lease: timedelta


def turn_of(claim: Claim, lease: timedelta) -> ChatTurn:
    return ChatTurn(ChatId(claim.task.payload["chat"]), claim.task.id, lease)


class Inbox(Protocol):
    """What arrived, kept before it is acknowledged. Each method is one transaction a chat."""

    async def take_in(self, messages: Sequence[Message], now: datetime) -> int:
        """Store them and queue their handling; returns how many were new. May be repeated."""
        ...

    async def begin(self, turn: ChatTurn, now: datetime) -> InboxMessage | None:
        """The chat's next message in order, ours until the lease ends; None: nothing to do.

        A task that was cut off in the middle gets the same message again at once.
        """
        ...

    async def put_back(self, kept: InboxMessage, now: datetime, until: datetime) -> None:
        """Something we need is down: the chat waits until then, in order, and loses no try."""
        ...

    async def failed(self, kept: InboxMessage, reason: str, now: datetime) -> None:
        """Handling it raised: it is tried again soon, and after some tries given up."""
        ...

    async def reopen(self, chat_id: ChatId, sequence: int, now: datetime) -> bool:
        """Try again one that was given up; False when there is none."""
        ...

    async def finish(
        self,
        kept: InboxMessage,
        now: datetime,
        *,
        outgoing: Sequence[Outgoing] = (),
        promotion: Promotion | None = None,
        handled_as: str = "",
    ) -> None:
        """Done with it: what it led to and the mark that it is handled are one transaction.

        Nothing changes when somebody else has it by now, or it was done already.
        """
        ...


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of something that was queued under a key."""

    text: str
    remote_id: str
    """The platform's id; empty while it is on its way."""
    buttons: tuple[tuple[str, str], ...] = ()


class Outbox(Protocol):
    async def queue(self, outgoing: Sequence[Outgoing], now: datetime) -> int:
        """How many were queued: not those whose key was used before, nor for dead chats."""
        ...

    async def sent_as(self, key: str) -> Sent | None:
        """What was queued under this key; None when nothing was, or its chat is dead."""
        ...

    async def withdraw(self, key: str) -> None:
        """Do not send it any more, if it still waits."""
        ...

    async def begin_sending(self, turn: ChatTurn, now: datetime) -> ToSend | None:
        """As `Inbox.begin`."""
        ...

    async def sent(self, to_send: ToSend, remote_id: str, now: datetime, rest: timedelta) -> None:
        """It was sent. `rest`: how long this chat gets nothing more, our own flood limit."""
        ...

    async def pause(self, to_send: ToSend, now: datetime, until: datetime) -> None:
        """The platform asks us to wait with this chat only."""
        ...

    async def put_back(self, to_send: ToSend, now: datetime, until: datetime) -> None:
        """As `Inbox.put_back`."""
        ...

    async def failed(self, to_send: ToSend, reason: str, now: datetime) -> None:
        """As `Inbox.failed`."""
        ...

    async def refuse(self, to_send: ToSend, reason: str, now: datetime) -> None:
        """The platform will never accept this message; the chat goes on. It can be replayed."""
        ...

    async def reopen(self, chat_id: ChatId, sequence: int, now: datetime) -> bool:
        """As `Inbox.reopen`."""
        ...

    async def waiting_in(self, chat_id: ChatId) -> list[Outgoing]:
        """What was not sent there yet, in its order; bounded."""
        ...

    async def bury(self, chat_id: ChatId, reason: str, now: datetime) -> None:
        """The chat is dead: nothing that waits for it will be sent."""
        ...

    async def revive(self, chat_id: ChatId, now: datetime) -> None:
        """The bot may write there again: new messages are sent."""
        ...

    async def move(self, chat_id: ChatId, to: ChatId, now: datetime) -> None:
        """The chat has another id now: its rules, messages and queue move along."""
        ...


class RuleStore(Protocol):
    async def rule_of(self, chat_id: ChatId) -> ChatRule | None: ...

    async def rule(self, rule_id: RuleId) -> ChatRule | None: ...

    async def rules(self) -> list[ChatRule]: ...

    async def save(
        self, chat_id: ChatId, draft: RuleDraft, by: str, now: datetime, version: int | None = None
    ) -> ChatRule:
        """Change the chat's rule, or make one; raises Stale when `version` is not its own."""
        ...

    async def delete(self, rule_id: RuleId, by: str, now: datetime) -> bool: ...

    async def waiting(self) -> dict[ChatId, int]: ...

    async def depths(self, now: datetime) -> list[Waiting]: ...

    async def place(self, chat_id: ChatId, now: datetime) -> ChatPlace:
        """Where the chat's next message stands in the queue; commands about it do not count."""
        ...


class Paused(Unavailable):
    """The platform asks us to wait `retry_after` seconds, with this chat only."""

    code = "chat_paused"


class Gone(Unavailable):
    """Blocked or removed: it will not come back by itself."""

    code = "chat_gone"


class MessageRefused(Unavailable):
    """The platform will never accept this message."""

    code = "chat_refused"


class PlatformAway(Unavailable):
    """The platform cannot be reached or answers with errors: all messages wait and lose no try."""

    code = "chat_platform_away"


class Moved(Unavailable):
    code = "chat_moved"

    def __init__(self, to: ChatId) -> None:
        super().__init__(f"The chat is now {to}.")
        self.to = to


NOT_SET_UP = "not set up here"
"""Why nothing can be sent to a chat whose platform nobody has configured."""


class Platform(Protocol):
    """Telegram, or the console's own chat."""

    async def send(self, outgoing: Outgoing) -> str:
        """The platform's id of it, or ids, by commas: of an album those of `copies` come first.

        After an edit those under which it is shown then; a deletion takes back what `edits` names.

        Raises Paused, Gone, MessageRefused, Moved or Unavailable.
        """
        ...

    def bot_name(self, chat_id: ChatId) -> str:
        """Our name there; empty while it is not known."""
        ...

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool: ...

    async def problem_with(self, chat_id: ChatId) -> str:
        """Why nothing can be sent there; empty when it can."""
        ...

    def may_be_a_sender(self, person: PersonId) -> bool:
        """Whether the platform could call somebody so."""
        ...

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        """Answer a pressed button, so that it stops turning. Failing to is harmless."""
        ...


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One line of a chat as the console shows it."""

    id: str
    at: datetime
    incoming: bool
    sender: str
    text: str
    buttons: tuple[tuple[str, str], ...] = ()
    state: str = ""


class Transcript(Protocol):
    async def lines(self, chat_id: ChatId, limit: int) -> list[ChatLine]:
        """The last ones, the oldest first; an edited message in its latest version."""
        ...


class Follower(Protocol):
    """Is told the outcome of a message, at least once."""

    async def sent(self, outgoing: Outgoing) -> None: ...

    async def lost(self, outgoing: Outgoing, reason: str) -> None: ...


class Requests(Protocol):
    """What a message can ask of reminders. Each answers with words for the chat, or None."""

    async def press(self, message: Message) -> str | None: ...

    async def answer(self, message: Message) -> str | None:
        """An answer to something that rings in this chat; None when nothing does."""
        ...

    async def remind(self, message: Message, text: str, *, asked: bool) -> str | None:
        """`asked`: by a command, so say what is missing; else None when it is no request."""
        ...

    async def upcoming(self, message: Message) -> str: ...

    async def on_call(self, message: Message) -> str:
        """Who is on call now and next, for the sender and for those they look after."""
        ...

    async def cancel(self, message: Message, which: str) -> str: ...
