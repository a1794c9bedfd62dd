"""Dispatch in whole cities: who is there in time, by three ways of deciding, on the same calls.

`python -m benchmarks.dispatch_cities [days]`, by default 5. The four cities are made up, after how
JEMSS describes its own: a grid of roads, stations, demand with centres and a daily rhythm, urgent
calls with a target and others with a longer one, time on scene, a way to a hospital, the way home.

closest      the closest free ambulance; who comes free goes to the gravest call, then home
MEXCLP-like  the same, and idle ambulances move to where they add most expected coverage
ours         waiting calls are planned together, and idle ones move as `/ai/move-ups` calls better,
             which knows the calls so far; MEXCLP-like is told from which centres they come
"""

import heapq
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from clarion.agent.joint import solve_together
from clarion.base.clock import SystemClock
from clarion.dispatch.model import Need, Place, Station, Team, TeamId, TeamStatus
from clarion.dispatch.plan.choose import Candidate, ChoiceProblem, problem
from clarion.dispatch.seat.demand import PLACES_MAX, Demand, away_share, better_place

CLOCK = SystemClock()
START = datetime(2026, 1, 1, tzinfo=UTC)
KM = 1 / 111.2  # degrees; the cities lie at the equator, so both axes are alike
TARGET = {True: 8 * 60, False: 20 * 60}
READY = 60
MOVE_EVERY = 300.0  # seconds between two looks at the cover
LEARN_EVERY = 10  # calls after which what is known of the demand is looked at anew


@dataclass(frozen=True)
class City:
    name: str
    width: float
    stations: tuple[tuple[float, float], ...]
    ambulances: int
    centres: tuple[tuple[float, float, float], ...]
    """East, north, weight."""
    calls_a_day: int
    speed: float
    seed: int


def cities() -> list[City]:
    def spread(dice: random.Random, count: int, width: float) -> tuple[tuple[float, float], ...]:
        return tuple(
            (dice.uniform(0.1, 0.9) * width, dice.uniform(0.1, 0.9) * width) for _ in range(count)
        )

    found = []
    for name, width, stations, ambulances, calls, seed in (
        ("harbour", 24.0, 9, 14, 150, 1),
        ("plain", 40.0, 14, 22, 200, 2),
        ("old town", 14.0, 6, 10, 140, 3),
        ("two hearts", 30.0, 10, 16, 170, 4),
    ):
        dice = random.Random(seed)
        centres = tuple(
            (dice.uniform(0.2, 0.8) * width, dice.uniform(0.2, 0.8) * width, dice.uniform(0.5, 2.0))
            for _ in range(4)
        )
        places = spread(dice, stations, width)
        found.append(City(name, width, places, ambulances, centres, calls, 42.0, seed))
    return found


@dataclass(frozen=True)
class Call:
    at: float
    place: tuple[float, float]
    urgent: bool
    on_scene: float
    hospital: tuple[float, float] | None
    district: int


def calls_of(city: City, days: int) -> list[Call]:
    dice = random.Random(city.seed * 977)
    found, now = [], 0.0
    weights = [one[2] for one in city.centres]
    hospital = city.centres[0][:2]
    while now < days * 86_400:
        rhythm = 1 + 0.6 * math.sin((now / 3600 - 9) / 24 * 2 * math.pi)
        now += dice.expovariate(city.calls_a_day / 86_400 * rhythm)
        if dice.random() < 0.75:
            east, north, _ = dice.choices(city.centres, weights)[0]
            spot = (dice.gauss(east, city.width / 9), dice.gauss(north, city.width / 9))
        else:
            spot = (dice.uniform(0, city.width), dice.uniform(0, city.width))
        place = (min(city.width, max(0, spot[0])), min(city.width, max(0, spot[1])))
        district = min(range(len(city.stations)), key=lambda n: road(place, city.stations[n]))
        goes = hospital if dice.random() < 0.7 else None
        stay = dice.lognormvariate(math.log(18 * 60), 0.4)
        found.append(Call(now, place, dice.random() < 0.6, stay, goes, district))
    return found


def road(here: tuple[float, float], there: tuple[float, float]) -> float:
    return abs(here[0] - there[0]) + abs(here[1] - there[1])


