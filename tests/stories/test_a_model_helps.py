"""With a language model: it words and judges, and the rules have the last word."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from clarion.app.llm import Helpers
from clarion.language.answer.model import Answer, Label
from clarion.language.assisted import Occasion
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, assemble, at, introduce_ana
from tests.support.clock import ManualClock
from tests.support.databases import opened, sqlite_file
from tests.support.fakes.channel import Outside


@dataclass
class Model:
    """Says what it was told to say, and remembers what it was asked."""

    words: str | None = None
    verdict: Answer | None = None
    question: str | None = None
    asked: list[str] = field(default_factory=list)
    occasions: list[Occasion] = field(default_factory=list)

    async def write(self, occasion: Occasion) -> str | None:
        self.occasions.append(occasion)
        return self.words

    async def judge(self, reply: str, content: str, read: Answer) -> Answer | None:
        self.asked.append(reply)
        return self.verdict

    async def ask(self, content: str, reply: str, lang: str) -> str | None:
        return self.question


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock, model: Model) -> AsyncIterator[ClarionByHand]:
    async with opened(await sqlite_file(tmp_path)) as database:
        helpers = Helpers(judge=model, asks=model, phrases=model)
        made = assemble(database, clock, Outside(clock), helpers=helpers)
        await introduce_ana(made)
        await made.people.update_user(ADMIN, ANA, language="zh", context={"茶": "喜欢"})
        yield made


async def test_its_words_are_spoken(clarion: ClarionByHand, model: Model) -> None:
    model.words = "小安，该吃药啦，配一杯茶吧~"
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)

    assert clarion.outside.last.text == model.words
    assert "茶: 喜欢" in model.occasions[0].context


async def test_words_that_talk_somebody_out_of_it_are_not_spoken(
    clarion: ClarionByHand, model: Model
) -> None:
    model.words = "今天不用吃药啦~"
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)

    assert clarion.outside.last.text != model.words
    assert "吃药" in clarion.outside.last.text


async def test_it_judges_only_what_the_rules_cannot_read(
    clarion: ClarionByHand, model: Model
) -> None:
    model.verdict = Answer(Label.CONFIRMED, "model")
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    clear = await clarion.answer("还没吃")
    await clarion.until(8, 33)
    unclear = await clarion.answer("落袋为安")

    assert (clear.outcome, unclear.outcome) == ("denied", "confirmed")
    assert model.asked == ["落袋为安"]
    assert (await clarion.look(pill)).status is ReminderStatus.CONFIRMED


async def test_a_model_without_an_opinion_leaves_it_to_the_follow_up(
    clarion: ClarionByHand, model: Model
) -> None:
    model.question = "药吃了吗？"
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    reaction = await clarion.answer("落袋为安")

    assert reaction.outcome == "asked_again"
    assert reaction.say == "药吃了吗？"
