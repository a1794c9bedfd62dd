"""A language model may use our verbs: it offers, and the person's own yes does it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clarion.app.reminders import ModelChat
from clarion.base.ids import UserId
from clarion.llm.client import LlmClient, LlmOptions
from clarion.llm.writing import ModelConversation
from clarion.reminders.model import ReminderStatus
from clarion.talk.words import sounds_like_yes
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import (
    ADMIN,
    AS_ANA,
    ClarionByHand,
    at,
    introduce_ana,
    open_by_hand,
)
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.openai_double import (
    Calls,
    Fails,
    Hangs,
    OpenAiDouble,
    Says,
    Step,
    calls,
    openai_double,
)
from tests.support.talking import Mouth, mouth_of

GRUMBLE = "喝水这事真烦人"  # nothing that the reader takes for a request
BITTER = "吃药好苦啊"
BEN = UserId("ben")


@asynccontextmanager
async def told(
    tmp_path: Path, clock: ManualClock, where: str, *script: Step, knows_tools: bool = True
) -> AsyncIterator[tuple[ClarionByHand, Mouth, OpenAiDouble]]:
    async with openai_double(*script, knows_schemas=knows_tools) as double:
        options = LlmOptions(
            base_url=double.base_url, model="small", timeout=3, retries_max=0, failures_max=2
        )
        client = LlmClient(options, clock)
        chat = ModelChat(ModelConversation(client))
        try:
            async with open_by_hand(await sqlite_file(tmp_path), clock, chat=chat) as clarion:
                await introduce_ana(clarion)
                yield clarion, await mouth_of(clarion, where), double
        finally:
            await client.close()


async def planned(clarion: ClarionByHand) -> list[tuple[str, str]]:
    page = await clarion.reminders.list(AS_ANA, status=(ReminderStatus.PENDING,))
    return [(f"{one.trigger_at:%H:%M}", one.content) for one in page.items]


@pytest.mark.parametrize("where", ["device", "chat"])
@pytest.mark.parametrize("time", ["2030-01-07T21:00", "2030-01-07T21:00:00+00:00"])
async def test_what_it_would_set_is_offered_and_a_yes_sets_it(
    tmp_path: Path, clock: ManualClock, where: str, time: str
) -> None:
    wish = calls("create", content="买糖", time=time, words="好苦", colour="red", user="ben")
    async with told(tmp_path, clock, where, wish) as (clarion, ana, double):
        offered = await ana.say(BITTER)
        before = await planned(clarion)
        said = await ana.say("好的")

        assert offered == "要我今天晚上9点提醒您买糖吗？"
        assert before == []
        assert await planned(clarion) == [("21:00", "买糖")]
        assert said.startswith("好的，今天晚上9点提醒您买糖")
        page = await clarion.reminders.list(ADMIN)
        assert {one.user_id for one in page.items} == {ANA}
        assert len(double.requests) == 1


@pytest.mark.parametrize("where", ["device", "chat"])
@pytest.mark.parametrize(
    ("step", "offer", "after"),
    [
        (calls("cancel", which="喝水", words="喝水"), "要取消上午10点 喝水吗？", []),
        (
            calls("change", which="喝水", time="2030-01-07T11:00", words="喝水"),
            "要把喝水改到今天上午11点吗？",
            [("11:00", "喝水")],
        ),
        (
            calls("snooze", which="喝水", time="2030-01-07T10:30Z", words="烦人"),
            "要把喝水改到今天上午10点半吗？",
            [("10:30", "喝水")],
        ),
    ],
)
async def test_what_it_would_change_waits_for_a_yes(
    tmp_path: Path,
    clock: ManualClock,
    where: str,
    step: Step,
    offer: str,
    after: list[tuple[str, str]],
) -> None:
    async with told(tmp_path, clock, where, step) as (clarion, ana, _):
        await clarion.remind("喝水", at=at(10))

        assert await ana.say(GRUMBLE) == offer
        assert "什么都没动" in await ana.say("不用了")
        assert await planned(clarion) == [("10:00", "喝水")]
        assert await ana.say(GRUMBLE) == offer
        assert (await ana.say("是的")).startswith("好的")
        assert await planned(clarion) == after


async def test_it_reads_out_what_is_there_and_is_told_what_goes_on(
    tmp_path: Path, clock: ManualClock
) -> None:
    async with told(tmp_path, clock, "chat", calls("list", scope="today")) as (
        clarion,
        ana,
        double,
    ):
        await clarion.people.update_user(ADMIN, ANA, context={"habits": {"dinner": "19:15"}})
        await clarion.remind("drink water", at=at(10))

        said = await ana.say("I wonder how busy I am")

        assert said == "You have 1 coming up: at 10 am drink water."
        sent = json.loads(double.requests[0]["messages"][1]["content"])
        assert sent["heard"]["as"] == ["chat"]
        assert sent["reminders"] == [{"content": "drink water", "time": "2030-01-07T10:00+00:00"}]
        assert sent["day"]["dinner"] == "19:15"
        assert [tool["function"]["name"] for tool in double.requests[0]["tools"]] == [
            "create", "list", "change", "cancel", "snooze", "confirm",
        ]  # fmt: skip


HOSTILE: dict[str, Step] = {
    "words that nobody said": calls("cancel", which="吃药", words="取消吃药"),
    "no words": calls("cancel", which="吃药"),
    "all of them": calls("cancel", which="全部", words="喝水"),
    "another person's": calls("cancel", which="ben's secret", words="喝水"),
    "a yes for nothing": calls("confirm", words="喝水"),
    "a verb that is none": calls("delete_user", user_id="ana", words="喝水"),
    "the past": calls("create", content="x", time="2020-01-01T00:00", words="喝水"),
    "no time": calls("create", content="x", time="soon", words="喝水"),
    "a claim as content": calls(
        "create", content="已经帮您取消了吃药", time="2030-01-07T21:00", words="喝水"
    ),
    "fields of other types": calls("change", which=["吃药"], time=5, words="喝水"),
    "arguments that are none": Calls((("cancel", "{nope"),)),
    "a list as arguments": Calls((("cancel", '["吃药"]'),)),
    "too many": Calls((("cancel", '{"which": "吃药", "words": "喝水"}'),) * 4),
    "a claim": Says("好的，已经帮您取消了吃药。"),
    "a call that is read aloud": Says('{"name": "cancel", "arguments": {"which": "吃药"}}'),
    "a fenced call": Says('```json\n{"tool": "cancel"}\n```'),
    "a failure": Fails(500),
    "silence": Hangs(),
}


@pytest.mark.parametrize("step", HOSTILE.values(), ids=HOSTILE.keys())
async def test_a_hostile_model_changes_nothing(
    tmp_path: Path, clock: ManualClock, step: Step
) -> None:
    async with told(tmp_path, clock, "chat", step) as (clarion, ana, _):
        await clarion.remind("吃药", at=at(10), confirmation=CONFIRM)
        await clarion.people.add_user(ADMIN, user_id=BEN)
        await clarion.reminders.create(
            ADMIN, user_id=BEN, content="ben's secret", trigger_at=at(11)
        )

        said = await ana.say(GRUMBLE)
        later = await ana.say("好的")

        assert not sounds_like_yes(said)
        assert "{" not in said
        assert "secret" not in said
        assert not sounds_like_yes(later)
        page = await clarion.reminders.list(ADMIN)
        assert {one.status for one in page.items} == {ReminderStatus.PENDING}
        assert await planned(clarion) == [("10:00", "吃药")]


@pytest.mark.parametrize("doubtful", ["是吗", "好像不是", "我没说要取消", "好苦", "really?"])
async def test_only_a_plain_yes_does_what_was_offered(
    tmp_path: Path, clock: ManualClock, doubtful: str
) -> None:
    step = calls("cancel", which="吃药", words="好苦")
    async with told(tmp_path, clock, "chat", step, Says("嗯。")) as (clarion, ana, _):
        await clarion.remind("吃药", at=at(10))

        assert await ana.say(BITTER) == "要取消上午10点 吃药吗？"
        await ana.say(doubtful)

        assert await planned(clarion) == [("10:00", "吃药")]


async def test_what_rings_gets_the_yes_and_not_the_offer(
    tmp_path: Path, clock: ManualClock
) -> None:
    step = calls("cancel", which="喝水", words="喝水")
    async with told(tmp_path, clock, "chat", step) as (clarion, ana, _):
        water = await clarion.remind("喝水", at=at(10))
        post = await clarion.remind("寄信", at=at(8, 5), confirmation=CONFIRM)
        await ana.say(GRUMBLE)
        await clarion.until(8, 6)

        await ana.say("好的")

        assert (await clarion.look(post)).status is ReminderStatus.CONFIRMED
        assert (await clarion.look(water)).status is ReminderStatus.PENDING


@pytest.mark.parametrize("words", ["不", "还没吃呢", "没吃", "我不吃了", "等会儿再吃"])
async def test_its_confirm_never_turns_a_no_into_a_yes(
    tmp_path: Path, clock: ManualClock, words: str
) -> None:
    async with told(tmp_path, clock, "device", calls("confirm", words=words)) as (clarion, ana, _):
        pill = await clarion.remind("吃药", at=at(8, 5), confirmation=CONFIRM)
        await clarion.until(8, 6)

        said = await ana.say(words)

        assert (await clarion.look(pill)).status is not ReminderStatus.CONFIRMED
        assert "吃过" not in said


async def test_an_endpoint_without_tools_is_talked_to_plainly(
    tmp_path: Path, clock: ManualClock
) -> None:
    async with told(tmp_path, clock, "chat", Says("药苦，喝口水吧。"), knows_tools=False) as (
        _, ana, double,
    ):  # fmt: skip
        assert await ana.say(BITTER) == "药苦，喝口水吧。"
        assert await ana.say(BITTER) == "药苦，喝口水吧。"
        assert ["tools" in body for body in double.requests] == [True, False, False]


@pytest.mark.parametrize(
    ("reply", "evidence", "status"),
    [
        ("七了", "七了", ReminderStatus.CONFIRMED),  # 吃了, misheard
        ("七了", "吃了", ReminderStatus.PENDING),  # not what was said
        ("还没吃呢", "吃", ReminderStatus.PENDING),  # a sure no
        ("喝水这事真烦人", "喝水", ReminderStatus.PENDING),  # nothing that could be a yes
    ],
)
async def test_its_confirm_needs_words_that_could_be_a_yes(
    tmp_path: Path, clock: ManualClock, reply: str, evidence: str, status: ReminderStatus
) -> None:
    step = calls("confirm", words=evidence)
    async with told(tmp_path, clock, "chat", step) as (clarion, ana, double):
        pill = await clarion.remind("吃药", at=at(8, 5), confirmation=CONFIRM)
        await clarion.until(8, 6)
        await ana.say("还没呢")

        said = await ana.say(reply)

        assert (await clarion.look(pill)).status is status
        assert sounds_like_yes(said) or status is ReminderStatus.PENDING
        assert double.requests or reply == "还没吃呢"
