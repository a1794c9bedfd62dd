"""Where a team would be in time for more events: never worse than what anybody could work out."""

import random
from itertools import product

from clarion.dispatch.model import Place, Station, Team
from clarion.dispatch.plan.travel import air_km
from clarion.dispatch.seat.demand import (
    GAIN_LEAST,
    BetterPlace,
    Demand,
    away_share,
    better_place,
    reach_km,
)
from tests.support.clock import START
from tests.support.dispatching import HERE, KM_NORTH, team

AWAY = 0.4


def station(number: int, km: float) -> Station:
    place = Place(HERE.latitude + km * KM_NORTH, HERE.longitude)
    return Station(id=f"s{number}", name="", place=place)


def at(place: Place, name: str) -> Team:
    return team(name, place=place)


def expected(places: list[Place], teams: list[Team]) -> float:
    """The share of places that somebody reaches in time, each being away so often."""
    found = 0.0
    for place in places:
        near = sum(air_km(one.place, place) <= reach_km(one) for one in teams)
        found += 1 - AWAY**near
    return found / len(places)


def proposed(stations: list[Station], teams: list[Team], places: list[Place]) -> BetterPlace | None:
    demand = Demand(stations, places)
    return better_place(demand, stations, teams, teams, "medical", AWAY, START)


def test_no_other_move_of_one_team_gains_more() -> None:
    moves = 0
    for seed in range(40):
        dice = random.Random(seed)
        stations = [station(n, dice.uniform(0, 40)) for n in range(5)]
        teams = [at(dice.choice(stations).place, f"t{n}") for n in range(4)]
        places = [station(0, dice.uniform(0, 40)).place for _ in range(12)]
        everywhere = [*places, *(one.place for one in stations)]
        before = expected(everywhere, teams)
        gains = [
            expected(everywhere, [one for one in teams if one is not leaves] + [at(to.place, "x")])
            - before
            for leaves, to in product(teams, stations)
        ]

        found = proposed(stations, teams, places)

        if found is None:
            assert max(gains) < GAIN_LEAST + 1e-9
        else:
            moves += 1
            assert abs(found.gain - max(gains)) < 1e-3
    assert moves > 10


def test_a_second_team_counts_less_than_the_first_elsewhere() -> None:
    stations = [station(0, 0), station(1, 30)]
    both = [at(stations[0].place, "t1"), at(stations[0].place, "t2")]
    places = [stations[0].place] * 3 + [stations[1].place] * 2

    found = proposed(stations, both, places)

    assert found is not None
    assert (found.move.team_id, found.move.station_id) == ("t1", "s1")
    spread = [both[0], at(stations[1].place, "t2")]
    assert proposed(stations, spread, places) is None


def test_a_city_where_nobody_is_left_or_everybody_still_has_a_share() -> None:
    assert away_share(0, 10) == 0.9
    assert away_share(10, 10) == 0.2
    assert away_share(0, 0) == 0.2
    assert proposed([station(0, 0)], [], [HERE]) is None
