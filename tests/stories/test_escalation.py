"""The ladder: when nobody confirms, contacts are told, one after the other."""

import asyncio
from datetime import timedelta
from functools import partial

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.base.signing import BadLink
from clarion.people.model import DeviceKind
from clarion.reminders.model import Reminder, ReminderStatus
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

GIVEN_UP_AT = (8, 47)  # three rings of five minutes, a minute between


async def with_ladder(clarion: ClarionByHand) -> None:
    await clarion.people.add_contact(
        ADMIN, user_id=ANA, name="daughter", address="ntfy://daughter", order=1
    )
    await clarion.people.add_contact(
        ADMIN, user_id=ANA, name="neighbour", address="chat:7", order=2, delay=600
    )


async def test_the_daughter_is_told_then_the_neighbour(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 48)
    told_first = [name for name, _ in clarion.outside.told]
    await clarion.until(9, 30)

    assert told_first == ["daughter"]
    assert [name for name, _ in clarion.outside.told] == ["daughter", "neighbour"]
    assert (await clarion.story(pill)).count("contact.told") == 2


async def test_the_ladder_ends_when_the_daughter_confirms_by_her_link(
    clarion: ClarionByHand,
) -> None:
    await with_ladder(clarion)
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 50)
    token = clarion.outside.links[0].rpartition("/")[2]
    await clarion.reminders.links.confirm(token)
    await clarion.until(9, 30)

    kept = await clarion.look(pill)
    assert (kept.status, kept.confirmed_by) == (ReminderStatus.CONFIRMED, "daughter")
    assert [name for name, _ in clarion.outside.told] == ["daughter"]


async def test_nobody_is_told_when_ana_answers(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    await clarion.answer("已经吃了")
    await clarion.fast_forward(hours=3)

    assert clarion.outside.told == []


async def test_a_contact_who_cannot_be_told_is_tried_again(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    clarion.outside.deaf.add("daughter")
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 55)
    clarion.outside.deaf.clear()
    await clarion.until(9, 30)

    assert "contact.not_told" in await clarion.story(pill)
    assert sorted(name for name, _ in clarion.outside.told) == ["daughter", "neighbour"]


async def test_a_link_runs_out(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 50)
    token = clarion.outside.links[0].rpartition("/")[2]
    await clarion.fast_forward(days=8)

    with pytest.raises(BadLink):
        await clarion.reminders.links.confirm(token)


async def test_a_changed_link_is_refused(clarion: ClarionByHand) -> None:
    with pytest.raises(BadLink):
        await clarion.reminders.links.confirm("x" * 80)


async def test_a_refusal_at_the_last_ring_is_told_on(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 43)
    await clarion.answer("不吃")
    await clarion.until(8, 44)

    assert [name for name, _ in clarion.outside.told] == ["daughter"]
    assert (await clarion.look(pill)).reason == "denied"


async def test_the_user_sees_who_was_told_and_when(clarion: ClarionByHand) -> None:
    await with_ladder(clarion)
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(9, 30)
    events = await clarion.reminders.history(AS_ANA, pill.id)

    told = [(event.at, event.data["name"]) for event in events if event.kind == "contact.told"]
    assert told == [(at(*GIVEN_UP_AT), "daughter"), (at(8, 57), "neighbour")]


async def given_up(clarion: ClarionByHand) -> tuple[Reminder, list[str]]:
    """Nobody answered Ana's pill, and the daughter was told at 08:47."""
    await with_ladder(clarion)
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 48)
    return pill, [link.rpartition("/")[2] for link in clarion.outside.links]


async def test_who_is_on_it_stops_the_ladder_for_as_long_as_they_say(
    clarion: ClarionByHand,
) -> None:
    pill, [daughter] = await given_up(clarion)

    shown = await clarion.reminders.links.take(daughter, timedelta(minutes=30))
    await clarion.until(9, 17)
    quiet = [name for name, _ in clarion.outside.told]
    await clarion.until(9, 30)

    assert shown.holder is not None
    assert shown.holder[0] == "daughter"
    assert quiet == ["daughter"]
    assert [name for name, _ in clarion.outside.told] == ["daughter", "daughter", "neighbour"]
    assert "contact.took" in await clarion.story(pill)


async def test_who_says_again_that_they_are_on_it_says_nothing_new(clarion: ClarionByHand) -> None:
    """A press that is sent again because its answer was lost."""
    pill, _ = await given_up(clarion)
    await clarion.until(8, 58)
    daughter, _neighbour = (link.rpartition("/")[2] for link in clarion.outside.links)
    await clarion.reminders.links.take(daughter, timedelta(minutes=30))
    await clarion.fast_forward(minutes=1)
    told = list(clarion.outside.told)

    again = await clarion.reminders.links.take(daughter, timedelta(minutes=30))
    await clarion.fast_forward(minutes=1)
    quiet = list(clarion.outside.told)
    longer = await clarion.reminders.links.take(daughter, timedelta(hours=1))

    assert [name for name, _ in told] == ["daughter", "neighbour", "neighbour"]
    assert quiet == told
    assert (await clarion.story(pill)).count("contact.took") == 2
    assert again.holder
    assert longer.holder
    assert again.holder[1].until != longer.holder[1].until


