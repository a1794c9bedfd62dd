"""Where events come from, and where a free team would be in time for more of them. Pure.

Expected coverage: each team may be busy, so the second team within reach of a place counts less
than the first, and the third even less. The places of recent events stand for those of future ones.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from clarion.dispatch.model import Place, Station, Team
from clarion.dispatch.plan.crews import offered
from clarion.dispatch.plan.travel import FACTOR, air_km
from clarion.dispatch.seat.cover import MoveUp, home_of, move_up

TARGET = timedelta(minutes=8)  # until a team arrives, as most cities promise
PLACES_MAX = 300  # the latest events; more would be slower and not more exact
AWAY_RANGE = (0.2, 0.9)  # below, second teams count for nothing; above, all count alike
GAIN_LEAST = 0.001  # one event in a thousand: a smaller gain is not worth the drive
LEAVERS_MAX = 50  # groups of teams that are considered, the least missed first


@dataclass(frozen=True, slots=True)
class BetterPlace:
    move: MoveUp
    gain: float
    """The share of events to which somebody more would come in time."""


class Demand:
    """Places of events that needed one capability. Each station counts as one more place, so that a
    district without events is not left uncovered.
    """

    def __init__(self, stations: Sequence[Station], places: Iterable[Place]) -> None:
        self._stations = {one.id: one for one in stations}
        self._places = [*places, *(one.place for one in stations)]
        self._from: dict[str, list[float]] = {}
        self._within: dict[tuple[str, float], frozenset[int]] = {}

    @property
    def size(self) -> int:
        return len(self._places)

    def within(self, station_id: str, km: float) -> frozenset[int]:
        """The places that are this near to a station."""
        key = (station_id, km)
        if key not in self._within:
            if station_id not in self._from:
                here = self._stations[station_id].place
                self._from[station_id] = [air_km(here, there) for there in self._places]
            far = self._from[station_id]
            self._within[key] = frozenset(n for n, away in enumerate(far) if away <= km)
        return self._within[key]

    def around(self, place: Place, km: float) -> frozenset[int]:
        far = (air_km(place, there) for there in self._places)
        return frozenset(n for n, away in enumerate(far) if away <= km)


def reach_km(team: Team) -> float:
    """How far it gets in time, in a straight line."""
    driving = max(0.0, TARGET.total_seconds() - team.ready_seconds)
    return round(driving / 3600 * team.speed_kmh / FACTOR[team.kind], 2)


def away_share(free: int, everybody: int) -> float:
    least, most = AWAY_RANGE
    return min(most, max(least, 1 - free / everybody if everybody else least))


def better_place(
    demand: Demand,
    stations: Sequence[Station],
    free: Sequence[Team],
    may_leave: Iterable[Team],
    capability: str,
    away: float,
    now: datetime,
) -> BetterPlace | None:
    """The one move that helps most. `away`: the probability that a team is busy."""
    able = [team for team in free if offered(team).get(capability)]
    homes = {team.id: home_of(team, stations) for team in able}
    covers = {team.id: _covered(demand, team, homes[team.id]) for team in able}
    count = Counter(place for team in able for place in covers[team.id])
    more = {n: (1 - away) * away ** count[n] for n in range(demand.size)}
    less = {n: (1 - away) * away ** (count[n] - 1) for n in count}
    leavers = {team.id for team in may_leave}
    groups: dict[tuple[frozenset[int], float], list[Team]] = {}
    for team in able:
        if team.id in leavers:
            groups.setdefault((covers[team.id], reach_km(team)), []).append(team)
    best: tuple[float, Station, list[Team]] | None = None
    for (here, km), teams in _missed_least(groups, less):
        for station in stations:
            there = demand.within(station.id, km)
            gain = sum(more[n] for n in there - here) - sum(less[n] for n in here - there)
            if best is None or gain > best[0]:
                best = gain, station, teams
    if best is None or best[0] < GAIN_LEAST * demand.size:
        return None
    gain, station, teams = best
    nearest = min(teams, key=lambda one: (air_km(one.place, station.place), one.id))
    return BetterPlace(move_up(nearest, station, capability, now), round(gain / demand.size, 4))


def _covered(demand: Demand, team: Team, home: str | None) -> frozenset[int]:
    km = reach_km(team)
    return demand.around(team.place, km) if home is None else demand.within(home, km)


def _missed_least(
    groups: Mapping[tuple[frozenset[int], float], list[Team]], less: Mapping[int, float]
) -> list[tuple[tuple[frozenset[int], float], list[Team]]]:
    def missed(one: tuple[tuple[frozenset[int], float], list[Team]]) -> tuple[float, str]:
        return sum(less[n] for n in one[0][0]), one[1][0].id

    return sorted(groups.items(), key=missed)[:LEAVERS_MAX]
