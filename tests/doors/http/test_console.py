"""The console's files: what they may do, how they are kept, and that nothing else is served."""

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from clarion.doors.http.pages.console import FILES, console_routes, read_pages
from clarion.doors.http.server import build_app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = build_app([console_routes()], body_bytes_max=1024)
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        yield client


async def test_the_policy_allows_nothing_inline_and_nothing_foreign(
    client: httpx.AsyncClient,
) -> None:
    answer = await client.get("/")

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_an_unchanged_file_is_not_sent_twice(client: httpx.AsyncClient) -> None:
    first = await client.get("/console/main.js")

    again = await client.get("/console/main.js", headers={"If-None-Match": first.headers["etag"]})

    assert first.headers["content-type"].startswith("text/javascript")
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "no-cache"


async def test_a_page_comes_packed_with_its_styles_inside(client: httpx.AsyncClient) -> None:
    packed = await client.get("/")
    plain = await client.get("/", headers={"Accept-Encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.text == plain.text
    assert "<style>" in plain.text
    assert "stylesheet" not in plain.text


async def test_the_worker_knows_every_file_of_its_version(client: httpx.AsyncClient) -> None:
    answer = await client.get("/sw.js")

    shell = json.loads(answer.text.splitlines()[0].removeprefix("self.SHELL = ").removesuffix(";"))
    assert {"/", "/console/main.js", "/console/i18n/zh.js"} <= set(shell["files"])
    statuses = {(await client.get(file)).status_code for file in shell["files"]}
    assert statuses == {200}


@pytest.mark.parametrize(
    "path",
    ["/console/", "/console/../settings.py", "/console/%2e%2e/settings.py", "/console/none.js"],
)
async def test_nothing_beyond_the_console_is_served(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)

    assert answer.status_code == 404


async def test_a_browser_finds_its_icon(client: httpx.AsyncClient) -> None:
    answer = await client.get("/favicon.ico")

    assert answer.headers["content-type"] == "image/svg+xml"


def test_every_file_is_short_and_names_only_files_of_ours() -> None:
    pages = read_pages(FILES)

    texts = {name: page.body.decode() for name, page in pages.items() if page.packed}
    ours = {name: text for name, text in texts.items() if name != "index.html"}
    assert {name for name, text in ours.items() if text.count("\n") > 280} == set()
    assert {name for name, text in texts.items() if "//cdn" in text or "innerHTML" in text} == set()
