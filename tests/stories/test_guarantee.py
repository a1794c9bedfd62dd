"""Nobody is told "set" for nothing: who will hear it is said, watched, and true."""

from datetime import timedelta
from typing import Any

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.people.errors import BadAddress, NoSuchContact, NoSuchDevice, NoSuchUser
from clarion.people.model import Actor, Contact, DeviceKind
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.keeper import ReachWatch
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.ports import Added
from clarion.store.sql.events import SqlEventLog
from clarion.store.sql.people.store import SqlPeople
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at


async def heard_by(clarion: ClarionByHand, reminder: Reminder) -> Guarantee:
    found = await clarion.reminders.guarantees([await clarion.look(reminder)])
    return found[reminder.id]


async def watch(clarion: ClarionByHand) -> ReachWatch:
    """The pass, told of every event from now on as the feed would tell it."""
    store = SqlPeople(clarion.database)
    made = ReachWatch(clarion.store, store, clarion.clock, clarion.patience)
    clarion.driver.add(made)
    return made


async def tell(clarion: ClarionByHand, watched: ReachWatch, after: int) -> int:
    events = await SqlEventLog(clarion.database).after(after)
    for event in events:
        watched.happened(event)
    return events[-1].sequence if events else after


async def test_setting_a_reminder_nobody_can_hear_says_so_and_what_to_do(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.remove_device(ADMIN, KITCHEN)

    made = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="remind me to take the pills at 9pm"
    )

    assert made.guarantee is not None
    assert made.guarantee.level == "nobody"
    assert "there is no device yet" in made.warning
    assert "Let this browser ring" in made.warning


async def test_a_device_that_comes_while_the_reminder_is_written_will_hear_it(
    clarion: ClarionByHand, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = clarion.store.add

    async def added_before_it_comes(*asked: Any, **more: Any) -> Added:
        added = await add(*asked, **more)
        await clarion.come_back()
        return added

    monkeypatch.setattr(clarion.store, "add", added_before_it_comes)

    _, heard = await clarion.reminders.promise(AS_ANA, user_id=ANA, content="tea", trigger_at=at(9))

    assert heard is not None
    assert heard.sentence == "Will ring on kitchen (online, not tested yet)."


async def test_a_ring_that_was_heard_makes_the_next_one_sure(clarion: ClarionByHand) -> None:
    await clarion.come_back()
    pill = await clarion.remind(at=at(10))
    assert (await heard_by(clarion, pill)).level == "likely"

    await clarion.remind("tea", at=at(8, 30))
    await clarion.until(8, 31)

    found = await heard_by(clarion, pill)
    assert found.level == "sure"
    assert found.sentence == "Will ring on kitchen (online, worked today)."


async def test_a_device_that_goes_away_hours_before_is_told_once(clarion: ClarionByHand) -> None:
    await clarion.come_back()
    pill = await clarion.remind(at=at(20), confirmation=CONFIRM)
    watched = await watch(clarion)
    await clarion.until(9)
    seen = await tell(clarion, watched, 0)

    await clarion.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(clarion, watched, seen)
    await clarion.fast_forward(hours=2)
    await clarion.facts.seen(KITCHEN, online=True, through="test")
    seen = await tell(clarion, watched, seen)
    await clarion.fast_forward(minutes=5)

    happened = await clarion.reminders.history(ADMIN, pill.id)
    told = [(event.kind, event.at) for event in happened if "guarantee" in event.kind]
    assert told == [
        ("reminder.guarantee_lost", at(9, 2)),
        ("reminder.guarantee_restored", at(11)),
    ]
    assert "Nobody can hear this now: kitchen" in happened[1].data["says"]


@pytest.mark.parametrize("wanted", [True, False])
async def test_a_contact_hears_of_a_device_that_goes_away_if_the_person_wants_that(
    clarion: ClarionByHand, wanted: bool
) -> None:
    await clarion.people.update_user(ADMIN, ANA, context={"warn_contacts": wanted})
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="chat:Sue")
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Tom", address="chat:Tom", order=2)
    await clarion.come_back()
    await clarion.remind(at=at(14))
    await clarion.remind("tea", at=at(15))
    watched = await watch(clarion)
    seen = await tell(clarion, watched, 0)

    await clarion.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(clarion, watched, seen)
    await clarion.fast_forward(minutes=5)
    await clarion.facts.seen(KITCHEN, online=True, through="test")
    await tell(clarion, watched, seen)
    await clarion.fast_forward(minutes=5)

    told = [(name, text.split(":")[0]) for name, text in clarion.outside.told]
    lines = [("Sue", "No device can remind Ana just now"), ("Sue", "Ana's device is back")]
    assert told == (lines if wanted else [])


async def test_a_page_that_is_loaded_anew_alarms_nobody(clarion: ClarionByHand) -> None:
    await clarion.come_back()
    pill = await clarion.remind(at=at(20))
    watched = await watch(clarion)
    seen = await tell(clarion, watched, 0)

    await clarion.facts.seen(KITCHEN, online=False, through="test")
    seen = await tell(clarion, watched, seen)
    await clarion.fast_forward(seconds=20)
    await clarion.facts.seen(KITCHEN, online=True, through="test")
    await tell(clarion, watched, seen)
    await clarion.fast_forward(minutes=10)

    assert await clarion.story(pill) == ["reminder.created"]


