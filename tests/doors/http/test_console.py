"""The console's files: what they may do, how they are kept, and that nothing else is served."""

import json
import re
import subprocess
from collections.abc import AsyncIterator

import httpx
import pytest

from clarion.access.tokens import Scope, TokenKind
from clarion.access.xiaozhi import PointState
from clarion.dispatch import model as dispatch
from clarion.doors.http.pages.console import FILES, console_routes, read_pages
from clarion.doors.http.pages.first_load import FIRST, joined
from clarion.doors.http.server import build_app
from clarion.language.answer.model import Label
from clarion.people.model import DeviceKind
from clarion.reminders.model import ReminderStatus

NAMED = {
    "answer": Label,
    "call": dispatch.CallStatus,
    "event": dispatch.EventStatus,
    "kind": DeviceKind,
    "scheme.best": dispatch.Quality,
    "scheme.status": dispatch.SchemeStatus,
    "scope": Scope,
    "severity": dispatch.Severity,
    "status": ReminderStatus,
    "step": dispatch.Progressed,
    "team": dispatch.TeamStatus,
    "tokens.kind": TokenKind,
    "xiaozhi": PointState,
}


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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_value_that_a_page_may_show_has_words(language: str) -> None:
    books = "".join(one.read_text("utf-8") for one in (FILES / "i18n").glob(f"{language}*.js"))
    keys = set(re.findall(r'"([\w.-]+)":', books))

    named = {f"{family}.{value.lower()}" for family, values in NAMED.items() for value in values}

    assert named - keys == set()


async def test_a_browser_finds_its_icon(client: httpx.AsyncClient) -> None:
    answer = await client.get("/favicon.ico")

    assert answer.headers["content-type"] == "image/svg+xml"


def test_every_file_is_short_and_names_only_files_of_ours() -> None:
    pages = read_pages(FILES)

    texts = {name: page.body.decode() for name, page in pages.items() if page.packed}
    ours = {name: text for name, text in texts.items() if name not in ("index.html", FIRST)}
    assert {name for name, text in ours.items() if text.count("\n") > 280} == set()
    assert {name for name, text in texts.items() if "//cdn" in text or "innerHTML" in text} == set()


def test_the_first_page_is_one_file_and_its_modules_hand_on_what_is_in_it() -> None:
    files = {
        "main.js": b'import * as all from "./a.js";\nall.b();\nimport("./views/far.js");\n',
        "a.js": b"/** Kept short. */\nexport const a = 1;\nexport async function b() {\n  a;\n}\n",
        "views/today.js": b'import { a as one } from "../a.js";\nexport const page = () => one;\n',
        "views/far.js": b'import { a } from "../a.js";\n',
    }

    made = joined(files)

    assert made["a.js"].decode().endswith("export const { a, b } = $[0];\n")
    assert set(made) == {FIRST, "a.js", "views/today.js"}
    assert made[FIRST].decode() == (
        "export const $ = [];\n"
        "$[0] = (() => {\nconst a = 1;\nasync function b() {\na;\n}\nreturn { a, b };\n})();\n"
        "$[1] = (() => {\nconst { a: one } = $[0];\nconst page = () => one;\n"
        "return { page };\n})();\n"
        '$[2] = (() => {\nconst all = $[0];\nall.b();\nimport("/console/views/far.js");\n'
        "return {  };\n})();\n"
    )


def test_every_import_and_export_of_the_console_is_understood() -> None:
    first = read_pages(FILES)[FIRST].body.decode()

    left = re.findall(r"^(?:import|export)\b.*", first, re.MULTILINE)
    assert left == ["export const $ = [];"]
    assert (
        subprocess.run(
            ["node", "--input-type=module", "--check"], input=first, text=True, check=False
        ).returncode
        == 0
    )
