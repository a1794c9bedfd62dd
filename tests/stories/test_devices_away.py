"""Devices that are away: look again each minute, try the others, give up after half an hour."""

from datetime import timedelta

from clarion.people.model import DeviceKind
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at


async def with_bedroom(clarion: ClarionByHand, order: int = 1) -> None:
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=order
    )


async def test_after_twenty_minutes_offline_it_rings_late(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    call = await clarion.remind("打电话", at=at(8, 30))

    await clarion.until(8, 50)
    clarion.outside.away.clear()
    await clarion.fast_forward(minutes=5)

    assert clarion.outside.rings == [("08:51", KITCHEN, 1)]
    assert (await clarion.look(call)).status is ReminderStatus.COMPLETED


async def test_a_late_ring_says_so(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, language="zh")
    clarion.outside.away.add(KITCHEN)
    await clarion.remind("打电话", at=at(8, 30))

    await clarion.until(8, 50)
    clarion.outside.away.clear()
    await clarion.fast_forward(minutes=5)

    assert "晚" in clarion.outside.last.text or "迟" in clarion.outside.last.text


async def test_after_forty_minutes_offline_it_has_failed_and_is_told_on(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="daughter", address="ntfy://x")
    clarion.outside.away.add(KITCHEN)
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(9, 10)
    await clarion.come_back()
    await clarion.fast_forward(minutes=5)

    kept = await clarion.look(pill)
    assert (kept.status, kept.reason) == (ReminderStatus.FAILED, "device_offline_too_long")
    assert clarion.outside.rings == []
    assert [name for name, _ in clarion.outside.told] == ["daughter"]


async def test_a_device_that_comes_back_takes_what_waits_at_once(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    await clarion.remind(at=at(8, 30))

    await clarion.until(8, 40)
    await clarion.fast_forward(seconds=20)
    await clarion.come_back()

    assert [(one.at - at(8, 40)) for one in clarion.outside.spoken] == [timedelta(seconds=20)]


async def test_an_open_session_is_told_what_waits_for_it(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    pill = await clarion.remind(at=at(8, 30))

    await clarion.until(8, 40)
    first = await clarion.facts.waiting_for(KITCHEN)
    second = await clarion.facts.waiting_for(KITCHEN)

    assert [ring.reminder_id for ring in first] == [pill.id]
    assert first == second


async def test_words_that_were_cut_off_are_told_in_the_next_session(clarion: ClarionByHand) -> None:
    clarion.outside.mute.add(KITCHEN)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 30)
    (begun,) = await clarion.facts.waiting_for(KITCHEN)
    await clarion.facts.delivered(begun.id)

    cut_off = await clarion.facts.waiting_for(KITCHEN)
    await clarion.facts.heard(begun.id)
    heard = await clarion.facts.waiting_for(KITCHEN)

    assert [(ring.id, ring.heard) for ring in cut_off] == [(begun.id, False)]
    assert [(ring.id, ring.heard) for ring in heard] == [(begun.id, True)]


async def test_an_answer_is_waited_for_only_until_its_deadline(clarion: ClarionByHand) -> None:
    clarion.outside.mute.add(KITCHEN)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 30)
    (begun,) = await clarion.facts.waiting_for(KITCHEN)
    await clarion.facts.heard(begun.id)

    clarion.clock.advance(timedelta(seconds=CONFIRM.timeout))

    assert await clarion.facts.waiting_for(KITCHEN) == []


async def test_a_device_that_comes_back_is_not_told_again_what_it_has_said(
    clarion: ClarionByHand,
) -> None:
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 30)
    await clarion.facts.heard(clarion.outside.last.id)
    told = len(clarion.outside.spoken)

    await clarion.facts.seen(KITCHEN, online=False, through="test")
    await clarion.facts.seen(KITCHEN, online=True, through="test")

    assert len(clarion.outside.spoken) == told


