"""Foreign hosts and generated clients, as strangers use them: none of them knows us.

`scripts/lab.sh` installs them, pinned in tests/lab; where it could not, it says so, and conftest
leaves this page out. What came of it stands in docs/mcp.md; `CLARION_LAB_WRITES=1` writes it there.
"""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from re import MULTILINE, findall
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import FrameLocator, expect

from clarion.doors.http.server import HttpServer, listen_on
from clarion.doors.mcp import server
from scripts.bundle import pack
from tests.lab.fixtures import EXPECTED_FAILURES, add_fixtures
from tests.support.browser import SECONDS, chromium
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "tests" / "lab"
LAB = ROOT / ".lab"
NODE = LAB / "node"
PYTHON = LAB / "python" / "bin"
PAGE = ROOT / "docs" / "mcp.md"
ENDS = "<!-- until here -->"
PATIENCE = 100.0
TOOLS = 11
AT = (START + timedelta(hours=3)).isoformat()
AT_NOON = (START + timedelta(hours=4)).isoformat()
MODULES = (".mjs", ".ts")
BEFORE, MODERN = "2025-11-25", "2026-07-28"

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Visit(NamedTuple):
    host: str
    version: str
    era: str
    told: dict[str, Any]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    folder = tmp_path_factory.mktemp("lab")
    async with open_doors(folder, ManualClock(START), requests_per_second=0) as opened:
        for source in SOURCES.iterdir():
            if source.suffix in MODULES:
                shutil.copy(source, NODE)
        yield opened


