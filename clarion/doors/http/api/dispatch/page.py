"""What the dispatcher's page needs beside the records: spots on a map, its tiles, and ears."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel

from clarion.base.errors import NotFound
from clarion.dispatch.seat.sources import MapSource, SoundReader
from clarion.dispatch.seat.verbs import Seat
from clarion.doors.http.api.dispatch.shapes import DispatchRoute
from clarion.doors.http.auth import Dispatcher, Viewer
from clarion.doors.http.conventions import Instant, answer_json, nothing, refusals, said

ZOOM_MAX = 22
KEPT = "private, max-age=86400"  # roads stay where they are for a day
Zoom = Annotated[int, Path(ge=0, le=ZOOM_MAX)]
Cell = Annotated[int, Path(ge=0, lt=1 << ZOOM_MAX)]
TILE: dict[int | str, dict[str, Any]] = {
    204: {"description": "The map has nothing there"},
    200: {"content": {"image/png": {}, "application/vnd.mapbox-vector-tile": {}}},
}
BINARY = {"type": "string", "format": "binary"}
SOUND = {
    "requestBody": {
        "content": {"application/octet-stream": {"schema": BINARY}},
        "required": True,
    }
}


class SpotAnswers(BaseModel):
    count: int
    since: str
    items: list[list[str | float]]
    """Id, name, latitude, longitude, status."""


class MapAnswer(BaseModel):
    kind: str
    """`none`, `image` or `vector`."""
    deepest: int
    credit: str
    hears: bool
    """Whether recordings can be understood here."""


class HeardAnswer(BaseModel):
    text: str


def page_routes(
    seat: Seat, tiles: MapSource | None, credit: str, ears: SoundReader | None
) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)
    add_map(router, tiles, credit, hears=ears is not None)

    @router.get("/positions", response_model=SpotAnswers, summary="Where everybody is, briefly")
    async def positions(_who: Viewer, since: Instant | None = None) -> Response:
        """With `since` of the answer before: only who was changed or seen since then. Another
        `count` than one knows means that somebody was added or forgotten: ask without it.
        """
        found = await seat.spots(since)
        items = [
            (one.team_id, one.name, one.place.latitude, one.place.longitude, one.status)
            for one in found.changed
        ]
        return answer_json({"count": found.count, "since": said(found.since), "items": items})

    @router.post(
        "/reports/hear",
        response_model=HeardAnswer,
        summary="The words of a spoken report",
        description="The body is the recording, at most two minutes. Read the words back next.",
        openapi_extra=SOUND,
        responses=refusals(400, 404, 503),
    )
    async def hear(_who: Dispatcher, request: Request) -> Response:
        if ears is None:
            raise NotFound("Nobody can listen here.", hint="Set CLARION_TRANSCRIPTION_URL.")
        return answer_json({"text": await ears.words(await request.body())})

    return router


def add_map(router: APIRouter, tiles: MapSource | None, credit: str, *, hears: bool) -> None:
    @router.get("/map", response_model=MapAnswer, summary="Which map there is")
    async def facts(_who: Viewer) -> Response:
        shown: dict[str, Any] = {"kind": "none", "deepest": 0, "credit": "", "hears": hears}
        if tiles is not None:
            found = await tiles.facts()
            kind = "vector" if found.is_vector else "image"
            shown |= {"kind": kind, "deepest": found.deepest, "credit": credit}
        return answer_json(shown)

    @router.get(
        "/map/{zoom}/{column}/{row}",
        response_class=Response,
        summary="One tile of the map",
        responses={**TILE, **refusals(503)},
    )
    async def tile(_who: Viewer, zoom: Zoom, column: Cell, row: Cell) -> Response:
        found = await tiles.tile(zoom, column, row) if tiles is not None else None
        if found is None:  # no tile, as at sea: an empty answer is no error
            return nothing()
        headers = {"Cache-Control": KEPT} | ({"Content-Encoding": "gzip"} if found.is_gzip else {})
        return Response(found.body, media_type=found.type, headers=headers)
