"""The specification's examples through the Bot API, with the real library, on loopback."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from clarion.chats.model import ChatId, PersonId
from clarion.chats.ports import Gone, MessageRefused, Moved, Outgoing, Paused, RuleDraft
from clarion.doors.telegram.poller import TelegramSetUp
from tests.support.telegram_evening import ANA, GROUP, PRIVATE, TelegramEvening

STRANGER = {"id": 666, "first_name": "Eve", "language_code": "zh"}


@pytest.mark.parametrize("text", ["/set_priority vip", "/vip 50", "/p high", "/vip@clarionbot 50"])
async def test_an_admin_raises_the_group_and_is_told_in_the_specifications_words(
    evening: TelegramEvening, text: str
) -> None:
    evening.double.say(text, chat=GROUP, user=ANA)

    assert await evening.pass_by() == [
        "✅ 配置已更新\n群组 [A] 优先级已提升至 High (50)。系统缓存已刷新，即刻生效。"
    ]


async def test_what_the_specification_writes_in_bold_is_bold(evening: TelegramEvening) -> None:
    evening.double.say("/vip 50", chat={**GROUP, "title": "**A** 😀"}, user=ANA)

    await evening.pass_by()

    sent = evening.double.sent[0]
    units = sent["text"].encode("utf-16-le")
    bold = [
        units[2 * mark["offset"] : 2 * (mark["offset"] + mark["length"])].decode("utf-16-le")
        for mark in sent["entities"]
    ]
    assert bold == ["配置已更新", "High (50)"]
    assert "[**A** 😀]" in sent["text"]


async def test_a_command_for_another_bot_is_left_to_it(evening: TelegramEvening) -> None:
    evening.double.say("/vip@other_bot 50", chat=GROUP, user=ANA)

    assert await evening.pass_by() == []


async def test_whoever_has_no_rights_is_refused(evening: TelegramEvening) -> None:
    evening.double.members[-1, 666] = "member"
    evening.double.say("/vip 100", chat=GROUP, user=STRANGER)

    assert await evening.pass_by() == ["权限被拒绝"]


async def test_in_private_the_rule_is_named_by_its_number(evening: TelegramEvening) -> None:
    evening.double.say("/vip normal", chat=GROUP, user=ANA)
    evening.double.say("/vip", chat=PRIVATE, user=ANA)
    evening.double.say("/vip 1 100", chat=PRIVATE, user=ANA)

    texts = await evening.pass_by(timedelta(seconds=10))

    assert "❌ 私聊用法: /vip <rule_id> <priority>" in texts
    assert any("已提升至 Critical (100)" in text for text in texts)


async def test_a_demoted_admin_loses_the_right_at_once(evening: TelegramEvening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()
    evening.double.members[-1, 7] = "member"
    evening.double.update(
        "chat_member", {"chat": GROUP, "new_chat_member": {"status": "member", "user": ANA}}
    )
    evening.double.say("/vip 100", chat=GROUP, user=ANA)

    assert (await evening.pass_by(timedelta(seconds=5)))[-1] == "权限被拒绝"


async def test_a_demoted_admin_loses_the_right_in_every_topic(evening: TelegramEvening) -> None:
    topic = {"is_topic_message": True, "message_thread_id": 5}
    here, ana = ChatId("telegram:-1#5"), PersonId("telegram:7")
    assert await evening.bot.is_admin(here, ana)
    evening.double.set_member(GROUP, ANA, "member")
    evening.double.say("/vip 100", chat=GROUP, user=ANA, **topic)

    assert (await evening.pass_by())[-1] == "权限被拒绝"
    assert not await evening.bot.is_admin(here, ana)


async def test_telegram_forgets_an_update_only_after_it_is_kept(evening: TelegramEvening) -> None:
    evening.double.say("hello", chat=GROUP, user=ANA)

    await evening.poller.run_once()
    assert not evening.double.forgotten
    await evening.poller.run_once()

    assert evening.double.forgotten


async def test_a_restarted_poller_handles_nothing_twice(evening: TelegramEvening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.poller.run_once()

    evening.restart_poller()

    assert len(await evening.pass_by(timedelta(minutes=1))) == 1


async def test_a_group_that_migrates_keeps_its_rule(evening: TelegramEvening) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()

    evening.double.say("", chat=GROUP, user=ANA, migrate_to_chat_id=-1001)
    await evening.pass_by()

    rule = await evening.room.rules.rule_of(ChatId("telegram:-1001"))
    assert rule is not None
    assert rule.priority == 50


async def test_a_long_message_full_of_emoji_arrives_in_parts(evening: TelegramEvening) -> None:
    text = "😀" * 5_000

    await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text=text))

    assert "".join(sent["text"] for sent in evening.double.sent) == text


async def test_a_storm_of_429_is_waited_out_without_loss(evening: TelegramEvening) -> None:
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
            {
                "code": 400,
                "words": "Bad Request: not enough rights to send text messages to the chat",
            },
            Gone,
            id="may not write",
        ),
        pytest.param(
            {"code": 400, "words": "Bad Request: not enough rights to send photos to the chat"},
            MessageRefused,
            id="may not send photos",
        ),
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
    evening: TelegramEvening, failure: dict[str, Any], kind: type[Exception]
) -> None:
    evening.double.failures = [failure]

    with pytest.raises(kind):
        await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text="hello"))


async def test_editing_to_the_same_words_is_success(evening: TelegramEvening) -> None:
    sent = await evening.bot.send(Outgoing(chat_id=ChatId("telegram:-1"), text="same"))

    again = Outgoing(chat_id=ChatId("telegram:-1"), text="same", edits=sent)

    assert await evening.bot.send(again) == sent


async def test_rights_do_not_cross_platforms(evening: TelegramEvening) -> None:
    platforms = evening.platforms

    assert not await platforms.is_admin(ChatId("telegram:-1"), PersonId("console:7"))
    assert await platforms.is_admin(ChatId("console:main"), PersonId("console:admin"))
    assert not await platforms.is_admin(ChatId("console:main"), PersonId("console:7"))
    assert await platforms.is_admin(ChatId("telegram:-1"), PersonId("telegram:7"))


async def test_two_pollers_are_told_of_each_other(evening: TelegramEvening) -> None:
    evening.double.polling = 1

    await evening.poller.run_once()

    reach = evening.platforms.reaches["telegram"]
    assert reach.conflicts == 1
    assert "Another program polls" in reach.last_error


async def forward_to_desk(evening: TelegramEvening) -> None:
    draft = RuleDraft(targets=[ChatId("telegram:-9")])
    await evening.room.rules.save(ChatId("telegram:-1"), draft, "boss", evening.room.clock.now())


@pytest.mark.parametrize(
    "text",
    ["The fire alarm is ringing in building 3!", "记得带钥匙", "提醒我明天8点开会", "吃过了"],
)
async def test_talk_in_a_group_that_forwards_is_passed_on_and_never_obeyed(
    evening: TelegramEvening, text: str
) -> None:
    await forward_to_desk(evening)
    evening.double.say(text, chat=GROUP, user=ANA)

    assert await evening.pass_by() == [f"A · Ana\n{text}"]
    assert evening.room.requests.reminders == {}


MENTION = {"entities": [{"type": "mention", "offset": 0, "length": 11}]}
REPLY = {"reply_to_message": {"message_id": 3, "from": {"id": 42, "username": "ClarionBot"}}}
REPLY_TO_ANOTHER = {"reply_to_message": {"message_id": 3, "from": {"id": 8, "username": "bo"}}}


@pytest.mark.parametrize(
    ("text", "how", "asked"),
    [
        pytest.param("@ClarionBot 8点提醒我", MENTION, ["8点提醒我"], id="by name"),
        pytest.param("8点提醒我", REPLY, ["8点提醒我"], id="as a reply"),
        pytest.param("/remind 8点开会", {}, ["8点开会"], id="by command"),
        pytest.param("8点提醒我", REPLY_TO_ANOTHER, [], id="not as a reply to another"),
    ],
)
async def test_in_a_group_that_forwards_a_request_is_said_to_the_bot(
    evening: TelegramEvening, text: str, how: dict[str, Any], asked: list[str]
) -> None:
    await forward_to_desk(evening)
    evening.double.say(text, chat=GROUP, user=ANA, **how)

    await evening.pass_by()

    assert list(evening.room.requests.reminders.values()) == asked
    assert evening.texts({"id": -9}) == [f"A · Ana\n{text}"]


async def test_a_forwarded_command_is_no_command(evening: TelegramEvening) -> None:
    origin = {"type": "user", "date": 1, "sender_user": {"id": 8}}
    evening.double.say("/vip 100", chat=GROUP, user=ANA, forward_origin=origin)

    await evening.pass_by()

    assert await evening.room.rules.rule_of(ChatId("telegram:-1")) is None


async def test_an_admin_who_was_demoted_without_a_word_is_none_a_moment_later(
    evening: TelegramEvening,
) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()
    evening.double.members[-1, 7] = "member"
    await evening.room.live(timedelta(seconds=4))
    evening.double.say("/vip 100", chat=GROUP, user=ANA)

    assert (await evening.pass_by(timedelta(seconds=5)))[-1] == "权限被拒绝"


async def test_a_demoted_admin_is_none_however_far_the_clock_is_set_back(
    evening: TelegramEvening,
) -> None:
    evening.double.say("/vip 50", chat=GROUP, user=ANA)
    await evening.pass_by()
    evening.double.members[-1, 7] = "member"
    await evening.room.live(timedelta(seconds=4))
    evening.room.clock.jump(timedelta(hours=-1))

    assert not await evening.bot.is_admin(ChatId("telegram:-1"), PersonId("telegram:7"))


async def test_a_post_in_a_channel_comes_from_its_admins(evening: TelegramEvening) -> None:
    channel = {"id": -50, "type": "channel", "title": "News"}
    evening.double.post("/vip 50", chat=channel)

    assert "[News] 优先级已提升至 High (50)" in (await evening.pass_by())[0]


async def test_telegram_is_set_up_once_it_can_be_reached(evening: TelegramEvening) -> None:
    clock, reach = evening.room.clock, evening.platforms.reaches["telegram"]
    work = TelegramSetUp([evening.bot.open, partial(evening.bot.announce, "")], clock, reach)
    evening.double.trouble = {"getMe": "502", "setMyCommands": "429"}

    assert await work.run_once() == clock.now() + timedelta(seconds=3)
    evening.double.trouble.pop("getMe")
    assert await work.run_once() == clock.now() + timedelta(seconds=7)
    evening.double.trouble.clear()
    assert await work.run_once() is None

    assert evening.bot.name == "ClarionBot"
    assert [method for method, _ in evening.double.calls].count("setMyCommands") == 7


@pytest.mark.parametrize(
    "standing",
    [{"status": "member"}, {"status": "restricted", "can_send_messages": True}],
    ids=["member", "restricted"],
)
async def test_a_bot_that_is_added_again_gets_what_comes_then(
    evening: TelegramEvening, standing: dict[str, Any]
) -> None:
    await forward_to_desk(evening)
    evening.double.failures = [{"code": 403, "words": "Forbidden: bot was kicked"}]
    evening.double.say("one", chat=GROUP, user=ANA)
    await evening.pass_by()
    member = {**standing, "user": {"id": 42}}
    desk = {"id": -9, "type": "group", "title": "desk"}
    evening.double.update("my_chat_member", {"chat": desk, "new_chat_member": member})
    evening.double.say("two", chat=GROUP, user=ANA)

    assert await evening.pass_by() == ["A · Ana\ntwo"]
