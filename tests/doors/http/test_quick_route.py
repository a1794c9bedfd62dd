"""The shorter way through FastAPI answers as the general one does."""

from typing import Annotated

import httpx
import pytest
from fastapi import APIRouter, Header, Request, Response, Security
from fastapi.routing import APIRoute

from clarion.base.errors import Unauthorised
from clarion.doors.http.conventions import Instant, Shape, answer_json
from clarion.doors.http.quick_route import QuickRoute, reading_of
from clarion.doors.http.server import build_app

TYPE = {"content-type": "application/json"}
KNOWN = {**TYPE, "authorization": "Bearer ana"}
GOOD = b'{"content": "tea", "at": "2030-01-07T08:00:00+08:00"}'
Mood = Annotated[str | None, Header(alias="X-Mood", max_length=5)]


class Told(Shape):
    content: str
    at: Instant
    loud: bool = False


async def caller(request: Request) -> str:
    if "authorization" not in request.headers:
        raise Unauthorised("This needs a token.")
    return request.headers["authorization"]


Caller = Annotated[str, Security(caller)]


def an_app(route_class: type[APIRoute]) -> httpx.AsyncClient:
    router = APIRouter(prefix="/api/v1", tags=["told"], route_class=route_class)

    @router.post("/told")
    async def tell(request: Request, who: Caller, body: Told, mood: Mood = None) -> Response:
        said = [request.url.path, who, body.content, body.at.isoformat(), body.loud, mood]
        return answer_json(said, 201)

    app = build_app([router], body_bytes_max=10_000)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://clarion")


@pytest.mark.parametrize(
    ("query", "headers", "body"),
    [
        pytest.param("", KNOWN, GOOD, id="as it should be"),
        pytest.param("", TYPE, GOOD, id="nobody"),
        pytest.param("", KNOWN, b'{"content": "tea"}', id="something is missing"),
        pytest.param("", KNOWN, GOOD[:-1] + b', "x": 1}', id="a field too many"),
        pytest.param("", KNOWN, GOOD[:-1] + b', "loud": 1}', id="a slip"),
        pytest.param("", TYPE, b"{}", id="nobody, with nothing"),
        pytest.param("", KNOWN, GOOD[:-1], id="no JSON"),
        pytest.param("", KNOWN, b"", id="no body"),
        pytest.param("", KNOWN, b"null", id="null"),
        pytest.param("", KNOWN, b"[" * 9_000, id="too deep"),
        pytest.param("", KNOWN, b"\xff", id="no text"),
        pytest.param("", {"authorization": "x"}, GOOD, id="no type"),
        pytest.param("", {**KNOWN, "content-type": "text/plain"}, GOOD, id="another type"),
        pytest.param(
            "", {**KNOWN, "content-type": "application/ld+json"}, GOOD, id="a kind of JSON"
        ),
        pytest.param("", {**KNOWN, "x-mood": "good"}, GOOD, id="a header that is known"),
        pytest.param("", {**KNOWN, "x-mood": "wonderful"}, GOOD, id="a header that is too long"),
        pytest.param("?x=1", KNOWN, GOOD, id="a parameter that is not known"),
    ],
)
async def test_both_ways_answer_alike(query: str, headers: dict[str, str], body: bytes) -> None:
    async with an_app(QuickRoute) as quick, an_app(APIRoute) as usual:
        asked = {"headers": {**headers, "x-request-id": "one"}, "content": body}
        short = await quick.post(f"/api/v1/told{query}", **asked)  # type: ignore[arg-type]
        long = await usual.post(f"/api/v1/told{query}", **asked)  # type: ignore[arg-type]

    assert (short.status_code, short.headers, short.text) == (
        long.status_code,
        long.headers,
        long.text,
    )


async def test_both_are_described_alike() -> None:
    async with an_app(QuickRoute) as quick, an_app(APIRoute) as usual:
        assert (await quick.get("/api/openapi.json")).json() == (
            await usual.get("/api/openapi.json")
        ).json()


async def with_a_path(request: Request, who: Caller, body: Told, name: str) -> Response:
    raise NotImplementedError


async def without_a_body(request: Request, who: Caller) -> Response:
    raise NotImplementedError


async def with_an_answer_of_a_shape(request: Request, body: Told) -> Told:
    raise NotImplementedError


async def with_a_header_that_has_a_value(
    request: Request, body: Told, mood: Mood = "good"
) -> Response:
    raise NotImplementedError


@pytest.mark.parametrize(
    "endpoint",
    [
        with_a_path,
        without_a_body,
        with_an_answer_of_a_shape,
        with_a_header_that_has_a_value,
    ],
)
def test_what_is_not_simple_goes_the_general_way(endpoint: object) -> None:
    assert reading_of(endpoint) is None  # type: ignore[arg-type]
