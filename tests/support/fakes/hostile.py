"""A server of which every byte is said by the test: what no real one would say, too."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from clarion.exits.http import GuardedHttp, HttpAnswer

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LONG = 5.0  # seconds: more than any call here takes, less than a test may


def ok(body: bytes = b"ok") -> bytes:
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Line:
    """One connection, as the server sees it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def hear(self) -> bytes:
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        return head + await self._reader.readexactly(length)

    async def say(self, said: bytes) -> None:
        self._writer.write(said)
        await self._writer.drain()

    async def say_for_ever(self, said: bytes) -> None:
        while True:
            await self.say(said)

    async def until_left(self) -> None:
        assert await self._reader.read() == b"", "a connection was used that could not be"

    async def ignore(self) -> None:
        await self._reader.read()

    def reset(self) -> None:
        self._writer.transport.abort()


Says = Callable[[Line], Awaitable[None]]


class Hostile:
    def __init__(self, says: Says) -> None:
        self._says = says
        self.port = 0
        self.lines = 0
        self.open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.lines, self.open[task] = self.lines + 1, writer
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await self._says(Line(reader, writer))
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        del self.open[task]

    async def until_all_left(self) -> None:
        """Fails when a connection is still open after a moment."""
        if self.open:
            over, still = await asyncio.wait(self.open, timeout=1)
            assert not still
            await asyncio.gather(*over)


@asynccontextmanager
async def hostile(says: Says, host: str = "127.0.0.1", **listens: Any) -> AsyncIterator[Hostile]:
    server = Hostile(says)
    listening = await asyncio.start_server(server.serve, host, 0, **listens)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()
    tasks = tuple(server.open)
    for writer in tuple(server.open.values()):
        writer.transport.abort()
    if tasks:
        await asyncio.wait(tasks, timeout=1)


def saying(*said: bytes) -> Says:
    """To each request of a connection in turn; then it closes."""

    async def say(line: Line) -> None:
        for one in said:
            await line.hear()
            await line.say(one)

    return say


def then_waiting(*said: bytes) -> Says:
    """Likewise, but it leaves the connection open."""

    async def say(line: Line) -> None:
        await saying(*said)(line)
        await line.until_left()

    return say


async def ask(
    http: GuardedHttp, url: str, *, bytes_max: int = 100, seconds: float = LONG
) -> HttpAnswer:
    return await http.ask("POST", url, {}, b"hello", bytes_max=bytes_max, seconds=seconds)