async def test_what_comes_within_a_day_is_looked_at_though_nothing_changes(
    clarion: ClarionByHand,
) -> None:
    later = await clarion.remind(at=at(12, day=9))
    await watch(clarion)

    await clarion.until(8)  # the eighth: more than a day ahead
    before = await clarion.story(later)
    await clarion.fast_forward(hours=5)

    assert before == ["reminder.created"]
    assert await clarion.story(later) == ["reminder.created", "reminder.guarantee_lost"]


async def test_a_reminder_that_waits_says_so_once_and_is_reached_once(
    clarion: ClarionByHand,
) -> None:
    clarion.outside.away.add(KITCHEN)
    call = await clarion.remind(at=at(8, 30))

    await clarion.until(8, 45)
    waiting = await clarion.look(call)
    sentence = (await heard_by(clarion, call)).sentence
    clarion.outside.away.clear()
    await clarion.fast_forward(minutes=5)

    assert waiting.unreached_since == at(8, 30)
    assert sentence.startswith("Since 08:30, nobody reachable")
    assert await clarion.story(call) == [
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


async def test_the_reached_ring_tells_how_late_it_was(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    call = await clarion.remind(at=at(8, 30))
    await clarion.until(8, 45)
    await clarion.come_back()

    history = await clarion.reminders.history(ADMIN, call.id)
    late = [event.data["late"] for event in history if event.kind == "reminder.triggered"]
    assert late == [0.0, timedelta(minutes=15).total_seconds()]
    assert DeviceId(history[-1].data["device"]) == KITCHEN


async def test_a_test_ring_that_is_answered_proves_the_device(clarion: ClarionByHand) -> None:
    await clarion.come_back()
    pill = await clarion.remind(at=at(20))

    test = await clarion.reminders.proofs.device(AS_ANA, KITCHEN)
    await clarion.fast_forward(seconds=1)
    await clarion.answer("done")

    assert (await clarion.look(test)).status is ReminderStatus.CONFIRMED
    assert clarion.outside.last.text == "This is a test. Please answer: done."
    assert (await heard_by(clarion, pill)).level == "sure"


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
    clarion: ClarionByHand, kind: DeviceKind, address: str
) -> None:
    attic = await clarion.people.add_device(
        ADMIN, kind=kind, user_id=ANA, device_id=DeviceId("attic"), address=address
    )
    clarion.outside.mute.add(attic.id)  # it shows it, and cannot say that somebody heard it

    test = await clarion.reminders.proofs.device(AS_ANA, attic.id)
    await clarion.fast_forward(seconds=1)
    unanswered = await clarion.people.device(AS_ANA, attic.id)
    await clarion.reminders.confirm(AS_ANA, test.id)

    assert unanswered.proved_at is None
    assert (await clarion.look(test)).status is ReminderStatus.CONFIRMED
    assert (await clarion.people.device(AS_ANA, attic.id)).proved_at is not None


async def test_a_yes_to_a_test_proves_the_device_wherever_it_is_said(
    clarion: ClarionByHand,
) -> None:
    """The button on a page confirms over the API; a test that reached nothing proves nothing."""
    test = await clarion.reminders.proofs.device(AS_ANA, KITCHEN)
    early = await clarion.reminders.confirm(AS_ANA, test.id)
    unproved = (await clarion.people.device(AS_ANA, KITCHEN)).proved_at
    again = await clarion.reminders.proofs.device(AS_ANA, KITCHEN)
    await clarion.fast_forward(seconds=1)
    await clarion.reminders.confirm(AS_ANA, again.id)

    assert (early.status, unproved) == (ReminderStatus.CONFIRMED, None)
    assert (await clarion.people.device(AS_ANA, KITCHEN)).proved_at is not None


async def test_a_test_ring_that_reaches_nobody_says_so_and_troubles_no_contact(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="chat:1")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, order=1
    )
    clarion.outside.away.add(KITCHEN)

    test = await clarion.reminders.proofs.device(AS_ANA, KITCHEN)
    await clarion.fast_forward(minutes=40)

    assert (await clarion.look(test)).status is ReminderStatus.FAILED
    assert clarion.outside.spoken == [], "the bedroom is not what was tested"
    assert clarion.outside.told == []


async def sue(clarion: ClarionByHand, address: str = "ntfy://sue") -> Contact:
    return await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=address)