@dataclass
class Ambulance:
    number: int
    place: tuple[float, float]
    home: tuple[float, float]
    busy: bool = False
    moving: tuple[tuple[float, float], tuple[float, float], float] | None = None
    """From, to, since when."""


@dataclass
class Simulation:
    city: City
    moves: "Callable[[Simulation], Sequence[tuple[int, tuple[float, float]]]]"
    together: bool
    fleet: list[Ambulance] = field(default_factory=list)
    now: float = 0.0
    waiting: list[Call] = field(default_factory=list)
    took: list[tuple[Call, float]] = field(default_factory=list)
    queue: list[tuple[float, int, str, object]] = field(default_factory=list)
    count: int = 0

    def __post_init__(self) -> None:
        for number in range(self.city.ambulances):
            home = self.city.stations[number % len(self.city.stations)]
            self.fleet.append(Ambulance(number, home, home))

    def later(self, seconds: float, what: str, about: object) -> None:
        self.count += 1
        heapq.heappush(self.queue, (self.now + seconds, self.count, what, about))

    def where(self, one: Ambulance) -> tuple[float, float]:
        if one.moving is None:
            return one.place
        start, end, since = one.moving
        whole = self.seconds(start, end)
        share = 1.0 if whole == 0 else min(1.0, (self.now - since) / whole)
        return (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))

    def seconds(self, here: tuple[float, float], there: tuple[float, float]) -> float:
        return road(here, there) / self.city.speed * 3600

    def send(self, one: Ambulance, call: Call) -> None:
        here = self.where(one)
        drive = self.seconds(here, call.place)
        one.busy, one.moving = True, None
        self.took.append((call, self.now + READY + drive - call.at))
        end = call.hospital or call.place
        away = READY + drive + call.on_scene + self.seconds(call.place, end)
        away += 15 * 60 if call.hospital else 0
        self.later(away, "free", (one.number, end))

    def free(self) -> list[Ambulance]:
        return [one for one in self.fleet if not one.busy]

    def dispatch(self) -> None:
        """Give the waiting calls to who is free."""
        if self.together and len(self.waiting) > 1 and self.free():
            self._jointly()
            return
        for call in sorted(self.waiting, key=lambda one: (not one.urgent, one.at)):
            free = self.free()
            if not free:
                return
            nearest = min(free, key=lambda one: self.seconds(self.where(one), call.place))
            self.waiting.remove(call)
            self.send(nearest, call)

    def _jointly(self) -> None:
        free = self.free()
        problems = [self._problem(call, free) for call in self.waiting]
        shares, _ = solve_together(problems, 1.0, CLOCK)
        for call, share in list(zip(self.waiting, shares, strict=True)):
            if share:
                self.waiting.remove(call)
                self.send(self.fleet[int(share[0])], call)

    def _problem(self, call: Call, free: Sequence[Ambulance]) -> ChoiceProblem:
        could = [
            Candidate(
                TeamId(f"{one.number:04}"),
                round(self.seconds(self.where(one), call.place)),
                0,
                {"medical": 1},
            )
            for one in free
        ]
        return problem([Need("medical", 1)], could, teams_max=1, gravity=8 if call.urgent else 1)

    def _home(self, number: int, place: tuple[float, float]) -> None:
        one = self.fleet[number]
        one.busy, one.place = False, place
        self.dispatch()
        if not one.busy:
            one.moving = (place, one.home, self.now)
            one.place = one.home

    def run(self, calls: Sequence[Call]) -> None:
        for call in calls:
            self.later(call.at, "call", call)
        self.later(MOVE_EVERY, "look", None)
        last = calls[-1].at
        while self.queue:
            self.now, _, what, about = heapq.heappop(self.queue)
            if what == "call":
                self.waiting.append(about)  # type: ignore[arg-type]
                self.dispatch()
            elif what == "free":
                self._home(*about)  # type: ignore[misc]
            elif self.now < last:
                self.later(MOVE_EVERY, "look", None)
            for number, place in self.moves(self):
                mover = self.fleet[number]
                mover.moving = (self.where(mover), place, self.now)
                mover.place = mover.home = place


def stays(_: Simulation) -> list[tuple[int, tuple[float, float]]]:
    return []


