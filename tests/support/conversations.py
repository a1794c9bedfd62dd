"""Plays the conversations of a file, and sees that no yes is said for nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from clarion.base.ids import UserId
from clarion.reminders.model import ReminderStatus
from clarion.store.sql.tables.events import events
from clarion.talk.words import sounds_like_yes
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at
from tests.support.talking import Mouth, way_to


@dataclass(frozen=True)
class Conversation:
    name: str
    lines: tuple[str, ...]


def read_conversations(path: Path) -> Iterator[Conversation]:
    name, lines = "", list[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            if lines:
                yield Conversation(name, tuple(lines))
            name, lines = line.removeprefix("== "), []
        elif line and not line.startswith("#"):
            lines.append(line)
    yield Conversation(name, tuple(lines))


class Player:
    def __init__(self, clarion: ClarionByHand, mouth: Mouth) -> None:
        self.clarion = clarion
        self.mouth = mouth
        self.said = ""

    async def play(self, conversation: Conversation) -> None:
        for line in conversation.lines:
            verb, _, rest = line.partition(" ")
            match verb:
                case "R" | "R!":
                    await self._remind(rest, asks=verb == "R!")
                case "C":
                    await self.clarion.people.add_contact(
                        ADMIN, user_id=ANA, name=rest, address=f"chat:{rest}"
                    )
                case "W":
                    await self._trusted_by(rest)
                case "T":
                    hour, minute = map(int, rest.split(":"))
                    await self.clarion.until(hour, minute)
                case ">":
                    await self._say(rest)
                case _:
                    await self._check(verb, rest, line)

    async def _check(self, verb: str, rest: str, line: str) -> None:
        match verb:
            case "<":
                assert rest in self.said, (line, self.said)
            case "=":
                assert await self._plan() == rest, (line, await self._plan(), self.said)
            case "?":
                content, _, status = rest.rpartition(" ")
                assert await self._statuses(content) == [status], line
            case "!":
                name, _, words = rest.partition(" ")
                told = [text for who, text in self.clarion.outside.told if who == name]
                assert words in (told or [""])[-1], (line, told)
            case _:
                raise AssertionError(f"unknown: {line}")

    async def _say(self, text: str) -> None:
        before, last = await self._written(), self.said
        self.said = await self.mouth.say(text)
        await self.clarion.fast_forward(seconds=1)
        rung = [spoken.ring.text for spoken in self.clarion.outside.spoken]
        claims = sounds_like_yes(self.said) and self.said not in (last, *rung)
        assert not claims or await self._written() > before, f"{text!r}: {self.said!r} is not true"

    async def _written(self) -> int:
        return await self.clarion.database.read(_count_events)

    async def _remind(self, rest: str, *, asks: bool) -> None:
        clock, _, content = rest.partition(" ")
        hour, minute = map(int, clock.split(":"))
        fields = {"confirmation": CONFIRM} if asks else {}
        await self.clarion.remind(content, at=at(hour, minute), **fields)

    async def _trusted_by(self, name: str) -> None:
        ward = UserId("ward")
        await self.clarion.people.ensure_user(ward, name)
        await self.clarion.people.add_contact(
            ADMIN, user_id=ward, name="Ana", address=way_to(self.mouth)
        )

    async def _plan(self) -> str:
        page = await self.clarion.reminders.list(AS_ANA, status=(ReminderStatus.PENDING,))
        return " | ".join(f"{one.trigger_at:%H:%M} {one.content}" for one in page.items) or "-"

    async def _statuses(self, content: str) -> list[str]:
        page = await self.clarion.reminders.list(AS_ANA, text=content)
        return [one.status.value for one in page.items]


def _count_events(conn: Connection) -> int:
    return conn.execute(select(func.count()).select_from(events)).scalar_one()
