"""A Clarion whose doors are really open, and a way to speak to it byte by byte."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock) as opened:
        yield opened


class Wire:
    """Sends exactly these bytes: clients that tidy up addresses and headers prove nothing."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host = parts.netloc
        self.at = (parts.hostname, parts.port)

    async def send(self, data: bytes, *, ended: bool = False) -> bytes:
        """The whole answer, until the server closes. `ended`: we say that nothing follows."""
        reader, writer = await asyncio.open_connection(*self.at)
        try:
            writer.write(data)
            await writer.drain()
            if ended:
                writer.write_eof()
            return await reader.read()
        finally:
            writer.close()
            await writer.wait_closed()

    async def get(self, target: str, *headers: str) -> bytes:
        lines = [f"GET {target} HTTP/1.1", f"Host: {self.host}", "Connection: close", *headers]
        return await self.send("\r\n".join([*lines, "", ""]).encode())


@pytest.fixture
def wire(doors: Doors) -> Wire:
    return Wire(doors.url)
