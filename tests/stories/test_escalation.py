"""The ladder: when nobody confirms, contacts are told, one after the other."""

import pytest

from clarion.reminders.errors import BadLink
from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, CONFIRM
from tests.support.house import ADMIN, AS_ANA, House, at

GIVEN_UP_AT = (8, 47)  # three rings of five minutes, a minute between


async def with_ladder(house: House) -> None:
    await house.people.add_contact(
        ADMIN, user_id=ANA, name="daughter", address="ntfy://daughter", order=1
    )
    await house.people.add_contact(
        ADMIN, user_id=ANA, name="neighbour", address="chat:7", order=2, delay=600
    )


async def test_the_daughter_is_told_then_the_neighbour(house: House) -> None:
    await with_ladder(house)
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 48)
    told_first = [name for name, _ in house.outside.told]
    await house.until(9, 30)

    assert told_first == ["daughter"]
    assert [name for name, _ in house.outside.told] == ["daughter", "neighbour"]
    assert (await house.story(pill)).count("contact.told") == 2


async def test_the_ladder_ends_when_the_daughter_confirms_by_her_link(house: House) -> None:
    await with_ladder(house)
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 50)
    token = house.outside.links[0].rpartition("/")[2]
    await house.reminders.confirm_by_link(token)
    await house.until(9, 30)

    kept = await house.look(pill)
    assert (kept.status, kept.confirmed_by) == (ReminderStatus.CONFIRMED, "daughter")
    assert [name for name, _ in house.outside.told] == ["daughter"]


async def test_nobody_is_told_when_ana_answers(house: House) -> None:
    await with_ladder(house)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    await house.answer("已经吃了")
    await house.fast_forward(hours=3)

    assert house.outside.told == []


async def test_a_contact_who_cannot_be_told_is_tried_again(house: House) -> None:
    await with_ladder(house)
    house.outside.deaf.add("daughter")
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 55)
    house.outside.deaf.clear()
    await house.until(9, 30)

    assert "contact.not_told" in await house.story(pill)
    assert sorted(name for name, _ in house.outside.told) == ["daughter", "neighbour"]


async def test_a_link_runs_out(house: House) -> None:
    await with_ladder(house)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 50)
    token = house.outside.links[0].rpartition("/")[2]
    await house.fast_forward(days=8)

    with pytest.raises(BadLink):
        await house.reminders.confirm_by_link(token)


async def test_a_changed_link_is_refused(house: House) -> None:
    with pytest.raises(BadLink):
        await house.reminders.confirm_by_link("x" * 80)


async def test_a_refusal_at_the_last_ring_is_told_on(house: House) -> None:
    await with_ladder(house)
    pill = await house.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 43)
    await house.answer("不吃")
    await house.until(8, 44)

    assert [name for name, _ in house.outside.told] == ["daughter"]
    assert (await house.look(pill)).reason == "denied"


async def test_the_user_sees_who_was_told_and_when(house: House) -> None:
    await with_ladder(house)
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(9, 30)
    events = await house.reminders.history(AS_ANA, pill.id)

    told = [(event.at, event.data["name"]) for event in events if event.kind == "contact.told"]
    assert told == [(at(*GIVEN_UP_AT), "daughter"), (at(8, 57), "neighbour")]
