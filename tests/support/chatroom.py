"""A chat platform that remembers, and the whole message path on the manual clock."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from clarion.chats.handling import BotOptions, MessageHandler
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.chats.ports import HANDLE, SEND, Follower, Outgoing, Platform
from clarion.chats.sending import MessageSender
from clarion.store.sql.chats.inbox import SqlInbox, nothing_overtakes
from clarion.store.sql.chats.lines import SqlTranscript
from clarion.store.sql.chats.outbox import SqlOutbox
from clarion.store.sql.chats.rules import SqlRules
from clarion.store.sql.engine.database import Database, JoinedWrite, Listener, StopJoining
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.ports import Done, Elsewhere, Later, Outcome, Result, Wanted
from clarion.tasks.workers import Workers
from tests.support.clock import ManualClock

P = ParamSpec("P")
T = TypeVar("T")

ANA = PersonId("telegram:7")
A = Chat(id=ChatId("telegram:-1"), kind=ChatKind.GROUP, title="A")
B = Chat(id=ChatId("telegram:-2"), kind=ChatKind.GROUP, title="B")
DESK = Chat(id=ChatId("telegram:-9"), kind=ChatKind.GROUP, title="desk")
NOBODY_WAITS = timedelta(0)
LEASE = timedelta(seconds=15)
OPTIONS = BotOptions()


@dataclass
class RecordingPlatform:
    """Takes everything, unless an error is laid in its way."""

    sent: list[tuple[ChatId, str]] = field(default_factory=list)
    admins: set[tuple[ChatId, PersonId]] = field(default_factory=set)
    errors: list[BaseException] = field(default_factory=list)
    acknowledged: list[tuple[str, str]] = field(default_factory=list)

    async def send(self, outgoing: Outgoing) -> str:
        if self.errors:
            raise self.errors.pop(0)
        self.sent.append((outgoing.chat_id, outgoing.text))
        return str(len(self.sent))

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        return (chat_id, person) in self.admins

    async def problem_with(self, chat_id: ChatId) -> str:
        return ""

    def may_be_a_sender(self, person: PersonId) -> bool:
        return True

    def bot_name(self, chat_id: ChatId) -> str:
        return "clarion"

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        self.acknowledged.append((button_id, text))


@dataclass
class RecordingRequests:
    """Reminders as a chat sees them; each request is counted once by its update."""

    reminders: dict[str, str] = field(default_factory=dict)
    presses: list[str] = field(default_factory=list)

    async def press(self, message: Message) -> str | None:
        self.presses.append(message.button)
        return "✅"

    async def answer(self, message: Message) -> str | None:
        return "👌" if message.text == "吃过了" else None

    async def remind(self, message: Message, text: str, *, asked: bool) -> str | None:
        if "提醒" not in text and not asked:
            return None
        self.reminders[message.update] = text
        return f"好的: {text}"

    async def on_call(self, message: Message) -> str:
        return "nobody is on call"

    async def upcoming(self, message: Message) -> str:
        return "没有提醒"

    async def cancel(self, message: Message, which: str) -> str:
        return f"已取消 {which}"


class Crash(BaseException):
    """The process is gone; nothing after this line happened."""


class Fragile:
    """A database whose process dies right after its n-th commit."""

    def __init__(self, database: Database, dies_after: int) -> None:
        self.dialect = database.dialect
        self._database = database
        self._left = dies_after

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        answer = await self._database.write(work, *args, **kwargs)
        self._left -= 1
        if self._left <= 0:
            raise Crash
        return answer

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._left <= 0:
            raise Crash
        return await self._database.read(work, *args, **kwargs)

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        return self._database.listen(channel, listener)

    def join_commits(self, channel: str, joined: JoinedWrite) -> StopJoining:
        return self._database.join_commits(channel, joined)

    def joined(self, channel: str) -> JoinedWrite | None:
        return self._database.joined(channel)

    async def close(self) -> None: ...


class Chatroom:
    """Inbox, handler, outbox and sender joined, as one process would have them."""

    def __init__(
        self,
        database: Database,
        clock: ManualClock,
        platform: Platform | None = None,
        requests: RecordingRequests | None = None,
        *,
        options: BotOptions = OPTIONS,
        rest: timedelta = NOBODY_WAITS,
        follower: Follower | None = None,
        is_control: Callable[[Message], bool] = nothing_overtakes,
    ) -> None:
        self.clock = clock
        self._platform = platform or RecordingPlatform()
        self.requests = requests or RecordingRequests()
        self.inbox = SqlInbox(database, is_control=is_control)
        self.outbox = SqlOutbox(database)
        self.rules = SqlRules(database)
        self.transcript = SqlTranscript(database)
        handler = MessageHandler(
            self.inbox, self.rules, self._platform, self.requests, clock, options
        )
        sender = MessageSender(
            self.outbox, self._platform, clock, rest=lambda _: rest, follower=follower
        )
        self.tasks = SqlTasks(database)
        self.kinds = Kinds(Kind(HANDLE, handler), Kind(SEND, sender))
        self.workers = Workers(self.tasks, self.kinds, clock, lease=LEASE)
        self._numbers = itertools.count(1)

    @property
    def platform(self) -> RecordingPlatform:
        assert isinstance(self._platform, RecordingPlatform)
        return self._platform

    def said(
        self,
        text: str,
        chat: Chat = A,
        *,
        by: PersonId = ANA,
        update: str = "",
        history: bool = False,
        anonymous: bool = False,
        button: str = "",
    ) -> Message:
        return Message(
            update=update or f"telegram:{next(self._numbers)}",
            chat=chat,
            sender=ChatSender(id=by, name="Ana", anonymous=anonymous),
            text=text,
            sent_at=self.clock.now(),
            is_history=history,
            button=button,
        )

    async def hear(self, *messages: Message) -> int:
        return await self.inbox.take_in(messages, self.clock.now())

    async def live(self, by: timedelta = timedelta(0)) -> None:
        """Run everything that falls due until then."""
        end = self.clock.now() + by
        while (planned := await self.workers.run_due()) is not None and planned <= end:
            self.clock.move_to(max(planned, self.clock.now()))
        self.clock.move_to(end)
        await self.workers.run_due()

    async def handle_one(self) -> None:
        """As a worker would that has time for just one message."""
        handled, outcomes = False, list[Outcome]()
        while not handled:
            one = Wanted("slow", timedelta(minutes=1), any=1)
            taken = await self.tasks.turn(outcomes, one, self.clock.now())
            claim = taken.claims[0]
            kind = self.kinds.get(claim.task.kind)
            assert kind is not None
            again = await kind.handler(claim)
            assert not isinstance(again, Result | Elsewhere)
            outcomes = [Done(claim) if again is None else Later(claim, again)]
            handled = claim.task.kind == HANDLE
        await self.tasks.turn(outcomes, Wanted("slow", timedelta(minutes=1)), self.clock.now())

    def texts(self, chat: Chat) -> Sequence[str]:
        return [text for chat_id, text in self.platform.sent if chat_id == chat.id]
