"""The way of a message: kept, handled in order and in its chat's priority, forwarded, answered."""

from datetime import timedelta

import pytest

from clarion.base.ids import TaskId
from clarion.chats.handling import BotOptions
from clarion.chats.model import Chat, ChatId, ChatKind, PersonId
from clarion.chats.platforms import ConsoleChat, Platforms
from clarion.chats.ports import Gone, MessageRefused, Moved, Outgoing, Paused, RuleDraft
from clarion.store.sql import events
from clarion.store.sql.chats.inbox import SqlInbox
from clarion.store.sql.engine.database import Database
from clarion.tasks.ports import QueueFull
from tests.support.chatroom import ANA, DESK, LEASE, A, B, Chatroom, Crash, Fragile
from tests.support.clock import ManualClock

MINUTE = timedelta(minutes=1)
PLAIN = Chat(id=ChatId("telegram:-4"), kind=ChatKind.GROUP, title="without a rule")


@pytest.fixture
async def room(database: Database, clock: ManualClock) -> Chatroom:
    made = Chatroom(database, clock)
    for chat in (A, B):
        await made.rules.save(chat.id, RuleDraft(targets=[DESK.id]), "ana", clock.now())
    made.platform.admins.add((A.id, ANA))
    return made


async def test_an_update_that_comes_twice_is_handled_once(room: Chatroom) -> None:
    message = room.said("fire")

    assert await room.hear(message, message) == 1
    assert await room.hear(message) == 0
    await room.live()

    assert room.texts(DESK) == ["A · Ana\nfire"]


async def test_a_chat_over_its_limit_is_told_to_come_back_and_loses_nothing(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock)
    bounded = SqlInbox(database, backlog_max=2)
    await bounded.take_in([room.said("one"), room.said("two")], clock.now())
    third = room.said("three")

    with pytest.raises(QueueFull) as refused:
        await bounded.take_in([third], clock.now())
    assert refused.value.retry_after is not None
    await room.live()

    assert await bounded.take_in([third], clock.now()) == 1


async def test_messages_of_one_chat_keep_their_order(room: Chatroom) -> None:
    await room.hear(*(room.said(str(i)) for i in range(20)))
    await room.live()

    assert room.texts(DESK) == [f"A · Ana\n{i}" for i in range(20)]


async def test_what_is_to_be_forwarded_keeps_its_order_when_its_chat_is_promoted(
    room: Chatroom,
) -> None:
    room.platform.errors = [Paused("flood", retry_after=30)]
    await room.hear(room.said("first", B), room.said("one"), room.said("two"))
    await room.live()

    await room.rules.save(A.id, RuleDraft(priority=50), "boss", room.clock.now())
    await room.hear(room.said("three"))
    await room.live(MINUTE)

    heard = [text.split("\n")[1] for text in room.texts(DESK)]
    assert heard == ["one", "two", "three", "first"]


@pytest.mark.timeout(120)  # five hundred messages, one by one, on a real database
async def test_vip_moves_what_waits_and_what_comes(room: Chatroom) -> None:
    """500 wait from other chats; after /vip, chat A's come next and nothing else moves."""
    await room.hear(*(room.said(f"b{i}", B) for i in range(500)))
    room.clock.advance(timedelta(seconds=1))
    await room.hear(*(room.said(f"a{i}") for i in range(3)))
    await room.rules.save(A.id, RuleDraft(priority=50), "boss", room.clock.now())
    room.clock.advance(timedelta(seconds=1))
    await room.hear(room.said("a3"))

    await room.live()

    heard = [text.split("\n")[1] for text in room.texts(DESK)]
    assert heard == ["a0", "a1", "a2", "a3", *(f"b{i}" for i in range(500))]


