"""A holiday: nobody rings in an empty flat, and nothing that was set is lost."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.base.errors import BadInput
from clarion.people.model import PersonAbsence
from clarion.reminders.model import Reminder, ReminderStatus
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

WEEK = PersonAbsence(begins=at(8), ends=at(8, day=10))


async def leave(clarion: ClarionByHand, absence: PersonAbsence | None = WEEK) -> None:
    await clarion.people.update_user(ADMIN, ANA, absence=absence)


async def daily(clarion: ClarionByHand, content: str) -> Reminder:
    series = await clarion.reminders.series.create(
        AS_ANA, user_id=ANA, content=content, pattern="0 9 * * *"
    )
    assert series.current is not None
    return await clarion.reminders.get(AS_ANA, series.current)


async def test_what_repeats_is_left_out_and_goes_on_afterwards(clarion: ClarionByHand) -> None:
    plants = await daily(clarion, "water the plants")
    await leave(clarion)

    await clarion.fast_forward(days=4)

    kept = await clarion.look(plants)
    assert [one.at for one in clarion.outside.spoken] == [at(9, day=10)]
    assert (kept.status, kept.reason) == (ReminderStatus.CANCELLED, "absence")


@pytest.mark.parametrize(
    ("content", "days"),
    [("water the plants", [10, 11]), ("take the pills", [7, 8, 9, 10, 11])],
    ids=["left out", "a medicine"],
)
async def test_what_is_coming_up_leaves_out_what_an_absence_leaves_out(
    clarion: ClarionByHand, content: str, days: list[int]
) -> None:
    await daily(clarion, content)
    await leave(clarion)

    coming = await clarion.reminders.reports.upcoming(AS_ANA, user_id=ANA, ahead=timedelta(days=5))

    assert [one.at for one in coming] == [at(9, day=day) for day in days]


@pytest.mark.parametrize(("medicines", "rings"), [(True, 3), (False, 0)])
async def test_a_medicine_rings_unless_the_absence_says_otherwise(
    clarion: ClarionByHand, medicines: bool, rings: int
) -> None:
    await daily(clarion, "take the pills")
    await leave(clarion, replace(WEEK, medicines=medicines))

    await clarion.fast_forward(days=2, hours=23)

    assert len(clarion.outside.spoken) == rings


async def test_what_was_to_be_said_once_is_said_when_they_are_back(clarion: ClarionByHand) -> None:
    await clarion.remind("call the dentist", at=at(10), actor=ADMIN)
    await clarion.remind("buy stamps", at=at(11, day=8), actor=ADMIN)
    signed = await clarion.remind("sign it", at=at(12), confirmation=CONFIRM, actor=ADMIN)
    await leave(clarion)

    await clarion.fast_forward(days=3, minutes=2)

    assert {one.at for one in clarion.outside.spoken} == {at(8, day=10)}
    told = [one.ring.text for one in clarion.outside.spoken]
    assert "While you were away" in told[1]
    assert "call the dentist" in told[1]
    assert "buy stamps" in told[1]
    assert (await clarion.look(signed)).status is ReminderStatus.TRIGGERED


async def test_who_comes_back_early_is_told_within_a_quarter_of_an_hour(
    clarion: ClarionByHand,
) -> None:
    await clarion.remind("call the dentist", at=at(10), actor=ADMIN)
    await leave(clarion, PersonAbsence())
    await clarion.fast_forward(days=1, minutes=3)

    await leave(clarion, None)
    await clarion.fast_forward(minutes=15)

    assert clarion.outside.rings == [("08:15", KITCHEN, 1)]


async def test_what_is_asked_for_meanwhile_rings(clarion: ClarionByHand) -> None:
    await leave(clarion)

    await clarion.fast_forward(minutes=1)
    await clarion.remind("take the cake out", at=at(9))
    await clarion.until(9, 1)

    assert clarion.outside.rings == [("09:00", KITCHEN, 1)]


async def test_the_guarantee_says_why_it_will_not_ring(clarion: ClarionByHand) -> None:
    once = await clarion.remind("call the dentist", at=at(10), actor=ADMIN)
    often = await daily(clarion, "water the plants")
    await leave(clarion)

    found = await clarion.reminders.guarantees([once, often], "en")

    assert [one.level for one in found.values()] == ["paused", "paused"]
    says = [one.sentence for one in found.values()]
    assert says[0] == "Will not ring: Ana is away until 2030-01-10 08:00. It is told afterwards."
    assert says[1].endswith("This one is left out, the series goes on afterwards.")


async def test_an_absence_that_is_over_before_it_begins_is_refused(clarion: ClarionByHand) -> None:
    with pytest.raises(BadInput):
        await leave(clarion, PersonAbsence(begins=at(8, day=9), ends=at(8, day=8)))
