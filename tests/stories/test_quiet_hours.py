"""Quiet hours: plain reminders wait for their end and are told as one."""

from datetime import time

from clarion.people.model import DeviceKind, QuietHours
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.house import ADMIN, AS_ANA, House, at

NIGHT = QuietHours(time(22), time(7))


async def test_what_was_held_is_told_as_one_in_the_morning(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await house.remind("tea", at=at(23), actor=ADMIN)
    await house.remind("plants", at=at(1, day=8), actor=ADMIN)

    await house.until(7, 1)
    await house.until(7, 1)

    assert [when for when, _, _ in house.outside.rings] == ["07:00"]
    assert "23:00 tea" in house.outside.last.text
    assert "01:00 plants" in house.outside.last.text
    assert (await house.look(tea)).status is ReminderStatus.COMPLETED
    assert await house.story(tea) == ["reminder.created", "reminder.held", "reminder.completed"]


async def test_a_single_one_that_was_held_simply_rings(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await house.remind("tea", at=at(23), actor=ADMIN)

    await house.until(7, 1)
    await house.until(7, 1)

    assert house.outside.rings == [("07:00", KITCHEN, 1)]
    assert house.outside.last.content == "tea"


async def test_the_pill_and_the_fire_do_not_wait(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await house.remind(at=at(22, 30), confirmation=CONFIRM, actor=ADMIN)
    await house.remind("fire", at=at(23), base=100, actor=ADMIN)

    await house.until(22, 31)
    await house.answer("吃过了")
    await house.until(23, 1)

    assert [when for when, _, _ in house.outside.rings] == ["22:30", "23:00"]


async def test_what_the_user_set_inside_the_quiet_hours_rings(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await house.remind("see the eclipse", at=at(23), actor=AS_ANA)

    await house.until(23, 1)

    assert house.outside.rings == [("23:00", KITCHEN, 1)]


async def test_a_quiet_bedroom_leaves_it_to_the_kitchen(house: House) -> None:
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=-1, quiet=NIGHT
    )
    await house.remind("tea", at=at(23))

    await house.until(23, 1)

    assert house.outside.rings == [("23:00", KITCHEN, 1)]


async def test_when_every_device_is_quiet_it_waits(house: House) -> None:
    await house.people.update_device(ADMIN, KITCHEN, quiet=NIGHT)
    tea = await house.remind("tea", at=at(23))

    await house.until(23, 1)

    kept = await house.look(tea)
    assert house.outside.rings == []
    assert kept.held_until == at(7, day=8)


async def test_ten_minutes_later_means_ten_minutes_also_at_night(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await house.remind("喝水", at=at(21, 55), actor=ADMIN)

    await house.until(21, 55)
    await house.answer("十分钟后再叫我")
    await house.until(22, 6)

    assert [when for when, _, _ in house.outside.rings] == ["21:55", "22:05"]


async def test_a_held_one_that_is_cancelled_is_not_told(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await house.remind("tea", at=at(23), actor=ADMIN)

    await house.until(23, 30)
    await house.reminders.cancel(AS_ANA, tea.id)
    await house.until(9)

    assert house.outside.rings == []


async def test_a_held_one_that_is_snoozed_rings_at_its_new_time(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await house.remind("tea", at=at(23), actor=ADMIN)

    await house.until(23, 30)
    await house.reminders.snooze(AS_ANA, tea.id, until=at(9, day=8))
    await house.until(9, 30)

    assert house.outside.rings == [("09:00", KITCHEN, 1)]
