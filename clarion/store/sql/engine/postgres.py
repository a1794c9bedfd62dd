"""PostgreSQL by asyncpg: the same plain functions, run through `run_sync`.

Every wait has a bound: connecting, a statement, a lock, an idle transaction. A server that went
away is an `Unavailable` with a time to come back, never a hang.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Concatenate, TypeVar

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from clarion.base.context import is_urgent
from clarion.base.errors import ClarionError, TimedOut, TooMany
from clarion.store.sql.engine.database import P, StorageAway, StorageFull, StorageReadOnly, T
from clarion.store.sql.engine.signals import (
    NOTICES,
    OUTBOX,
    JoinedWrite,
    Listener,
    Signal,
    Switchboard,
    notify,
)
from clarion.tasks.model import DEFAULT_SHARES, SHARES, Shares

log = logging.getLogger(__name__)
R = TypeVar("R")

TRIES = 5  # deadlocks and serialisation failures pass quickly or not at all
RECONNECT_AFTER = 1.0  # seconds; a restart takes a few of them
KEPT_FOR_URGENT = 5  # connections; one process has no use for more than the rest at a time
ALL_BUSY = "All database connections are busy."
GIVES_WAY_FOR = 0.05  # seconds at most, so that many who are in a hurry stop nobody
PING_EVERY = 5.0  # seconds; a listener that died silently is noticed by then


class DatabaseTimeout(TimedOut):
    code = "database_timeout"
    error_code = "AI5003"


@dataclass(frozen=True, slots=True)
class PostgresOptions:
    url: str
    connections_max: int = 10
    connect_timeout: timedelta = timedelta(seconds=5)
    pool_timeout: timedelta = timedelta(seconds=5)
    statement_timeout: timedelta = timedelta(seconds=10)
    lock_timeout: timedelta = timedelta(seconds=5)
    shares: Shares = DEFAULT_SHARES


class PostgresDatabase:
    dialect = "postgresql"

    def __init__(self, options: PostgresOptions) -> None:
        self._options = options
        self._engine = make_engine(options)
        self._reading = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._switchboard = Switchboard()
        self._listening: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        kept = min(KEPT_FOR_URGENT, options.connections_max - 1)
        self._ordinary = asyncio.Semaphore(options.connections_max - kept)
        self._urgent = 0
        """How many who are in a hurry are at work."""
        self._nobody_hurries = asyncio.Event()
        self._nobody_hurries.set()

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        def collecting(conn: Connection) -> tuple[T, list[Signal]]:
            conn.info.pop(OUTBOX, None)
            conn.info.pop(NOTICES, None)
            answer = work(conn, *args, **kwargs)
            notify(conn)
            return answer, conn.info.pop(OUTBOX, [])

        async def attempt() -> tuple[T, list[Signal]]:
            async with self._engine.begin() as connection:
                return await connection.run_sync(collecting)

        answer, signals = await self._in_turn(attempt)
        for channel, payload in signals:
            self._switchboard.tell(channel, payload)
        return answer

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        async def attempt() -> T:
            async with self._reading.connect() as connection:
                return await connection.run_sync(work, *args, **kwargs)

        return await self._in_turn(attempt)

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        stop = self._switchboard.listen(channel, listener)
        self._changed.set()
        if self._listening is None:
            self._listening = asyncio.create_task(self._keep_listening(), name="postgres-listen")
        return stop

    def hear(self, channel: str, payload: str) -> None:
        """What another server has said came by a quicker way than PostgreSQL's own."""
        self._switchboard.tell(channel, payload)

    def join_commits(self, channel: str, joined: JoinedWrite) -> Callable[[], None]:
        """Not here: the server that adds a task need not be the one that has room for it."""
        return lambda: None

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        await self._engine.dispose()

    async def _in_turn(self, attempt: Callable[[], Awaitable[R]]) -> R:
        """Ordinary work leaves some connections to who is in a hurry, however much there is of it.

        Many who wait for one another's locks would hold all of them else.
        """
        if is_urgent():
            return await self._hurried(attempt)
        try:
            async with asyncio.timeout(self._options.pool_timeout.total_seconds()):
                await self._ordinary.acquire()
        except TimeoutError as error:
            raise TooMany(ALL_BUSY, retry_after=1) from error
        try:
            await self._give_way()
            return await self._bounded(attempt)
        finally:
            self._ordinary.release()

    async def _hurried(self, attempt: Callable[[], Awaitable[R]]) -> R:
        self._urgent += 1
        self._nobody_hurries.clear()
        try:
            return await self._bounded(attempt)
        finally:
            self._urgent -= 1
            if not self._urgent:
                self._nobody_hurries.set()

    async def _give_way(self) -> None:
        """Begin after those in a hurry: each statement of theirs waits for one of ours else.

        There is one event loop, and what they all do in it takes longer than the database does.
        """
        if self._nobody_hurries.is_set():
            return
        try:
            async with asyncio.timeout(GIVES_WAY_FOR):
                await self._nobody_hurries.wait()
        except TimeoutError:
            pass

    async def _bounded(self, attempt: Callable[[], Awaitable[R]]) -> R:
        """Run with the statement's bound, again when PostgreSQL asks for it."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await attempt()
            except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
                if tries_left and _should_repeat(error):
                    continue
                raise _translate(error) from error
        raise AssertionError("the last try either answers or raises")

    async def _keep_listening(self) -> None:
        """Hold one connection that LISTENs; open another when it breaks."""
        while True:
            try:
                await self._listen_once()
            except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("not listening to PostgreSQL: %s", error)
            await _pause(RECONNECT_AFTER)

    async def _listen_once(self) -> None:
        options = self._options
        connection = await asyncpg.connect(
            plain_url(options.url), timeout=options.connect_timeout.total_seconds()
        )
        heard: set[str] = set()
        try:
            while True:
                self._changed.clear()
                for channel in set(self._switchboard.channels) - heard:
                    await connection.add_listener(channel, self._hear)
                    heard.add(channel)
                    # What was said while we were away is lost: make everybody look once.
                    self._switchboard.tell(channel, "")
                try:
                    async with asyncio.timeout(PING_EVERY):
                        await self._changed.wait()
                except TimeoutError:
                    await connection.execute("SELECT 1", timeout=PING_EVERY)
        finally:
            connection.terminate()

    def _hear(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        self._switchboard.tell(channel, str(payload))


async def _pause(seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()
    except TimeoutError:
        pass


def make_engine(options: PostgresOptions) -> AsyncEngine:
    limits = {
        "statement_timeout": options.statement_timeout,
        "lock_timeout": options.lock_timeout,
        "idle_in_transaction_session_timeout": options.statement_timeout * 2,
    }
    return create_async_engine(
        "postgresql+asyncpg://" + options.url.partition("://")[2],
        pool_size=options.connections_max,
        max_overflow=0,
        pool_timeout=options.pool_timeout.total_seconds(),
        pool_recycle=1800,
        execution_options={SHARES: options.shares},
        connect_args={
            "timeout": options.connect_timeout.total_seconds(),
            # The server's own limit comes first; this one is for a server that says nothing.
            "command_timeout": options.statement_timeout.total_seconds() + 1,
            "server_settings": {
                "jit": "off",
                "application_name": "clarion",
                **{name: str(int(bound.total_seconds() * 1000)) for name, bound in limits.items()},
            },
        },
    )


def plain_url(url: str) -> str:
    return "postgresql://" + url.partition("://")[2]


def _sqlstate(error: BaseException) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlstate", "") or getattr(cause, "pgcode", "") or "")


def _should_repeat(error: BaseException) -> bool:
    """True for what surely did not commit: deadlock, serialisation, or no connection yet."""
    return _sqlstate(error) in {"40001", "40P01"}


def _translate(error: BaseException) -> ClarionError | BaseException:
    state = _sqlstate(error)
    if state in {"57014", "55P03"} or isinstance(error, TimeoutError):
        return DatabaseTimeout("The database did not answer in time.", retry_after=5)
    if isinstance(error, PoolTimeout):
        return TooMany(ALL_BUSY, retry_after=1)
    if state == "53100":
        return StorageFull("The database's disk is full.", retry_after=30)
    if state == "25006":
        return StorageReadOnly("The database accepts no writes.", retry_after=5)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or state[:2] in {"08", "57"} or isinstance(error, OSError | InterfaceError):
        return StorageAway("Cannot reach the database.", retry_after=2)
    return error
