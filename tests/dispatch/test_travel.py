"""How long it takes: the air, old positions, what was learned, and who is on duty."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    Corrections,
    CrewMember,
    EventId,
    SchemeId,
    Shift,
    TeamId,
    VehicleKind,
)
from clarion.dispatch.plan.crews import off_duty, offered
from clarion.dispatch.plan.travel import (
    UNKNOWN_ROADS,
    TravelFacts,
    TravelTime,
    by_air,
    corrections,
    doubt_seconds,
    eta,
)
from tests.support.clock import START
from tests.support.dispatching import HERE, team

SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_a_helicopter_flies_straight_and_a_river_bends() -> None:
    by = {
        kind: by_air(team("t", km=10, kind=kind), HERE).seconds
        for kind in (VehicleKind.HELICOPTER, VehicleKind.CAR, VehicleKind.BOAT)
    }

    assert by[VehicleKind.HELICOPTER] < by[VehicleKind.CAR] < by[VehicleKind.BOAT]


def test_what_is_known_of_the_road_counts_more_than_the_air() -> None:
    known = TravelFacts({"t": TravelTime(500, "osrm", START)}, {})

    found = eta(team("t", ready_seconds=60), HERE, START, known)

    assert (found.seconds, found.source, found.at) == (560, "osrm", START)


def test_an_old_position_counts_less_and_never_more_than_a_quarter_of_an_hour() -> None:
    def doubt(**ago: int) -> int:
        return doubt_seconds(team("t", position_at=START - timedelta(**ago)), START)

    assert doubt(minutes=4) == 0
    assert 0 < doubt(minutes=30) < doubt(hours=2)
    assert doubt(days=3) == 15 * 60


def test_a_rough_position_counts_less() -> None:
    near = team("t", position_at=START, accuracy_m=10)
    rough = team("t", position_at=START, accuracy_m=3000)

    assert doubt_seconds(near, START) <= 1
    assert doubt_seconds(rough, START) == 180


def arrival(number: int, took: int, **changes: object) -> Assignment:
    given: dict[str, object] = {
        "id": AssignmentId(f"a{number}"),
        "scheme_id": SchemeId("s"),
        "event_id": EventId("e"),
        "team_id": TeamId("t"),
        "role": "medical",
        "eta_seconds": 600,
        "amounts": {},
        "fence": 1,
        "opened_at": START,
        "on_scene_at": START + timedelta(seconds=took),
    }
    return Assignment(**{**given, **changes})  # type: ignore[arg-type]


def test_what_a_kind_took_longer_it_will_take_longer() -> None:
    found = corrections([arrival(n, 900) for n in range(9)])

    assert found == {(VehicleKind.CAR, "air"): 1.5}
    slower = eta(team("t", km=10), HERE, START, TravelFacts({}, found)).seconds
    assert slower > eta(team("t", km=10), HERE, START, UNKNOWN_ROADS).seconds


def test_a_few_arrivals_or_a_forgotten_button_teach_little() -> None:
    assert corrections([arrival(n, 900) for n in range(4)]) == {}
    assert corrections([arrival(n, 90_000) for n in range(9)]) == {(VehicleKind.CAR, "air"): 2.0}


def test_what_was_learned_stays_learned() -> None:
    """Times that are corrected already must not teach that there is nothing to correct."""
    far, arrived = team("t", km=20), list[Assignment]()
    found: Corrections = {}
    for number in range(300):
        told = eta(far, HERE, START, TravelFacts({}, found))
        took = far.ready_seconds + round(1.5 * by_air(far, HERE).seconds)
        facts = {"eta_seconds": told.seconds, "correction": told.correction}
        arrived = [arrival(number, took, **facts), *arrived][:100]
        found = corrections(arrived)

        assert number < 10 or abs(found[VehicleKind.CAR, "air"] - 1.5) < 0.1


def test_what_was_learned_of_the_air_says_nothing_of_a_road_server() -> None:
    known = TravelFacts({"t": TravelTime(600, "osrm")}, {(VehicleKind.CAR, "air"): 2.0})

    assert eta(team("t", ready_seconds=0), HERE, START, known).seconds == 600


@pytest.mark.parametrize(
    ("hour", "works"), [(7, False), (8, True), (19, True), (20, False), (23, False)]
)
def test_a_team_works_in_its_shift(hour: int, works: bool) -> None:
    day = team("t", shifts=(Shift("08:00", "20:00"),))
    now = START.astimezone(SHANGHAI).replace(hour=hour, minute=0)

    assert off_duty(day, now, SHANGHAI) == ("" if works else "off_shift")


def test_a_night_shift_ends_the_next_morning() -> None:
    night = team("t", shifts=(Shift("20:00", "06:00", days=(1,)),))  # Monday night
    monday = START.astimezone(SHANGHAI)
    while monday.isoweekday() != 1:
        monday += timedelta(days=1)

    def at(hour: int, days: int = 0) -> str:
        moment = (monday + timedelta(days=days)).replace(hour=hour, minute=30)
        return off_duty(night, moment, SHANGHAI)

    assert [at(19), at(21), at(5, 1), at(6, 1), at(21, 1)] == [
        "off_shift",
        "",
        "",
        "off_shift",
        "off_shift",
    ]


def test_who_is_off_duty_brings_no_skill_and_too_few_do_not_go() -> None:
    crew = (
        CrewMember("Ana", ("medical", "search")),
        CrewMember("Bo", ("medical",)),
        CrewMember("Cai", ("medical",), on_duty=False),
    )
    found = team("t", capabilities={"firefighting": 1}, crew=crew, crew_min=3)

    assert offered(found) == {"firefighting": 1, "medical": 2, "search": 1}
    assert off_duty(found, START, SHANGHAI) == "crew"


def test_who_has_come_home_rests() -> None:
    tired = team("t", rests_until=START + timedelta(hours=1))

    assert off_duty(tired, START, SHANGHAI) == "rests"
    assert off_duty(tired, START + timedelta(hours=1), SHANGHAI) == ""
