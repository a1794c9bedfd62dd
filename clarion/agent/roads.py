"""Where travel times come from: a routing server, a file, or else an estimate.

OSRM's `/table` and Valhalla's `/sources_to_targets` are called through the guarded exit, each with
a breaker of its own. What one does not know is asked of the next; the rest is estimated.
"""

import asyncio
import csv
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clarion.base.breaker import Breaker
from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, TimedOut, Unavailable
from clarion.dispatch.model import Place, VehicleKind
from clarion.dispatch.plan.travel import TravelTime, air_km
from clarion.dispatch.ports import Roads

if TYPE_CHECKING:
    import httpx

log = logging.getLogger(__name__)

PROFILES: Mapping[VehicleKind, str] = {VehicleKind.CAR: "driving", VehicleKind.FOOT: "foot"}
COSTINGS: Mapping[VehicleKind, str] = {
    VehicleKind.CAR: "auto",
    VehicleKind.FOOT: "pedestrian",
}
SECONDS_MAX = 7 * 86_400  # a longer body is not an answer
CACHED_MAX = 20_000
CACHED_FOR = 300.0  # seconds; traffic changes, stations do not move
SNAP_KM = 2.0  # a place of the file further away than this is another place


class HttpRoads:
    """What the two routing servers have in common: one question, checked, within its time."""

    source = ""

    def __init__(self, client: "httpx.AsyncClient", clock: Clock) -> None:
        self._client = client
        self._clock = clock

    async def times(
        self, kind: VehicleKind, starts: Sequence[Place], end: Place
    ) -> Sequence[TravelTime | None]:
        if not self.knows(kind) or not starts:
            return [None] * len(starts)
        seconds = await self._asked(kind, starts, end)
        if len(seconds) != len(starts):
            raise Unavailable(f"{self.source} answered for {len(seconds)} of {len(starts)} places.")
        at = self._clock.now()
        return [
            TravelTime(round(one), self.source, at) if _is_time(one) else None for one in seconds
        ]

    def knows(self, kind: VehicleKind) -> bool:
        raise NotImplementedError

    async def _asked(self, kind: VehicleKind, starts: Sequence[Place], end: Place) -> list[Any]:
        raise NotImplementedError

    async def _json(self, method: str, path: str, **more: Any) -> Any:
        import httpx

        try:
            answer = await self._client.request(method, path, **more)
            answer.raise_for_status()
            return answer.json()
        except httpx.TimeoutException as error:
            raise TimedOut(f"{self.source} did not answer in time.") from error
        except (httpx.HTTPError, ValueError, RecursionError) as error:
            raise Unavailable(f"{self.source} cannot be asked: {error}") from error


class OsrmRoads(HttpRoads):
    source = "osrm"

    def knows(self, kind: VehicleKind) -> bool:
        return kind in PROFILES

    async def _asked(self, kind: VehicleKind, starts: Sequence[Place], end: Place) -> list[Any]:
        places = ";".join(f"{one.longitude:.6f},{one.latitude:.6f}" for one in (*starts, end))
        sources = ";".join(map(str, range(len(starts))))
        query = {
            "sources": sources,
            "destinations": str(len(starts)),
            "annotations": "duration",
        }
        said = await self._json("GET", f"/table/v1/{PROFILES[kind]}/{places}", params=query)
        try:
            if said["code"] != "Ok":
                raise Unavailable(f"osrm refused: {said['code']}")
            return [row[0] for row in said["durations"]]
        except (KeyError, TypeError, IndexError) as error:
            raise Unavailable("osrm answered something else than a table.") from error


class ValhallaRoads(HttpRoads):
    source = "valhalla"

    def knows(self, kind: VehicleKind) -> bool:
        return kind in COSTINGS

    async def _asked(self, kind: VehicleKind, starts: Sequence[Place], end: Place) -> list[Any]:
        body = {
            "sources": [_spot(one) for one in starts],
            "targets": [_spot(end)],
            "costing": COSTINGS[kind],
        }
        said = await self._json("POST", "/sources_to_targets", json=body)
        try:
            return [row[0]["time"] for row in said["sources_to_targets"]]
        except (KeyError, TypeError, IndexError) as error:
            raise Unavailable("valhalla answered something else than a matrix.") from error


def _spot(place: Place) -> dict[str, float]:
    return {"lat": place.latitude, "lon": place.longitude}


