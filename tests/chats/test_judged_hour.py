"""A random hour with kills, outages and floods, and a judge at its end.

Every message that should have gone out did, in order inside its chat, once; a message is sent twice
only where a kill fell between the platform's yes and our mark. Nothing else went out. Among them
are photos, albums, stickers, a forum's topics, a group and a target that become supergroups in the
middle of an outage, and an administrator who is demoted.
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
SOURCES: list[dict[str, Any]] = [
    {"id": -1, "type": "group", "title": "s1"},  # becomes a supergroup
    {"id": -2, "type": "group", "title": "s2"},  # has an administrator for a while
    {"id": -3, "type": "supergroup", "title": "s3"},  # a forum
]
DESK, ARCHIVE = -90, -91
TARGETS = (DESK, ARCHIVE)
BOB = {"id": 8, "first_name": "Bob", "language_code": "zh-hans"}
TOPICS: list[dict[str, Any]] = [{}, {"is_topic_message": True, "message_thread_id": 5}]
KINDS = ["text"] * 5 + ["photo", "album", "sticker"]
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
    """What was said goes out to each target, under a label that no other has."""

    said: dict[str, list[str]] = field(default_factory=dict)
    """By where it was said, in order."""
    commands: list[str] = field(default_factory=list)
    """They may overtake what waits in their chat."""
    between: int = 0

    def verdict(self, double: TelegramDouble) -> dict[str, Any]:
        old = {new: chat for chat, new in double.migrated.items()}
        sent = [
            (old.get(int(each["chat_id"]), int(each["chat_id"])), label(each))
            for each in double.sent
        ]
        sent = [one for one in sent if one[0] in TARGETS]
        copies = Counter(sent)
        firsts = list(dict.fromkeys(sent))
        ordered = [one for labels in self.said.values() for one in labels]
        wanted = [(to, one) for to in TARGETS for one in (*ordered, *self.commands)]
        return {
            "lost": [one for one in wanted if one not in copies],
            "unasked": [one for one in firsts if one not in wanted],
            "out of order": [
                (to, source)
                for to in TARGETS
                for source, labels in self.said.items()
                if [one for chat, one in firsts if chat == to and one in labels] != labels
            ],
            "doubles beyond the kills": max(0, sum(copies.values()) - len(copies) - self.between),
        }


def label(sent: dict[str, Any]) -> str:
    """A text as it reads; of a copy its caption, and what it is a copy of."""
    return f"{sent['text']} {sent['copied']}" if "copied" in sent else str(sent["text"])


class Hour:
    """What happens when, drawn from a seed; and the process that lives through it."""

    def __init__(
        self, seed: int, database: Database, clock: ManualClock, double: TelegramDouble
    ) -> None:
        self.random = random.Random(seed)
        self.database, self.clock, self.double = database, clock, double
        self.judge, self.kills = Judge(), 0
        self.sources = list(SOURCES)
        self.numbers = iter(range(1, 10_000))
        self.up_again = clock.now()
        self.start()

    def plan(self) -> Iterator[tuple[datetime, str]]:
        begun, draw = self.clock.now(), self.random.uniform
        at = {
            "say": [draw(0, 3500) for _ in range(90)],
            "flood": [draw(0, 3000) for _ in range(FLOODS)],
            "down": [600.0 + 1000 * number for number in range(OUTAGES)],
            "promote": [draw(100, 500)],
            "demote": [draw(3000, 3400)],
            # In an outage, so that much waits under the old name.
            "source moves": [1620.0],
            "target moves": [2630.0],
        }
        moments = [(second, what) for what, seconds in at.items() for second in seconds]
        for second, what in sorted(moments):
            yield begun + timedelta(seconds=second), what

    def happen(self, what: str) -> None:
        match what:
            case "say" | "flood":
                self.say(1 if what == "say" else 40)
            case "down":
                self.double.trouble = {"*": self.random.choice(["502", "html", "429"])}
                self.up_again = self.clock.now() + self.random.choice(LASTS)
            case "source moves":
                self.sources[0] = self.double.migrate(self.sources[0], -1001)
            case "target moves":
                self.double.migrate({"id": ARCHIVE, "type": "group", "title": "archive"}, -1091)
            case _:
                rights = "administrator" if what == "promote" else "member"
                self.double.set_member(SOURCES[1], BOB, rights)
                self.command("/vip 50" if what == "promote" else "/vip 100", SOURCES[1])

    def say(self, count: int = 1) -> None:
        source = self.random.choice(self.sources)
        topic = self.random.choice(TOPICS) if source is SOURCES[2] else {}
        place = f"{source['title']} {topic.get('message_thread_id', '')}"
        heard = self.judge.said.setdefault(place, [])
        for _ in range(count):
            heard.append(self.say_one(source, topic))

    def say_one(self, source: dict[str, Any], topic: dict[str, Any]) -> str:
        """What is to be seen of it at each target."""
        words, head = f"news {next(self.numbers)}", f"{source['title']} · Ana"
        chat, user = source, ANA
        match self.random.choice(KINDS):
            case "sticker":
                number = self.double.tell("", chat=chat, user=user, sticker={}, **topic)
                return f" {(chat['id'], number)}"
            case "photo":
                body = {"photo": [{}], "caption": words, **topic}
                number = self.double.tell("", chat=chat, user=user, **body)
                return f"{head}\n{words} {(chat['id'], number)}"
            case "album":
                album = {"photo": [{}], "media_group_id": words, **topic}
                captions = (words, "", "")
                numbers = [
                    self.double.tell("", chat=chat, user=user, caption=one, **album)
                    for one in captions
                ]
                return f"{head}\n{words} {numbers}"
            case _:
                self.double.say(words, chat=chat, user=user, **topic)
                return f"{head}\n{words}"

    def command(self, words: str, source: dict[str, Any]) -> None:
        self.double.say(words, chat=source, user=BOB)
        self.judge.commands.append(f"{source['title']} · Bob\n{words}")

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
        end = clock.now() + HOUR
        rules = SqlRules(sqlite)
        for source in SOURCES:
            draft = RuleDraft(targets=[ChatId(f"telegram:{to}") for to in TARGETS])
            await rules.save(ChatId(f"telegram:{source['id']}"), draft, "boss", clock.now())

        for at, what in hour.plan():
            if double.trouble and hour.up_again <= at:
                await hour.live(hour.up_again)
                double.trouble = {}
            await hour.live(at)
            hour.happen(what)
        double.trouble = {}
        await hour.live(end + SETTLING)
        left = await SqlTasks(sqlite).counts()
        promoted = await rules.rule_of(ChatId("telegram:-2"))
        await hour.process.bot.close()

    verdict = hour.judge.verdict(double)
    assert verdict == {
        "lost": [],
        "unasked": [],
        "out of order": [],
        "doubles beyond the kills": 0,
    }, f"seed {seed}"
    assert hour.kills == KILLS
    assert promoted is not None
    assert promoted.priority == 50, "who was demoted a moment ago changed something"
    assert {each.status for each in left} <= {TaskStatus.DONE, TaskStatus.CANCELLED}
