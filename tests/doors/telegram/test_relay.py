"""What is said in one group is relayed to another: words with their marks, and all that is more."""

from datetime import timedelta
from typing import Any

import pytest

from clarion.base.errors import Unprocessable
from clarion.chats.model import ChatId
from clarion.chats.ports import Outgoing, RuleDraft
from clarion.chats.service import BadTarget, ForwardsInCircle, RuleService
from tests.support.telegram_evening import ANA, GROUP, TelegramEvening

HERE, DESK, ARCHIVE = ChatId("telegram:-1"), ChatId("telegram:-9"), ChatId("telegram:-8")


def service(evening: TelegramEvening) -> RuleService:
    return RuleService(evening.room.rules, evening.room.clock, evening.platforms)


async def relay(evening: TelegramEvening, **filters: Any) -> None:
    draft = RuleDraft(targets=[DESK], filters=filters or None)
    await evening.room.rules.save(HERE, draft, "boss", evening.room.clock.now())


async def test_bold_words_stay_bold_behind_the_senders_name(evening: TelegramEvening) -> None:
    await relay(evening)
    bold = {"type": "bold", "offset": 3, "length": 4}
    evening.double.say("😀 fire", chat=GROUP, user=ANA, entities=[bold])

    await evening.pass_by()

    sent = evening.double.sent[0]
    assert sent["text"] == "A · Ana\n😀 fire"
    assert sent["entities"] == [{**bold, "offset": 3 + len("A · Ana\n")}]


@pytest.mark.parametrize(
    ("body", "caption"),
    [
        pytest.param({"photo": [{}], "caption": "smoke"}, "A · Ana\nsmoke", id="photo"),
        pytest.param({"voice": {}}, "A · Ana", id="voice"),
        pytest.param(
            {"document": {}, "caption": "x" * 1024}, "A · Ana\n" + "x" * 1016, id="long caption"
        ),
        pytest.param({"sticker": {}}, "", id="sticker"),
        pytest.param({"location": {}}, "", id="location"),
        pytest.param({"poll": {}}, "", id="poll"),
    ],
)
async def test_what_is_more_than_words_is_copied(
    evening: TelegramEvening, body: dict[str, Any], caption: str
) -> None:
    await relay(evening)
    evening.double.say("", chat=GROUP, user=ANA, message_id=77, **body)

    await evening.pass_by()

    sent = evening.double.sent[0]
    assert sent["copied"] == (-1, 77)
    assert sent["text"] == caption


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param({"photo": [{}], "caption": "smoke"}, "A · Ana\nsmoke\n📎 photo", id="photo"),
        pytest.param({"poll": {"question": "Who?"}}, "A · Ana\nWho?\n📎 poll", id="poll"),
        pytest.param({"sticker": {}}, "A · Ana\n📎 sticker", id="sticker"),
    ],
)
async def test_what_telegram_does_not_let_us_copy_is_told_in_words(
    evening: TelegramEvening, body: dict[str, Any], words: str
) -> None:
    await relay(evening)
    evening.double.say("", chat=GROUP, user=ANA, has_protected_content=True, **body)

    assert await evening.pass_by() == [words]


async def test_an_edit_of_what_cannot_be_copied_changes_the_words(evening: TelegramEvening) -> None:
    await relay(evening)
    said = {"photo": [{"file_id": "hidden"}], "has_protected_content": True}
    evening.double.say("", chat=GROUP, user=ANA, message_id=50, caption="smoke", **said)
    await evening.pass_by()
    edited = {"message_id": 50, "date": 1, "chat": GROUP, "from": ANA, "caption": "fire", **said}

    for _ in range(2):  # the same once more changes nothing
        evening.double.update("edited_message", edited)
        await evening.pass_by()

    [words] = evening.double.sent
    assert words["text"] == "A · Ana\nfire\n📎 photo"
    assert "shows" not in words
    assert await evening.room.rules.depths(evening.room.clock.now()) == []


async def test_an_album_that_cannot_be_copied_is_told_in_words(evening: TelegramEvening) -> None:
    await relay(evening)
    album = {"media_group_id": "m", "photo": [{}], "has_protected_content": True}
    evening.double.say("", chat=GROUP, user=ANA, caption="smoke", **album)
    evening.double.say("", chat=GROUP, user=ANA, **album)

    assert await evening.pass_by(timedelta(minutes=1)) == ["A · Ana\nsmoke\n📎 photo"]


