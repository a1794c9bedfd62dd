"""`clarion mcp`: Clarion for an assistant that speaks over pipes.

A thin bridge to the server that runs on this machine. When none runs, one is started in here, on
the same data, for as long as the assistant stays.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import click
import httpx

from clarion.cli.client import Server, address, local_token
from clarion.cli.common import config_option, load_settings, run
from clarion.doors.mcp.stdio import LINE_BYTES_MAX, Bridge
from clarion.settings import TOKEN_VARIABLE, Settings

DAY = 86_400
TOKEN_NAME = "clarion mcp"  # noqa: S105  what the list of tokens calls it


@click.command()
@click.option("--user", help="Whom the assistant speaks for; not needed when there is only one.")
@click.option("--admin", is_flag=True, help="Speak as an admin: tools take a user_id then.")
@click.option("--voice", is_flag=True, help="Six tools in Chinese, for a speaker.")
@config_option
def mcp(user: str | None, admin: bool, voice: bool, config: Path | None) -> None:
    """Speak MCP over standard input and output, for Claude Desktop and the like.

    CLARION_TOKEN may hold a token to use; without it a short-lived one is made.
    """
    run(_mcp(load_settings(config), user, admin, "?profile=voice" if voice else ""))


async def _mcp(settings: Settings, user: str | None, admin: bool, query: str) -> None:
    async with a_server(settings) as found, a_token(found, user, admin) as token:
        headers = {"Authorization": f"Bearer {token}"}
        # A tool call may wait for a person; the host decides how long.
        timeout = httpx.Timeout(10, read=None)
        async with httpx.AsyncClient(headers=headers, timeout=timeout, trust_env=False) as client:
            bridge = Bridge(client, f"{address(found)}/mcp{query}", write_line)
            await bridge.run(await standard_input())


@asynccontextmanager
async def a_server(settings: Settings) -> AsyncIterator[Settings]:
    """The settings under which a server answers: the running one's, or our own's."""
    if await is_running(address(settings)):
        yield settings
        return
    # The whole of Clarion takes seconds to import: only who has no server waits for it.
    from clarion.app.build import build

    async with await build(replace(settings, port=0)) as clarion:
        running = asyncio.create_task(clarion.run(), name="clarion")
        await clarion.listening()
        await clarion.first_login()
        try:
            yield settings
        finally:
            clarion.stop()
            await running


async def is_running(url: str) -> bool:
    try:
        async with httpx.AsyncClient(timeout=5, trust_env=False) as client:
            return (await client.get(f"{url}/health/live")).is_success
    except httpx.HTTPError:
        return False


@asynccontextmanager
async def a_token(settings: Settings, user: str | None, admin: bool) -> AsyncIterator[str]:
    """The one in the environment; else one that speaks for the user and ends with us."""
    given = os.environ.get(TOKEN_VARIABLE)
    if given or admin:
        yield given or local_token(settings.data_dir)
        return
    with Server(settings) as server:
        made = await asyncio.to_thread(_make_token, server, user)
        try:
            yield made["token"]
        finally:
            await asyncio.to_thread(server.delete, f"/tokens/{made['id']}")


def _make_token(server: Server, user: str | None) -> dict[str, str]:
    body = {
        "kind": "user",
        "user_id": server.user(user),
        "name": TOKEN_NAME,
        "expires_in": 7 * DAY,
    }
    made: dict[str, str] = server.post("/tokens", body)
    return made


async def standard_input() -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=LINE_BYTES_MAX)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


def write_line(message: bytes) -> None:
    sys.stdout.buffer.write(message + b"\n")
    sys.stdout.buffer.flush()
