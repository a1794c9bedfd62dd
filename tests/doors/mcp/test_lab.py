"""Foreign hosts and generated clients, as strangers use them: none of them knows us.

`scripts/lab.sh` installs them, pinned in tests/lab; where it could not, it says so, and conftest
leaves this page out. What came of it stands in docs/mcp.md; `CLARION_LAB_WRITES=1` writes it there.
"""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio

from scripts.bundle import pack
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors

ROOT = Path(__file__).parents[3]
SOURCES = ROOT / "tests" / "lab"
LAB = ROOT / ".lab"
NODE = LAB / "node"
PYTHON = LAB / "python" / "bin"
PAGE = ROOT / "docs" / "mcp.md"
BEGINS, ENDS = "<!-- written by tests/doors/mcp/test_lab.py -->", "<!-- until here -->"
PATIENCE = 100.0
AT = (START + timedelta(hours=3)).isoformat()
MODULES = (".mjs", ".ts")

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


async def by_sdk(doors: Doors, script: str, *more: str) -> dict[str, Any]:
    told = await ran("node", script, f"{doors.url}/mcp", doors.tokens["ana"], *more)
    return dict(json.loads(told.strip().splitlines()[-1]))


async def by_python(doors: Doors, host: str) -> dict[str, Any]:
    script = SOURCES / "hosts.py"
    told = await ran(PYTHON / "python", script, host, f"{doors.url}/mcp", doors.tokens["ana"])
    return dict(json.loads(told.strip().splitlines()[-1]))


async def by_inspector(doors: Doors) -> dict[str, Any]:
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
    return {
        "lists": len(first_json(listed)["tools"]),
        "sets": reminder["said"],
        "refused": first_json(refused)["content"][0]["text"],
        "confirms": first_json(done)["structuredContent"]["said"],
    }


def first_json(text: str) -> dict[str, Any]:
    found, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    return dict(found)


async def by_typescript(doors: Doors, document: Path) -> dict[str, Any]:
    """Types are made, a program is checked against them, and then it is run."""
    binaries = NODE / "node_modules" / ".bin"
    await ran(binaries / "openapi-typescript", document, "-o", "api.d.ts")
    options = ("--strict", "--target", "es2022", "--module", "nodenext", "--skipLibCheck")
    await ran(binaries / "tsc", *options, "--outDir", "out", "rest.ts")
    told = await ran("node", "out/rest.js", doors.url, doors.tokens["ana"], AT)
    return dict(json.loads(told))


async def by_python_client(doors: Doors, document: Path, folder: Path) -> dict[str, Any]:
    made = folder / "client"
    await ran(
        PYTHON / "openapi-python-client",
        "generate",
        "--path",
        document,
        "--output-path",
        made,
        "--meta",
        "none",
        where=folder,
    )
    (folder / "clarion_client").symlink_to(made)
    shutil.copy(SOURCES / "rest.py", folder)
    told = await ran(PYTHON / "python", "rest.py", doors.url, doors.tokens["ana"], AT, where=folder)
    return dict(json.loads(told))


async def test_every_host_lists_sets_is_refused_is_asked_and_confirms(
    doors: Doors, tmp_path: Path
) -> None:
    visits = await visited(doors, tmp_path)

    for one in visits:
        assert "吃药" in one.told["sets"] or "跑步" in one.told["sets"], one
        assert "no_such_reminder" in one.told["refused"], one
        assert one.told["confirms"].startswith("已确认") or one.told["confirms"] == "confirmed", one
        assert one.told.get("lists", 9) == 9, one
        assert "浇花" in one.told.get("asked", "浇花"), one
    written = "\n".join([BEGINS, *table(visits), ENDS])
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGINS)
    whole = before + written + rest.partition(ENDS)[2]
    if os.environ.get("CLARION_LAB_WRITES"):
        PAGE.write_text(whole, encoding="utf-8")
    assert page == whole or os.environ.get("CLARION_LAB_WRITES"), "docs/mcp.md says otherwise"


async def visited(doors: Doors, folder: Path) -> list[Visit]:
    """Two at a time: they are other people's programs, and this may be a small machine."""
    document = folder / "openapi.json"
    async with doors.client() as nobody:
        document.write_bytes((await nobody.get("/api/openapi.json")).content)
    both, modern = "2025-11-25", "2026-07-28"
    sdk, client = "@modelcontextprotocol/sdk", "@modelcontextprotocol/client"
    planned: list[tuple[str, str, str, Callable[[], Any]]] = [
        ("TypeScript SDK 1.x", sdk, both, lambda: by_sdk(doors, "sdk1.mjs")),
        ("TypeScript SDK 2.x", client, both, lambda: by_sdk(doors, "sdk2.mjs")),
        ("TypeScript SDK 2.x", client, modern, lambda: by_sdk(doors, "sdk2.mjs", "modern")),
        ("Python SDK 1.x", "mcp", both, lambda: by_python(doors, "mcp")),
        ("fastmcp", "fastmcp", both, lambda: by_python(doors, "fastmcp")),
        ("Inspector", "@modelcontextprotocol/inspector", both, lambda: by_inspector(doors)),
        (
            "openapi-typescript",
            "openapi-typescript",
            "REST",
            lambda: by_typescript(doors, document),
        ),
        (
            "openapi-python-client",
            "openapi-python-client",
            "REST",
            lambda: by_python_client(doors, document, folder),
        ),
    ]
    free = asyncio.Semaphore(2)

    async def visit(host: str, package: str, era: str, work: Callable[[], Any]) -> Visit:
        async with free:
            return Visit(host, version_of(package), era, await work())

    return list(await asyncio.gather(*(visit(*one) for one in planned)))


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
