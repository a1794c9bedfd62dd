"""To whom words in a chat are said: in a group not all of them are meant for us."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clarion.base.ids import UserId
from clarion.chats.model import Chat, ChatId, ChatKind
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.talking import InChat

GROUP = Chat(id=ChatId("telegram:-5"), kind=ChatKind.GROUP, title="Family")
CONSOLE = Chat(id=ChatId("console:main"), kind=ChatKind.GROUP, title="main")


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock) -> AsyncIterator[ClarionByHand]:
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=None) as made:
        await introduce_ana(made)
        await made.people.update_user(ADMIN, ANA, language="zh")
        yield made


async def test_talk_among_people_is_left_alone(clarion: ClarionByHand) -> None:
    family = InChat(clarion, GROUP)

    assert await family.say("我今天有什么安排来着") == ""
    assert await family.say("给我讲个笑话") == ""


async def test_what_is_said_to_us_in_a_group_is_answered(clarion: ClarionByHand) -> None:
    family = InChat(clarion, GROUP)

    assert await family.say("我今天有什么提醒", addressed=True) == "今天没有提醒。"


async def test_in_the_console_everything_is_said_to_us(clarion: ClarionByHand) -> None:
    console = InChat(clarion, CONSOLE)

    await console.say("今天下午三点提醒我开会")

    assert await console.say("我今天有什么提醒") == "今天有1个提醒：下午3点 开会。"
    assert "开会" in await console.say("取消开会")
    assert await console.say("我今天有什么提醒") == "今天没有提醒。"


async def test_what_a_person_sets_in_their_own_chat_of_the_console_is_theirs(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Asia/Tokyo")
    chat = Chat(id=ChatId(f"console:user.{ANA}"), kind=ChatKind.PRIVATE, title="ana")
    console = InChat(clarion, chat)

    await console.say("明天早上八点提醒我吃药")

    hers = await clarion.reminders.list(ADMIN, user_id=ANA)
    assert [(one.content, one.device_id) for one in hers.items] == [("吃药", None)]
    assert hers.items[0].trigger_at.hour == 23, "eight in Tokyo"
    assert "吃药" in await console.say("我有什么提醒")


async def test_help_in_ones_own_chat_of_the_console_tells_ones_own_contacts(
    clarion: ClarionByHand,
) -> None:
    chat = Chat(id=ChatId(f"console:user.{ANA}"), kind=ChatKind.PRIVATE, title="ana")
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="ntfy://sue")

    said = await InChat(clarion, chat).say("我摔倒了，起不来")

    assert "Sue" in said


@pytest.mark.parametrize("nod", ["是的", "是啊", "是什么意思"])
async def test_a_nod_gives_no_reminder_a_new_name(clarion: ClarionByHand, nod: str) -> None:
    console = InChat(clarion, CONSOLE)
    await console.say("明天早上八点提醒我吃药")

    await console.say(nod)

    assert "吃药" in await console.say("我有什么提醒")


async def test_the_weather_cancels_nothing(clarion: ClarionByHand) -> None:
    console = InChat(clarion, CONSOLE)
    await console.say("每天早上七点量血糖")
    asked = await console.say("取消量血糖")

    assert "不提醒" not in await console.say("今天天气怎么样")
    assert "还是" in asked
    assert await console.say("全部") == "好的，以后都不提醒了：量血糖。"


@pytest.mark.parametrize(
    ("wish", "refusal"),
    [
        ("明天早上八点提醒我吃药", "明天八点不要提醒我吃药"),
        ("明天早上八点提醒我吃药", "明天不要提醒我吃药了"),
        ("remind me to take pills tomorrow at 8", "don't remind me tomorrow at 8"),
        ("remind me to take pills tomorrow at 8", "no need to remind me at 8 tomorrow"),
        ("明天早上八点提醒我吃药", "明早八点不用提醒我了"),
    ],
)
async def test_a_refusal_sets_nothing(clarion: ClarionByHand, wish: str, refusal: str) -> None:
    console = InChat(clarion, CONSOLE)
    await console.say(wish)

    await console.say(refusal)

    assert "吃药" not in await console.say("我有什么提醒")
    listed = await clarion.reminders.list(ADMIN, user_id=UserId(CONSOLE.id))
    assert [one.status.value for one in listed.items] == ["cancelled"]


async def test_leave_me_alone_brings_nothing_back(clarion: ClarionByHand) -> None:
    console = InChat(clarion, CONSOLE)
    await console.say("明天早上八点提醒我吃药")
    await console.say("取消吃药")

    await console.say("别烦我")

    assert "吃药" not in await console.say("我有什么提醒")