async def test_who_cannot_lets_the_next_one_be_told_at_once(clarion: ClarionByHand) -> None:
    _, [daughter] = await given_up(clarion)

    await clarion.reminders.links.decline(daughter)
    await clarion.fast_forward(seconds=5)

    assert [name for name, _ in clarion.outside.told] == ["daughter", "neighbour"]


async def test_everybody_who_was_told_hears_who_is_on_it_and_how_it_ended(
    clarion: ClarionByHand,
) -> None:
    await given_up(clarion)
    await clarion.until(9)
    daughter, neighbour = (link.rpartition("/")[2] for link in clarion.outside.links)
    del clarion.outside.told[:]

    await clarion.reminders.links.take(neighbour, timedelta(minutes=30))
    await clarion.fast_forward(seconds=5)
    await clarion.reminders.links.confirm(neighbour)
    await clarion.fast_forward(seconds=5)

    assert clarion.outside.told == [
        ("daughter", "neighbour is on it: Ana, take the pills (09:00)."),
        ("daughter", "It is done: Ana, take the pills. neighbour, 09:00."),
    ]
    assert (await clarion.reminders.links.open(daughter)).reminder.confirmed_by == "neighbour"


async def test_a_late_yes_of_the_person_is_told_to_all(clarion: ClarionByHand) -> None:
    await given_up(clarion)
    await clarion.facts.answered(clarion.outside.last.id, "吃过了")
    await clarion.fast_forward(seconds=5)

    assert clarion.outside.told[-1] == ("daughter", "It is done: Ana, take the pills. Ana, 08:48.")


async def test_of_two_who_take_it_at_once_one_does_and_the_other_sees_who(
    clarion: ClarionByHand,
) -> None:
    await given_up(clarion)
    await clarion.until(9)
    tokens = [link.rpartition("/")[2] for link in clarion.outside.links]

    shown = await asyncio.gather(
        *(clarion.reminders.links.take(one, timedelta(minutes=30)) for one in tokens)
    )

    names = {one.holder[0] for one in shown if one.holder}
    assert len(names) == 1


async def test_a_loudspeaker_that_helps_speaks_its_owners_language(clarion: ClarionByHand) -> None:
    await clarion.people.add_user(ADMIN, user_id=UserId("bo"), name="Bo", language="zh")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.XIAOZHI, user_id=UserId("bo"), device_id=DeviceId("study")
    )
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Bo", address="device:study")
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 48)

    [(_, said)] = clarion.outside.told
    assert said.startswith("Ana没有确认")
    assert "http" not in said


async def test_what_a_contact_writes_is_said_on_her_device_once_a_minute(
    clarion: ClarionByHand,
) -> None:
    _, [daughter] = await given_up(clarion)

    await clarion.reminders.links.speak(daughter, "Mum, are you there?")
    await clarion.reminders.links.speak(daughter, "Mum?")
    await clarion.fast_forward(seconds=30)
    said = [one.ring.content for one in clarion.outside.spoken]

    assert said[-1] == "daughter: Mum, are you there?"
    assert "daughter: Mum?" not in said


async def test_nothing_is_said_through_a_link_once_it_is_done(clarion: ClarionByHand) -> None:
    _, [daughter] = await given_up(clarion)
    await clarion.reminders.links.confirm(daughter)

    await clarion.reminders.links.speak(daughter, "Mum?")
    await clarion.fast_forward(seconds=30)

    assert "daughter: Mum?" not in [one.ring.content for one in clarion.outside.spoken]


async def test_the_page_knows_phone_and_address_only_when_the_person_shares_them(
    clarion: ClarionByHand,
) -> None:
    _, [daughter] = await given_up(clarion)
    before = (await clarion.reminders.links.open(daughter)).shared

    shares = {"for_contacts": {"phone": "+33 1 23", "address": "Rue 1", "bank": "x"}}
    await clarion.people.update_user(ADMIN, ANA, context=shares)

    assert before == {}
    shown = await clarion.reminders.links.open(daughter)
    assert shown.shared == {"phone": "+33 1 23", "address": "Rue 1"}


async def test_who_was_being_told_when_a_cry_was_taken_back_hears_the_end(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Boris", address="chat:Boris")

    clarion.outside.while_telling = partial(clarion.reminders.help.recall, AS_ANA, ANA)
    await clarion.reminders.help.call(AS_ANA, user_id=ANA, text="I fell")
    await clarion.fast_forward(seconds=1)

    assert [text for _, text in clarion.outside.told] == [
        "Ana said at 08:00: “I fell”. They may need help: get in touch now!",
        "Ana is all right (Ana, 08:00). What was said before: “I fell”.",
    ]


async def test_who_was_being_told_when_somebody_took_it_hears_who(clarion: ClarionByHand) -> None:
    _, [daughter] = await given_up(clarion)
    clarion.outside.while_telling = partial(
        clarion.reminders.links.take, daughter, timedelta(minutes=30)
    )

    await clarion.until(8, 58)

    assert [name for name, _ in clarion.outside.told] == ["daughter", "neighbour", "neighbour"]
    assert "daughter" in clarion.outside.told[-1][1]
