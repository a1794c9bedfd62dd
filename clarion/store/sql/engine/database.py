"""One way to the facts: hand a plain function `f(conn, …)` to `read` or `write`.

`write` answers only after the commit is on disk. A function may be run again when the database
asks for it (a deadlock, a serialisation failure), so it does nothing but talk to `conn`.
"""

from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection

from clarion.base.errors import Unavailable
from clarion.store.sql.engine.signals import JoinedWrite, Listener

P = ParamSpec("P")
T = TypeVar("T")
Work = TypeVar("Work", bound=Callable[..., object])
_BRIEF: set[Callable[..., object]] = set()


def brief(work: Work) -> Work:
    """Mark a read of few rows by an index. SQLite answers it in less time than it takes to ask
    another thread, so it is run where it is asked for; elsewhere the mark changes nothing.
    """
    _BRIEF.add(work)
    return work


def is_brief(work: Callable[..., object]) -> bool:
    return work in _BRIEF


class Database(Protocol):
    dialect: str
    """`sqlite` or `postgresql`."""

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` in a transaction of its own and answer when it is on disk."""
        ...

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` on one consistent view; it must not write."""
        ...

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        """Hear `signals.send` of every server; called in the event loop, so be quick."""
        ...

    def join_commits(self, channel: str, joined: JoinedWrite) -> Callable[[], None]:
        """Work inside this process's transactions that send on `channel`, where that is safe.

        Only a database with a single server does it; elsewhere nothing happens.
        """
        ...

    async def close(self) -> None: ...


class StorageFull(Unavailable):
    code = "storage_full"


class StorageReadOnly(Unavailable):
    code = "storage_read_only"


class StorageCorrupt(Unavailable):
    code = "storage_corrupt"


class StorageBusy(Unavailable):
    code = "storage_busy"


class StorageAway(Unavailable):
    code = "storage_away"


class StorageTooNew(Unavailable):
    """The database was written by a later version: touching it could lose what we cannot see."""

    code = "storage_too_new"
