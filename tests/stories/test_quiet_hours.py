"""Quiet hours: plain reminders wait for their end and are told as one."""

from datetime import time

from clarion.people.model import DeviceKind, QuietHours
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

NIGHT = QuietHours(time(22), time(7))


async def test_what_was_held_is_told_as_one_in_the_morning(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await clarion.remind("tea", at=at(23), actor=ADMIN)
    await clarion.remind("plants", at=at(1, day=8), actor=ADMIN)

    await clarion.until(7, 1)
    await clarion.until(7, 1)

    assert [when for when, _, _ in clarion.outside.rings] == ["07:00"]
    assert "23:00 tea" in clarion.outside.last.text
    assert "01:00 plants" in clarion.outside.last.text
    assert (await clarion.look(tea)).status is ReminderStatus.COMPLETED
    assert await clarion.story(tea) == ["reminder.created", "reminder.held", "reminder.completed"]


async def test_a_single_one_that_was_held_simply_rings(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await clarion.remind("tea", at=at(23), actor=ADMIN)

    await clarion.until(7, 1)
    await clarion.until(7, 1)

    assert clarion.outside.rings == [("07:00", KITCHEN, 1)]
    assert clarion.outside.last.content == "tea"


async def test_the_pill_and_the_fire_do_not_wait(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await clarion.remind(at=at(22, 30), confirmation=CONFIRM, actor=ADMIN)
    await clarion.remind("fire", at=at(23), base=100, actor=ADMIN)

    await clarion.until(22, 31)
    await clarion.answer("吃过了")
    await clarion.until(23, 1)

    assert [when for when, _, _ in clarion.outside.rings] == ["22:30", "23:00"]


async def test_what_the_user_set_inside_the_quiet_hours_rings(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await clarion.remind("see the eclipse", at=at(23), actor=AS_ANA)

    await clarion.until(23, 1)

    assert clarion.outside.rings == [("23:00", KITCHEN, 1)]


async def test_a_quiet_bedroom_leaves_it_to_the_kitchen(clarion: ClarionByHand) -> None:
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=-1, quiet=NIGHT
    )
    await clarion.remind("tea", at=at(23))

    await clarion.until(23, 1)

    assert clarion.outside.rings == [("23:00", KITCHEN, 1)]


async def test_when_every_device_is_quiet_it_waits(clarion: ClarionByHand) -> None:
    await clarion.people.update_device(ADMIN, KITCHEN, quiet=NIGHT)
    tea = await clarion.remind("tea", at=at(23))

    await clarion.until(23, 1)

    kept = await clarion.look(tea)
    assert clarion.outside.rings == []
    assert kept.held_until == at(7, day=8)


async def test_ten_minutes_later_means_ten_minutes_also_at_night(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    await clarion.remind("喝水", at=at(21, 55), actor=ADMIN)

    await clarion.until(21, 55)
    await clarion.answer("十分钟后再叫我")
    await clarion.until(22, 6)

    assert [when for when, _, _ in clarion.outside.rings] == ["21:55", "22:05"]


async def test_a_held_one_that_is_cancelled_is_not_told(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await clarion.remind("tea", at=at(23), actor=ADMIN)

    await clarion.until(23, 30)
    await clarion.reminders.cancel(AS_ANA, tea.id)
    await clarion.until(9)

    assert clarion.outside.rings == []


async def test_a_held_one_that_is_snoozed_rings_at_its_new_time(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, quiet=NIGHT)
    tea = await clarion.remind("tea", at=at(23), actor=ADMIN)

    await clarion.until(23, 30)
    await clarion.reminders.snooze(AS_ANA, tea.id, until=at(9, day=8))
    await clarion.until(9, 30)

    assert clarion.outside.rings == [("09:00", KITCHEN, 1)]