async def test_the_command_answers_in_the_specifications_words(
    room: Chatroom, database: Database
) -> None:
    await room.hear(room.said("/set_priority vip"))
    await room.live()

    assert room.texts(A) == [
        "✅ 配置已更新\n群组 [A] 优先级已提升至 High (50)。系统缓存已刷新，即刻生效。"
    ]
    changed = [
        each.data
        for each in await database.read(events.after, 0)
        if each.kind == "rule.priority_changed"
    ]
    assert changed == [{"chat": A.id, "before": 10, "after": 50, "by": ANA, "moved": 0}]


async def test_a_promoted_chat_without_a_rule_gets_one(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock, options=BotOptions(operators=frozenset({ANA})))

    await room.hear(room.said("/vip 100"))
    await room.live()

    rule = await room.rules.rule_of(A.id)
    assert rule is not None
    assert (rule.priority, rule.enabled, rule.created_by) == (100, True, ANA)


async def test_whoever_is_no_admin_changes_nothing(room: Chatroom) -> None:
    stranger = PersonId("telegram:666")

    await room.hear(room.said("/vip 100", by=stranger))
    await room.live()

    assert room.texts(A) == ["权限被拒绝"]
    rule = await room.rules.rule_of(A.id)
    assert rule is not None
    assert rule.priority == 10


@pytest.mark.parametrize(
    ("allowed", "answer"), [(False, "权限被拒绝"), (True, "✅ 配置已更新")], ids=["off", "on"]
)
async def test_an_anonymous_admin_may_manage_only_where_that_is_allowed(
    sqlite: Database, clock: ManualClock, allowed: bool, answer: str
) -> None:
    room = Chatroom(sqlite, clock, options=BotOptions(anonymous_admins=allowed))

    await room.hear(room.said("/vip 50", anonymous=True))
    await room.live()

    assert room.texts(A)[0].startswith(answer)


async def test_history_stays_bulk_even_in_a_promoted_chat(room: Chatroom) -> None:
    await room.hear(*(room.said(f"old {i}", history=True) for i in range(3)))
    await room.hear(room.said("new", B))
    await room.rules.save(A.id, RuleDraft(priority=50), "boss", room.clock.now())

    await room.live()

    heard = [text.split("\n")[1] for text in room.texts(DESK)]
    assert heard == ["new", "old 0", "old 1", "old 2"]


async def test_words_that_answer_or_ask_go_to_reminders(room: Chatroom) -> None:
    await room.hear(room.said("吃过了", PLAIN), room.said("明天8点提醒我吃药", PLAIN))
    await room.live()

    assert room.texts(PLAIN) == ["👌", "好的: 明天8点提醒我吃药"]


async def test_a_platform_that_is_not_set_up_buries_no_chat(
    database: Database, clock: ManualClock
) -> None:
    """A start without its token must not cost the chats what comes afterwards."""
    without = Chatroom(database, clock, Platforms({"console": ConsoleChat()}, clock))
    await without.outbox.queue([Outgoing(chat_id=DESK.id, text="one")], clock.now())
    await without.live()
    lost = [one for one in await database.read(events.after, 0) if one.kind.startswith("chat.")]
    assert [one.kind for one in lost] == ["chat.message_lost"]

    again = Chatroom(database, clock)
    await again.outbox.queue([Outgoing(chat_id=DESK.id, text="two")], clock.now())
    await again.live()

    assert again.texts(DESK) == ["two"]


async def test_a_pressed_button_is_acknowledged(room: Chatroom) -> None:
    await room.hear(room.said("", button="c:rem_1:1"))
    await room.live()

    assert room.requests.presses == ["c:rem_1:1"]
    assert [text for _, text in room.platform.acknowledged] == ["✅"]


async def test_what_the_filters_stop_is_not_forwarded(room: Chatroom) -> None:
    filters = {"words": ["fire"], "without": ["drill"]}
    await room.rules.save(A.id, RuleDraft(filters=filters), "boss", room.clock.now())

    await room.hear(room.said("fire drill"), room.said("lunch"), room.said("FIRE"))
    await room.live()

    assert room.texts(DESK) == ["A · Ana\nFIRE"]


