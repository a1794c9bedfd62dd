from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from clarion.language.assisted import Occasion, question, words
from clarion.llm.times import LlmTimes
from clarion.llm.writing import LlmPhrases, ModelConversation, ModelTurn
from tests.llm.conftest import Clients
from tests.support.openai_double import Fails, Hangs, Says, Step, openai_double, says

SHANGHAI = ZoneInfo("Asia/Shanghai")
BASE = datetime(2030, 1, 7, 16, 0, tzinfo=SHANGHAI)
PILL = Occasion("吃药", attempt=1, confirm=True, local_hour=8, context=("喜欢喝茶",))


async def test_a_good_sentence_is_said_as_it_was_written(clients: Clients) -> None:
    written = "主人~茶先放一放，该吃药啦，吃完说一声~"
    async with openai_double(says(text=written)) as double:
        said = await words(PILL, LlmPhrases(clients.of(double)))

    assert said == written
    assert "喜欢喝茶" in double.requests[0]["messages"][1]["content"]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(says(text="该吃药啦" * 20), id="too long"),
        pytest.param(says(text="Time to take your pills"), id="another language"),
        pytest.param(says(text="记得喝水哦"), id="another task"),
        pytest.param(says(text="该吃药啦 https://x.cn"), id="a link"),
        pytest.param(says(text="今天不用吃药啦"), id="talks out of it"),
        pytest.param(says(text="该吃药啦\n好了吗"), id="two lines"),
        pytest.param(says(text="**该吃药啦**"), id="markup"),
        pytest.param(says(text=""), id="empty"),
        pytest.param(Says("该吃药啦"), id="not the schema"),
        pytest.param(Fails(500), id="500"),
        pytest.param(Hangs(), id="hangs"),
    ],
)
async def test_a_sentence_that_fails_the_checks_gives_way_to_a_template(
    clients: Clients, step: Step
) -> None:
    async with openai_double(step) as double:
        said = await words(PILL, LlmPhrases(clients.of(double, timeout=0.2)), seed="s")

    assert said == await words(PILL, None, seed="s")
    assert "吃药" in said


async def test_a_short_question_is_asked_as_it_was_written(clients: Clients) -> None:
    async with openai_double(says(text="那药吃好了吗？")) as double:
        asked = await question("吃药", "啊这", LlmPhrases(clients.of(double)))

    assert asked == "那药吃好了吗？"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("请问您今天早上八点钟应该吃的药吃过了没有呢？", id="too long"),
        pytest.param("好的，已为你记下", id="no question"),
        pytest.param("Did you?", id="another language"),
    ],
)
async def test_a_poor_question_gives_way_to_a_template(clients: Clients, text: str) -> None:
    async with openai_double(says(text=text)) as double:
        asked = await question("吃药", "啊这", LlmPhrases(clients.of(double)), seed="s")

    assert asked == await question("吃药", "啊这", None, seed="s")


@pytest.mark.parametrize(
    "step",
    [
        says(at="2030-01-08T07:00"),
        says(at="2030-01-08T07:00:00+08:00"),
        says(at="2030-01-07T23:00Z", reason="the sun is up", certain=True),
    ],
)
async def test_a_time_in_the_future_is_taken(clients: Clients, step: Step) -> None:
    async with openai_double(step) as double:
        at = await LlmTimes(clients.of(double)).read_time("太阳晒屁股的时候", BASE, SHANGHAI)

    assert at == datetime(2030, 1, 8, 7, 0, tzinfo=SHANGHAI)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        pytest.param("回头", says(at=None), id="no moment"),
        pytest.param("回头", says(at="2030-01-07T15:00"), id="past"),
        pytest.param("回头", says(at="2999-01-07T15:00"), id="far away"),
        pytest.param("回头", says(at="soon"), id="words"),
        pytest.param("回头", says(at="2030-02-30T10:00"), id="no such day"),
        pytest.param("明天 9:30 那会儿", says(at="2030-01-08T11:00"), id="against the text"),
        pytest.param("回头", Fails(500), id="500"),
    ],
)
async def test_a_time_that_cannot_be_meant_is_none(clients: Clients, text: str, step: Step) -> None:
    async with openai_double(step) as double:
        at = await LlmTimes(clients.of(double)).read_time(text, BASE, SHANGHAI)

    assert at is None


async def test_the_talk_remembers_the_reminder_and_what_was_said(clients: Clients) -> None:
    history = [ModelTurn("assistant", "该吃药啦"), ModelTurn("user", "好的")]
    async with openai_double(Says("别客气，多喝点水。")) as double:
        said = await ModelConversation(clients.of(double)).reply(
            history, {"task": "吃药"}, "谢谢你", "zh"
        )

    sent = [message["content"] for message in double.requests[0]["messages"]]
    assert said == "别客气，多喝点水。"
    assert "吃药" in sent[1]
    assert sent[2:] == ["该吃药啦", "好的", "谢谢你"]


@pytest.mark.parametrize("step", [Fails(500), Says("看这里 https://x.cn"), Says("很" * 500)])
async def test_talk_that_cannot_be_said_is_none(clients: Clients, step: Step) -> None:
    async with openai_double(step) as double:
        said = await ModelConversation(clients.of(double)).reply([], {"task": "吃药"}, "你好", "zh")

    assert said is None