async def test_a_contact_who_answers_the_test_is_remembered_by_the_guarantee(
    clarion: ClarionByHand,
) -> None:
    await clarion.come_back()
    contact = await sue(clarion)
    pill = await clarion.remind(at=at(20), confirmation=CONFIRM)
    before = (await heard_by(clarion, pill)).sentence

    test = await clarion.reminders.proofs.contact(AS_ANA, contact.id)
    await clarion.fast_forward(seconds=1)
    ((_, text),) = clarion.outside.told
    await clarion.reminders.links.confirm(clarion.outside.links[0].rpartition("/")[2])

    after = await heard_by(clarion, pill)
    assert "Sue (not tested yet) after" in before
    assert "Sue (answered a test today) after" in after.sentence
    assert after.ways[-1].level == "sure"
    assert text.startswith("This is a test: you will be told when Ana")
    assert (await clarion.look(test)).status is ReminderStatus.CONFIRMED
    assert await clarion.story(test) == [
        "reminder.created",
        "contact.told",
        "reminder.confirmed",
    ]


async def test_a_contact_who_does_not_answer_the_test_is_not_proved(clarion: ClarionByHand) -> None:
    contact = await sue(clarion)

    test = await clarion.reminders.proofs.contact(AS_ANA, contact.id)
    await clarion.fast_forward(hours=2)

    assert (await clarion.look(test)).status is ReminderStatus.TIMEOUT
    assert (await clarion.people.contact(AS_ANA, contact.id)).proved_at is None
    assert len(clarion.outside.told) == 1, "nobody else is troubled, and she is asked once"


async def test_a_contact_who_cannot_be_told_fails_the_test_at_once(clarion: ClarionByHand) -> None:
    contact = await sue(clarion)
    clarion.outside.deaf.add("Sue")

    test = await clarion.reminders.proofs.contact(AS_ANA, contact.id)
    await clarion.fast_forward(seconds=1)

    assert (await clarion.look(test)).status is ReminderStatus.FAILED
    assert await clarion.story(test) == [
        "reminder.created",
        "contact.not_told",
        "reminder.failed",
    ]


async def test_a_contact_with_a_device_answers_the_test_there(clarion: ClarionByHand) -> None:
    await clarion.people.ensure_user(UserId("sue"), "Sue")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=UserId("sue"), device_id=BEDROOM
    )
    contact = await sue(clarion, f"device:{BEDROOM}")

    await clarion.reminders.proofs.contact(ADMIN, contact.id)
    await clarion.fast_forward(seconds=1)
    said = clarion.outside.last.text
    await clarion.answer("done")

    assert said == "This is a test of Ana's reminders. Please answer: done."
    assert (await clarion.people.contact(AS_ANA, contact.id)).proved_at is not None


async def test_another_address_has_to_prove_itself_anew(clarion: ClarionByHand) -> None:
    contact = await sue(clarion)
    await clarion.reminders.proofs.contact(AS_ANA, contact.id)
    await clarion.fast_forward(seconds=1)
    await clarion.reminders.links.confirm(clarion.outside.links[0].rpartition("/")[2])

    renamed = await clarion.people.update_contact(AS_ANA, contact.id, name="Susan")
    kept = (await clarion.people.contact(AS_ANA, contact.id)).proved_at
    await clarion.people.update_contact(AS_ANA, renamed.id, address="ntfy://another")

    assert kept is not None
    assert (await clarion.people.contact(AS_ANA, contact.id)).proved_at is None


async def test_tests_count_in_no_report(clarion: ClarionByHand) -> None:
    contact = await sue(clarion)
    await clarion.reminders.proofs.contact(AS_ANA, contact.id)
    await clarion.fast_forward(hours=2)

    report = await clarion.reminders.reports.adherence(AS_ANA, user_id=ANA)
    assert report.whole.total == 0


@pytest.mark.parametrize("address", ["foo", "device:", "chat:", "device:nowhere"])
async def test_a_contact_who_could_never_be_told_is_refused(
    clarion: ClarionByHand, address: str
) -> None:
    with pytest.raises((BadAddress, NoSuchDevice)):
        await sue(clarion, address)


@pytest.mark.parametrize("kind", [DeviceKind.NOTIFY, DeviceKind.WEBHOOK])
async def test_a_device_that_is_told_at_its_address_needs_one(
    clarion: ClarionByHand, kind: DeviceKind
) -> None:
    with pytest.raises(BadAddress):
        await clarion.people.add_device(ADMIN, kind=kind, user_id=ANA)


async def test_a_device_or_contact_of_somebody_unknown_makes_nobody(clarion: ClarionByHand) -> None:
    nobody = UserId("nope")
    with pytest.raises(NoSuchUser):
        await clarion.people.add_device(ADMIN, kind=DeviceKind.TERMINAL, user_id=nobody)
    with pytest.raises(NoSuchUser):
        await clarion.people.add_contact(ADMIN, user_id=nobody, name="Sue", address="ntfy://sue")

    with pytest.raises(NoSuchUser):
        await clarion.people.user(ADMIN, nobody)


async def test_nobody_tests_the_contact_of_somebody_else(clarion: ClarionByHand) -> None:
    contact = await sue(clarion)
    with pytest.raises(NoSuchContact):
        await clarion.reminders.proofs.contact(Actor(UserId("bo")), contact.id)


async def test_nobody_tests_the_device_of_somebody_else(clarion: ClarionByHand) -> None:
    with pytest.raises(NoSuchDevice):
        await clarion.reminders.proofs.device(Actor(UserId("bo")), KITCHEN)