async def test_a_rule_that_is_off_forwards_nothing(room: Chatroom) -> None:
    await room.rules.save(A.id, RuleDraft(enabled=False), "boss", room.clock.now())

    await room.hear(room.said("fire"))
    await room.live()

    assert room.texts(DESK) == []


async def test_a_platform_that_asks_for_patience_gets_it_and_the_order_stays(
    room: Chatroom,
) -> None:
    room.platform.errors = [Paused("flood", retry_after=30), Paused("flood", retry_after=5)]
    await room.hear(*(room.said(str(i)) for i in range(3)))

    await room.live(timedelta(seconds=29))
    assert room.texts(DESK) == []
    await room.live(timedelta(seconds=10))

    assert room.texts(DESK) == [f"A · Ana\n{i}" for i in range(3)]


async def test_our_own_flood_limit_spaces_what_goes_to_one_chat(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock, rest=timedelta(seconds=3))
    await room.outbox.queue([Outgoing(chat_id=A.id, text=str(i)) for i in range(5)], clock.now())
    await room.outbox.queue([Outgoing(chat_id=B.id, text="b")], clock.now())

    await room.live(timedelta(seconds=7))
    assert room.texts(A) == ["0", "1", "2"]
    assert room.texts(B) == ["b"]
    await room.live(MINUTE)

    assert room.texts(A) == ["0", "1", "2", "3", "4"]


async def test_a_dead_target_is_told_and_what_it_missed_can_be_replayed(
    room: Chatroom, database: Database
) -> None:
    room.platform.errors = [Gone("bot was kicked")]
    await room.hear(room.said("one"), room.said("two"))
    await room.live(MINUTE)
    await room.hear(room.said("three"))
    await room.live(MINUTE)

    assert room.texts(DESK) == []
    died = [e for e in await database.read(events.after, 0) if e.kind == "chat.died"]
    assert [(e.subject, e.data["reason"]) for e in died] == [(DESK.id, "bot was kicked")]
    rules = await room.rules.rules()
    assert [rule.dead_targets for rule in rules] == [(DESK.id,), (DESK.id,)]
    await room.tasks.replay([TaskId(died[0].data["task"])], room.clock.now())
    await room.live(MINUTE)

    assert room.texts(DESK) == [f"A · Ana\n{word}" for word in ("one", "two", "three")]


async def test_a_dead_target_comes_back_when_the_bot_is_added_again(
    room: Chatroom, database: Database
) -> None:
    room.platform.errors = [Gone("bot was kicked")]
    await room.hear(room.said("one"))
    await room.live(MINUTE)

    await room.outbox.revive(DESK.id, room.clock.now())
    await room.hear(room.said("two"))
    await room.live(MINUTE)

    assert room.texts(DESK) == ["A · Ana\ntwo"]
    assert [rule.dead_targets for rule in await room.rules.rules()] == [(), ()]
    kinds = [e.kind for e in await database.read(events.after, 0)]
    assert "chat.returned" in kinds


async def test_one_message_that_is_refused_does_not_stop_the_next(room: Chatroom) -> None:
    room.platform.errors = [MessageRefused("message is too long")]
    await room.hear(room.said("one"), room.said("two"))

    await room.live(MINUTE)

    assert room.texts(DESK) == ["A · Ana\ntwo"]


async def test_a_group_that_moves_takes_its_rule_and_its_messages_along(room: Chatroom) -> None:
    new = ChatId("telegram:-100")
    room.platform.errors = [Moved(new)]
    await room.outbox.queue(
        [Outgoing(chat_id=A.id, text=text) for text in ("one", "two")], room.clock.now()
    )

    await room.live(MINUTE)
    await room.outbox.queue([Outgoing(chat_id=A.id, text="three")], room.clock.now())
    await room.live(MINUTE)

    assert room.platform.sent == [(new, "one"), (new, "two"), (new, "three")]
    moved = await room.rules.rule_of(new)
    assert moved is not None
    assert moved.targets == (DESK.id,)


