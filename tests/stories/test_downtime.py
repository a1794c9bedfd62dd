"""Clarion was off: what is overdue rings late, in order, and what is too old is only told."""

from datetime import timedelta

from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, CONFIRM
from tests.support.house import ADMIN, House, at


async def test_what_fell_due_meanwhile_rings_at_once_and_says_that_it_is_late(
    house: House,
) -> None:
    await house.people.update_user(ADMIN, ANA, language="zh")
    await house.remind("吃饭", at=at(8, 30))

    house.clock.move_to(at(10, 0))
    await house.fast_forward(minutes=1)

    assert [when for when, _, _ in house.outside.rings] == ["10:00"]
    assert "晚" in house.outside.last.text or "迟" in house.outside.last.text


async def test_overdue_ones_ring_by_priority_and_not_all_at_once(house: House) -> None:
    await house.remind("tea", at=at(8, 30))
    await house.remind("plants", at=at(8, 31))
    await house.remind("call Boris", at=at(8, 40), base=50)

    house.clock.move_to(at(10, 0))
    await house.fast_forward(minutes=2)

    assert [(one.at - at(10), one.ring.content) for one in house.outside.spoken] == [
        (timedelta(0), "call Boris"),
        (timedelta(seconds=10), "tea"),
        (timedelta(seconds=20), "plants"),
    ]


async def test_what_is_older_than_four_hours_becomes_one_notice(house: House) -> None:
    tea = await house.remind("tea", at=at(8, 30))
    await house.remind("plants", at=at(9, 0))

    house.clock.move_to(at(20, 0))
    await house.fast_forward(minutes=5)

    kept = await house.look(tea)
    assert (kept.status, kept.reason) == (ReminderStatus.FAILED, "missed")
    assert [when for when, _, _ in house.outside.rings] == ["20:01"]
    assert "08:30 tea; 09:00 plants" in house.outside.last.text


async def test_a_missed_pill_is_told_on(house: House) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="daughter", address="ntfy://x")
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.remind("tea", at=at(8, 30))

    house.clock.move_to(at(20, 0))
    await house.fast_forward(minutes=5)

    assert [name for name, _ in house.outside.told] == ["daughter"]


async def test_a_deadline_that_passed_meanwhile_is_kept_at_the_start(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    house.clock.move_to(at(9, 0))
    await house.driver.settle()

    kept = await house.look(pill)
    assert (kept.status, kept.attempt) == (ReminderStatus.PENDING, 1)
    assert kept.trigger_at == at(9, 1)