async def ran(*command: str | Path, where: Path = NODE, fails: bool = False) -> str:
    """What it printed. The programs are theirs, and so are their warnings."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command),
        cwd=where,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "NO_COLOR": "1"},
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()
    assert fails or process.returncode == 0, (out.decode()[-2000:], err.decode()[-2000:])
    return out.decode()


def version_of(package: str) -> str:
    pinned = json.loads((SOURCES / "package.json").read_text())["dependencies"]
    if package in pinned:
        return str(pinned[package])
    lines = (SOURCES / "requirements.txt").read_text().splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{package}=="))


async def by_sdk(doors: Doors, *script: str | Path) -> list[dict[str, Any]]:
    """What each visit of the script told, a line a visit."""
    told = await ran(*script, f"{doors.url}/mcp", doors.tokens["ana"])
    return [json.loads(line) for line in told.splitlines() if line.startswith("{")]


async def by_inspector(doors: Doors) -> list[dict[str, Any]]:
    """Its command line asks one thing a time, and a refusal is an exit code."""
    header = f"Authorization: Bearer {doors.tokens['ana']}"
    door = (f"{doors.url}/mcp", "--transport", "http", "--header", header, "--method")
    base = ("node_modules/.bin/mcp-inspector", "--cli", *door)
    call = (*base, "tools/call", "--tool-name")
    listed, made, refused = await asyncio.gather(
        ran(*base, "tools/list"),
        ran(*call, "reminder_create_natural", "--tool-arg", "text=明天早上7点提醒我跑步"),
        ran(*call, "reminder_get", "--tool-arg", "reminder_id=rem_none", fails=True),
    )
    reminder = first_json(made)["structuredContent"]
    done = await ran(
        *call, "reminder_confirm", "--tool-arg", f"reminder_id={reminder['reminder']['id']}"
    )
    return [
        {
            "lists": len(first_json(listed)["tools"]),
            "sets": reminder["said"],
            "refused": first_json(refused)["content"][0]["text"],
            "confirms": first_json(done)["structuredContent"]["said"],
        }
    ]


def first_json(text: str) -> dict[str, Any]:
    found, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    return dict(found)


async def by_typescript(doors: Doors, document: Path) -> list[dict[str, Any]]:
    """Types are made, a program is checked against them, and then it is run."""
    binaries = NODE / "node_modules" / ".bin"
    await ran(binaries / "openapi-typescript", document, "-o", "api.d.ts")
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck")
    await ran(binaries / "tsc", *options, "--outDir", "out", "rest.ts")
    told = await ran("node", "out/rest.js", doors.url, doors.tokens["ana"], AT)
    return [json.loads(told)]


async def by_python_client(doors: Doors, document: Path, folder: Path) -> list[dict[str, Any]]:
    made, config = folder / "client", folder / "config.json"
    config.write_text(json.dumps({"post_hooks": []}))  # its looks need no tidying
    await ran(
        PYTHON / "openapi-python-client",
        "generate",
        "--path",
        document,
        "--output-path",
        made,
        "--meta",
        "none",
        "--config",
        config,
        where=folder,
    )
    (folder / "clarion_client").symlink_to(made)
    shutil.copy(SOURCES / "rest.py", folder)
    told = await ran(PYTHON / "python", "rest.py", doors.url, doors.tokens["ana"], AT, where=folder)
    return [json.loads(told)]


async def test_every_host_lists_sets_is_refused_is_asked_and_confirms(
    doors: Doors, tmp_path: Path
) -> None:
    visits = await visited(doors, tmp_path)

    for one in visits:
        assert "吃药" in one.told["sets"] or "跑步" in one.told["sets"], one
        assert "no_such_reminder" in one.told["refused"], one
        assert one.told["confirms"].startswith("已确认") or one.told["confirms"] == "confirmed", one
        assert one.told.get("lists", TOOLS) == TOOLS, one
        assert "浇花" in one.told.get("asked", "浇花"), one
    keep("hosts", table(visits))


def keep(name: str, lines: list[str]) -> None:
    """The page has to say what came out; `CLARION_LAB_WRITES=1` makes it say so."""
    begins = f"<!-- {name}: written by tests/doors/mcp/test_lab.py -->"
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(begins)
    whole = before + "\n".join([begins, *lines, ENDS]) + rest.partition(ENDS)[2]
    if os.environ.get("CLARION_LAB_WRITES"):
        PAGE.write_text(whole, encoding="utf-8")
    assert page == whole or os.environ.get("CLARION_LAB_WRITES"), "docs/mcp.md says otherwise"


async def visited(doors: Doors, folder: Path) -> list[Visit]:
    """Two at a time, the slow ones first: this may be a small machine."""
    document = folder / "openapi.json"
    async with doors.client() as nobody:
        document.write_bytes((await nobody.get("/api/openapi.json")).content)
    hosts = SOURCES / "hosts.py"
    planned: list[tuple[list[tuple[str, str, str]], Callable[[], Any]]] = [
        (
            [("openapi-typescript", "openapi-typescript", "REST")],
            lambda: by_typescript(doors, document),
        ),
        (
            [("openapi-python-client", "openapi-python-client", "REST")],
            lambda: by_python_client(doors, document, folder),
        ),
        ([("Inspector", "@modelcontextprotocol/inspector", BEFORE)], lambda: by_inspector(doors)),
        (
            [("TypeScript SDK 1.x", "@modelcontextprotocol/sdk", BEFORE)],
            lambda: by_sdk(doors, "node", "sdk1.mjs"),
        ),
        (
            [
                ("TypeScript SDK 2.x", "@modelcontextprotocol/client", era)
                for era in (BEFORE, MODERN)
            ],
            lambda: by_sdk(doors, "node", "sdk2.mjs"),
        ),
        (
            [("Python SDK 1.x", "mcp", BEFORE), ("fastmcp", "fastmcp", BEFORE)],
            lambda: by_sdk(doors, PYTHON / "python", hosts),
        ),
    ]
    free = asyncio.Semaphore(2)

    async def visit(who: list[tuple[str, str, str]], work: Callable[[], Any]) -> list[Visit]:
        async with free:
            told = await work()
        return [
            Visit(host, version_of(package), era, one)
            for (host, package, era), one in zip(who, told, strict=True)
        ]

    found = await asyncio.gather(*(visit(*one) for one in planned))
    return sorted((one for some in found for one in some), key=lambda one: (one.era, one.host))


def table(visits: list[Visit]) -> list[str]:
    names = ("lists", "sets", "refused", "asked", "confirms")
    rows = [
        f"| {one.host} {one.version} | {one.era} | "
        + " | ".join("yes" if one.told.get(name) else "–" for name in names)
        + " |"
        for one in visits
    ]
    head = "| host | era | lists | sets | reads a refusal | is asked for a time | confirms |"
    return [head, "| --- | --- | --- | --- | --- | --- | --- |", *rows]


async def test_the_bundle_passes_its_publishers_own_check(tmp_path: Path) -> None:
    pack(tmp_path / "clarion.mcpb")
    shutil.unpack_archive(tmp_path / "clarion.mcpb", tmp_path / "open", "zip")
    said = await ran(NODE / "node_modules/.bin/mcpb", "validate", tmp_path / "open")

    assert "Manifest schema validation passes" in said


@pytest.mark.timeout(120)
async def test_the_conformance_suite_passes_in_both_eras(conforming: Doors) -> None:
    """Every scenario that a revision requires, but for what Clarion does not offer."""
    (NODE / "expected.yml").write_text(EXPECTED_FAILURES)
    said = await asyncio.gather(*(conformance(conforming, one) for one in (BEFORE, MODERN)))

    assert "✓ server-stateless" in said[1], said[1][-4000:]
    rows = []
    for revision, text in zip((BEFORE, MODERN), said, strict=True):
        scored = text.partition("Not scored for")[0]
        assert "Unexpected failures" not in text, text[-4000:]
        passed, lacking = (findall(rf"^ *{mark} ([\w-]+)", scored, MULTILINE) for mark in "✓~")
        assert passed, text[-4000:]
        rows.append(f"| {revision} | {len(passed)} | {', '.join(sorted(lacking))} |")
    keep(
        "conformance",
        ["| revision | scenarios passed | not offered |", "| --- | --- | --- |", *rows],
    )


async def conformance(doors: Doors, revision: str) -> str:
    suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    return await ran(
        *("node", "--import", "./conformance.mjs", suite, "server", "--url"),
        *(f"{doors.url}/mcp", "--requirements", revision),
        *("--expected-failures", "expected.yml"),
        fails=True,
    )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def conforming(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    """Our door with the suite's fixtures in it. The suite can send no token: it is added here."""
    folder = tmp_path_factory.mktemp("conformance")
    real = server.build_mcp

    def with_fixtures(*given: Any, extras: tuple[Any, ...] = (), **more: Any) -> Any:
        return real(*given, extras=(*extras, add_fixtures), **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "build_mcp", with_fixtures)
        async with (
            open_doors(folder, ManualClock(START), requests_per_second=0) as doors,
            served(with_token(doors.app, doors.tokens["admin"])) as url,
        ):
            yield replace(doors, url=url)


