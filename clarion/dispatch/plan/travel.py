"""How far, how long. Pure: roads where somebody has measured them, else an estimate by air.

The estimate is rather too slow: roads are longer than straight lines, an old position may be
wrong, and kinds of vehicle that were slower than estimated lately are expected to be so again.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from clarion.dispatch.model import Assignment, Corrections, Place, Team, VehicleKind

EARTH_KM = 6371.0
AIR = "air"
FACTOR: Mapping[VehicleKind, float] = {
    VehicleKind.CAR: 1.3,  # roads are about a third longer than the air in a city
    VehicleKind.BOAT: 1.5,  # rivers bend
    VehicleKind.HELICOPTER: 1.0,
    VehicleKind.FOOT: 1.2,
}
FRESH = timedelta(minutes=5)  # radios report every minute or two
DOUBT = 0.1  # seconds later for every second that a position is older than fresh
DOUBT_MAX = timedelta(minutes=15)  # after that it is as good as not known
ARRIVALS_LEAST = 5  # fewer say nothing
ARRIVALS_SEEN = 100
CORRECTION_RANGE = (0.5, 2.0)  # beyond, somebody pressed a button late


@dataclass(frozen=True, slots=True)
class TravelTime:
    """Seconds of driving, what they were taken from, and when that was asked."""

    seconds: int
    source: str = AIR
    at: datetime | None = None
    correction: float = 1.0
    """By what the driving was multiplied, from what such times have been worth."""


@dataclass(frozen=True, slots=True)
class TravelFacts:
    """What is known about the ways to one place. Empty: the estimate by air alone."""

    times: Mapping[str, TravelTime]
    """By team; who is not there is estimated."""
    corrections: Corrections


UNKNOWN_ROADS = TravelFacts({}, {})


def air_km(here: Place, there: Place) -> float:
    lat1, lat2 = math.radians(here.latitude), math.radians(there.latitude)
    across = math.radians(there.longitude - here.longitude)
    chord = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin(across / 2) ** 2
    )
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(chord)))


def distance_km(here: Place, there: Place, kind: VehicleKind = VehicleKind.CAR) -> float:
    """On its way, estimated."""
    return air_km(here, there) * FACTOR[kind]


def by_air(team: Team, there: Place) -> TravelTime:
    hours = distance_km(team.place, there, team.kind) / team.speed_kmh
    return TravelTime(math.ceil(hours * 3600))


def doubt_seconds(team: Team, now: datetime) -> int:
    """The extra time for an old or rough position."""
    if team.position_at is None:
        return 0
    age = max(timedelta(), now - team.position_at - FRESH)
    old = min(age * DOUBT, DOUBT_MAX).total_seconds()
    rough = (team.accuracy_m or 0.0) / 1000 / team.speed_kmh * 3600
    return math.ceil(old + min(rough, DOUBT_MAX.total_seconds()))


def eta(team: Team, there: Place, now: datetime, known: TravelFacts) -> TravelTime:
    """From the call until it is there."""
    driving = known.times.get(team.id) or by_air(team, there)
    learned = known.corrections.get((team.kind, driving.source), 1.0)
    seconds = team.ready_seconds + math.ceil(driving.seconds * learned) + doubt_seconds(team, now)
    return TravelTime(seconds, driving.source, driving.at or now, learned)


def corrections(arrivals: Iterable[Assignment]) -> dict[tuple[VehicleKind, str], float]:
    """How much longer than estimated each kind took, from teams that reported their arrival.

    Compared with the uncorrected estimates: otherwise a correction would vanish as soon as it is
    right.
    """
    ratios: dict[tuple[VehicleKind, str], list[float]] = {}
    for one in arrivals:
        if one.on_scene_at is not None and one.eta_seconds > 0:
            took = (one.on_scene_at - one.opened_at).total_seconds()
            ratio = took / one.eta_seconds * one.correction
            ratios.setdefault((one.kind, one.eta_source), []).append(ratio)
    least, most = CORRECTION_RANGE
    return {
        way: round(min(most, max(least, median(found))), 3)
        for way, found in ratios.items()
        if len(found) >= ARRIVALS_LEAST
    }
