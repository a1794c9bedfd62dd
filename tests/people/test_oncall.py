"""Who is on call: turns, hand-over, overrides, holidays, people who are away."""

import itertools
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.people.model import (
    AwayDays,
    Contact,
    EscalationPolicy,
    Override,
    Rotation,
    RotationId,
    ShiftLength,
)
from clarion.people.oncall import Roster, climbed
from tests.support import build
from tests.support.build import ANA

PARIS = ZoneInfo("Europe/Paris")
SUE, TOM, UMA = (build.contact(name) for name in ("sue", "tom", "uma"))
PEOPLE = [SUE, TOM, UMA]
USUAL = EscalationPolicy()


def rotation(**fields: Any) -> Rotation:
    given = {
        "id": RotationId("rot_1"),
        "user_id": ANA,
        "name": "Nights",
        "every": ShiftLength.WEEK,
        "hands_over": time(8),
        "begins_on": date(2030, 1, 7),  # a Monday
        "members": tuple(one.id for one in PEOPLE),
        **fields,
    }
    return Rotation(**given)


def local(day: int, hour: int, minute: int = 0, month: int = 1) -> datetime:
    return datetime(2030, month, day, hour, minute, tzinfo=PARIS).astimezone(UTC)


def who(roster: Roster, at: datetime) -> str:
    found = roster.on_call(at)
    return found.name if found else ""


@pytest.mark.parametrize(
    ("at", "name"),
    [
        (local(7, 8), "sue"),
        (local(14, 7, 59), "sue"),  # before the hand-over it is still the old week
        (local(14, 8), "tom"),
        (local(21, 12), "uma"),
        (local(28, 12), "sue"),
        (local(7, 7, 59), "uma"),  # and it goes on backwards
    ],
)
def test_weeks_are_handed_over_at_the_hour_of_the_first_day(at: datetime, name: str) -> None:
    assert who(Roster(rotation(), PEOPLE, PARIS), at) == name


def test_days_are_handed_over_at_the_local_hour_across_the_change_of_the_clocks() -> None:
    daily = rotation(every=ShiftLength.DAY, begins_on=date(2030, 3, 30))
    roster = Roster(daily, PEOPLE, PARIS)

    names = [who(roster, local(day, 8, month=3)) for day in (30, 31)]
    shifts = roster.shifts(local(30, 8, month=3), local(1, 8, month=4))

    assert names == ["sue", "tom"]
    assert [one.ends_at - one.begins_at for one in shifts] == [
        timedelta(hours=23),  # the night in which an hour is lost
        timedelta(hours=24),
    ]


def test_an_override_comes_before_the_turn_and_the_last_one_wins() -> None:
    swapped = rotation(
        overrides=(
            Override(TOM.id, local(8, 10), local(8, 20)),
            Override(UMA.id, local(8, 12), local(8, 13)),
        )
    )
    roster = Roster(swapped, PEOPLE, PARIS)

    names = [who(roster, local(8, hour)) for hour in (9, 10, 12, 13, 20)]

    assert names == ["sue", "tom", "uma", "tom", "sue"]


def test_whoever_is_away_is_passed_over_unless_everybody_is() -> None:
    away = (AwayDays(date(2030, 1, 8), date(2030, 1, 9)),)
    sue = build.contact("sue", away=away)
    roster = Roster(rotation(), [sue, TOM, UMA], PARIS)
    alone = Roster(rotation(members=(sue.id,)), [sue], PARIS)

    assert [who(roster, local(day, 12)) for day in (7, 8, 9, 10)] == ["sue", "tom", "tom", "sue"]
    assert who(alone, local(8, 12)) == "sue"


def test_on_holidays_others_take_turns_day_by_day() -> None:
    festive = rotation(
        members=(SUE.id,),
        holidays=(AwayDays(date(2030, 1, 9), date(2030, 1, 10)),),
        holiday_members=(TOM.id, UMA.id),
    )
    roster = Roster(festive, PEOPLE, PARIS)

    names = [who(roster, local(day, 12)) for day in (8, 9, 10, 11)]

    assert names == ["sue", "tom", "uma", "sue"]


