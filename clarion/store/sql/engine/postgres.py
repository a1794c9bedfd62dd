"""PostgreSQL by asyncpg: the same plain functions, run through `run_sync`.

Every wait has a bound: connecting, a statement, a lock, an idle transaction. When the server cannot
be reached, callers get `Unavailable` with a retry time and never hang.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Concatenate, TypeVar

import asyncpg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from clarion.base.clock import Clock, SystemClock
from clarion.base.errors import BadInput, ClarionError, TimedOut, TooMany
from clarion.base.loop import Loop
from clarion.store.sql.engine.database import (
    AFTER,
    JOINED,
    NOTICES,
    OUTBOX,
    JoinedWrite,
    Listener,
    P,
    Signal,
    StopJoining,
    StorageAway,
    StorageFull,
    StorageReadOnly,
    Switchboard,
    T,
    Then,
    is_single,
    nothing_to_stop,
    notify,
    run_joined_writes,
)
from clarion.tasks.model import DEFAULT_SHARES, SHARES, Shares, is_urgent

log = logging.getLogger(__name__)
R = TypeVar("R")

TRIES = 5  # deadlocks and serialisation failures resolve quickly or not at all
RECONNECT_AFTER = timedelta(seconds=1)  # a restart takes a few of them
KEPT_FOR_URGENT = 5  # connections; ordinary work of one process needs no more than the others
ALL_BUSY = "All database connections are busy."
GIVES_WAY_FOR = 0.05  # seconds at most, so that much urgent work cannot stop ordinary work
PING_EVERY = timedelta(seconds=5)  # by then a silently lost connection is noticed


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

    def __init__(self, options: PostgresOptions, clock: Clock | None = None) -> None:
        self._options = options
        self._engine = make_engine(options)
        self._reading = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._single = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._switchboard = Switchboard()
        self._listening: asyncio.Task[None] | None = None
        clock = clock or SystemClock()
        self._listener = ListeningConnection(options, self._switchboard, clock)
        self._listener_loop = Loop(self._listener, clock, idle=PING_EVERY)
        kept = min(KEPT_FOR_URGENT, options.connections_max - 1)
        self._ordinary = asyncio.Semaphore(options.connections_max - kept)
        self._urgent = 0
        """How many who are in a hurry are at work."""
        self._nobody_hurries = asyncio.Event()
        self._nobody_hurries.set()
        self._joined: dict[str, JoinedWrite] = {}
        self._writing: set[asyncio.Event] = set()
        """The writes under way that somebody may join."""

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        writing = self._write(work, *args, **kwargs)
        if self._joined and (is_urgent() or not is_single(work)):
            # Somebody may claim in this commit: a caller that is cancelled must not leave a claim
            # that nobody carries out.
            return await asyncio.shield(writing)
        return await writing

    async def _write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        alone = is_single(work)

        def collecting(conn: Connection) -> tuple[T, list[Signal], list[Then]]:
            for key in (OUTBOX, NOTICES, AFTER):
                conn.info.pop(key, None)
            conn.info[JOINED] = self._joined
            answer = work(conn, *args, **kwargs)
            if not alone:
                run_joined_writes(conn)
            notify(conn)
            return answer, conn.info.pop(OUTBOX, []), conn.info.pop(AFTER, [])

        engine = self._single if alone else self._engine

        async def attempt() -> tuple[T, list[Signal], list[Then]]:
            async with engine.begin() as connection:
                answer, signals, after = await connection.run_sync(collecting)
                if alone:  # committed: what was claimed need not wait for the connection's return
                    _carry_out(after)
                return answer, signals, [] if alone else after

        under_way = asyncio.Event()
        self._writing.add(under_way)
        try:
            answer, signals, after = await self._in_turn(attempt)
            _carry_out(after)
        finally:
            self._writing.discard(under_way)
            under_way.set()
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
        self._listener_loop.wake()
        if self._listening is None:
            run = self._listener_loop.run()
            self._listening = asyncio.create_task(run, name=self._listener.name)
        return stop

    def hear(self, channel: str, payload: str) -> None:
        """Take in a signal that came from another server by a quicker way than NOTIFY."""
        self._switchboard.tell(channel, payload)

    def join_commits(self, channel: str, joined: JoinedWrite) -> StopJoining:
        if channel in self._joined:
            return nothing_to_stop
        self._joined[channel] = joined

        async def stop() -> None:
            self._joined.pop(channel, None)
            for under_way in tuple(self._writing):
                await under_way.wait()

        return stop

    def joined(self, channel: str) -> JoinedWrite | None:
        return self._joined.get(channel)

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        self._listener.close()
        await self._engine.dispose()

    async def _in_turn(self, attempt: Callable[[], Awaitable[R]]) -> R:
        """Keep ordinary work from using the connections that are reserved for urgent work.

        Otherwise transactions that wait for each other's locks would use all connections.
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
        """Begin after urgent work: otherwise each of its statements waits for one of ours.

        There is one event loop, and it needs more time per statement than the database does.
        """
        if self._nobody_hurries.is_set():
            return
        try:
            async with asyncio.timeout(GIVES_WAY_FOR):
                await self._nobody_hurries.wait()
        except TimeoutError:
            pass

    async def _bounded(self, attempt: Callable[[], Awaitable[R]]) -> R:
        """Run with a time limit, and again when PostgreSQL reports that this helps."""
        for tries_left in reversed(range(TRIES)):
            try:
                return await attempt()
            except (DBAPIError, PoolTimeout, OSError, TimeoutError) as error:
                if tries_left and _should_repeat(error):
                    continue
                raise _translate(error) from error
        raise AssertionError("the last try either answers or raises")


