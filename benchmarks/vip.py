"""A VIP's message into thousands that wait, and a single one beside a flood: the whole path.

Chats are flooded, every slot is busy with messages that take a millisecond each; then a promoted
chat speaks, again and again, and after it an ordinary one that says one thing now and then, beside
a chat that has all the waiting messages. Measured: from keeping its message to the beginning of its
handling. On SQLite, and on PostgreSQL of its own. Run it with `python -m benchmarks.vip`.
"""

import asyncio
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path

import uvloop

from benchmarks._queue import spread
from clarion.base.clock import SystemClock
from clarion.chats.handling import BotOptions, MessageHandler
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.chats.platforms import ConsoleChat
from clarion.chats.ports import HANDLE, RuleDraft
from clarion.store.sql.chats.inbox import SqlInbox
from clarion.store.sql.chats.rules import SqlRules
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level
from clarion.tasks.workers import Workers
from tests.support.services import PostgresServer

ROUNDS = 100
TAKES = 0.001  # seconds that handling one ordinary message keeps a slot
VIP = ChatId("console:vip")


@dataclass(frozen=True, slots=True)
class Cell:
    """So many messages wait in so many chats, and another chat speaks with a priority."""

    waiting: int
    chats: int
    priority: int
    limit_ms: float

    @property
    def name(self) -> str:
        who = "VIP" if self.priority > Level.NORMAL else "ordinary one"
        return f"{who}, {self.waiting:,} wait in {self.chats} chats"


CELLS = (Cell(10_000, 200, 50, 100), Cell(2_000, 50, 50, 100), Cell(10_000, 1, 10, 1_000))


class Requests:
    """Handling takes a moment; a VIP's beginning is noted."""

    def __init__(self) -> None:
        self.begun: dict[str, float] = {}
        self.seen = asyncio.Event()
        self.ordinary = 0

    async def answer(self, message: Message) -> str | None:
        if message.chat.id == VIP:
            self.begun[message.update] = time.perf_counter()
            self.seen.set()
            return None
        self.ordinary += 1
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        loop.call_later(TAKES, done.set_result, None)
        await done
        return None

    async def press(self, message: Message) -> str | None:
        return None

    async def remind(self, message: Message, text: str, *, asked: bool) -> str | None:
        return None

    async def on_call(self, message: Message) -> str:
        return ""

    async def upcoming(self, message: Message) -> str:
        return ""

    async def cancel(self, message: Message, which: str) -> str:
        return ""


def message(chat_id: str, number: int, clock: SystemClock) -> Message:
    chat = Chat(id=ChatId(chat_id), kind=ChatKind.GROUP, title=chat_id)
    sender = ChatSender(id=PersonId("console:admin"), name="Ana")
    return Message(
        update=f"{chat_id}/{number}", chat=chat, sender=sender, text="hello", sent_at=clock.now()
    )


class Flood:
    """Keeps so many messages waiting."""

    def __init__(self, cell: Cell, inbox: SqlInbox, clock: SystemClock) -> None:
        self._cell, self._inbox, self._clock = cell, inbox, clock
        self._numbers = count()
        self.said = 0

    async def fill(self, handled: int) -> None:
        missing = self._cell.waiting - (self.said - handled)
        for start in range(0, missing, 100):
            batch = [self._next() for _ in range(min(100, missing - start))]
            await self._inbox.take_in(batch, self._clock.now())
            self.said += len(batch)

    def _next(self) -> Message:
        number = next(self._numbers)
        return message(f"console:c{number % self._cell.chats}", number, self._clock)


async def measure(cell: Cell, url: str) -> list[float]:
    clock = SystemClock()
    database = await open_database(url)
    await migrate(database)
    inbox, rules, requests = SqlInbox(database), SqlRules(database), Requests()
    await rules.save(VIP, RuleDraft(priority=cell.priority), "boss", clock.now())
    handler = MessageHandler(inbox, rules, ConsoleChat(), requests, clock, BotOptions())
    kinds = Kinds(Kind(HANDLE, handler, limit=timedelta(seconds=30)))
    workers = Workers(SqlTasks(database), kinds, clock)
    flood = Flood(cell, inbox, clock)
    await flood.fill(0)
    running = asyncio.create_task(workers.run())
    waits = []
    for number in range(ROUNDS):
        await flood.fill(requests.ordinary)
        requests.seen.clear()
        spoken = message(VIP, number, clock)
        arrived = time.perf_counter()
        await inbox.take_in([spoken], clock.now())
        await requests.seen.wait()
        waits.append(requests.begun[spoken.update] - arrived)
    running.cancel()
    await asyncio.wait([running])
    await database.close()
    return waits


def main() -> None:
    postgres = PostgresServer()
    title = "milliseconds from arrival to handling"
    print(f"{title:<58} {'p50':>8} {'p99':>8} {'worst':>8}", flush=True)
    try:
        postgres.start()
        with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
            for number, cell in enumerate(CELLS):
                file = f"sqlite:{Path(folder) / str(number)}.db"
                for where, url in (("SQLite", file), ("PostgreSQL", "")):
                    place = url or postgres.url(postgres.create_database())
                    waits = uvloop.run(measure(cell, place))
                    print(spread(f"{where}: {cell.name}", waits, cell.limit_ms), flush=True)
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
