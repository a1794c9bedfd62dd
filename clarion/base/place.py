"""A point on the earth, and where somebody was when."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Place:
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Position:
    place: Place
    at: datetime
    accuracy_m: float | None = None
