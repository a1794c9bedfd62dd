"""One chat is flooded: it keeps its order, holds up nobody, and leaves nothing behind."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from clarion.base.clock import SystemClock
from clarion.chats.commands import overtakes
from clarion.chats.model import ChatId
from clarion.chats.ports import Outgoing, RuleDraft
from clarion.store.sql.engine.database import Database
from clarion.tasks.records import TaskStatus
from tests.support.chatroom import ANA, DESK, A, B, Chatroom
from tests.support.clock import ManualClock

FLOOD = 120
OVER = {TaskStatus.DONE, TaskStatus.CANCELLED}


async def test_a_command_about_the_queue_overtakes_the_flood_in_its_chat(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock, is_control=partial(overtakes))
    await room.rules.save(A.id, RuleDraft(priority=100, targets=[DESK.id]), "boss", clock.now())
    room.platform.admins.add((A.id, ANA))
    await room.hear(*(room.said(f"flood {number}") for number in range(2_000)))
    clock.advance(timedelta(seconds=1))
    await room.hear(room.said("/vip 10"))

    await room.handle_one()

    rule = await room.rules.rule_of(A.id)
    assert rule is not None
    assert rule.priority == 10
    assert (await room.rules.waiting())[A.id] == 2_000


async def test_why_tells_a_flooded_chat_where_it_stands(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock, is_control=partial(overtakes))
    await room.hear(*(room.said(f"flood {number}") for number in range(40)))
    clock.advance(timedelta(seconds=90))
    await room.hear(room.said("/why"))

    await room.handle_one()
    place = await room.rules.place(A.id, clock.now())

    assert (place.priority, place.waiting, place.oldest_seconds) == (10, 40, 90)
    assert place.ahead <= 1  # at most the answer to /why itself


class Told:
    """Hears what was sent, and tells when it was enough."""

    def __init__(self, wanted: int) -> None:
        self.left = wanted
        self.all = asyncio.Event()

    async def sent(self, outgoing: Outgoing) -> None:
        self.left -= 1
        if not self.left:
            self.all.set()

    async def lost(self, outgoing: Outgoing, reason: str) -> None:
        raise AssertionError(reason)


@pytest.mark.timeout(120)  # real workers on a real database
async def test_with_all_slots_at_work_the_order_is_kept_and_no_task_is_left(
    database: Database,
) -> None:
    told = Told(FLOOD + 1)
    room = Chatroom(database, SystemClock(), follower=told)  # type: ignore[arg-type]
    for chat in (A, B):
        draft = RuleDraft(targets=[DESK.id])
        await room.rules.save(chat.id, draft, "boss", room.clock.now())
    await room.hear(*(room.said(f"flood {number}") for number in range(FLOOD)))
    await room.hear(room.said("single", B))

    running = asyncio.create_task(room.workers.run())
    await told.all.wait()
    while not await statuses(room) <= OVER:  # the last one is told before its task ends
        continue
    running.cancel()
    await asyncio.wait([running])

    heard = [text.split("\n")[1] for text in room.texts(DESK)]
    flood = [text for text in heard if text != "single"]
    assert flood == [f"flood {number}" for number in range(FLOOD)]
    assert heard.index("single") < FLOOD // 2
    assert await room.rules.waiting() == {}


async def statuses(room: Chatroom) -> set[TaskStatus]:
    return {each.status for each in await room.tasks.counts()}


async def test_a_chat_that_lost_its_task_gets_another(
    database: Database, clock: ManualClock
) -> None:
    room = Chatroom(database, clock)
    await room.outbox.queue([Outgoing(chat_id=ChatId("telegram:-1"), text="pill")], clock.now())
    await room.tasks.cancel_keys(["out:telegram:-1"], clock.now())
    await room.live(timedelta(minutes=5))
    assert room.texts(A) == []

    assert await room.transcript.wake(clock.now()) == 1
    await room.live()

    assert room.texts(A) == ["pill"]