async def test_a_reply_and_an_edit_find_the_copy_of_what_they_are_about(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    evening.double.say("fire", chat=GROUP, user=ANA, message_id=50)
    evening.double.say("where?", chat=GROUP, user=ANA, reply_to_message={"message_id": 50})
    edited = {"message_id": 50, "date": 1, "chat": GROUP, "from": ANA, "text": "fire in 3"}
    evening.double.update("edited_message", edited)
    never_sent = {**edited, "message_id": 49}
    evening.double.update("edited_message", never_sent)

    await evening.pass_by()

    first, second = evening.double.sent
    assert first["text"] == "A · Ana\nfire in 3"
    assert int(second["reply_parameters"]["message_id"]) == int(first["message_id"])


async def test_an_edit_that_replaces_a_picture_replaces_its_copy(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    sizes = [{"file_id": "small"}, {"file_id": "before"}]
    evening.double.say("", chat=GROUP, user=ANA, message_id=50, photo=sizes, caption="the door")
    await evening.pass_by()
    edited = {"message_id": 50, "date": 1, "chat": GROUP, "from": ANA, "caption": "the window"}
    other = {**edited, "photo": [{"file_id": "tiny"}, {"file_id": "after"}]}

    evening.double.update("edited_message", other)
    evening.double.update("edited_message", other)  # the same once more changes nothing
    await evening.pass_by()

    [copy] = evening.double.sent
    assert (copy["shows"], copy["text"]) == ("after", "A · Ana\nthe window")
    assert await evening.room.rules.depths(evening.room.clock.now()) == []


async def test_filters_know_kinds_and_regular_expressions(evening: TelegramEvening) -> None:
    await relay(evening, patterns=[r"building \d+"], kinds=["text"])
    evening.double.say("fire in Building 3", chat=GROUP, user=ANA)
    evening.double.say("fire in the woods", chat=GROUP, user=ANA)
    evening.double.say("", chat=GROUP, user=ANA, photo=[{}], caption="building 4")

    assert await evening.pass_by() == ["A · Ana\nfire in Building 3"]


@pytest.mark.parametrize("pattern", ["(", "(a+)+$"], ids=["not closed", "for ever"])
async def test_a_pattern_that_cannot_be_used_is_refused(
    evening: TelegramEvening, pattern: str
) -> None:
    with pytest.raises(Unprocessable):
        await service(evening).save(HERE, RuleDraft(filters={"patterns": [pattern]}))


async def test_a_loop_is_refused(evening: TelegramEvening) -> None:
    rules = RuleService(evening.room.rules, evening.room.clock)
    await rules.save(HERE, RuleDraft(targets=[DESK]))
    await rules.save(DESK, RuleDraft(targets=[ARCHIVE]))

    with pytest.raises(ForwardsInCircle):
        await rules.save(ARCHIVE, RuleDraft(targets=[HERE]))
    with pytest.raises(ForwardsInCircle):
        await rules.save(HERE, RuleDraft(targets=[HERE]))
    with pytest.raises(ForwardsInCircle):
        await rules.save(ARCHIVE, RuleDraft(targets=[ChatId(f"{HERE}#5")]))


async def test_a_target_where_nothing_is_set_up_is_refused(evening: TelegramEvening) -> None:
    target = ChatId("matrix:!desk:example.org")

    with pytest.raises(BadTarget, match="'matrix' is not set up here"):
        await service(evening).save(HERE, RuleDraft(targets=[target]))
    assert await evening.room.rules.rule_of(HERE) is None


async def test_a_filter_that_would_match_nobody_is_refused(evening: TelegramEvening) -> None:
    known(evening, -1, -9)
    await say(evening, "/forward -9")

    assert await say(evening, "/filter senders @ana") == (
        "❌ 没有人以 telegram:@ana 发言：请用发送者的数字编号，例如 123456，不要用 @名字。"
    )
    assert "没有“foto”这种消息" in await say(evening, "/filter kinds foto")
    assert "没有过滤" in await say(evening, "/filter")
    assert "来自: telegram:7" in await say(evening, "/filter senders 7")


async def test_what_is_changed_while_it_is_off_is_shown(evening: TelegramEvening) -> None:
    known(evening, -1, -9)
    await say(evening, "/forward -9")
    await say(evening, "/forward off")

    said = await say(evening, "/filter words fire")

    assert "/forward on" in said
    assert "含: fire" in said


async def test_a_chat_tells_its_own_id(evening: TelegramEvening) -> None:
    known(evening, -1, -9)

    assert (await say(evening, "/forward")).endswith("本聊天的编号: telegram:-1")
    assert "编号，不要用名字（telegram:@desk）" in await say(evening, "/forward @desk")


@pytest.mark.parametrize("name", ["abc", "telegram:", "-5x", "--5", "-9#desk"])
async def test_a_chat_that_is_named_without_its_number_is_answered(
    evening: TelegramEvening, name: str
) -> None:
    evening.double.say(f"/forward {name}", chat=GROUP, user=ANA)
    target = ChatId(name if name.startswith("telegram") else f"telegram:{name}")

    assert await evening.pass_by() == [f"❌ 您不是 {target} 的管理员。"]
    with pytest.raises(BadTarget, match="by its number"):
        await service(evening).save(HERE, RuleDraft(targets=[target]))


@pytest.mark.parametrize(
    ("chat", "member", "problem"),
    [
        pytest.param(None, "member", "not found", id="no such chat"),
        pytest.param("group", "left", "not in it", id="the bot is not there"),
        pytest.param("channel", "member", "only administrators", id="not the channel's admin"),
    ],
)
async def test_a_target_that_takes_nothing_is_refused_when_it_is_set(
    evening: TelegramEvening, chat: str | None, member: str, problem: str
) -> None:
    evening.double.members[-9, 42] = member
    evening.double.chats = {-9: {"id": -9, "type": chat}} if chat else {}

    with pytest.raises(BadTarget, match=problem):
        await service(evening).save(HERE, RuleDraft(targets=[DESK]))
    evening.double.members[-9, 42] = "administrator"
    evening.double.chats = {-9: {"id": -9, "type": "group"}}

    assert (await service(evening).save(HERE, RuleDraft(targets=[DESK]))).targets == (DESK,)


def known(evening: TelegramEvening, *numbers: int) -> None:
    """Groups that the bot is in and Ana manages."""
    for number in numbers:
        evening.double.chats[number] = {"id": number, "type": "group"}
        evening.double.members[number, 42] = "member"
        evening.double.members[number, 7] = "administrator"


async def say(evening: TelegramEvening, text: str, **more: Any) -> str:
    """What the bot answered in the group."""
    before = len(evening.texts(GROUP))
    evening.double.say(text, chat=GROUP, user=ANA, **more)
    await evening.pass_by()
    return "\n".join(evening.texts(GROUP)[before:])


async def test_a_rule_is_set_tried_out_and_switched_off_from_the_chat(
    evening: TelegramEvening,
) -> None:
    known(evening, -1, -9)

    assert "不转发" in await say(evening, "/forward")
    assert "telegram:-9" in await say(evening, "/forward -9")
    assert "含: fire, 火警" in await say(evening, "/filter words fire 火警")
    assert "telegram:-9" in await say(evening, "/filter try there is a fire")
    assert "过滤" in await say(evening, "/filter try good morning")
    await say(evening, "good morning")
    await say(evening, "a fire in building 3")
    assert "已停用" in await say(evening, "/forward off")
    await say(evening, "another fire")

    passed_on = [text for text in evening.texts({"id": -9}) if "/filter" not in text]
    assert passed_on == ["A · Ana\na fire in building 3"]


async def test_nobody_forwards_into_a_chat_that_they_do_not_manage(
    evening: TelegramEvening,
) -> None:
    known(evening, -1, -9)
    evening.double.members[-9, 7] = "member"

    assert "不是 telegram:-9 的管理员" in await say(evening, "/forward -9")
    assert await evening.room.rules.rule_of(HERE) is None


async def test_a_loop_and_a_bad_pattern_are_refused_in_words(evening: TelegramEvening) -> None:
    known(evening, -1, -9)
    now = evening.room.clock.now()
    loop = await evening.room.rules.save(DESK, RuleDraft(targets=[HERE]), "boss", now)

    assert await say(evening, "/forward -9") == "❌ 转发的消息会回到同一个聊天。"
    assert await say(evening, "/filter pattern (a+)+") == "❌ 这个正则表达式不能用：(a+)+"
    await evening.room.rules.delete(loop.id, "boss", now)
    evening.double.chats.clear()
    assert await say(evening, "/forward -9") == (
        "❌ 不能转发到 telegram:-9：请先把机器人加进去，并允许它发言。"
    )
    assert "用法" in await say(evening, "/filter nonsense")


async def test_who_is_no_administrator_changes_nothing(evening: TelegramEvening) -> None:
    evening.double.members[-1, 7] = "member"

    assert await say(evening, "/forward -9") == "权限被拒绝"
    assert await say(evening, "/filter words fire") == "权限被拒绝"


async def test_an_album_stays_one(evening: TelegramEvening) -> None:
    await relay(evening)
    for caption in ("smoke", "", ""):
        body = {"photo": [{}], "media_group_id": "9", "caption": caption}
        evening.double.say("", chat=GROUP, user=ANA, **body)
    evening.double.say("", chat=GROUP, user=ANA, photo=[{}])

    await evening.pass_by(timedelta(minutes=1))

    copied = [(sent["copied"], sent["text"]) for sent in evening.double.sent]
    assert copied == [([1, 2, 3], "A · Ana\nsmoke"), ((-1, 4), "A · Ana")]


def edit(evening: TelegramEvening, number: int, **body: Any) -> None:
    edited = {"message_id": number, "date": 1, "chat": GROUP, "from": ANA, **body}
    evening.double.update("edited_message", edited)


async def test_a_later_picture_of_an_album_is_edited_and_answered_in_its_copy(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    album = {"media_group_id": "9"}
    for name, caption in (("a", "smoke"), ("b", ""), ("c", "")):
        body = {"photo": [{"file_id": name}], "caption": caption, **album}
        evening.double.say("", chat=GROUP, user=ANA, **body)
    await evening.pass_by(timedelta(minutes=1))

    edit(evening, 3, photo=[{"file_id": "other"}], caption="the window", **album)
    edit(evening, 2, photo=[{"file_id": "b"}], caption="the door", **album)
    evening.double.say("where?", chat=GROUP, user=ANA, reply_to_message={"message_id": 3})
    await evening.pass_by(timedelta(minutes=1))

    first, answer = evening.double.sent
    second, third = evening.double.pictures.values()
    assert first["text"] == "A · Ana\nsmoke"
    assert (third["shows"], third["text"]) == ("other", "the window")
    assert (second["shows"], second["text"]) == ("b", "the door")
    assert int(answer["reply_parameters"]["message_id"]) == third["message_id"]


async def test_a_text_that_grows_with_every_edit_is_never_shown_twice(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    evening.double.say("a", chat=GROUP, user=ANA, message_id=50)
    for text in ("b" * 4_096, "c" * 9_000, "d" * 4_096, "e" * 5_000):
        edit(evening, 50, text=text)

    await evening.pass_by(timedelta(minutes=1))

    shown = [each["text"] for each in evening.double.sent if "deleted" not in each]
    assert "".join(shown) == "A · Ana\n" + "e" * 5_000


async def test_a_caption_that_grows_with_every_edit_is_never_shown_twice(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    picture = {"photo": [{"file_id": "door"}]}
    evening.double.say("", chat=GROUP, user=ANA, message_id=50, caption="a", **picture)
    for text in ("b" * 1_024, "c" * 1_020, "short", "d" * 1_022):
        edit(evening, 50, caption=text, **picture)

    await evening.pass_by(timedelta(minutes=1))

    shown = [each["text"] for each in evening.double.sent if "deleted" not in each]
    assert "".join(shown) == "A · Ana\n" + "d" * 1_022


async def test_an_album_whose_parts_are_called_in_one_by_one_stays_one(
    evening: TelegramEvening,
) -> None:
    """As a webhook brings them; Telegram repeats a call that it thinks was lost."""
    await relay(evening)
    calls = []
    for caption in ("", "smoke", ""):
        body = {"photo": [{}], "media_group_id": "9", "caption": caption}
        evening.double.say("", chat=GROUP, user=ANA, **body)
        calls += evening.double.waiting[-1:]
    for call in [*calls[:2], *calls[1:]]:
        await evening.receiver.keep([call])
        await evening.room.live(timedelta(milliseconds=100))
    await evening.room.live(timedelta(minutes=1))
    await evening.receiver.keep(calls[2:])
    await evening.room.live(timedelta(minutes=1))

    assert [sent["copied"] for sent in evening.double.sent] == [[1, 2, 3]]
    captions = [sent["text"] for sent in evening.double.pictures.values()]
    assert captions == ["A · Ana\nsmoke", ""], "the words stay under their picture"


async def test_a_long_caption_goes_on_below_the_picture(evening: TelegramEvening) -> None:
    await relay(evening)
    caption = "word " * 204 + "END"
    bold = [{"type": "bold", "offset": 1020, "length": 3}]
    evening.double.say("", chat=GROUP, user=ANA, photo=[{}], caption=caption, caption_entities=bold)

    await evening.pass_by(timedelta(minutes=1))

    shown = "".join(evening.texts())
    assert shown == f"A · Ana\n{caption}"
    assert evening.double.sent[1]["entities"] == [{"type": "bold", "offset": 4, "length": 3}]


async def test_a_long_text_that_is_held_up_in_the_middle_goes_on_there(
    evening: TelegramEvening,
) -> None:
    await relay(evening)
    wait: dict[str, Any] = {"code": 429, "words": "Too Many Requests", "retry_after": 7}
    text = "".join(f"{number:05}" for number in range(2_000))
    evening.double.say(text, chat=GROUP, user=ANA)
    evening.double.failures = [{"code": 502, "words": "Bad Gateway"}, None, wait]

    await evening.pass_by(timedelta(minutes=1))

    assert "".join(evening.texts()) == f"A · Ana\n{text}"


FORUM = {"id": -1, "type": "supergroup", "title": "A"}
TOPIC = {"is_topic_message": True, "message_thread_id": 5}


async def test_a_topic_is_answered_in_the_topic_and_ruled_by_its_group(
    evening: TelegramEvening,
) -> None:
    evening.double.say("/vip high", chat=FORUM, user=ANA, **TOPIC)
    await evening.pass_by()
    evening.double.say("/vip", chat=FORUM, user=ANA, **{**TOPIC, "message_thread_id": 6})
    await evening.pass_by()

    places = [(sent["chat_id"], sent["message_thread_id"]) for sent in evening.double.sent]
    rule = await evening.room.rules.rule_of(HERE)
    assert [(int(chat), int(topic)) for chat, topic in places] == [(-1, 5), (-1, 6)]
    assert rule is not None
    assert rule.priority == 50
    assert "High (50)" in evening.texts()[1]


async def test_a_reply_thread_is_no_topic(evening: TelegramEvening) -> None:
    evening.double.say("/vip", chat=FORUM, user=ANA, message_thread_id=77)
    await evening.pass_by()

    assert "message_thread_id" not in evening.double.sent[0]


async def test_a_raised_group_raises_what_waits_in_its_topics(evening: TelegramEvening) -> None:
    await relay(evening)
    evening.double.say("smoke", chat=FORUM, user=ANA, **TOPIC)
    await evening.poller.run_once()

    await service(evening).save(HERE, RuleDraft(priority=50))

    assert [one.level for one in await evening.room.rules.depths(evening.room.clock.now())] == [50]


async def test_an_admin_sets_the_share_of_the_group(evening: TelegramEvening) -> None:
    for said in ("/share", "/share 4", "/share much", "/share 1000", "/share auto"):
        evening.double.say(said, chat=GROUP, user=ANA)

    heard = [text.partition("\n")[0] for text in await evening.pass_by(timedelta(minutes=1))]

    assert heard == [
        "本聊天的份额: 由优先级决定。",
        "本聊天的份额: 4。",
        "用法: /share <0.1–100>|auto",
        "用法: /share <0.1–100>|auto",
        "本聊天的份额: 由优先级决定。",
    ]


async def test_what_becomes_longer_by_an_edit_goes_on_and_shorter_again_leaves_nothing(
    evening: TelegramEvening,
) -> None:
    there = ChatId("telegram:-9")
    sent = await evening.bot.send(Outgoing(chat_id=there, text="a" * 5_000))

    await evening.bot.send(Outgoing(chat_id=there, text="b" * 4_100, edits=sent))
    assert evening.texts() == ["b" * 4_096, "b" * 4]
    await evening.bot.send(Outgoing(chat_id=there, text="short", edits=sent))

    assert [each["text"] for each in evening.double.sent if "deleted" not in each] == ["short"]