def weights_of(city: City) -> list[float]:
    """Demand around each station, from the centres that the calls come from."""
    found = []
    for station in city.stations:
        near = [
            weight * math.exp(-road(station, (east, north)) / (city.width / 6))
            for east, north, weight in city.centres
        ]
        found.append(sum(near) + 0.05)
    return found


def expected_coverage(sim: Simulation) -> list[tuple[int, tuple[float, float]]]:
    """Daskin's expected coverage as a rule for one idle ambulance: go where it gains most."""
    city, busy = sim.city, sum(one.busy for one in sim.fleet) / len(sim.fleet)
    idle = [one for one in sim.free() if one.moving is None or sim.where(one) == one.place]
    if not idle:
        return []
    q, demand = min(0.9, max(0.2, busy)), weights_of(city)
    at = [sum(one.home == station for one in sim.free()) for station in city.stations]
    worst = min(idle, key=lambda one: _gain(q, demand, at, city.stations.index(one.home), 0))
    loss = _gain(q, demand, at, city.stations.index(worst.home), 0)
    best = max(range(len(at)), key=lambda n: _gain(q, demand, at, n, 1))
    gain = _gain(q, demand, at, best, 1)
    return [(worst.number, city.stations[best])] if gain > 1.2 * loss else []


def _gain(q: float, demand: Sequence[float], at: Sequence[int], station: int, more: int) -> float:
    return demand[station] * (1 - q) * q ** (at[station] - 1 + more) if at[station] + more else 0.0


class Proposed:
    """What `/ai/move-ups` calls a better place, carried out at once; by the calls so far."""

    def __init__(self, city: City) -> None:
        self._city = city
        self._stations = [
            Station(id=f"{number:02}", name="", place=spot(place))
            for number, place in enumerate(city.stations)
        ]
        self._demand = Demand(self._stations, ())
        self._seen = 0

    def __call__(self, sim: Simulation) -> list[tuple[int, tuple[float, float]]]:
        if len(sim.took) >= self._seen + LEARN_EVERY:
            self._seen = len(sim.took)
            places = (spot(call.place) for call, _ in sim.took[-PLACES_MAX:])
            self._demand = Demand(self._stations, places)
        teams = [
            Team(
                id=TeamId(f"{one.number:04}"),
                name="",
                place=spot(one.place),
                capabilities={"medical": 1},
                speed_kmh=self._city.speed,
                ready_seconds=READY,
                status=TeamStatus.STANDBY,
            )
            for one in sim.free()
        ]
        away, now = away_share(len(teams), len(sim.fleet)), START + timedelta(seconds=sim.now)
        found = better_place(self._demand, self._stations, teams, teams, "medical", away, now)
        if found is None:
            return []
        return [(int(found.move.team_id), self._city.stations[int(found.move.station_id)])]


def spot(place: tuple[float, float]) -> Place:
    return Place(place[1] * KM, place[0] * KM)


def p90(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * 9 // 10)]


def report(city: City, days: int) -> None:
    calls = calls_of(city, days)
    print(f"{city.name}: {len(calls)} calls, {city.ambulances} ambulances")
    print(f"{'':14}{'in time':>9}{'urgent':>9}{'p90 min':>9}{'worst district':>16}")
    ways = (
        ("closest", stays, False),
        ("MEXCLP-like", expected_coverage, False),
        ("ours", Proposed(city), True),
    )
    for name, moves, together in ways:
        sim = Simulation(replace(city), moves, together)
        sim.run(calls)
        assert len(sim.took) == len(calls), "a call was forgotten"
        good = [took <= TARGET[call.urgent] for call, took in sim.took]
        urgent = [took <= TARGET[True] for call, took in sim.took if call.urgent]
        shares = []
        for district in range(len(city.stations)):
            here = [took <= TARGET[c.urgent] for c, took in sim.took if c.district == district]
            if len(here) >= 20:
                shares.append(sum(here) / len(here))
        print(
            f"{name:14}{sum(good) / len(good):9.1%}{sum(urgent) / len(urgent):9.1%}"
            f"{p90([took for _, took in sim.took]) / 60:9.1f}{min(shares):16.1%}"
        )
    print()


if __name__ == "__main__":
    for one in cities():
        report(one, int(sys.argv[1]) if len(sys.argv) > 1 else 5)
