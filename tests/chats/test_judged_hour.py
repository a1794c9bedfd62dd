"""A random hour with kills, outages and floods, and a judge at its end.

Every message that should have gone out did, in order inside its chat, once; a message is sent twice
only where a kill fell between the platform's yes and our mark. Nothing else went out.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Concatenate, ParamSpec, TypeVar

import pytest
from sqlalchemy import Connection

from clarion.chats.model import ChatId
from clarion.chats.ports import RuleDraft
from clarion.store.sql.chats.outbox import sent as mark_sent
from clarion.store.sql.chats.rules import SqlRules
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.records import TaskStatus
from tests.support.chatroom import Crash, Fragile
from tests.support.clock import ManualClock
from tests.support.telegram_double import TelegramDouble, telegram_double
from tests.support.telegram_evening import ANA, TelegramEvening

P = ParamSpec("P")
T = TypeVar("T")

HOUR, SETTLING = timedelta(hours=1), timedelta(minutes=30)
SOURCES = [{"id": -number, "type": "group", "title": f"s{number}"} for number in (1, 2, 3)]
DESK, ARCHIVE = -90, -91
KILLS, OUTAGES, FLOODS = 20, 3, 2
LASTS = (timedelta(seconds=45), timedelta(minutes=2), timedelta(minutes=6))


class Mortal(Fragile):
    """A database whose process dies at its n-th write: before it, or right after the commit."""

    def __init__(self, database: Database, dies_at: int, *, before: bool) -> None:
        super().__init__(database, dies_at)
        self._before = before
        self.fell_between = False
        """It died after the platform's yes and before our mark was set."""

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._before and self._left <= 1:
            self._left = 0
            self.fell_between = work is mark_sent
            raise Crash
        return await super().write(work, *args, **kwargs)


@dataclass
class Judge:
    expected: dict[int, list[str]] = field(default_factory=lambda: {DESK: [], ARCHIVE: []})
    between: int = 0

    def verdict(self, double: TelegramDouble) -> dict[str, Any]:
        sent = [(int(each["chat_id"]), each["text"]) for each in double.sent]
        copies = Counter(sent)
        wanted = [(chat, text) for chat, texts in self.expected.items() for text in texts]
        firsts = list(dict.fromkeys(sent))
        return {
            "lost": [one for one in wanted if one not in copies],
            "unasked": [one for one in firsts if one[0] in self.expected and one not in wanted],
            "out of order": [
                (chat, source["title"])
                for chat in self.expected
                for source in SOURCES
                if from_source(firsts, chat, source) != from_source(wanted, chat, source)
            ],
            "doubles beyond the kills": max(0, sum(copies.values()) - len(copies) - self.between),
        }


def from_source(sent: list[tuple[int, str]], chat: int, source: dict[str, Any]) -> list[str]:
    return [text for to, text in sent if to == chat and text.startswith(f"{source['title']} ·")]


class Hour:
    """What happens when, drawn from a seed; and the process that lives through it."""

    def __init__(
        self, seed: int, database: Database, clock: ManualClock, double: TelegramDouble
    ) -> None:
        self.random = random.Random(seed)
        self.database, self.clock, self.double = database, clock, double
        self.judge, self.kills = Judge(), 0
        self.numbers = iter(range(1, 10_000))
        self.start()

    def plan(self) -> Iterator[tuple[datetime, str]]:
        begun, draw = self.clock.now(), self.random.uniform
        at = {
            "say": [draw(0, 3500) for _ in range(90)],
            "flood": [draw(0, 3000) for _ in range(FLOODS)],
            "down": [600.0 + 1000 * number for number in range(OUTAGES)],
        }
        moments = [(second, what) for what, seconds in at.items() for second in seconds]
        for second, what in sorted(moments):
            yield begun + timedelta(seconds=second), what

    def say(self, count: int = 1) -> None:
        source = self.random.choice(SOURCES)
        for _ in range(count):
            text = f"news {next(self.numbers)}"
            self.double.say(text, chat=source, user=ANA)
            for target in (DESK, ARCHIVE):
                self.judge.expected[target].append(f"{source['title']} · Ana\n{text}")

    async def live(self, until: datetime) -> None:
        """Until then; a process that dies is followed by the next."""
        while self.clock.now() < until:
            step = min(timedelta(seconds=20), until - self.clock.now())
            try:
                await self.process.poller.run_once()
                await self.process.room.live(step)
            except Crash:
                self.kills += 1
                self.judge.between += self.mortal.fell_between
                await self.process.bot.close()
                self.start()

    def start(self) -> None:
        dies_at = self.random.randint(5, 60) if self.kills < KILLS else 1_000_000
        self.mortal = Mortal(self.database, dies_at, before=self.random.random() < 0.5)
        self.process = TelegramEvening(self.double, self.mortal, self.clock)


@pytest.mark.timeout(240)  # some thousand transactions; a busy machine takes its time
@pytest.mark.parametrize("seed", [3])
async def test_a_random_hour_of_kills_outages_and_floods_loses_nothing(
    sqlite: Database, clock: ManualClock, seed: int
) -> None:
    async with telegram_double() as double:
        hour = Hour(seed, sqlite, clock, double)
        end, up_again = clock.now() + HOUR, clock.now()
        rules = SqlRules(sqlite)
        for source in SOURCES:
            draft = RuleDraft(targets=[ChatId(f"telegram:{to}") for to in (DESK, ARCHIVE)])
            await rules.save(ChatId(f"telegram:{source['id']}"), draft, "boss", clock.now())

        for at, what in hour.plan():
            if double.trouble and up_again <= at:
                await hour.live(up_again)
                double.trouble = {}
            await hour.live(at)
            match what:
                case "say":
                    hour.say()
                case "flood":
                    hour.say(40)
                case _:
                    double.trouble = {"*": hour.random.choice(["502", "html", "429"])}
                    up_again = at + hour.random.choice(LASTS)
        double.trouble = {}
        await hour.live(end + SETTLING)
        left = await SqlTasks(sqlite).counts()
        await hour.process.bot.close()

    verdict = hour.judge.verdict(double)
    assert verdict == {
        "lost": [],
        "unasked": [],
        "out of order": [],
        "doubles beyond the kills": 0,
    }, f"seed {seed}"
    assert hour.kills == KILLS
    assert {each.status for each in left} <= {TaskStatus.DONE, TaskStatus.CANCELLED}