def with_token(app: Any, token: str) -> Any:
    async def known(scope: Any, receive: Any, send: Any) -> None:
        bearer = (b"authorization", f"Bearer {token}".encode())
        await app({**scope, "headers": [*scope.get("headers", ()), bearer]}, receive, send)

    return known


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    listener = listen_on("127.0.0.1", 0)
    http = HttpServer(app, listener, stopping=asyncio.Event())
    running = asyncio.create_task(http.run())
    await http.listening.wait()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        http.stop()
        await running


FRAME = """<!doctype html>
<iframe sandbox="allow-scripts" style="width: 400px; height: 600px"></iframe>
<script>
  const frame = document.querySelector("iframe");
  addEventListener("message", ({source, data}) => {
    if (source === frame.contentWindow) toHost(JSON.stringify(data));
  });
  window.toCard = (text) => frame.contentWindow.postMessage(JSON.parse(text), "*");
</script>"""


@pytest.mark.timeout(60)
async def test_a_host_shows_the_card_and_its_buttons_confirm(doors: Doors) -> None:
    """The publisher's own bridge in front of us, the card in a sandbox of a real browser."""
    async with doors.client("bo") as bo:
        pill = {"content": "<b>吃药</b>", "trigger_at": AT, "confirmation": {"required": True}}
        made = [
            (await bo.post("/api/v1/reminders", json=one)).json()
            for one in (pill, {**pill, "content": "浇花", "trigger_at": AT_NOON})
        ]
    async with hosted(doors, "bo") as (frame, heard):
        rows = frame.locator("li")
        await expect(rows).to_have_count(2, timeout=SECONDS)
        headings = await frame.locator("h2").all_text_contents()
        first = await rows.first.locator(".what").text_content()
        await rows.first.locator("button.yes").click()
        await expect(rows).to_have_count(1, timeout=SECONDS)
        await rows.first.locator("button:not(.yes)").click()
        await expect(rows.first.locator("time")).not_to_have_text("12:00", timeout=SECONDS)
    async with doors.client("bo") as bo:
        after = [(await bo.get(f"/api/v1/reminders/{one['id']}")).json() for one in made]

    assert (headings, first) == (["今天"], "<b>吃药</b>"), "what people write is never a page"
    assert [one["status"] for one in after] == ["confirmed", "pending"]
    assert after[1]["trigger_at"] != made[1]["trigger_at"]
    assert heard[0].startswith("已确认")


@asynccontextmanager
async def hosted(doors: Doors, who: str) -> AsyncIterator[tuple[FrameLocator, list[str]]]:
    """The card as its host shows it, and what the host's model was told meanwhile."""
    host = await asyncio.create_subprocess_exec(
        *("node", "card.mjs", f"{doors.url}/mcp", doors.tokens[who]),
        cwd=NODE,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**20,
    )
    assert host.stdin is not None
    assert host.stdout is not None
    stdin, stdout, heard = host.stdin, host.stdout, list[str]()
    offered = json.loads(await stdout.readline())
    assert offered["mimeType"] == "text/html;profile=mcp-app"
    async with chromium() as browser:
        page = await browser.new_page()
        await page.clock.set_fixed_time(START)
        await page.expose_function("toHost", lambda text: stdin.write(f"{text}\n".encode()))
        await page.set_content(FRAME)

        async def carry() -> None:
            async for line in stdout:
                told = json.loads(line)
                if "heard" in told:
                    heard.append(told["heard"])
                else:
                    await page.evaluate("toCard", json.dumps(told["message"]))

        carrying = asyncio.create_task(carry())
        await page.locator("iframe").evaluate("(one, text) => one.srcdoc = text", offered["page"])
        try:
            yield page.frame_locator("iframe"), heard
        finally:
            stdin.close()
            await host.wait()
            carrying.cancel()
