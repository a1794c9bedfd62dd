"""The invariant on what people really say: whatever sounds like a yes has written just that.

Utterances of the corpora, each in its scene: while something rings, after a question, out of the
blue. What is said back is compared with the events that were written meanwhile.
"""

import csv
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, select

from clarion.store.sql.tables.dialogues import dialogues
from clarion.store.sql.tables.events import events
from clarion.store.sql.tables.reminders import reminders
from clarion.talk.ports import TalkModel
from clarion.talk.words import sounds_like_yes
from tests.stories.test_conversations import Hostile
from tests.support.build import CONFIRM
from tests.support.clarion_by_hand import ClarionByHand, at, introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.talking import Mouth, mouth_of

EVERY = 190  # of some 80 000 utterances, so that it takes seconds
CONTENTS = ("吃药", "给妈妈打电话", "water the plants", "量血压", "去趟银行", "pick up Leo")
CLAIMED = {
    r"取消了|不提醒了|\bcancelled:|no more of it|not this time": {"cancelled", "ended", "skipped"},
    # They claim nothing: an offer (要不要我提醒您…？), a question ("At what time instead, for …?"),
    # a refusal (不能替您提醒您妈).
    r"(?<!要不要我)(?<!不能替[您你])提醒[您你]|改到|I'll remind|instead(?![,:][^?]*\?)": {
        "created", "updated", "snoozed", "rescheduled",
    },
    # An answer to what was put off already leaves it where it is.
    r"再叫|叫您|again at|I'll call you": {"created", "updated", "snoozed", "denied", "answered"},
    r"记下了|\bnoted\b": {"confirmed", "updated"},
}  # fmt: skip
"""What a sentence says was done, and the last words of the events of which it needs one."""
REPEATED = re.compile("^(?:我刚才说：|I said: ).*")


def scenes(first: int) -> list[tuple[str, str]]:
    """What was going on, and what was said."""
    folder = files("clarion.language") / "corpora" / "utterances"
    said: list[tuple[str, str]] = []
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".tsv"):
            lines = file.read_text(encoding="utf-8").splitlines()
            rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            said += [(row["context"], row["utterance"]) for row in rows]
    return said[first::EVERY]


def newest(conn: Connection) -> int:
    found = select(events.c.sequence).order_by(events.c.sequence.desc()).limit(1)
    return conn.execute(found).scalar() or 0


def kinds_since(conn: Connection, sequence: int) -> list[str]:
    return list(conn.execute(select(events.c.kind).where(events.c.sequence > sequence)).scalars())


def contents(conn: Connection) -> list[str]:
    return list(conn.execute(select(reminders.c.content)).scalars())


def untrue(said: str, written: list[str]) -> bool:
    """Whether it claims something of which no event tells."""
    if not sounds_like_yes(said):
        return False
    needed = [names for pattern, names in CLAIMED.items() if re.search(pattern, said)]
    told = {kind.rpartition(".")[2] for kind in written}
    return not written or any(names.isdisjoint(told) for names in needed)


class Teller:
    """Says one utterance after the other, each in its scene, and notes every lie."""

    def __init__(self, clarion: ClarionByHand, ana: Mouth) -> None:
        self.clarion = clarion
        self.ana = ana
        self.lies: list[tuple[str, str, str, list[str]]] = []

    async def tell(self, number: int, context: str, text: str) -> None:
        clarion, (scene, _, about) = self.clarion, context.partition(":")
        if scene == "ring":
            soon = clarion.clock.now() + timedelta(minutes=1)
            asks: dict[str, Any] = {"confirmation": CONFIRM} if number % 2 else {}
            await clarion.remind(about[:60], at=soon, **asks)
            await clarion.fast_forward(seconds=70)
        if number % 3 == 0:
            await clarion.database.write(lambda conn: conn.execute(delete(dialogues)))
        before = await clarion.database.read(newest)
        said = REPEATED.sub("", await self.ana.say(text))
        written = await clarion.database.read(kinds_since, before)
        for spoken in clarion.outside.spoken:
            said = said.replace(spoken.ring.text, "")  # what rings may be told again
        for content in await clarion.database.read(contents):
            said = said.replace(content, "")  # read out, "the laundry should be done" is no yes
        if untrue(said, written):
            self.lies.append((context, text, said, written))


@pytest.fixture
async def model(request: pytest.FixtureRequest) -> TalkModel | None:
    return Hostile() if request.param else None


@pytest.fixture
async def clarion(
    tmp_path: Path, clock: ManualClock, model: TalkModel | None
) -> AsyncIterator[ClarionByHand]:
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=model) as made:
        await introduce_ana(made)
        for hour, content in enumerate(CONTENTS, 9):
            await made.remind(content, at=at(hour, day=8))
        yield made


@pytest.mark.timeout(90)  # some hundred and seventy sentences, each read and carried out
@pytest.mark.parametrize("model", [False, True], indirect=True, ids=["alone", "with a lying model"])
@pytest.mark.parametrize("where", ["device", "chat", "console"])
async def test_what_sounds_like_a_yes_was_written(clarion: ClarionByHand, where: str) -> None:
    teller = Teller(clarion, await mouth_of(clarion, where))

    for number, (context, text) in enumerate(scenes(["device", "chat", "console"].index(where))):
        await teller.tell(number, context, text)

    assert not teller.lies, "\n".join(map(str, teller.lies))


@pytest.mark.parametrize(
    ("said", "written", "lie"),
    [
        ("好的，取消了：上午10点 喝水。", ["reminder.cancelled"], False),
        ("好的，取消了：上午10点 喝水。", ["reminder.snoozed"], True),
        ("All right, I'll remind you at 9 am instead: x.", ["ring.answered"], True),
        ("好的。", [], True),
        ("好的。 要不要我提醒您去告诉他？", ["ring.answered"], False),
        ("现在没有等您回答的提醒。", [], False),
    ],
)
def test_a_claim_needs_an_event_of_its_kind(said: str, written: list[str], lie: bool) -> None:
    assert untrue(said, written) is lie