class ListeningConnection:
    """A pass that keeps one connection on LISTEN, and opens another when it breaks."""

    name = "postgres-listen"

    def __init__(self, options: PostgresOptions, switchboard: Switchboard, clock: Clock) -> None:
        self._options = options
        self._switchboard = switchboard
        self._clock = clock
        self._connection: asyncpg.Connection | None = None
        self._heard: set[str] = set()

    async def run_once(self) -> datetime | None:
        try:
            await self._listen()
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            log.warning("not listening to PostgreSQL: %s", error)
            self.close()
            return self._clock.now() + RECONNECT_AFTER
        return None

    async def _listen(self) -> None:
        if self._connection is None:
            wait = self._options.connect_timeout.total_seconds()
            self._connection = await asyncpg.connect(plain_url(self._options.url), timeout=wait)
        elif self._heard.issuperset(self._switchboard.channels):
            await self._connection.execute("SELECT 1", timeout=PING_EVERY.total_seconds())
        for channel in set(self._switchboard.channels) - self._heard:
            await self._connection.add_listener(channel, self._hear)
            self._heard.add(channel)
            # Signals sent while we were disconnected are lost: make every listener look once.
            self._switchboard.tell(channel, "")

    def _hear(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        self._switchboard.tell(channel, str(payload))

    def close(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None
        self._heard.clear()


def _carry_out(after: Iterable[Then]) -> None:
    for then in after:
        then()


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
        pool_use_lifo=True,  # the one used last has its statements prepared and planned
        pool_timeout=options.pool_timeout.total_seconds(),
        pool_recycle=1800,
        execution_options={SHARES: options.shares},
        connect_args={
            "timeout": options.connect_timeout.total_seconds(),
            # The server's own limit is shorter; this one is for a server that does not answer.
            "command_timeout": options.statement_timeout.total_seconds() + 1,
            "server_settings": {
                "jit": "off",
                # A plan that is made while a table is small would be kept, and read the whole of it
                # when thousands of rows have come: see decision 0002. Planning takes 0.1 to 0.7 ms.
                "plan_cache_mode": "force_custom_plan",
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
    if state in {"22021", "22P05"}:
        return BadInput("Text must not have the character NUL in it.")
    if state == "25006":
        return StorageReadOnly("The database accepts no writes.", retry_after=5)
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or state[:2] in {"08", "57"} or isinstance(error, OSError | InterfaceError):
        return StorageAway("Cannot reach the database.", retry_after=2)
    return error