def _is_time(value: Any) -> bool:
    return (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= SECONDS_MAX
    )


@dataclass(frozen=True, slots=True)
class MatrixRow:
    kind: VehicleKind
    here: Place
    there: Place
    seconds: int


class MatrixFile:
    """Times that somebody has measured, in a CSV file with the columns `kind`, `from_latitude`,
    `from_longitude`, `to_latitude`, `to_longitude`, `seconds`. Places snap to the nearest one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._rows: dict[VehicleKind, list[MatrixRow]] | None = None

    async def times(
        self, kind: VehicleKind, starts: Sequence[Place], end: Place
    ) -> Sequence[TravelTime | None]:
        if self._rows is None:
            self._rows = await asyncio.to_thread(read_matrix, self._path)
        rows = self._rows.get(kind, [])
        ends = [one for one in rows if air_km(one.there, end) <= SNAP_KM]
        return await asyncio.to_thread(lambda: [self._time(ends, one, end) for one in starts])

    def _time(self, rows: Sequence[MatrixRow], here: Place, there: Place) -> TravelTime | None:
        near = [
            (air_km(row.here, here) + air_km(row.there, there), row.seconds)
            for row in rows
            if air_km(row.here, here) <= SNAP_KM
        ]
        return TravelTime(min(near)[1], "file") if near else None


def read_matrix(path: Path) -> dict[VehicleKind, list[MatrixRow]]:
    """Raises Unavailable with the line that cannot be used."""
    found: dict[VehicleKind, list[MatrixRow]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, row in enumerate(csv.DictReader(file), 2):
                try:
                    one = _row(row)
                except (KeyError, TypeError, ValueError) as error:
                    raise Unavailable(f"{path.name}, line {number}: {error}") from error
                found.setdefault(one.kind, []).append(one)
    except OSError as error:
        raise Unavailable(f"{path.name}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise Unavailable(f"{path.name} is no CSV file in UTF-8: {error}") from error
    return found


def _row(row: Mapping[str, str]) -> MatrixRow:
    seconds = int(row["seconds"])
    if not 0 <= seconds <= SECONDS_MAX:
        raise ValueError(f"seconds is {seconds}")
    return MatrixRow(
        VehicleKind(row["kind"]),
        Place(float(row["from_latitude"]), float(row["from_longitude"])),
        Place(float(row["to_latitude"]), float(row["to_longitude"])),
        seconds,
    )


class RoadsInTurn:
    """Asks one source after the other for unknown times, and keeps them for some minutes."""

    def __init__(self, ways: Sequence[tuple[str, Roads]], clock: Clock) -> None:
        self._ways = [(way, Breaker(name, clock, failures_max=3)) for name, way in ways]
        self._clock = clock
        self._known: dict[tuple[VehicleKind, Place, Place], tuple[float, TravelTime]] = {}

    async def times(
        self, kind: VehicleKind, starts: Sequence[Place], end: Place
    ) -> Sequence[TravelTime | None]:
        found = [self._remembered(kind, one, end) for one in starts]
        for way, breaker in self._ways:
            missing = [place for place, one in enumerate(found) if one is None]
            if not missing:
                break
            asked = [starts[place] for place in missing]
            answered = await self._ask(way, breaker, kind, asked, end)
            for place, one in zip(missing, answered, strict=True):
                found[place] = one
                self._remember(kind, starts[place], end, one)
        return found

    async def _ask(
        self,
        way: Roads,
        breaker: Breaker,
        kind: VehicleKind,
        starts: Sequence[Place],
        end: Place,
    ) -> Sequence[TravelTime | None]:
        """A source that fails knows nothing: the next one is asked, then it is estimated."""
        try:
            return await breaker.call(lambda: way.times(kind, starts, end))
        except ClarionError as error:
            log.info("no way from %s: %s", breaker.name, error)
            return [None] * len(starts)

    def _remembered(self, kind: VehicleKind, here: Place, there: Place) -> TravelTime | None:
        kept = self._known.get((kind, here, there))
        if kept is None or self._clock.monotonic() - kept[0] > CACHED_FOR:
            return None
        return kept[1]

    def _remember(
        self, kind: VehicleKind, here: Place, there: Place, one: TravelTime | None
    ) -> None:
        if one is None:
            return
        if len(self._known) >= CACHED_MAX:
            self._known.clear()
        self._known[kind, here, there] = (self._clock.monotonic(), one)
