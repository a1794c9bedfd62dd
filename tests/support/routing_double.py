"""Two routing servers as their documents describe them: OSRM's table and Valhalla's matrix.

Strict: a question that the real ones would refuse is refused here too.
"""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.support.http import serving

COORDINATE = re.compile(r"-?\d{1,3}(\.\d+)?,-?\d{1,2}(\.\d+)?")
TABLE_MAX = 100 + 1
Seconds = Callable[[float, float, float, float], float | None]
"""From latitude and longitude to latitude and longitude; None: there is no way."""


def a_minute_a_kilometre(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    return (abs(lat1 - lat2) + abs(lon1 - lon2)) * 111.2 * 60


@dataclass
class RoutingDouble:
    seconds: Seconds = a_minute_a_kilometre
    asked: list[str] = field(default_factory=list)
    fault: str = ""
    """`error`: 500; `nonsense`: no JSON; `other`: JSON of another kind; `short`: a row less;
    `deep`: JSON without an end."""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/table/v1/{profile}/{places}", self.table),
                Route("/sources_to_targets", self.matrix, methods=["POST"]),
            ]
        )

    def _broken(self) -> Response | None:
        if self.fault == "error":
            return Response("boom", 500)
        if self.fault == "nonsense":
            return Response("<html>")
        if self.fault == "deep":
            return Response("[" * 100_000)
        return JSONResponse({"hello": 1}) if self.fault == "other" else None

    async def table(self, request: Request) -> Response:
        if broken := self._broken():
            return broken
        profile = request.path_params["profile"]
        self.asked.append(f"osrm {profile}")
        places = request.path_params["places"].split(";")
        query = request.query_params
        if profile not in ("driving", "foot") or not all(map(COORDINATE.fullmatch, places)):
            return JSONResponse({"code": "InvalidUrl"}, 400)
        if len(places) > TABLE_MAX:
            return JSONResponse({"code": "TooBig"}, 400)
        points = [tuple(map(float, one.split(","))) for one in places]
        sources = [int(one) for one in query["sources"].split(";")]
        ends = [int(one) for one in query["destinations"].split(";")]
        rows = [
            [self.seconds(points[a][1], points[a][0], points[b][1], points[b][0]) for b in ends]
            for a in sources
        ]
        if self.fault == "short":
            rows.pop()
        return JSONResponse({"code": "Ok", "durations": rows})

    async def matrix(self, request: Request) -> Response:
        if broken := self._broken():
            return broken
        body: dict[str, Any] = await request.json()
        self.asked.append(f"valhalla {body['costing']}")
        if body["costing"] not in ("auto", "pedestrian", "bicycle", "truck"):
            return JSONResponse({"error_code": 125, "error": "No costing method found"}, 400)
        rows = [
            [
                {
                    "time": self.seconds(start["lat"], start["lon"], end["lat"], end["lon"]),
                    "distance": 1.0,
                    "from_index": a,
                    "to_index": b,
                }
                for b, end in enumerate(body["targets"])
            ]
            for a, start in enumerate(body["sources"])
        ]
        return JSONResponse({"sources_to_targets": rows, "units": "kilometers"})

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        async with serving(self.app()) as url:
            yield url