async def test_a_message_that_always_fails_does_not_hold_up_its_chat(room: Chatroom) -> None:
    room.platform.errors = [RuntimeError("poison")] * 5
    await room.outbox.queue(
        [Outgoing(chat_id=A.id, text=text) for text in ("poison", "good")], room.clock.now()
    )

    await room.live(timedelta(hours=2))

    assert room.texts(A) == ["good"]


async def test_a_worker_that_dies_while_it_sends_costs_its_own_lease_and_no_more(
    room: Chatroom,
) -> None:
    room.platform.errors = [Crash()]
    await room.outbox.queue([Outgoing(chat_id=A.id, text="pill")], room.clock.now())
    with pytest.raises(Crash):
        await room.live()

    await room.live(LEASE + timedelta(seconds=5))

    assert room.texts(A) == ["pill"]


async def test_what_the_platform_took_is_not_sent_again_because_the_database_was_away(
    database: Database, clock: ManualClock
) -> None:
    follower = FailsOnce()
    room = Chatroom(database, clock, follower=follower)
    await room.outbox.queue([Outgoing(chat_id=A.id, text="pill")], room.clock.now())

    await room.live(timedelta(seconds=10))

    assert room.texts(A) == ["pill"]
    assert follower.told == ["pill", "pill"]


async def test_what_is_withdrawn_before_it_was_sent_never_is(room: Chatroom) -> None:
    await room.outbox.queue(
        [Outgoing(chat_id=A.id, text=text, key=text) for text in ("pill", "tea")], room.clock.now()
    )

    await room.outbox.withdraw("pill")
    await room.live(MINUTE)

    assert room.texts(A) == ["tea"]
    assert await room.outbox.sent_as("pill") is None


async def test_what_is_withdrawn_after_its_sender_died_is_not_sent_after_them(
    room: Chatroom,
) -> None:
    room.platform.errors = [Crash()]
    await room.outbox.queue([Outgoing(chat_id=A.id, text="pill", key="pill")], room.clock.now())
    with pytest.raises(Crash):
        await room.live()

    await room.outbox.withdraw("pill")
    await room.live(timedelta(minutes=10))

    assert room.texts(A) == []


class FailsOnce:
    """Wants to know what was sent; the first time its database is away."""

    def __init__(self) -> None:
        self.told: list[str] = []

    async def sent(self, outgoing: Outgoing) -> None:
        self.told.append(outgoing.text)
        if len(self.told) == 1:
            raise ConnectionResetError("the database was restarted")

    async def lost(self, outgoing: Outgoing, reason: str) -> None: ...


@pytest.mark.parametrize("dies_after", range(1, 25))
async def test_a_crash_after_any_commit_loses_nothing_and_doubles_nothing(
    database: Database, clock: ManualClock, dies_after: int
) -> None:
    """Commands, requests and forwards, each once in effect, wherever the process dies."""
    sound = Chatroom(database, clock)
    await sound.rules.save(A.id, RuleDraft(targets=[DESK.id]), "boss", clock.now())
    sound.platform.admins.add((A.id, ANA))
    words = ["/vip 50", "one", "/remind 吃药", "two"]
    update = [sound.said(each) for each in words]
    fragile = Chatroom(Fragile(database, dies_after), clock, sound.platform, sound.requests)

    try:
        await fragile.hear(*update)
        await fragile.live(MINUTE)
    except Crash:
        await sound.hear(*update)  # the platform repeats what nobody acknowledged
    await sound.live(timedelta(minutes=10))

    assert list(sound.requests.reminders.values()) == ["吃药"]
    assert once(sound.texts(DESK)) == [f"A · Ana\n{each}" for each in words]
    assert len([text for text in once(sound.texts(A)) if "已提升至 High (50)" in text]) == 1
    assert await sound.rules.waiting() == {}


def once(texts: object) -> list[str]:
    """Without what was sent again because nobody can know whether it arrived."""
    assert isinstance(texts, list)
    kept: list[str] = []
    for text in texts:
        if not kept or kept[-1] != text:
            kept.append(text)
    return kept
