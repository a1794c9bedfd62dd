"""The commands of the specification, word for word, and what people type beside them."""

import pytest

from clarion.chats import replies
from clarion.chats.commands import (
    CancelReminder,
    Command,
    CommandFacts,
    ListReminders,
    Remind,
    Reply,
    SetPriority,
    decide,
    read_command,
    target_rule,
)
from clarion.chats.levels import read_level, say_level
from clarion.chats.model import (
    Chat,
    ChatId,
    ChatKind,
    ChatPlace,
    ChatRule,
    ChatSender,
    Filters,
    Message,
    PersonId,
    RuleId,
    Waiting,
)
from tests.support.clock import START

GROUP = Chat(id=ChatId("telegram:-1"), kind=ChatKind.GROUP, title="A")
PRIVATE = Chat(id=ChatId("telegram:7"), kind=ChatKind.PRIVATE)
RULE = ChatRule(id=RuleId(12), chat_id=GROUP.id, chat_title="A", priority=10)
ADMIN = CommandFacts(may_manage=True, target=RULE)


def said(text: str, chat: Chat = GROUP, language: str = "zh") -> Message:
    sender = ChatSender(id=PersonId("telegram:7"), name="Ana", language=language)
    return Message(update="1", chat=chat, sender=sender, text=text, sent_at=START)


def outcome(text: str, facts: CommandFacts, chat: Chat = GROUP, language: str = "zh") -> object:
    command = read_command(text, "ClarionBot")
    assert command is not None
    return decide(command, said(text, chat, language), facts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("/vip 50", Command("vip", "50"), id="plain"),
        pytest.param("/VIP 50", Command("vip", "50"), id="capitals"),
        pytest.param("/vip@clarionbot 100", Command("vip", "100"), id="our name"),
        pytest.param("/vip@other_bot 100", None, id="another bot"),
        pytest.param("/vip  12   high ", Command("vip", "12 high"), id="many spaces"),
        pytest.param("/set_priority vip", Command("set_priority", "vip"), id="long form"),
        pytest.param("/p 0", Command("p", "0"), id="short form"),
        pytest.param("/p\n0", Command("p", "0"), id="on the next line"),
        pytest.param("/p\t10", Command("p", "10"), id="after a tabulator"),
        pytest.param("/ p 10", None, id="a slash alone"),
        pytest.param("/pizza 50", None, id="a command we do not have"),
        pytest.param("vip 50", None, id="no slash"),
        pytest.param("see /vip 50", None, id="not at the beginning"),
        pytest.param("/", None, id="only a slash"),
    ],
)
def test_a_command_is_read_only_when_it_is_ours(text: str, expected: Command | None) -> None:
    assert read_command(text, "ClarionBot") == expected


def test_a_prefix_keeps_out_of_the_way_of_other_bots() -> None:
    assert read_command("/vip 50", "ClarionBot", "c_") is None
    assert read_command("/c_vip 50", "ClarionBot", "c_") == Command("vip", "50")


@pytest.mark.parametrize(
    ("word", "priority"),
    [
        ("critical", 100),
        ("100", 100),
        ("HIGH", 50),
        ("vip", 50),
        ("normal", 10),
        ("bulk", 0),
        ("0", 0),
        ("73", 73),
        ("紧急", 100),
        ("101", None),
        ("-1", None),
        ("5.5", None),
        ("soon", None),
        ("", None),
        ("9999999999999999999999", None),
        ("²", None),
    ],
)
def test_a_level_is_a_name_or_a_number_from_0_to_100(word: str, priority: int | None) -> None:
    assert read_level(word) == priority


def test_a_level_between_two_names_is_called_by_the_lower() -> None:
    assert [say_level(n) for n in (0, 9, 10, 73, 100)] == [
        "Bulk (0)",
        "Bulk (9)",
        "Normal (10)",
        "High (73)",
        "Critical (100)",
    ]


@pytest.mark.parametrize("name", ["set_priority", "vip", "p"])
def test_in_a_group_an_admin_sets_the_priority_of_this_chat(name: str) -> None:
    assert outcome(f"/{name} vip", ADMIN) == SetPriority(GROUP.id, 50)


def test_a_chat_without_a_rule_can_be_promoted_too() -> None:
    assert outcome("/vip high", CommandFacts(may_manage=True)) == SetPriority(GROUP.id, 50)


def test_whoever_is_no_admin_is_refused_before_anything_else() -> None:
    assert outcome("/vip nonsense", CommandFacts()) == Reply("权限被拒绝")
    assert outcome("/vip 12 50", CommandFacts(target=RULE), PRIVATE) == Reply("权限被拒绝")


def test_in_private_the_rule_is_named() -> None:
    assert outcome("/vip 12 100", ADMIN, PRIVATE) == SetPriority(GROUP.id, 100)
    assert outcome("/vip #12 vip", ADMIN, PRIVATE) == SetPriority(GROUP.id, 50)


