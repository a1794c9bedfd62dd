"""An evening in Telegram: said in words, rung with buttons, tapped, and edited. Nothing is faked
but Telegram's cloud, and that speaks its protocol over a socket.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.app.build import build
from clarion.app.running import Clarion
from clarion.base.ids import DeviceId, UserId
from clarion.people.model import Actor, DeviceKind
from clarion.people.service import People
from clarion.reminders.service import Means, Reminders
from clarion.settings import load
from clarion.store.sql import events
from clarion.store.sql.people import store as people
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.clock import ManualClock
from tests.support.drive import Driver
from tests.support.telegram_double import TOKEN, TelegramDouble, telegram_double

ANA = {"id": 7, "first_name": "Ana", "language_code": "zh"}
PRIVATE = {"id": 7, "type": "private", "first_name": "Ana"}
GROUP = {"id": -5, "type": "group", "title": "Family"}


class Evening:
    def __init__(self, clarion: Clarion, clock: ManualClock, double: TelegramDouble) -> None:
        self.double, self.clock, self.clarion = double, clock, clarion
        passes = {work.name: work for work in clarion.parts.passes}
        self._duties, self._poller = passes["duties"], passes["telegram"]
        self._driver = Driver(clock, passes["tasks"])

    async def say(
        self,
        text: str,
        chat: dict[str, Any] = PRIVATE,
        user: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        self.double.say(text, chat=chat, user=user or ANA, **more)
        await self.live()

    async def press(
        self,
        message: dict[str, Any],
        label: str,
        chat: dict[str, Any],
        user: dict[str, Any] | None = None,
    ) -> None:
        row = message["reply_markup"]["inline_keyboard"][0]
        data = next(button["callback_data"] for button in row if label in button["text"])
        self.double.press(data, chat=chat, user=user or ANA, message=message["message_id"])
        await self.live()

    async def live(self, **by: float) -> None:
        await self._duties.run_once()
        await self._poller.run_once()
        await self._driver.fast_forward(timedelta(**by) + timedelta(seconds=4))

    def shown(self) -> list[str]:
        return [sent["text"] for sent in self.double.sent]

    def rings(self) -> list[dict[str, Any]]:
        return [sent for sent in self.double.sent if sent.get("reply_markup")]

    async def statuses(self) -> list[str]:
        told = await self.clarion.parts.database.read(events.after, 0, limit=1000)
        return [each.kind for each in told if each.kind.startswith("reminder.")]


@pytest.fixture
async def evening(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Evening]:
    async with telegram_double() as double:
        settings = load(
            {
                "CLARION_DATA_DIR": str(tmp_path),
                "CLARION_TELEGRAM_TOKEN": TOKEN,
                "CLARION_TELEGRAM_API_URL": double.base_url,
            }
        )
        async with await build(settings, clock, listens=False) as clarion:
            yield Evening(clarion, clock, double)


async def test_a_reminder_is_set_in_words_and_rings_with_buttons(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    assert "吃药" in evening.shown()[0]

    await evening.live(minutes=10)

    labels = [b["text"] for b in evening.rings()[0]["reply_markup"]["inline_keyboard"][0]]
    assert labels == ["✅ 确认", "⏰ 10 分钟后", "❌ 取消"]
    assert "药" in evening.rings()[0]["text"]


async def test_who_writes_in_english_is_rung_in_english(evening: Evening) -> None:
    english = {**ANA, "language_code": "en-GB"}
    await evening.say("in 10 minutes remind me to take the pills, make sure I do", user=english)
    await evening.live(minutes=10)

    labels = [b["text"] for b in evening.rings()[0]["reply_markup"]["inline_keyboard"][0]]
    assert labels[0] == "✅ Done"
    assert evening.rings()[0]["text"].isascii()


async def test_a_conversation_is_held_over_the_wire(evening: Evening) -> None:
    await evening.say("明天提醒我")
    await evening.say("量血糖")
    await evening.say("八点还是九点提醒我浇花")
    await evening.say("九点")
    await evening.say("十分钟后提醒我吃药，要确认")
    asked, set_, which, chosen, _ = evening.shown()
    await evening.live(minutes=10)
    await evening.say("吃了")
    await evening.say("哎不对，还没吃")

    assert asked == "要提醒什么？"
    assert set_.startswith("好的，明天上午9点提醒您量血糖。")
    assert "请问是哪一个" in which
    assert "9点提醒您浇花" in chosen
    assert evening.shown()[-1].startswith("好的，刚才那句不算")
    assert (await evening.statuses()).count("reminder.created") == 4, "and the pill once more"


async def test_a_tap_confirms_and_takes_the_buttons_away(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    await evening.live(minutes=10)
    ring = evening.rings()[0]

    await evening.press(ring, "确认", PRIVATE)
    await evening.live(hours=1)

    assert "✅ 已确认 · Ana" in evening.shown()[1]
    assert evening.rings() == []
    assert "reminder.confirmed" in await evening.statuses()
    assert [method for method, _ in evening.double.calls].count("answerCallbackQuery") == 1


async def test_a_second_tap_changes_nothing(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    await evening.live(minutes=10)
    ring = dict(evening.rings()[0])

    await evening.press(ring, "确认", PRIVATE)
    await evening.press(ring, "取消", PRIVATE)

    assert (await evening.statuses()).count("reminder.confirmed") == 1
    assert "reminder.cancelled" not in await evening.statuses()


async def test_words_answer_too(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    await evening.live(minutes=10)

    await evening.say("吃过了")

    assert "reminder.confirmed" in await evening.statuses()


async def test_a_snooze_by_button_rings_again_ten_minutes_later(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    await evening.live(minutes=10)

    await evening.press(evening.rings()[0], "10 分钟后", PRIVATE)
    assert evening.rings() == []
    await evening.live(minutes=10)

    assert len(evening.rings()) == 1


async def test_talk_in_a_group_is_no_answer_but_clear_words_are(evening: Evening) -> None:
    await evening.say("十分钟后提醒我们倒垃圾，要确认", GROUP)
    await evening.live(minutes=10)

    await evening.say("今天天气不错", GROUP)
    assert "reminder.confirmed" not in await evening.statuses()
    await evening.say("倒了", GROUP)

    assert "reminder.confirmed" in await evening.statuses()


async def test_a_button_of_another_chat_does_nothing(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    await evening.live(minutes=10)

    await evening.press(evening.rings()[0], "确认", GROUP)

    assert "reminder.confirmed" not in await evening.statuses()


async def test_what_is_missing_is_asked_for(evening: Evening) -> None:
    await evening.say("/remind 吃药")

    assert evening.shown()[0].startswith("❓")


async def test_reminders_are_listed_and_cancelled_by_number(evening: Evening) -> None:
    await evening.say("十分钟后提醒我吃药")
    await evening.say("两小时后提醒我浇花")

    await evening.say("/reminders")
    await evening.say("/cancel 2")

    assert "1. " in evening.shown()[2]
    assert "2. " in evening.shown()[2]
    assert evening.shown()[3] == "❌ 已取消: 浇花"


@pytest.mark.parametrize("said", ["/cancel", "/cancel 吃", "/cancel 3"])
async def test_of_several_none_is_cancelled_unasked(evening: Evening, said: str) -> None:
    await evening.say("十分钟后提醒我吃3片药")
    await evening.say("两小时后提醒我吃饭")

    await evening.say(said)

    assert "reminder.cancelled" not in await evening.statuses()
    if said != "/cancel 3":  # there is no third; the 3 of another's words is not meant
        assert evening.shown()[2].startswith("❓ 取消哪一个？")
        assert "2. " in evening.shown()[2]
    await evening.say("/cancel 饭")
    assert evening.shown()[3] == "❌ 已取消: 吃饭"


async def test_who_blocked_the_bot_is_not_reached_and_the_ladder_goes_on(
    evening: Evening,
) -> None:
    await evening.say("十分钟后提醒我吃药，要确认")
    evening.double.failures = [{"code": 403, "words": "Forbidden: bot was blocked by the user"}] * 9

    await evening.live(minutes=50)

    assert "reminder.failed" in await evening.statuses()


async def test_what_waits_for_telegrams_patience_is_told_once_when_it_ends(
    evening: Evening,
) -> None:
    await evening.say("十分钟后提醒我吃药")
    evening.double.failures = [{"code": 429, "words": "Too Many Requests", "retry_after": 300}]

    await evening.live(minutes=10)
    assert evening.rings() == []
    await evening.live(minutes=10)

    assert len(evening.shown()[1:]) == 1


BO = {"id": 8, "first_name": "Bo", "language_code": "zh"}
SUPERGROUP = {"id": -1005, "type": "supergroup", "title": "Family"}


async def test_in_a_group_another_persons_reminder_is_theirs_and_the_admins(
    evening: Evening,
) -> None:
    evening.double.members = {(-5, 8): "member"}
    await evening.say("/remind 十分钟后倒垃圾，要确认", GROUP)
    await evening.live(minutes=10)
    ring = dict(evening.rings()[0])

    await evening.press(ring, "确认", GROUP, BO)
    await evening.say("倒了", GROUP, BO)
    await evening.say("/cancel", GROUP, BO)
    assert "reminder.confirmed" not in await evening.statuses()
    assert "reminder.cancelled" not in await evening.statuses()
    evening.double.members = {(-5, 8): "administrator"}
    await evening.live(seconds=10)
    await evening.press(ring, "确认", GROUP, BO)

    assert "reminder.confirmed" in await evening.statuses()


async def test_a_supergroup_keeps_its_reminders_and_the_buttons_already_sent(
    evening: Evening,
) -> None:
    await evening.say("/remind 十分钟后倒垃圾，要确认", GROUP)
    await evening.say("/remind 三十分钟后浇花", GROUP)
    await evening.live(minutes=10)
    ring = dict(evening.rings()[0])

    await evening.say("", GROUP, migrate_to_chat_id=-1005)
    await evening.press(ring, "确认", GROUP)
    assert "reminder.confirmed" in await evening.statuses()
    await evening.say("/reminders", SUPERGROUP)
    await evening.live(minutes=21)

    there = [sent["text"] for sent in evening.double.sent if int(sent["chat_id"]) == -1005]
    assert "浇花" in there[0] + there[1]
    assert "浇花" in there[-1]
    users = await evening.clarion.parts.database.read(people.all_users, "", 10)
    assert [user.id for user in users] == ["telegram:-5"]


async def test_a_chat_that_is_a_device_by_another_name_is_the_same_person(
    evening: Evening,
) -> None:
    database = evening.clarion.parts.database
    store = People(SqlPeople(database), evening.clock)
    await store.ensure_user(UserId("ana"))
    await store.add_device(
        Actor(None, admin=True),
        kind=DeviceKind.TELEGRAM,
        user_id=UserId("ana"),
        device_id=DeviceId("phone"),
        address="telegram:7",
    )
    await evening.say("/remind 十分钟后吃药，要确认")
    await evening.live(minutes=10)

    await evening.press(evening.rings()[0], "确认", PRIVATE)

    assert "reminder.confirmed" in await evening.statuses()
    assert [user.id for user in await database.read(people.all_users, "", 10)] == ["ana"]


@pytest.mark.parametrize("moves", [False, True], ids=["it stays", "it becomes a supergroup"])
async def test_a_contact_takes_it_with_a_button_of_the_familys_chat(
    evening: Evening, moves: bool
) -> None:
    """Ana has no device that could be reached; her family is told in its group, and Bo presses."""
    root, database = Actor(None, admin=True), evening.clarion.parts.database
    store = People(SqlPeople(database), evening.clock)
    await store.ensure_user(UserId("ana"), "Ana")
    await store.add_contact(
        root, user_id=UserId("ana"), name="家里", address="chat:telegram:-5", language="zh"
    )
    await evening.say("大家好", GROUP, BO)  # the bot is in the group
    reminders = Reminders(
        Means(store=SqlReminders(database), people=SqlPeople(database), clock=evening.clock)
    )
    await reminders.help.call(root, user_id=UserId("ana"), text="我摔倒了")
    await evening.live(seconds=10)
    call = dict(evening.rings()[0])

    labels = [b["text"] for b in call["reply_markup"]["inline_keyboard"][0]]
    here = evening.double.migrate(GROUP, -1005) if moves else GROUP
    await evening.live()
    await evening.press(call, "我来处理", here, BO)
    told = await database.read(events.after, 0, limit=1000)

    assert labels == ["🙋 我来处理", "✅ 已经办好", "🙅 我来不了"]
    assert call["text"].count("http") == 1
    assert [one.data["name"] for one in told if one.kind == "contact.took"] == ["家里 (Bo)"]
    assert any("我来处理 · Bo" in text for text in evening.shown())
    assert evening.rings() == []
