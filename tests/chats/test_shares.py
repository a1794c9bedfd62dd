"""Who floods waits behind itself: between chats, and on the way into one chat."""

from datetime import timedelta

import pytest

from clarion.base.errors import Unprocessable
from clarion.chats.model import Chat, ChatId, ChatKind
from clarion.chats.ports import Paused, RuleDraft
from clarion.chats.service import RuleService
from clarion.store.sql.engine.database import Database
from tests.support.chatroom import DESK, A, B, Chatroom
from tests.support.clock import ManualClock

C = Chat(id=ChatId("telegram:-3"), kind=ChatKind.GROUP, title="C")


async def heard_in_order(room: Chatroom, count: int) -> list[str]:
    """The chats whose messages are handled next, when there is time for one after the other."""
    for _ in range(count):
        await room.handle_one()
    return [request.split()[0] for request in room.requests.reminders.values()]


async def flood(room: Chatroom, chat: Chat, count: int) -> None:
    said = [room.said(f"{chat.title} 提醒 {number}", chat) for number in range(count)]
    await room.hear(*said)


async def test_a_chat_that_spoke_later_does_not_wait_behind_a_flood(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock)
    await flood(room, A, 50)
    clock.advance(timedelta(seconds=2.5))
    await flood(room, B, 1)

    assert await heard_in_order(room, 6) == ["A", "A", "A", "B", "A", "A"]


async def test_a_weight_lets_a_chat_say_more_before_it_waits_behind_itself(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock)
    await room.rules.save(A.id, RuleDraft(weight=3), "boss", clock.now())
    for chat in (A, B):
        await flood(room, chat, 12)

    heard = await heard_in_order(room, 12)

    assert (heard.count("A"), heard.count("B")) == (9, 3)


async def test_a_flood_that_is_over_leaves_no_debt(database: Database, clock: ManualClock) -> None:
    room = Chatroom(database, clock)
    await flood(room, A, 20)
    await heard_in_order(room, 20)
    room.requests.reminders.clear()
    await flood(room, B, 1)
    await flood(room, A, 1)

    assert await heard_in_order(room, 2) == ["B", "A"]


async def test_a_flood_into_a_chat_does_not_hold_up_what_others_pass_on_to_it(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock)
    for chat in (A, B, C):
        await room.rules.save(chat.id, RuleDraft(targets=[DESK.id]), "boss", clock.now())
    await room.hear(*(room.said(f"flood {number}") for number in range(30)))
    await room.hear(room.said("single", B), room.said("one more", B), room.said("third", C))
    room.platform.errors.append(Paused("slowly", retry_after=600))

    await room.live()
    assert room.texts(DESK) == []
    await room.live(timedelta(minutes=10))

    heard = [text.split("\n")[1] for text in room.texts(DESK)]
    assert [text for text in heard if text.startswith("flood")] == [
        f"flood {number}" for number in range(30)
    ]
    assert heard.index("single") <= 2
    assert heard.index("third") <= 3
    assert heard.index("single") < heard.index("one more")


async def test_a_weight_is_a_setting_of_the_rule_and_can_be_taken_back(
    sqlite: Database, clock: ManualClock
) -> None:
    room = Chatroom(sqlite, clock)
    service = RuleService(room.rules, clock)

    rule = await service.save(A.id, RuleDraft(weight=2.5))
    assert rule.weight == 2.5
    assert (await service.save(A.id, RuleDraft(priority=50))).weight == 2.5
    assert (await service.save(A.id, RuleDraft(weight=0))).weight is None
    with pytest.raises(Unprocessable, match="weight"):
        await service.save(A.id, RuleDraft(weight=1000))