@pytest.mark.parametrize("text", ["/vip", "/vip 100", "/vip vip", "/vip a b", "/vip 1 2 3"])
def test_in_private_without_a_target_the_usage_is_told(text: str) -> None:
    assert outcome(text, ADMIN, PRIVATE) == Reply("❌ 私聊用法: /vip <rule_id> <priority>")


def test_a_rule_that_is_not_there_is_said() -> None:
    answer = outcome("/vip 99 50", CommandFacts(may_manage=True), PRIVATE)

    assert answer == Reply("❌ 没有规则 #99。用 /list_rules 查看规则。")


def test_a_bad_level_names_the_good_ones() -> None:
    answer = outcome("/vip soon", ADMIN)

    assert answer == Reply(
        "❌ 无效的优先级: soon\n可用: critical/100, high/vip/50, normal/10, bulk/0, 0–100"
    )


def test_a_bare_command_in_a_group_tells_what_is_set() -> None:
    answer = outcome("/vip", ADMIN)

    assert isinstance(answer, Reply)
    assert answer.text.startswith("当前优先级: Normal (10)")


def test_the_target_is_looked_up_only_in_private() -> None:
    assert target_rule(Command("vip", "12 100"), said("", PRIVATE)) == 12
    assert target_rule(Command("vip", "12 100"), said("", GROUP)) is None
    assert target_rule(Command("list_rules", "12"), said("", PRIVATE)) is None


def test_the_success_message_is_the_specifications() -> None:
    assert replies.updated("A", 10, 50, "zh").text == (
        "✅ 配置已更新\n群组 [A] 优先级已提升至 High (50)。系统缓存已刷新，即刻生效。"
    )
    assert "已降低至 Bulk (0)" in replies.updated("A", 10, 0, "zh").text
    assert "保持为 Normal (10)" in replies.updated("A", 10, 10, "zh").text


def test_rules_are_listed_with_number_name_level_and_what_waits() -> None:
    facts = CommandFacts(may_manage=True, rules=(RULE,), waiting={GROUP.id: 500})

    assert outcome("/list_rules", facts) == Reply("规则:\n#12 A · Normal (10) · 等待 500")


def test_the_queue_is_told_by_level() -> None:
    facts = CommandFacts(depths=(Waiting(50, 2, 3725), Waiting(10, 500, 0)))

    assert outcome("/queue", facts) == Reply(
        "等待中:\nHigh (50): 2 条，最早的等了 1小时2分5秒\nNormal (10): 500 条，最早的等了 0秒"
    )


def test_reminders_are_handed_on() -> None:
    assert outcome("/remind 明天8点吃药", CommandFacts()) == Remind("明天8点吃药")
    assert outcome("/reminders", CommandFacts()) == ListReminders()
    assert outcome("/cancel 2", CommandFacts()) == CancelReminder("2")
    assert outcome("/remind", CommandFacts()) == Reply(replies.remind_usage("zh"))


@pytest.mark.parametrize("text", ["/vip", "/vip x", "/list_rules", "/queue", "/help", "/remind"])
def test_whoever_speaks_english_is_answered_in_english(text: str) -> None:
    answer = outcome(text, ADMIN, GROUP, "en")

    assert isinstance(answer, Reply)
    assert answer.text.isascii() or "–" in answer.text or "❌" in answer.text


def test_filters_choose_what_is_forwarded() -> None:
    ana, boris = PersonId("telegram:1"), PersonId("telegram:2")
    filters = Filters(words=("Fire", "火"), without=("drill",), senders=(ana,))

    assert filters.let_through("FIRE on the roof", ana)
    assert not filters.let_through("fire drill at ten", ana)
    assert not filters.let_through("all quiet", ana)
    assert not filters.let_through("着火了", boris)
    assert Filters().let_through("anything", boris)
    assert filters.stopped_by("fire drill at ten", ana) == "without"
    assert filters.stopped_by("着火了", boris) == "senders"
    assert Filters(kinds=("photo",)).stopped_by("fire", ana) == "kinds"


@pytest.mark.parametrize(
    ("place", "language", "expected"),
    [
        pytest.param(
            ChatPlace(priority=10),
            "zh",
            f"本聊天的优先级: {say_level(10)}。没有消息在等。",
            id="nothing",
        ),
        pytest.param(
            ChatPlace(priority=50, waiting=3, oldest_seconds=65, ahead=40, seconds=2.4),
            "en",
            f"This chat's priority: {say_level(50)}. 3 waiting, the oldest for 1 min 5 s."
            " 40 tasks are before it: about 2 s more.",
            id="some",
        ),
        pytest.param(
            ChatPlace(priority=10, waiting=1, oldest_seconds=5, paused=True),
            "zh",
            f"本聊天的优先级: {say_level(10)}。有 1 条消息在等，最早的等了 5秒。消息队列暂停了。",
            id="paused",
        ),
    ],
)
def test_why_says_where_a_chat_stands(place: ChatPlace, language: str, expected: str) -> None:
    assert outcome("/why", CommandFacts(place=place), language=language) == Reply(expected)
