"""Clarion was off: what is overdue rings late, in order, and what is too old is only told."""

from datetime import timedelta

from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at


async def test_what_fell_due_meanwhile_rings_at_once_and_says_that_it_is_late(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.update_user(ADMIN, ANA, language="zh")
    await clarion.remind("吃饭", at=at(8, 30))

    clarion.clock.move_to(at(10, 0))
    await clarion.fast_forward(minutes=1)

    assert [when for when, _, _ in clarion.outside.rings] == ["10:00"]
    assert "晚" in clarion.outside.last.text or "迟" in clarion.outside.last.text


async def test_overdue_ones_ring_by_priority_and_not_all_at_once(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    await clarion.remind("plants", at=at(8, 31))
    await clarion.remind("call Boris", at=at(8, 40), base=50)

    clarion.clock.move_to(at(10, 0))
    await clarion.fast_forward(minutes=2)

    assert [(one.at - at(10), one.ring.content) for one in clarion.outside.spoken] == [
        (timedelta(0), "call Boris"),
        (timedelta(seconds=10), "tea"),
        (timedelta(seconds=20), "plants"),
    ]


async def test_what_is_older_than_four_hours_becomes_one_notice(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    await clarion.remind("plants", at=at(9, 0))

    clarion.clock.move_to(at(20, 0))
    await clarion.fast_forward(minutes=5)

    kept = await clarion.look(tea)
    assert (kept.status, kept.reason) == (ReminderStatus.FAILED, "missed")
    assert [when for when, _, _ in clarion.outside.rings] == ["20:01"]
    assert "08:30 tea; 09:00 plants" in clarion.outside.last.text


async def test_a_missed_pill_is_told_on(clarion: ClarionByHand) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="daughter", address="ntfy://x")
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.remind("tea", at=at(8, 30))

    clarion.clock.move_to(at(20, 0))
    await clarion.fast_forward(minutes=5)

    assert [name for name, _ in clarion.outside.told] == ["daughter"]


async def test_a_deadline_that_passed_meanwhile_is_kept_at_the_start(
    clarion: ClarionByHand,
) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    clarion.clock.move_to(at(9, 0))
    await clarion.driver.settle()

    kept = await clarion.look(pill)
    assert (kept.status, kept.attempt) == (ReminderStatus.PENDING, 1)
    assert kept.trigger_at == at(9, 1)
