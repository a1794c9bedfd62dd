"""Every refusal is a problem document that programs and people can read."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated

import httpx
import pytest
from fastapi import APIRouter, Query, Request
from pydantic import BaseModel

from clarion.base.errors import CircuitOpen, Conflict, TooMany, Unauthorised
from clarion.dispatch.errors import SchemeNotFound
from clarion.doors.http.conventions import SPOKEN
from clarion.doors.http.middleware import HEADER
from clarion.doors.http.problems import table
from clarion.doors.http.server import build_app

BODY_BYTES_MAX = 2000
INSIDE = {  # of commands, of assistants, between our own parts: no screen shows them
    *("bad_arguments", "bad_backup", "database_not_empty", "not_answered", "plan_stopped"),
    *("chat_not_modified", "chat_nothing_there", "chat_updates_taken", "refused"),
}


class Pill(BaseModel):
    name: str
    times: list[int]


def routes() -> APIRouter:
    router = APIRouter()

    @router.get("/held")
    async def held() -> None:
        raise Conflict("It is held.", hint="Wait.", details={"holder": "b"})

    @router.get("/locked")
    @router.get("/ai/locked")
    async def locked() -> None:
        raise SchemeNotFound("s1")

    @router.get("/busy")
    async def busy() -> None:
        raise TooMany("Slower, please.", retry_after=7)

    @router.get("/open")
    async def circuit_open() -> None:
        raise CircuitOpen("The model is away.")

    @router.get("/who")
    async def who() -> None:
        raise Unauthorised("Who are you?")

    @router.get("/broken")
    async def broken() -> None:
        raise ZeroDivisionError("a detail that is nobody's business")

    @router.post("/pills")
    async def add(pill: Pill, limit: Annotated[int, Query(ge=1)] = 1) -> str:
        return pill.name

    @router.put("/pills")
    async def replace(request: Request) -> int:
        return len(await request.body())

    @router.get("/pills/{name}")
    async def get(name: str) -> str:
        return name

    return router


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = build_app([routes()], body_bytes_max=BODY_BYTES_MAX)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://clarion") as made:
        yield made


async def test_our_errors_speak_both_vocabularies(client: httpx.AsyncClient) -> None:
    answer = await client.get("/held")

    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "urn:clarion:problem:conflict",
        "title": "Conflict",
        "status": 409,
        "detail": "It is held.",
        "instance": "/held",
        "code": "conflict",
        "error_code": "conflict",
        "message": "It is held.",
        "details": {"holder": "b"},
        "hint": "Wait.",
        "request_id": answer.headers[HEADER],
    }


async def test_a_numbered_error_keeps_its_number(client: httpx.AsyncClient) -> None:
    answer = await client.get("/open")

    assert (answer.json()["code"], answer.json()["error_code"]) == ("circuit_open", "AI5002")


async def test_who_has_to_wait_is_told_how_long(client: httpx.AsyncClient) -> None:
    answer = await client.get("/busy")

    assert answer.headers["retry-after"] == "7"
    assert answer.json()["retry_after"] == 7


async def test_a_missing_token_is_asked_for(client: httpx.AsyncClient) -> None:
    assert (await client.get("/who")).headers["www-authenticate"] == "Bearer"


async def test_an_unknown_address_is_a_problem_too(client: httpx.AsyncClient) -> None:
    answer = await client.get("/nowhere")

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


async def test_a_wrong_method_is_told_every_right_one(client: httpx.AsyncClient) -> None:
    answer = await client.delete("/pills")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "OPTIONS, POST, PUT"
    assert answer.json()["code"] == "method_not_allowed"


async def test_each_mistake_in_a_body_is_pointed_at(client: httpx.AsyncClient) -> None:
    answer = await client.post("/pills?limit=0", json={"name": "a/b", "times": [1, "x"]})

    assert answer.status_code == 422
    assert {one["pointer"] for one in answer.json()["errors"]} == {"#/times/1", "query:limit"}


@pytest.mark.parametrize("content", [b"{", b'{"name": "\xff"}', b"\xff\xfe"])
async def test_a_body_that_is_not_json_is_a_bad_request(
    client: httpx.AsyncClient, content: bytes
) -> None:
    answer = await client.post(
        "/pills", content=content, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_input"


async def test_a_body_that_announces_too_much_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.put("/pills", content=b"x" * (BODY_BYTES_MAX + 1))

    assert answer.status_code == 413
    assert answer.json()["details"] == {"body_bytes_max": BODY_BYTES_MAX}


async def test_a_body_that_grows_too_large_is_refused(client: httpx.AsyncClient) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(BODY_BYTES_MAX):
            yield b"xx"

    async def sent() -> AsyncIterator[bytes]:
        for piece in pieces():
            yield piece

    answer = await client.put("/pills", content=sent())

    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


async def test_a_defect_shows_only_its_request_id(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await client.get("/broken", headers={HEADER: "mine-1"})

    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert answer.json()["request_id"] == answer.headers[HEADER] == "mine-1"
    assert "business" not in answer.text
    assert "nobody's business" in caplog.text


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "汉"])
async def test_a_request_id_that_is_not_sane_is_replaced(
    client: httpx.AsyncClient, given: str
) -> None:
    answer = await client.get("/pills/a", headers={HEADER.encode(): given.encode()})

    assert answer.headers[HEADER].startswith("req_")


async def test_requests_at_the_same_time_keep_their_own_ids(client: httpx.AsyncClient) -> None:
    names = [f"r{number}" for number in range(20)]

    answers = await asyncio.gather(*(client.get("/held", headers={HEADER: name}) for name in names))

    assert [answer.json()["request_id"] for answer in answers] == names


@pytest.mark.parametrize(
    ("path", "asked", "message", "hint"),
    [
        ("/held", None, "It is held.", "Wait."),
        ("/held", "en-GB,en;q=0.9", "It is held.", "Wait."),
        ("/held", "zh-CN,zh", "现在的状态不允许这样做。（It is held.）", None),
        ("/locked", None, "方案不存在: s1", None),
        ("/locked", "zh", "方案不存在: s1", None),
        ("/locked", "en", "There is no such scheme: s1.", None),
        ("/locked", "*", "方案不存在: s1", None),
        ("/ai/locked", "fr, *", "There is no such scheme: s1.", None),
        ("/ai/locked", "fr;q=0.9", "There is no such scheme: s1.", None),
        ("/ai/locked", "fr, zh;q=0.5", "方案不存在: s1", None),
        ("/ai/locked", "*;q=0.5", "方案不存在: s1", None),
        ("/nowhere", "zh", "没有找到。", None),
    ],
)
async def test_a_refusal_speaks_the_language_of_the_screen(
    client: httpx.AsyncClient, path: str, asked: str | None, message: str, hint: str | None
) -> None:
    headers = {"Accept-Language": asked} if asked else {}
    said = (await client.get(path, headers=headers)).json()

    assert (said["message"], said["detail"], said.get("hint")) == (message, message, hint)


def test_every_refusal_of_the_page_has_words_for_the_screen() -> None:
    page = (Path(__file__).parents[3] / "docs/errors.md").read_text(encoding="utf-8")
    kept, start = page.split("## At the start")
    over_http = kept + start.split("## The database", 1)[1]
    codes = set(re.findall(r"^\| `(\w+)`.*\| \d{3} \|", over_http, re.MULTILINE))

    assert codes - set(table()) == INSIDE
    assert [code for code, row in table().items() if not any(row[one] for one in SPOKEN)] == []