async def test_a_device_that_comes_back_tells_one_thing_after_the_other(
    clarion: ClarionByHand,
) -> None:
    clarion.outside.away.add(KITCHEN)
    await clarion.remind("tea", at=at(8, 30))
    await clarion.remind("plants", at=at(8, 31))

    await clarion.until(8, 40)
    await clarion.fast_forward(seconds=5)
    await clarion.come_back()
    await clarion.fast_forward(seconds=30)

    apart = clarion.outside.spoken[1].at - clarion.outside.spoken[0].at
    assert [one.ring.content for one in clarion.outside.spoken] == ["tea", "plants"]
    assert apart == timedelta(seconds=10)


async def test_rings_that_reach_nobody_use_up_no_attempt(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 45)
    await clarion.come_back()
    await clarion.fast_forward(hours=1)

    assert [attempt for _, _, attempt in clarion.outside.rings] == [1, 2, 3]


async def test_the_other_device_is_tried_first(clarion: ClarionByHand) -> None:
    await with_bedroom(clarion)
    clarion.outside.away.add(KITCHEN)
    call = await clarion.remind(at=at(8, 30))

    await clarion.until(8, 31)

    assert clarion.outside.rings == [("08:30", BEDROOM, 1)]
    assert "ring.moved" in await clarion.story(call)


async def test_a_silent_device_is_given_fifteen_seconds(clarion: ClarionByHand) -> None:
    await with_bedroom(clarion)
    clarion.outside.mute.add(KITCHEN)
    await clarion.remind(at=at(8, 30))

    await clarion.until(8, 31)

    assert [(one.at, one.device) for one in clarion.outside.spoken] == [
        (at(8, 30) + timedelta(seconds=15), BEDROOM)
    ]
    assert clarion.outside.hushed[0].endswith(":1"), "it must not begin when the other one rings"


async def test_the_order_of_devices_is_the_users(clarion: ClarionByHand) -> None:
    await with_bedroom(clarion, order=-1)
    await clarion.remind(at=at(8, 30))

    await clarion.until(8, 31)

    assert clarion.outside.rings == [("08:30", BEDROOM, 1)]


async def test_the_device_that_was_asked_for_comes_first(clarion: ClarionByHand) -> None:
    await with_bedroom(clarion, order=-1)
    await clarion.remind(at=at(8, 30), device_id=KITCHEN)

    await clarion.until(8, 31)

    assert clarion.outside.rings == [("08:30", KITCHEN, 1)]


async def test_without_any_device_it_fails_and_says_why(clarion: ClarionByHand) -> None:
    await clarion.people.remove_device(ADMIN, KITCHEN)
    call = await clarion.remind(at=at(8, 30))

    await clarion.until(9, 10)

    assert (await clarion.look(call)).reason == "no_device"


async def test_an_answer_on_one_device_hushes_the_other(clarion: ClarionByHand) -> None:
    await with_bedroom(clarion)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)
    first = clarion.outside.last
    clarion.outside.away.add(KITCHEN)
    await clarion.until(8, 37)

    await clarion.facts.answered(first.id, "吃过了")

    assert clarion.outside.last.device.id == BEDROOM
    assert clarion.outside.hushed[-1] == clarion.outside.last.id


async def test_a_busy_device_is_not_an_unreachable_one(clarion: ClarionByHand) -> None:
    """The pill waits for its answer; the gas comes when that is over, not a minute later."""
    clarion.outside.mute.add(KITCHEN)
    gas = await clarion.remind("关煤气", at=at(8, 30))
    await clarion.until(8, 30)
    (ring,) = await clarion.facts.waiting_for(KITCHEN)

    await clarion.facts.queued(ring.id)
    await clarion.fast_forward(seconds=40)
    await clarion.facts.delivered(ring.id)
    await clarion.facts.heard(ring.id)

    story = await clarion.story(gas)
    assert "ring.unreachable" not in story
    assert "reminder.waits" not in story
    assert story[-1] == "ring.heard"
