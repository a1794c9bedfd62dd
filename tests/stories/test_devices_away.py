"""Devices that are away: look again each minute, try the others, give up after half an hour."""

from datetime import timedelta

from clarion.people.model import DeviceKind
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.house import ADMIN, House, at


async def with_bedroom(house: House, order: int = 1) -> None:
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=order
    )


async def test_after_twenty_minutes_offline_it_rings_late(house: House) -> None:
    house.outside.away.add(KITCHEN)
    call = await house.remind("打电话", at=at(8, 30))

    await house.until(8, 50)
    house.outside.away.clear()
    await house.fast_forward(minutes=5)

    assert house.outside.rings == [("08:51", KITCHEN, 1)]
    assert (await house.look(call)).status is ReminderStatus.COMPLETED


async def test_a_late_ring_says_so(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, language="zh")
    house.outside.away.add(KITCHEN)
    await house.remind("打电话", at=at(8, 30))

    await house.until(8, 50)
    house.outside.away.clear()
    await house.fast_forward(minutes=5)

    assert "晚" in house.outside.last.text or "迟" in house.outside.last.text


async def test_after_forty_minutes_offline_it_has_failed_and_is_told_on(house: House) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="daughter", address="ntfy://x")
    house.outside.away.add(KITCHEN)
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(9, 10)
    await house.come_back()
    await house.fast_forward(minutes=5)

    kept = await house.look(pill)
    assert (kept.status, kept.reason) == (ReminderStatus.FAILED, "device_offline_too_long")
    assert house.outside.rings == []
    assert [name for name, _ in house.outside.told] == ["daughter"]


async def test_a_device_that_comes_back_takes_what_waits_at_once(house: House) -> None:
    house.outside.away.add(KITCHEN)
    await house.remind(at=at(8, 30))

    await house.until(8, 40)
    await house.fast_forward(seconds=20)
    await house.come_back()

    assert [(one.at - at(8, 40)) for one in house.outside.spoken] == [timedelta(seconds=20)]


async def test_an_open_session_is_told_what_waits_for_it(house: House) -> None:
    house.outside.away.add(KITCHEN)
    pill = await house.remind(at=at(8, 30))

    await house.until(8, 40)
    first = await house.facts.waiting_for(KITCHEN)
    second = await house.facts.waiting_for(KITCHEN)

    assert [ring.reminder_id for ring in first] == [pill.id]
    assert first == second


async def test_words_that_were_cut_off_are_told_in_the_next_session(house: House) -> None:
    house.outside.mute.add(KITCHEN)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(8, 30)
    (begun,) = await house.facts.waiting_for(KITCHEN)
    await house.facts.delivered(begun.id)

    cut_off = await house.facts.waiting_for(KITCHEN)
    await house.facts.heard(begun.id)
    heard = await house.facts.waiting_for(KITCHEN)

    assert [(ring.id, ring.heard) for ring in cut_off] == [(begun.id, False)]
    assert [(ring.id, ring.heard) for ring in heard] == [(begun.id, True)]


async def test_an_answer_is_waited_for_only_until_its_deadline(house: House) -> None:
    house.outside.mute.add(KITCHEN)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(8, 30)
    (begun,) = await house.facts.waiting_for(KITCHEN)
    await house.facts.heard(begun.id)

    house.clock.advance(timedelta(seconds=CONFIRM.timeout))

    assert await house.facts.waiting_for(KITCHEN) == []


async def test_a_device_that_comes_back_is_not_told_again_what_it_has_said(house: House) -> None:
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(8, 30)
    await house.facts.heard(house.outside.last.id)
    told = len(house.outside.spoken)

    await house.facts.seen(KITCHEN, online=False, through="test")
    await house.facts.seen(KITCHEN, online=True, through="test")

    assert len(house.outside.spoken) == told


async def test_a_device_that_comes_back_tells_one_thing_after_the_other(house: House) -> None:
    house.outside.away.add(KITCHEN)
    await house.remind("tea", at=at(8, 30))
    await house.remind("plants", at=at(8, 31))

    await house.until(8, 40)
    await house.fast_forward(seconds=5)
    await house.come_back()
    await house.fast_forward(seconds=30)

    apart = house.outside.spoken[1].at - house.outside.spoken[0].at
    assert [one.ring.content for one in house.outside.spoken] == ["tea", "plants"]
    assert apart == timedelta(seconds=10)


async def test_rings_that_reach_nobody_use_up_no_attempt(house: House) -> None:
    house.outside.away.add(KITCHEN)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 45)
    await house.come_back()
    await house.fast_forward(hours=1)

    assert [attempt for _, _, attempt in house.outside.rings] == [1, 2, 3]


async def test_the_other_device_is_tried_first(house: House) -> None:
    await with_bedroom(house)
    house.outside.away.add(KITCHEN)
    call = await house.remind(at=at(8, 30))

    await house.until(8, 31)

    assert house.outside.rings == [("08:30", BEDROOM, 1)]
    assert "ring.moved" in await house.story(call)


async def test_a_silent_device_is_given_fifteen_seconds(house: House) -> None:
    await with_bedroom(house)
    house.outside.mute.add(KITCHEN)
    await house.remind(at=at(8, 30))

    await house.until(8, 31)

    assert [(one.at, one.device) for one in house.outside.spoken] == [
        (at(8, 30) + timedelta(seconds=15), BEDROOM)
    ]
    assert house.outside.hushed[0].endswith(":1"), "it must not begin when the other one rings"


async def test_the_order_of_devices_is_the_users(house: House) -> None:
    await with_bedroom(house, order=-1)
    await house.remind(at=at(8, 30))

    await house.until(8, 31)

    assert house.outside.rings == [("08:30", BEDROOM, 1)]


async def test_the_device_that_was_asked_for_comes_first(house: House) -> None:
    await with_bedroom(house, order=-1)
    await house.remind(at=at(8, 30), device_id=KITCHEN)

    await house.until(8, 31)

    assert house.outside.rings == [("08:30", KITCHEN, 1)]


async def test_without_any_device_it_fails_and_says_why(house: House) -> None:
    await house.people.remove_device(ADMIN, KITCHEN)
    call = await house.remind(at=at(8, 30))

    await house.until(9, 10)

    assert (await house.look(call)).reason == "no_device"


async def test_an_answer_on_one_device_hushes_the_other(house: House) -> None:
    await with_bedroom(house)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(8, 31)
    first = house.outside.last
    house.outside.away.add(KITCHEN)
    await house.until(8, 37)

    await house.facts.answered(first.id, "吃过了")

    assert house.outside.last.device.id == BEDROOM
    assert house.outside.hushed[-1] == house.outside.last.id


async def test_a_busy_device_is_not_an_unreachable_one(house: House) -> None:
    """The pill waits for its answer; the gas comes when that is over, not a minute later."""
    house.outside.mute.add(KITCHEN)
    gas = await house.remind("关煤气", at=at(8, 30))
    await house.until(8, 30)
    (ring,) = await house.facts.waiting_for(KITCHEN)

    await house.facts.queued(ring.id)
    await house.fast_forward(seconds=40)
    await house.facts.delivered(ring.id)
    await house.facts.heard(ring.id)

    story = await house.story(gas)
    assert "ring.unreachable" not in story
    assert "reminder.waits" not in story
    assert story[-1] == "ring.heard"
