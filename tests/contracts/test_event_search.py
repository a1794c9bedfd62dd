"""Looking for words in the event log, on every database."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from clarion.base.events import Event
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.store.sql.events import SqlEventLog
from tests.support.clock import START


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten(Event):
    kind: ClassVar[str] = "note.written"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteBurnt(Event):
    kind: ClassVar[str] = "note.burnt"


async def found(database: Database, words: str = "", kinds: tuple[str, ...] = ()) -> list[str]:
    log = SqlEventLog(database)
    listed = await log.search(
        after=0, user=None, subject=None, kinds=kinds, words=words, newest_first=True, limit=10
    )
    return [one.subject for one in listed]


@pytest.fixture
async def written(database: Database) -> Database:
    happened = [
        NoteWritten(subject="pills", user="ana", text="吃药了吗"),
        NoteWritten(subject="tea", user="ana", text="Green TEA, 100%"),
        NoteBurnt(subject="letter"),
    ]
    await database.write(events.append, happened, START)
    return database


@pytest.mark.parametrize(
    ("words", "subjects"),
    [
        pytest.param("吃药", ["pills"], id="chinese words in a field"),
        pytest.param("green tea", ["tea"], id="whatever the case"),
        pytest.param("100%", ["tea"], id="signs mean themselves"),
        pytest.param("burnt", ["letter"], id="a kind"),
        pytest.param("letter", ["letter"], id="a subject"),
        pytest.param("coffee", [], id="nothing"),
    ],
)
async def test_words_are_found_wherever_they_stand(
    written: Database, words: str, subjects: list[str]
) -> None:
    assert await found(written, words) == subjects


async def test_several_kinds_may_be_asked_for(written: Database) -> None:
    assert await found(written, kinds=("note.burnt", "note.lost")) == ["letter"]
    assert len(await found(written)) == 3
