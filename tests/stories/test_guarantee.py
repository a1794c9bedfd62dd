"""Nobody is told "set" for nothing: who will hear it is said, watched, and true."""

from datetime import timedelta

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.people.access import Actor
from clarion.people.errors import NoSuchDevice
from clarion.people.model import DeviceKind
from clarion.reminders.guarantee import Guarantee, ReachWatch
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.store.sql.eventlog import SqlEventLog
from clarion.store.sql.people.store import SqlPeople
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.house import ADMIN, AS_ANA, House, at


async def heard_by(house: House, reminder: Reminder) -> Guarantee:
    found = await house.reminders.guarantees([await house.look(reminder)])
    return found[reminder.id]


async def watch(house: House) -> ReachWatch:
    """The pass, told of every event from now on as the feed would tell it."""
    store = SqlPeople(house.database)
    made = ReachWatch(house.store, store, house.clock, house.patience)
    house.driver.add(made)
    return made


async def tell(house: House, watched: ReachWatch, after: int) -> int:
    events = await SqlEventLog(house.database).after(after)
    for event in events:
        watched.happened(event)
    return events[-1].sequence if events else after


async def test_setting_a_reminder_nobody_can_hear_says_so_and_what_to_do(house: House) -> None:
    await house.people.remove_device(ADMIN, KITCHEN)

    made = await house.reminders.create_natural(
        AS_ANA, user_id=ANA, text="remind me to take the pills at 9pm"
    )

    assert made.guarantee is not None
    assert made.guarantee.level == "nobody"
    assert "there is no device yet" in made.warning
    assert "Let this browser ring" in made.warning


async def test_a_ring_that_was_heard_makes_the_next_one_sure(house: House) -> None:
    await house.come_back()
    pill = await house.remind(at=at(10))
    assert (await heard_by(house, pill)).level == "likely"

    await house.remind("tea", at=at(8, 30))
    await house.until(8, 31)

    found = await heard_by(house, pill)
    assert found.level == "sure"
    assert found.sentence == "Will ring on kitchen (online, worked today)."


async def test_a_device_that_goes_away_hours_before_is_told_once(house: House) -> None:
    await house.come_back()
    pill = await house.remind(at=at(20), confirmation=CONFIRM)
    watched = await watch(house)
    await house.until(9)
    seen = await tell(house, watched, 0)

    await house.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(house, watched, seen)
    await house.fast_forward(hours=2)
    await house.facts.seen(KITCHEN, online=True, through="test")
    seen = await tell(house, watched, seen)
    await house.fast_forward(minutes=5)

    happened = await house.reminders.history(ADMIN, pill.id)
    told = [(event.kind, event.at) for event in happened if "guarantee" in event.kind]
    assert told == [
        ("reminder.guarantee_lost", at(9, 2)),
        ("reminder.guarantee_restored", at(11)),
    ]
    assert "Nobody can hear this now: kitchen" in happened[1].data["says"]


async def test_a_page_that_is_loaded_anew_alarms_nobody(house: House) -> None:
    await house.come_back()
    pill = await house.remind(at=at(20))
    watched = await watch(house)
    seen = await tell(house, watched, 0)

    await house.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(house, watched, seen)
    await house.fast_forward(seconds=20)
    await house.facts.seen(KITCHEN, online=True, through="test")
    await tell(house, watched, seen)
    await house.fast_forward(minutes=10)

    assert await house.story(pill) == ["reminder.created"]


async def test_what_comes_within_a_day_is_looked_at_though_nothing_changes(house: House) -> None:
    later = await house.remind(at=at(12, day=9))
    await watch(house)

    await house.until(8)  # the eighth: more than a day ahead
    before = await house.story(later)
    await house.fast_forward(hours=5)

    assert before == ["reminder.created"]
    assert await house.story(later) == ["reminder.created", "reminder.guarantee_lost"]


async def test_a_reminder_that_waits_says_so_once_and_is_reached_once(house: House) -> None:
    house.outside.away.add(KITCHEN)
    call = await house.remind(at=at(8, 30))

    await house.until(8, 45)
    waiting = await house.look(call)
    sentence = (await heard_by(house, call)).sentence
    house.outside.away.clear()
    await house.fast_forward(minutes=5)

    assert waiting.unreached_since == at(8, 30)
    assert sentence.startswith("Since 08:30, nobody reachable")
    assert await house.story(call) == [
        "reminder.created",
        "reminder.triggered",
        "ring.unreachable",
        "reminder.waits",
        "reminder.triggered",
        "reminder.reached",
        "ring.delivered",
        "ring.heard",
        "reminder.completed",
    ]


async def test_the_reached_ring_tells_how_late_it_was(house: House) -> None:
    house.outside.away.add(KITCHEN)
    call = await house.remind(at=at(8, 30))
    await house.until(8, 45)
    await house.come_back()

    history = await house.reminders.history(ADMIN, call.id)
    late = [event.data["late"] for event in history if event.kind == "reminder.triggered"]
    assert late == [0.0, timedelta(minutes=15).total_seconds()]
    assert DeviceId(history[-1].data["device"]) == KITCHEN


async def test_a_test_ring_that_is_answered_proves_the_device(house: House) -> None:
    await house.come_back()
    pill = await house.remind(at=at(20))

    test = await house.reminders.test_device(AS_ANA, KITCHEN)
    await house.fast_forward(seconds=1)
    await house.answer("done")

    assert (await house.look(test)).status is ReminderStatus.CONFIRMED
    assert house.outside.last.text == "This is a test. Please answer: done."
    assert (await heard_by(house, pill)).level == "sure"


async def test_a_test_ring_that_reaches_nobody_says_so_and_troubles_no_contact(
    house: House,
) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="chat:1")
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=1
    )
    house.outside.away.add(KITCHEN)

    test = await house.reminders.test_device(AS_ANA, KITCHEN)
    await house.fast_forward(minutes=40)

    assert (await house.look(test)).status is ReminderStatus.FAILED
    assert house.outside.spoken == [], "the bedroom is not what was tested"
    assert house.outside.told == []


async def test_nobody_tests_the_device_of_somebody_else(house: House) -> None:
    with pytest.raises(NoSuchDevice):
        await house.reminders.test_device(Actor(UserId("bo")), KITCHEN)
