"""Nobody is told "set" for nothing: who will hear it is said, watched, and true."""

from datetime import timedelta

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.people.errors import BadAddress, NoSuchContact, NoSuchDevice, NoSuchUser
from clarion.people.model import Actor, Contact, DeviceKind
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.keeper import ReachWatch
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.store.sql.events import SqlEventLog
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

    made = await house.reminders.natural.create(
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


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_contact_hears_of_a_device_that_goes_away_if_the_person_wants_that(
    house: House, wanted: bool
) -> None:
    await house.people.update_user(ADMIN, ANA, context={"warn_contacts": wanted})
    await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="chat:Sue")
    await house.people.add_contact(ADMIN, user_id=ANA, name="Tom", address="chat:Tom", order=2)
    await house.come_back()
    await house.remind(at=at(14))
    await house.remind("tea", at=at(15))
    watched = await watch(house)
    seen = await tell(house, watched, 0)

    await house.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(house, watched, seen)
    await house.fast_forward(minutes=5)
    await house.facts.seen(KITCHEN, online=True, through="test")
    await tell(house, watched, seen)
    await house.fast_forward(minutes=5)

    told = [(name, text.split(":")[0]) for name, text in house.outside.told]
    lines = [("Sue", "No device can remind Ana just now"), ("Sue", "Ana's device is back")]
    assert told == (lines if wanted else [])


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

    test = await house.reminders.proofs.device(AS_ANA, KITCHEN)
    await house.fast_forward(seconds=1)
    await house.answer("done")

    assert (await house.look(test)).status is ReminderStatus.CONFIRMED
    assert house.outside.last.text == "This is a test. Please answer: done."
    assert (await heard_by(house, pill)).level == "sure"


@pytest.mark.parametrize(
    ("kind", "address"),
    [
        (DeviceKind.BROWSER, ""),
        (DeviceKind.PUSH, "https://push.example/1#BA.aa"),
        (DeviceKind.TELEGRAM, "42"),
        (DeviceKind.CONSOLE_CHAT, "main"),
        (DeviceKind.MATRIX, "!room:example.org"),
    ],
)
async def test_every_kind_of_device_can_be_tested_and_a_yes_proves_it(
    house: House, kind: DeviceKind, address: str
) -> None:
    attic = await house.people.add_device(
        ADMIN, kind=kind, user_id=ANA, device_id=DeviceId("attic"), address=address
    )
    house.outside.mute.add(attic.id)  # it shows it, and cannot say that somebody heard it

    test = await house.reminders.proofs.device(AS_ANA, attic.id)
    await house.fast_forward(seconds=1)
    unanswered = await house.people.device(AS_ANA, attic.id)
    await house.reminders.confirm(AS_ANA, test.id)

    assert unanswered.proved_at is None
    assert (await house.look(test)).status is ReminderStatus.CONFIRMED
    assert (await house.people.device(AS_ANA, attic.id)).proved_at is not None


async def test_a_yes_to_a_test_proves_the_device_wherever_it_is_said(house: House) -> None:
    """The button on a page confirms over the API; a test that reached nothing proves nothing."""
    test = await house.reminders.proofs.device(AS_ANA, KITCHEN)
    early = await house.reminders.confirm(AS_ANA, test.id)
    unproved = (await house.people.device(AS_ANA, KITCHEN)).proved_at
    again = await house.reminders.proofs.device(AS_ANA, KITCHEN)
    await house.fast_forward(seconds=1)
    await house.reminders.confirm(AS_ANA, again.id)

    assert (early.status, unproved) == (ReminderStatus.CONFIRMED, None)
    assert (await house.people.device(AS_ANA, KITCHEN)).proved_at is not None


async def test_a_test_ring_that_reaches_nobody_says_so_and_troubles_no_contact(
    house: House,
) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="chat:1")
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=1
    )
    house.outside.away.add(KITCHEN)

    test = await house.reminders.proofs.device(AS_ANA, KITCHEN)
    await house.fast_forward(minutes=40)

    assert (await house.look(test)).status is ReminderStatus.FAILED
    assert house.outside.spoken == [], "the bedroom is not what was tested"
    assert house.outside.told == []


async def sue(house: House, address: str = "ntfy://sue") -> Contact:
    return await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=address)


