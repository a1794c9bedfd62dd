"""A built Clarion: runs its passes and its doors in one task group until it is told to stop."""

import asyncio
import logging
import socket

from clarion.access.tokens import Access, TokenKind
from clarion.app.parts import Parts
from clarion.app.storage import ADDRESS_FILE, data_directory, write_private
from clarion.doors.http.api.tokens import login_path
from clarion.doors.http.server import HttpServer, local_url

log = logging.getLogger(__name__)

TOKEN_FILE = "token"  # noqa: S105  a file's name; cli/client.py reads both


async def settle_in(parts: Parts, access: Access, url: str) -> str | None:
    """Say where we are and leave a token, for the commands of this machine.

    Both lie in the data directory, readable by its owner alone. Answers the path of a one-time
    login when there was no good token yet, which is so on the first start.
    """
    home = data_directory(parts.settings.data_dir)
    where, key = home / ADDRESS_FILE, home / TOKEN_FILE
    write_private(where, url)
    parts.closing.callback(where.unlink, missing_ok=True)
    if key.exists() and await access.is_good(key.read_text(encoding="utf-8").strip()):
        return None
    made = await access.issue(TokenKind.ADMIN, name="this machine")
    write_private(key, made.text)
    return login_path((await access.make_login()).code)


class _Stopped(Exception):
    """Ends the task group, and with it every task in it."""


class Clarion:
    """`async with await build(settings) as clarion: await clarion.run()`.

    Leaving the block closes what was opened. Tests leave `run` alone and drive `parts.passes`
    by hand.
    """

    def __init__(
        self, parts: Parts, server: HttpServer | None, listener: socket.socket | None
    ) -> None:
        self.parts = parts
        self.url = local_url(listener) if listener is not None else ""
        """Where the HTTP door is, for a person on this machine."""
        self.server = server

    async def __aenter__(self) -> "Clarion":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stop()
        await self.parts.closing.aclose()

    async def listening(self) -> None:
        """Returns once requests are accepted."""
        if self.server is not None:
            await self.server.listening.wait()

    async def first_login(self) -> str | None:
        """On the first start, the path that logs a person in once; later None.

        From then on the commands of this machine find us: call it once we are listening.
        """
        if self.parts.access is None:
            return None
        return await settle_in(self.parts, self.parts.access, self.url)

    def stop(self) -> None:
        """Ask `run` to end. Open streams get `stop_timeout` to say goodbye; twice is harmless."""
        self.parts.stopping.set()

    async def run(self) -> None:
        """Until `stop`, or until the HTTP door is lost. A part that dies is begun again."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._end_when_stopped(), name="stop")
                if self.server is not None:
                    group.create_task(self.server.run(), name="http")
                for runner in self.parts.runners:
                    kept = self.parts.restarts.keep(runner.name, runner.run)
                    group.create_task(kept, name=runner.name)
        except* _Stopped:
            log.info("stopped")

    async def _end_when_stopped(self) -> None:
        await self.parts.stopping.wait()
        raise _Stopped