def test_who_has_not_agreed_or_is_gone_has_no_turn() -> None:
    silent = build.contact("sue", agreed=())

    assert who(Roster(rotation(), [silent, TOM], PARIS), local(7, 12)) == "tom"
    assert Roster(rotation(), [], PARIS).now_and_next(local(7, 12)) == (None, None)


def test_now_and_next_say_when_the_whole_turn_began_and_ends() -> None:
    now, following = Roster(rotation(), PEOPLE, PARIS).now_and_next(local(10, 15))

    assert now
    assert following
    assert (now.contact.name, now.begins_at, now.ends_at) == ("sue", local(7, 8), local(14, 8))
    assert (following.contact.name, following.ends_at) == ("tom", local(21, 8))


def test_somebody_who_is_always_on_call_is_followed_by_nobody() -> None:
    alone = Roster(rotation(members=(SUE.id,)), PEOPLE, PARIS)

    now, following = alone.now_and_next(local(10, 15))

    assert now
    assert now.contact.name == "sue"
    assert following is None


@given(
    hours=st.integers(0, 24 * 400),
    swaps=st.lists(
        st.tuples(st.sampled_from(PEOPLE), st.integers(0, 2_000), st.integers(1, 200)), max_size=4
    ),
    every=st.sampled_from(ShiftLength),
)
def test_shifts_say_what_on_call_says_at_every_hour(
    hours: int, swaps: list[tuple[Contact, int, int]], every: ShiftLength
) -> None:
    begins = local(7, 8)
    overrides = tuple(
        Override(one.id, begins + timedelta(hours=at), begins + timedelta(hours=at + length))
        for one, at, length in swaps
    )
    roster = Roster(rotation(every=every, overrides=overrides), PEOPLE, PARIS)
    at = begins + timedelta(hours=hours)

    shifts = roster.shifts(at, at + timedelta(days=9))

    assert shifts[0].begins_at == at
    assert all(a.ends_at == b.begins_at for a, b in itertools.pairwise(shifts))
    assert all(a.contact.id != b.contact.id for a, b in itertools.pairwise(shifts))
    for hour in range(0, 9 * 24, 7):
        each = at + timedelta(hours=hour)
        of = next(one for one in shifts if one.begins_at <= each < one.ends_at)
        assert of.contact.name == who(roster, each)


def names(ladder: list[Contact]) -> list[str]:
    return [one.name for one in ladder]


def test_on_the_rotations_rung_stands_who_is_on_call_and_the_others_come_last() -> None:
    neighbour = build.contact("neighbour", order=5)
    first = rotation(order=1, delay=60)

    ladder = climbed([*PEOPLE, neighbour], [first], PARIS, local(15, 12), USUAL)

    assert names(ladder) == ["tom", "neighbour", "sue", "uma"]
    assert [one.delay for one in ladder] == [60, 0, 300, 300]


def test_a_policy_names_who_is_called_at_all() -> None:
    neighbour, nurse = build.contact("neighbour"), build.contact("nurse")
    people = [*PEOPLE, neighbour, nurse]

    only = EscalationPolicy(only=(neighbour.id,))
    both = EscalationPolicy(only=(neighbour.id, "rot_1"))

    assert names(climbed(people, [rotation()], PARIS, local(7, 12), only)) == ["neighbour"]
    assert set(names(climbed(people, [rotation()], PARIS, local(7, 12), both))) == {
        "neighbour",
        "sue",
        "tom",
        "uma",
    }


def test_who_is_away_is_not_called_unless_everybody_is() -> None:
    away = (AwayDays(date(2030, 1, 7), date(2030, 1, 7)),)
    sue, tom = build.contact("sue", away=away), build.contact("tom")

    assert names(climbed([sue, tom], [], PARIS, local(7, 12), USUAL)) == ["tom"]
    assert names(climbed([sue], [], PARIS, local(7, 12), USUAL)) == ["sue"]