async def test_a_contact_who_answers_the_test_is_remembered_by_the_guarantee(house: House) -> None:
    await house.come_back()
    contact = await sue(house)
    pill = await house.remind(at=at(20), confirmation=CONFIRM)
    before = (await heard_by(house, pill)).sentence

    test = await house.reminders.proofs.contact(AS_ANA, contact.id)
    await house.fast_forward(seconds=1)
    ((_, text),) = house.outside.told
    await house.reminders.links.confirm(house.outside.links[0].rpartition("/")[2])

    after = await heard_by(house, pill)
    assert "Sue (not tested yet) after" in before
    assert "Sue (answered a test today) after" in after.sentence
    assert after.ways[-1].level == "sure"
    assert text.startswith("This is a test: you will be told when Ana")
    assert (await house.look(test)).status is ReminderStatus.CONFIRMED
    assert await house.story(test) == [
        "reminder.created",
        "contact.told",
        "reminder.confirmed",
    ]


async def test_a_contact_who_does_not_answer_the_test_is_not_proved(house: House) -> None:
    contact = await sue(house)

    test = await house.reminders.proofs.contact(AS_ANA, contact.id)
    await house.fast_forward(hours=2)

    assert (await house.look(test)).status is ReminderStatus.TIMEOUT
    assert (await house.people.contact(AS_ANA, contact.id)).proved_at is None
    assert len(house.outside.told) == 1, "nobody else is troubled, and she is asked once"


async def test_a_contact_who_cannot_be_told_fails_the_test_at_once(house: House) -> None:
    contact = await sue(house)
    house.outside.deaf.add("Sue")

    test = await house.reminders.proofs.contact(AS_ANA, contact.id)
    await house.fast_forward(seconds=1)

    assert (await house.look(test)).status is ReminderStatus.FAILED
    assert await house.story(test) == [
        "reminder.created",
        "contact.not_told",
        "reminder.failed",
    ]


async def test_a_contact_with_a_device_answers_the_test_there(house: House) -> None:
    await house.people.ensure_user(UserId("sue"), "Sue")
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=UserId("sue"), device_id=BEDROOM
    )
    contact = await sue(house, f"device:{BEDROOM}")

    await house.reminders.proofs.contact(ADMIN, contact.id)
    await house.fast_forward(seconds=1)
    said = house.outside.last.text
    await house.answer("done")

    assert said == "This is a test of Ana's reminders. Please answer: done."
    assert (await house.people.contact(AS_ANA, contact.id)).proved_at is not None


async def test_another_address_has_to_prove_itself_anew(house: House) -> None:
    contact = await sue(house)
    await house.reminders.proofs.contact(AS_ANA, contact.id)
    await house.fast_forward(seconds=1)
    await house.reminders.links.confirm(house.outside.links[0].rpartition("/")[2])

    renamed = await house.people.update_contact(AS_ANA, contact.id, name="Susan")
    kept = (await house.people.contact(AS_ANA, contact.id)).proved_at
    await house.people.update_contact(AS_ANA, renamed.id, address="ntfy://another")

    assert kept is not None
    assert (await house.people.contact(AS_ANA, contact.id)).proved_at is None


async def test_tests_count_in_no_report(house: House) -> None:
    contact = await sue(house)
    await house.reminders.proofs.contact(AS_ANA, contact.id)
    await house.fast_forward(hours=2)

    report = await house.reminders.reports.adherence(AS_ANA, user_id=ANA)
    assert report.whole.total == 0


@pytest.mark.parametrize("address", ["foo", "device:", "chat:", "device:nowhere"])
async def test_a_contact_who_could_never_be_told_is_refused(house: House, address: str) -> None:
    with pytest.raises((BadAddress, NoSuchDevice)):
        await sue(house, address)


@pytest.mark.parametrize("kind", [DeviceKind.NOTIFY, DeviceKind.WEBHOOK])
async def test_a_device_that_is_told_at_its_address_needs_one(
    house: House, kind: DeviceKind
) -> None:
    with pytest.raises(BadAddress):
        await house.people.add_device(ADMIN, kind=kind, user_id=ANA)


async def test_a_device_or_contact_of_somebody_unknown_makes_nobody(house: House) -> None:
    nobody = UserId("nope")
    with pytest.raises(NoSuchUser):
        await house.people.add_device(ADMIN, kind=DeviceKind.TERMINAL, user_id=nobody)
    with pytest.raises(NoSuchUser):
        await house.people.add_contact(ADMIN, user_id=nobody, name="Sue", address="ntfy://sue")

    with pytest.raises(NoSuchUser):
        await house.people.user(ADMIN, nobody)


async def test_nobody_tests_the_contact_of_somebody_else(house: House) -> None:
    contact = await sue(house)
    with pytest.raises(NoSuchContact):
        await house.reminders.proofs.contact(Actor(UserId("bo")), contact.id)


async def test_nobody_tests_the_device_of_somebody_else(house: House) -> None:
    with pytest.raises(NoSuchDevice):
        await house.reminders.proofs.device(Actor(UserId("bo")), KITCHEN)
