"""How far, how long. Pure; an estimate by air distance that errs on the slow side."""

import math

from clarion.dispatch.model import Place, Team

EARTH_KM = 6371.0
ROADS = 1.3  # roads are about a third longer than the air between two points in a city


def distance_km(here: Place, there: Place) -> float:
    """By road, estimated."""
    lat1, lat2 = math.radians(here.latitude), math.radians(there.latitude)
    across = math.radians(there.longitude - here.longitude)
    chord = (
        math.sin((lat2 - lat1) / 2) ** 2
        + math.cos(lat1) * math.cos(lat2) * math.sin(across / 2) ** 2
    )
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(chord))) * ROADS


def eta_seconds(team: Team, there: Place) -> int:
    driving = distance_km(team.place, there) / team.speed_kmh * 3600
    return team.ready_seconds + math.ceil(driving)
