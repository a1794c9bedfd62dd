"""Nobody starves: a flood of better messages holds a waiting one up for its bound, not longer."""

from datetime import timedelta

import pytest

from clarion.chats.model import Chat, ChatId, ChatKind
from clarion.chats.ports import RuleDraft
from clarion.store.sql.engine.database import Database
from tests.support.chatroom import DESK, Chatroom
from tests.support.clock import ManualClock

POINT = timedelta(minutes=2)  # what one point of priority is worth
QUIET = Chat(id=ChatId("telegram:-70"), kind=ChatKind.GROUP, title="quiet")
LOUD = Chat(id=ChatId("telegram:-71"), kind=ChatKind.GROUP, title="loud")


@pytest.mark.parametrize(
    ("quiet", "loud"), [(0, 10), (10, 25)], ids=["bulk below normal", "normal below 25"]
)
async def test_a_message_waits_for_its_bound_in_a_flood_and_not_longer(
    sqlite: Database, clock: ManualClock, quiet: int, loud: int
) -> None:
    """Each minute a better message arrives, and there is time for just one."""
    room = Chatroom(sqlite, clock)
    for chat, priority in ((QUIET, quiet), (LOUD, loud)):
        draft = RuleDraft(priority=priority, targets=[DESK.id])
        await room.rules.save(chat.id, draft, "boss", clock.now())
    begun = clock.now()
    await room.hear(room.said("patient", QUIET))

    waited = None
    for minute in range(60):
        await room.hear(room.said(f"loud {minute}", LOUD))
        await room.handle_one()
        if any("patient" in text for text in await handled(room)):
            waited = clock.now() - begun
            break
        clock.advance(timedelta(minutes=1))

    bound = (loud - quiet) * POINT + timedelta(minutes=1)
    assert waited is not None
    assert waited <= bound


async def handled(room: Chatroom) -> list[str]:
    sent = await room.outbox.sent_as(f"1>{DESK.id}")
    return [] if sent is None else [sent.text]
