"""What programs that write clients need of the API, and what strict callers may rely on."""

import json
import re
from collections import Counter

import pytest

from tests.support.doors import Doors


async def test_each_operation_and_shape_has_a_name_of_its_own(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        schema = (await ana.get("/api/openapi.json")).json()

    operations = [one["operationId"] for path in schema["paths"].values() for one in path.values()]
    titles = Counter(one.get("title") for one in schema["components"]["schemas"].values())
    assert len(operations) == len(set(operations))
    assert all(name.isidentifier() and len(name) <= 40 for name in operations), operations
    assert [title for title, count in titles.items() if count > 1] == []
    assert not [name for name in schema["components"]["schemas"] if "__" in name]
    assert schema["servers"]
    assert schema["info"]["license"]["identifier"] == "Apache-2.0"


async def test_what_the_document_refers_to_is_in_it(doors: Doors) -> None:
    """A generator stops at a name that leads nowhere."""
    async with doors.client("ana") as ana:
        text = (await ana.get("/api/openapi.json")).text

    schema = json.loads(text)
    named = set(re.findall(r"#/components/schemas/([^\"]+)", text))
    bodies = [
        content["schema"]
        for path in schema["paths"].values()
        for one in path.values()
        for content in one.get("requestBody", {}).get("content", {}).values()
    ]
    assert named - set(schema["components"]["schemas"]) == set()
    assert "Problem" in named
    assert not [body for body in bodies if {"type": "null"} in body.get("anyOf", [])]


@pytest.mark.parametrize("path", ["/api/v1/users", "/api/v1/reminders", "/api/v1/me"])
async def test_a_parameter_that_is_not_known_is_refused(doors: Doors, path: str) -> None:
    async with doors.client("ana") as ana:
        answer = await ana.get(path, params={"limt": 3})

    assert (answer.status_code, answer.json()["code"]) == (422, "unknown_parameter")
    assert "limt" in answer.json()["detail"]


async def test_head_is_get_without_words_and_options_tells_what_there_is(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        head = await ana.head("/api/v1/users/ana")
        get = await ana.get("/api/v1/users/ana")
        options = await ana.options("/api/v1/users/ana")
        wrong = await ana.put("/api/v1/users/ana")

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == get.headers["etag"]
    assert head.headers["content-length"] == str(len(get.content))
    assert options.status_code == 204
    assert options.headers["allow"] == wrong.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/v1/tasks/counts", "GET, HEAD, OPTIONS"),
        ("/api/v1/reminders/natural", "OPTIONS, POST"),
        ("/api/v1/devices/activations", "GET, HEAD, OPTIONS"),
        ("/api/v1/rules/try", "OPTIONS, POST"),
    ],
)
async def test_a_name_that_is_written_out_is_nobodys_id(
    doors: Doors, path: str, allowed: str
) -> None:
    async with doors.client("ana") as ana:
        options = await ana.options(path)

    assert options.headers["allow"] == allowed


async def test_a_word_is_no_number_of_a_rule(doors: Doors) -> None:
    async with doors.client("admin") as admin:
        word = await admin.patch("/api/v1/rules/try", json={})

    assert word.status_code == 405


async def test_null_is_no_body(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        null = await ana.post(
            "/api/v1/reminders/rem_none/confirm",
            content=b" null",
            headers={"Content-Type": "application/json"},
        )
        left_out = await ana.post("/api/v1/reminders/rem_none/confirm")

    assert (null.status_code, null.json()["code"]) == (400, "bad_input")
    assert left_out.status_code == 404


async def test_each_answer_tells_how_many_requests_are_left(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        first = await ana.get("/api/v1/me")
        second = await ana.get("/api/v1/me")

    assert first.headers["ratelimit-policy"] == '"token";q=1000;w=10'
    assert [one.headers["ratelimit"] for one in (first, second)] == [
        '"token";r=999',
        '"token";r=998',
    ]


async def test_each_answer_of_the_api_is_described(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        paths = (await ana.get("/api/openapi.json")).json()["paths"]

    bare = [
        f"{method} {path}"
        for path, methods in paths.items()
        for method, operation in methods.items()
        for status, answer in operation["responses"].items()
        if status.startswith("2")
        and answer.get("content", {}).get("application/json", {"schema": 1})["schema"] == {}
    ]
    assert sorted(bare) == ["get /health", "get /health/ready"]
