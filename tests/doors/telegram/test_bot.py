"""The specification's examples through the Bot API, with the real library, on loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest

from clarion.chats.handling import BotOptions
from clarion.chats.model import ChatId, PersonId
from clarion.chats.platforms import ConsoleChat, Platforms
from clarion.chats.ports import Gone, MessageRefused, Moved, Outgoing, Paused
from clarion.doors.telegram.bot import TelegramBot, TelegramOptions
from clarion.doors.telegram.poller import Receiver, TelegramPoller
from clarion.store.sql.database import Database
from tests.support.chatroom import Chatroom
from tests.support.clock import ManualClock
from tests.support.telegram_double import TOKEN, TelegramDouble, telegram_double

GROUP = {"id": -1, "type": "group", "title": "A"}
PRIVATE = {"id": 7, "type": "private", "first_name": "Ana"}
ANA = {"id": 7, "first_name": "Ana", "language_code": "zh-hans"}
STRANGER = {"id": 666, "first_name": "Eve", "language_code": "zh"}


class Evening:
    """A bot that polls the double, and the message path behind it."""

    def __init__(self, double: TelegramDouble, bot: TelegramBot, room: Chatroom) -> None:
        self.double, self.bot, self.room = double, bot, room
        receiver = Receiver(bot, room.inbox, room.outbox, room.clock)
        self.poller = TelegramPoller(bot, receiver, room.clock)

    async def pass_by(self, by: timedelta = timedelta(0)) -> list[str]:
        """Fetch, handle and send; what was said since the beginning."""
        await self.poller.run_once()
        await self.room.live(by)
        return [sent["text"] for sent in self.double.sent]


@asynccontextmanager
async def opened_bot(double: TelegramDouble, clock: ManualClock) -> AsyncIterator[TelegramBot]:
    options = TelegramOptions(TOKEN, double.base_url, poll=timedelta(0))
    bot = TelegramBot(options, clock)
    await bot.open()
    try:
        yield bot
    finally:
        await bot.close()


@pytest.fixture
async def evening(sqlite: Database, clock: ManualClock) -> AsyncIterator[Evening]:
    async with telegram_double() as double, opened_bot(double, clock) as bot:
        double.members[-1, 7] = "administrator"
        platforms = Platforms({"telegram": bot, "console": ConsoleChat()})
        options = BotOptions(name=bot.name)
        room = Chatroom(sqlite, clock, platforms, options=options)  # type: ignore[arg-type]
        yield Evening(double, bot, room)


@pytest.mark.parametrize("text", ["/set_priority vip", "/vip 50", "/p high", "/vip@clarionbot 50"])
async def test_an_admin_raises_the_group_and_is_told_in_the_specifications_words(
    evening: Evening, text: str
) -> None:
    evening.double.say(text, chat=GROUP, user=ANA)

    assert await evening.pass_by() == [
        "✅ 配置已更新\n群组 [A] 优先级已提升至 High (50)。系统缓存已刷新，即刻生效。"
    ]


async def test_a_command_for_another_bot_is_left_to_it(evening: Evening) -> None:
    evening.double.say("/vip@other_bot 50", chat=GROUP, user=ANA)

    assert await evening.pass_by() == []


async def test_whoever_has_no_rights_is_refused(evening: Evening) -> None:
    evening.double.members[-1, 666] = "member"
    evening.double.say("/vip 100", chat=GROUP, user=STRANGER)

    assert await evening.pass_by() == ["权限被拒绝"]


async def test_in_private_the_rule_is_named_by_its_number(evening: Evening) -> None:
    evening.double.say("/vip normal", chat=GROUP, user=ANA)
    evening.double.say("/vip", chat=PRIVATE, user=ANA)
    evening.double.say("/vip 1 100", chat=PRIVATE, user=ANA)

    texts = await evening.pass_by(timedelta(seconds=10))

    assert "❌ 私聊用法: /vip <rule_id> <priority>" in texts
    assert any("已提升至 Critical (100)" in text for text in texts)


async def test_a_demoted_admin_loses_the_right_at_once(evening: Evening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()
    evening.double.members[-1, 7] = "member"
    evening.double.update(
        "chat_member", {"chat": GROUP, "new_chat_member": {"status": "member", "user": ANA}}
    )
    evening.double.say("/vip 100", chat=GROUP, user=ANA)

    assert (await evening.pass_by(timedelta(seconds=5)))[-1] == "权限被拒绝"


async def test_telegram_forgets_an_update_only_after_it_is_kept(evening: Evening) -> None:
    evening.double.say("hello", chat=GROUP, user=ANA)

    await evening.poller.run_once()
    assert not evening.double.forgotten
    await evening.poller.run_once()

    assert evening.double.forgotten


async def test_a_restarted_poller_handles_nothing_twice(evening: Evening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.poller.run_once()

    receiver = Receiver(evening.bot, evening.room.inbox, evening.room.outbox, evening.room.clock)
    evening.poller = TelegramPoller(evening.bot, receiver, evening.room.clock)

    assert len(await evening.pass_by(timedelta(minutes=1))) == 1


async def test_a_group_that_migrates_keeps_its_rule(evening: Evening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()

    evening.double.say("", chat=GROUP, user=ANA, migrate_to_chat_id=-1001)
    await evening.pass_by()

    rule = await evening.room.rules.rule_of(ChatId("telegram:-1001"))
    assert rule is not None
    assert rule.priority == 50


async def test_a_long_message_full_of_emoji_arrives_in_parts(evening: Evening) -> None:
    text = "😀" * 5_000

    await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text=text))

    assert "".join(sent["text"] for sent in evening.double.sent) == text


async def test_a_storm_of_429_is_waited_out_without_loss(evening: Evening) -> None:
    wait: dict[str, Any] = {"code": 429, "words": "Too Many Requests", "retry_after": 7}
    evening.double.failures = [wait, wait, wait]
    evening.double.say("/vip 50", chat=GROUP, user=ANA)

    await evening.pass_by(timedelta(seconds=20))
    assert evening.double.sent == []
    await evening.room.live(timedelta(seconds=5))

    assert len(evening.double.sent) == 1


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        pytest.param({"code": 403, "words": "Forbidden: bot was blocked"}, Gone, id="blocked"),
        pytest.param({"code": 400, "words": "Bad Request: chat not found"}, Gone, id="unknown"),
        pytest.param(
            {"code": 400, "words": "Bad Request: message is bad"}, MessageRefused, id="bad"
        ),
        pytest.param({"code": 429, "words": "Flood", "retry_after": 3}, Paused, id="flood"),
        pytest.param(
            {"code": 400, "words": "upgraded", "migrate_to_chat_id": -1001}, Moved, id="moved"
        ),
    ],
)
async def test_each_refusal_has_its_meaning(
    evening: Evening, failure: dict[str, Any], kind: type[Exception]
) -> None:
    evening.double.failures = [failure]

    with pytest.raises(kind):
        await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text="hello"))


async def test_editing_to_the_same_words_is_success(evening: Evening) -> None:
    sent = await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text="same"))

    again = Outgoing(chat_id=ChatId("telegram:-1"), text="same", edits=sent)

    assert await evening.bot.send(again) == sent


async def test_rights_do_not_cross_platforms(evening: Evening) -> None:
    platforms = Platforms({"telegram": evening.bot, "console": ConsoleChat()})

    assert not await platforms.is_admin(ChatId("telegram:-1"), PersonId("console:7"))
    assert await platforms.is_admin(ChatId("console:main"), PersonId("console:admin"))
    assert not await platforms.is_admin(ChatId("console:main"), PersonId("console:7"))
    assert await platforms.is_admin(ChatId("telegram:-1"), PersonId("telegram:7"))


async def test_two_pollers_are_told_of_each_other(evening: Evening) -> None:
    evening.double.polling = 1

    with pytest.raises(Exception, match="Another program polls"):
        await evening.poller.run_once()
