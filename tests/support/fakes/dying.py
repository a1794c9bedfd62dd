"""A database whose process dies right after a commit: what is on disk stays, the rest is gone."""

from collections.abc import Callable
from typing import Any

from clarion.store.sql.engine.database import Database, JoinedWrite, Listener, StopJoining


class Died(BaseException):
    """The power went out. Not an Exception: nothing in the process may catch it and go on."""


class DyingDatabase:
    """Dies after the commit of that number, and stays dead."""

    def __init__(self, database: Database, after: int) -> None:
        self.dialect = database.dialect
        self.commits = 0
        self._database = database
        self._after = after

    async def write(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self.commits >= self._after:
            raise Died
        result = await self._database.write(work, *args, **kwargs)
        self.commits += 1
        if self.commits >= self._after:
            raise Died
        return result

    async def read(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self.commits >= self._after:
            raise Died
        return await self._database.read(work, *args, **kwargs)

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        return self._database.listen(channel, listener)

    def join_commits(self, channel: str, joined: JoinedWrite) -> StopJoining:
        return self._database.join_commits(channel, joined)

    def joined(self, channel: str) -> JoinedWrite | None:
        return self._database.joined(channel)

    async def close(self) -> None:
        await self._database.close()
