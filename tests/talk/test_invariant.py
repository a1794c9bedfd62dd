"""The invariant on what people really say: whatever sounds like a yes has written something."""

import csv
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, func, select

from clarion.store.sql.tables.dialogues import dialogues
from clarion.store.sql.tables.events import events
from clarion.store.sql.tables.reminders import reminders
from clarion.talk.words import sounds_like_yes
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.house import House, at, furnish, open_house
from tests.support.talking import mouth_of

EVERY = 15  # of some 4 500 utterances, so that it takes seconds
CONTENTS = ("吃药", "给妈妈打电话", "water the plants", "量血压", "去趟银行", "pick up Leo")


def utterances() -> list[str]:
    folder = files("clarion.language") / "corpora" / "utterances"
    said: list[str] = []
    for name in ("intents.tsv", "more.tsv"):
        rows = csv.DictReader(
            (folder / name).read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=3
        )
        said += [row["utterance"] for row in rows]
    return said[::EVERY]


@pytest.fixture
async def house(tmp_path: Path, clock: ManualClock) -> AsyncIterator[House]:
    async with open_house(await sqlite_file(tmp_path), clock, chat=None) as made:
        await furnish(made)
        for hour, content in enumerate(CONTENTS, 9):
            await made.remind(content, at=at(hour))
        yield made


def happened(conn: Connection) -> int:
    return int(conn.execute(select(func.count()).select_from(events)).scalar_one())


def contents(conn: Connection) -> list[str]:
    return list(conn.execute(select(reminders.c.content)).scalars())


@pytest.mark.timeout(60)  # some three hundred sentences, each read and carried out
async def test_what_sounds_like_a_yes_was_written(house: House) -> None:
    ana = await mouth_of(house, "device")
    lies = []

    for text in utterances():
        await house.database.write(lambda conn: conn.execute(delete(dialogues)))
        before = await house.database.read(happened)
        said = await ana.say(text)
        for content in await house.database.read(contents):
            said = said.replace(content, "")  # read out, "the laundry should be done" is no yes
        if sounds_like_yes(said) and await house.database.read(happened) == before:
            lies.append((text, said))

    assert lies == []
