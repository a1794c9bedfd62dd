"""To whom words in a chat are said: in a group not all of them are meant for us."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from clarion.chats.model import Chat, ChatId, ChatKind
from tests.support.build import ANA
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.house import ADMIN, House, furnish, open_house
from tests.support.talking import InChat

GROUP = Chat(id=ChatId("telegram:-5"), kind=ChatKind.GROUP, title="Family")
CONSOLE = Chat(id=ChatId("console:main"), kind=ChatKind.GROUP, title="main")


@pytest.fixture
async def house(tmp_path: Path, clock: ManualClock) -> AsyncIterator[House]:
    async with open_house(await sqlite_file(tmp_path), clock, chat=None) as made:
        await furnish(made)
        await made.people.update_user(ADMIN, ANA, language="zh")
        yield made


async def test_talk_among_people_is_left_alone(house: House) -> None:
    family = InChat(house, GROUP)

    assert await family.say("我今天有什么安排来着") == ""
    assert await family.say("给我讲个笑话") == ""


async def test_what_is_said_to_us_in_a_group_is_answered(house: House) -> None:
    family = InChat(house, GROUP)

    assert await family.say("我今天有什么提醒", addressed=True) == "今天没有提醒。"


async def test_in_the_console_everything_is_said_to_us(house: House) -> None:
    console = InChat(house, CONSOLE)

    await console.say("今天下午三点提醒我开会")

    assert await console.say("我今天有什么提醒") == "今天有1个提醒：下午3点 开会。"
    assert "开会" in await console.say("取消开会")
    assert await console.say("我今天有什么提醒") == "今天没有提醒。"
