"""Events, teams and parts for other programs: CSV for a sheet, JSON, GeoJSON for a map."""

import csv
import io
import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from clarion.dispatch.errors import InvalidInput
from clarion.dispatch.seat.verbs import SeatStore
from clarion.doors.http.api.dispatch.shapes import (
    DispatchRoute,
    assignment_out,
    event_out,
    team_out,
)
from clarion.doors.http.auth import Viewer
from clarion.doors.http.conventions import Instant, refusals

What = Literal["events", "teams", "assignments"]
Form = Literal["csv", "json", "geojson"]
TYPES: dict[str, str] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "geojson": "application/geo+json",
}
ROWS_MAX = 100_000
SPAN = timedelta(days=366)
CONTENT: dict[str, Any] = {
    "application/json": {"schema": {"type": "object"}},
    "application/geo+json": {"schema": {"type": "object"}},
    "text/csv": {"schema": {"type": "string"}},
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""A spreadsheet takes a cell that begins with one of these for a formula."""


def export_routes(seats: SeatStore) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)

    @router.get(
        "/export",
        summary="For other programs",
        responses={200: {"content": CONTENT}, **refusals(400)},
    )
    async def export(
        _who: Viewer,
        what: What,
        since: Instant,
        form: Annotated[Form, Query(alias="format")] = "json",
        until: Instant | None = None,
    ) -> Response:
        """Events and parts of a span, at most a year; teams as they are."""
        end = until or since + SPAN
        if not since < end <= since + SPAN:
            raise InvalidInput("until: after since, at most a year later")
        if form == "geojson" and what == "assignments":
            raise InvalidInput("format: assignments have no place of their own")
        day = await seats.day(since, end, ROWS_MAX)
        rows = {
            "events": lambda: [event_out(one) for one in day.events],
            "teams": lambda: [team_out(one) for one in day.teams],
            "assignments": lambda: [assignment_out(one) for one in day.parts],
        }[what]()
        headers = {"Content-Disposition": f'attachment; filename="{what}.{form}"'}
        return Response(written(rows, form), media_type=TYPES[form], headers=headers)

    return router


def written(rows: Sequence[dict[str, Any]], form: Form) -> str:
    if form == "csv":
        return as_csv(rows)
    whole = {"items": list(rows)} if form == "json" else as_geojson(rows)
    return json.dumps(whole, ensure_ascii=False)


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """A place becomes two columns; lists and tables are JSON in their cell."""
    flat = [_flat(row) for row in rows]
    file = io.StringIO()
    columns = list(flat[0]) if flat else []
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    writer.writerows(flat)
    return file.getvalue()


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in row.items():
        if name == "place":
            found |= value
        elif isinstance(value, list | dict):
            found[name] = json.dumps(value, ensure_ascii=False)
        elif isinstance(value, str) and value.startswith(FORMULA):
            found[name] = f"'{value}"
        else:
            found[name] = value
    return found


def as_geojson(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "id": row["id"],
                "geometry": {
                    "type": "Point",
                    "coordinates": [row["place"]["longitude"], row["place"]["latitude"]],
                },
                "properties": {name: row[name] for name in row if name != "place"},
            }
            for row in rows
        ],
    }
