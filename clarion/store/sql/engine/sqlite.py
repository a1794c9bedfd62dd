"""SQLite in one writer thread with group commit, and readers beside it.

All writes that wait when the thread begins share one commit. Each runs in a savepoint of its own,
so one that fails does not affect the others; all callers are answered after the commit is on disk.
Alike ones that wait one behind the other share a savepoint and their statements (`together`).
Urgent work goes first, and its commit follows at once.

A `JoinedWrite` runs in the same transaction as the work that sent a signal on its channel.
"""

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from clarion.base.errors import ClarionError, TooMany, Unavailable
from clarion.base.ids import traceparent, tracing
from clarion.store.sql.engine.database import (
    OUTBOX,
    JoinedWrite,
    Listener,
    P,
    Signal,
    StopJoining,
    StorageBusy,
    StorageCorrupt,
    StorageFull,
    StorageReadOnly,
    Switchboard,
    T,
    Then,
    Together,
    done_together,
    driver,
    is_brief,
    nothing_to_stop,
)
from clarion.tasks.model import DEFAULT_SHARES, SHARES, Shares, is_urgent

log = logging.getLogger(__name__)

WAITING_WRITES_MAX = 50_000  # a minute of work on the slowest disk we know
JOBS_IN_A_COMMIT_MAX = 1_000  # bounds the wait of the first write in a flood
TOGETHER_MAX = 100  # rows: a millisecond or two, for an urgent one waits for them
JOBS_BESIDE_URGENT_MAX = 8  # writes that were put off before: a few milliseconds
READER = "clarion-reader"
R = TypeVar("R")


@dataclass(slots=True)
class WriteJob:
    work: Callable[[Connection], Any]
    answer: asyncio.Future[Any]
    urgent: bool = False
    together: Together | None = None
    """What does it for others as well; `given` are the arguments for that."""
    given: tuple[Any, ...] = ()
    rows: int = 0
    result: Any = None
    error: BaseException | None = None


@dataclass(frozen=True, slots=True)
class SqliteOptions:
    path: Path
    synchronous: str = "FULL"
    readers: int = 2
    busy_timeout_ms: int = 5_000
    shares: Shares = DEFAULT_SHARES


class SqliteDatabase:
    """Open it inside a running event loop; answers are delivered there."""

    dialect = "sqlite"

    def __init__(self, options: SqliteOptions) -> None:
        self._loop = asyncio.get_running_loop()
        self._switchboard = Switchboard()
        self._gathering: list[WriteJob] = []
        self._waiting = 0
        self._closed = False
        self.on_commit: Callable[[int], None] = lambda _jobs: None
        """Told the number of callers of each commit."""
        self._engine = make_engine(options)
        self._urgent: deque[WriteJob] = deque()
        self._ordinary: deque[WriteJob] = deque()
        self._put_off = False
        """True when the last commit was for urgent work alone, and the rest had to wait."""
        self._unanswered: list[tuple[list[WriteJob], list[Signal], list[Then]]] = []
        self._joined: dict[str, JoinedWrite] = {}
        self._more = threading.Event()
        self._writer = threading.Thread(
            target=self._serve_writes, name="clarion-writer", daemon=True
        )
        self._readers = ThreadPoolExecutor(options.readers, thread_name_prefix=READER)
        self._reading = threading.local()
        self._read_connections: list[Connection] = []
        with translated():
            self._writing = self._engine.connect()
            # SQLAlchemy must believe that a transaction is open, or it would end ours.
            self._writing.begin()
        self._raw = driver(self._writing)
        checkpoint_ourselves(self._raw)
        self._checkpoints = Checkpoints(partial(_open, options), options.path)
        self._writer.start()

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        return self._switchboard.listen(channel, listener)

    def join_commits(self, channel: str, joined: JoinedWrite) -> StopJoining:
        if channel in self._joined:
            return nothing_to_stop
        self._joined[channel] = joined

        async def stop() -> None:
            self._joined.pop(channel, None)
            await self.write(lambda _conn: None)  # answered after every commit before it

        return stop

    def joined(self, channel: str) -> JoinedWrite | None:
        return self._joined.get(channel)

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._closed:
            raise Unavailable("Clarion is stopping.", retry_after=5)
        if self._waiting >= WAITING_WRITES_MAX:
            raise TooMany("Too many writes wait for the disk.", retry_after=1)
        call: Callable[[Connection], T] = partial(_call, work, args, kwargs)
        if trace := traceparent.get():
            call = partial(_call_traced, trace, call)  # the writer's thread has no context of ours
        by, rows = (None, 0) if kwargs else done_together(work, *args)
        job = WriteJob(call, self._loop.create_future(), is_urgent(), by, args, rows)
        if job.urgent:
            self._urgent.append(job)
            self._more.set()
        else:
            self._gather(job)
        self._waiting += 1
        answer: T = await job.answer
        return answer

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._closed:
            raise Unavailable("Clarion is stopping.", retry_after=5)
        if is_brief(work):
            try:
                return self._read(partial(_call, work, args, kwargs))
            except StorageBusy:
                pass  # The file is being restored or moved: wait in a reader's thread.
        run = partial(self._read, partial(_call, work, args, kwargs))
        return await self._loop.run_in_executor(self._readers, run)

    async def close(self) -> None:
        """Finish the waiting work, then close. Closing twice is harmless."""
        if self._closed:
            return
        self._closed = True
        self._hand_over()
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._checkpoints.close)
        await asyncio.to_thread(self._readers.shutdown)
        for connection in (*self._read_connections, self._writing):
            connection.close()
        self._engine.dispose()

    def _gather(self, job: WriteJob) -> None:
        """Send all work of one turn of the event loop to the thread together."""
        if not self._gathering:
            self._loop.call_soon(self._hand_over)
        self._gathering.append(job)

    def _hand_over(self) -> None:
        self._ordinary.extend(self._gathering)
        self._gathering.clear()
        self._more.set()

    def _serve_writes(self) -> None:
        while not self._closed or self._urgent or self._ordinary:
            self._more.wait()
            self._more.clear()
            while self._urgent or self._ordinary:
                self._serve_some()

    def _serve_some(self) -> None:
        batch: list[WriteJob] = []
        signals, then = self._commit_together(batch)
        self._put_off = bool(self._ordinary) and all(job.urgent for job in batch)
        self._unanswered.insert(0, (batch, signals, then))
        # What ordinary callers do with their answers would be in the way of the urgent one that
        # is written next; of two commits at most.
        if not self._urgent or len(self._unanswered) > 1 or any(job.urgent for job in batch):
            self._answer_all()
        self._checkpoints.committed(self._raw)

    def _answer_all(self) -> None:
        try:
            for each in self._unanswered:
                self._loop.call_soon_threadsafe(self._answer, *each)
        except RuntimeError:
            # The event loop has ended: what was committed stays, but no caller is left.
            log.warning("answers nobody waits for", extra={"jobs": len(self._unanswered)})
        self._unanswered.clear()

    def _commit_together(self, batch: list[WriteJob]) -> tuple[list[Signal], list[Then]]:
        """Fill `batch` with the work that shares this commit."""
        outbox: list[Signal] = self._writing.info.setdefault(OUTBOX, [])
        outbox.clear()
        then: list[Then] = []
        try:
            with translated():
                self._raw.execute("BEGIN IMMEDIATE")
                while jobs := self._next(batch):
                    said, alone = len(outbox), not batch
                    batch += jobs
                    if len(jobs) == 1:
                        self._run(jobs[0], outbox, alone=alone)
                    elif not self._run_together(jobs, outbox):
                        self._part(jobs, batch)
                        continue
                    self._run_joined_writes(outbox, said, then)
                self._raw.execute("COMMIT")
        except BaseException as error:  # noqa: BLE001  whatever it is, every caller must hear of it
            self._roll_back()
            outbox.clear()
            then.clear()
            batch = batch or self._all_waiting(batch)
            for job in batch:
                job.error = job.error or error
        return list(outbox), then

    def _next(self, batch: list[WriteJob]) -> list[WriteJob]:
        """One, with those behind it that can be done together with it."""
        if self._urgent:
            return [self._urgent.popleft()]
        most = self._most(batch) - len(batch)
        if not self._ordinary or most <= 0:
            return []
        jobs = [self._ordinary.popleft()]
        by, rows = jobs[0].together, jobs[0].rows
        while by and self._ordinary and len(jobs) < most:
            rows += self._ordinary[0].rows
            if self._ordinary[0].together is not by or rows > TOGETHER_MAX:
                break
            jobs.append(self._ordinary.popleft())
        return jobs

    def _part(self, jobs: list[WriteJob], batch: list[WriteJob]) -> None:
        """Take them out of the batch: each is done alone, and urgent work may come between."""
        del batch[-len(jobs) :]
        for job in jobs:
            job.together = None
        self._ordinary.extendleft(reversed(jobs))

    def _most(self, batch: list[WriteJob]) -> int:
        # Urgent work must not wait for the rest, and the rest must not wait for ever.
        if not any(job.urgent for job in batch[-JOBS_BESIDE_URGENT_MAX:]):
            return JOBS_IN_A_COMMIT_MAX
        return JOBS_BESIDE_URGENT_MAX if self._put_off else 0

    def _all_waiting(self, batch: list[WriteJob]) -> list[WriteJob]:
        """No transaction could be begun: answer all waiting callers with the error."""
        while self._urgent:
            batch.append(self._urgent.popleft())
        while self._ordinary:
            batch.append(self._ordinary.popleft())
        return batch

    def _run(self, job: WriteJob, outbox: list[Signal], *, alone: bool) -> None:
        """`alone`: the transaction contains no other work yet, so it serves as the savepoint."""
        said = len(outbox)
        if not alone:
            self._raw.execute("SAVEPOINT caller")
        try:
            with translated():
                job.result = job.work(self._writing)
        except BaseException as error:  # it belongs to this caller alone
            job.error = error
            del outbox[said:]
            if not self._raw.in_transaction:
                # A full disk or an I/O error ends the whole transaction, not only our part.
                raise
            self._raw.execute("ROLLBACK" if alone else "ROLLBACK TO caller")
            if alone:
                self._raw.execute("BEGIN IMMEDIATE")
        if not alone:
            self._raw.execute("RELEASE caller")

    def _run_together(self, jobs: list[WriteJob], outbox: list[Signal]) -> bool:
        """False when one of them fails: nothing of them is written then."""
        by, said = jobs[0].together, len(outbox)
        assert by is not None, "these are not done together"
        self._raw.execute("SAVEPOINT callers")
        try:
            with translated():
                results = by(self._writing, [job.given for job in jobs])
        except Exception:
            if not self._raw.in_transaction:
                raise
            del outbox[said:]
            self._raw.execute("ROLLBACK TO callers")
            return False
        finally:
            if self._raw.in_transaction:
                self._raw.execute("RELEASE callers")
        for job, result in zip(jobs, results, strict=True):
            job.result = result
        return True

    def _run_joined_writes(self, outbox: list[Signal], said: int, then: list[Then]) -> None:
        """Run the joined writes; those who joined the commit get no signal about it."""
        for signal in outbox[said:]:
            joined = self._joined.get(signal[0])
            after = None if joined is None else self._run_joined(joined, signal[1])
            if after is not None:
                then.append(after)
                outbox.remove(signal)

    def _run_joined(self, joined: JoinedWrite, payload: str) -> Then | None:
        self._raw.execute("SAVEPOINT joined")
        try:
            return joined(self._writing, payload)
        except Exception:
            log.exception("a joined write failed")
            if not self._raw.in_transaction:
                raise
            self._raw.execute("ROLLBACK TO joined")
            return None
        finally:
            if self._raw.in_transaction:
                self._raw.execute("RELEASE joined")

    def _roll_back(self) -> None:
        if self._raw.in_transaction:
            self._raw.execute("ROLLBACK")

    def _answer(self, batch: list[WriteJob], signals: list[Signal], then: list[Then]) -> None:
        self._waiting -= len(batch)
        self.on_commit(len(batch))
        for job in batch:
            if job.answer.cancelled():
                continue
            if job.error is not None:
                job.answer.set_exception(job.error)
            else:
                job.answer.set_result(job.result)
        for after in then:
            after()
        for channel, payload in signals:
            self._switchboard.tell(channel, payload)

    def _read(self, work: Callable[[Connection], R]) -> R:
        with translated():
            connection = getattr(self._reading, "connection", None) or self._open_reader()
            raw = driver(connection)
            raw.execute("BEGIN")
            try:
                return work(connection)
            finally:
                raw.execute("ROLLBACK")

    def _open_reader(self) -> Connection:
        connection = self._engine.connect()
        driver(connection).execute("PRAGMA query_only = ON")
        if not threading.current_thread().name.startswith(READER):
            # Brief reads run in the event loop's thread: they must not wait for locks.
            driver(connection).execute("PRAGMA busy_timeout = 0")
        self._reading.connection = connection
        self._read_connections.append(connection)
        return connection


def _call(work: Callable[..., R], args: Any, kwargs: Any, conn: Connection) -> R:
    return work(conn, *args, **kwargs)


def _call_traced(trace: str, call: Callable[[Connection], R], conn: Connection) -> R:
    with tracing(trace):
        return call(conn)


def make_engine(options: SqliteOptions) -> Engine:
    engine = create_engine(
        f"sqlite:///{options.path}",
        poolclass=NullPool,
        execution_options={SHARES: options.shares},
        isolation_level="AUTOCOMMIT",  # we say BEGIN and COMMIT ourselves
        connect_args={"check_same_thread": False, "cached_statements": 512},
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: sqlite3.Connection, _record: object) -> None:
        _prepare(raw, options)

    return engine


def _prepare(raw: sqlite3.Connection, options: SqliteOptions) -> None:
    raw.isolation_level = None
    raw.execute(f"PRAGMA busy_timeout = {options.busy_timeout_ms}")
    raw.execute("PRAGMA journal_mode = WAL")
    raw.execute(f"PRAGMA synchronous = {options.synchronous}")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA cache_size = -32000")
    raw.execute("PRAGMA temp_store = MEMORY")


def _open(options: SqliteOptions) -> sqlite3.Connection:
    """A connection without SQLAlchemy."""
    raw = sqlite3.connect(options.path)
    _prepare(raw, options)
    return raw


class translated:  # noqa: N801  reads as a word in `with translated():`
    """Turns SQLite's errors into ours. A class: a generator would cost every write 2 µs."""

    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, DBAPIError | sqlite3.Error):
            raise _translate(error) from error


def _translate(error: DBAPIError | sqlite3.Error) -> BaseException:
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorname", "") or ""
    for prefix, kind, sentence, hint in KNOWN:
        if code.startswith(prefix):
            return kind(sentence, hint=hint, details={"sqlite": code}, retry_after=5)
    return error


KNOWN: tuple[tuple[str, type[ClarionError], str, str], ...] = (
    ("SQLITE_BUSY", StorageBusy, "The database file is busy.", "Another program holds it."),
    ("SQLITE_FULL", StorageFull, "The disk is full.", "Free some space; nothing was lost."),
    ("SQLITE_READONLY", StorageReadOnly, "The database cannot be written.", "Check its owner."),
    ("SQLITE_CANTOPEN", StorageReadOnly, "The database cannot be opened.", "Check the directory."),
    ("SQLITE_CORRUPT", StorageCorrupt, "The database is damaged.", "Restore the last back-up."),
    ("SQLITE_NOTADB", StorageCorrupt, "This file is not a database.", "Check the directory."),
    ("SQLITE_IOERR", StorageReadOnly, "The disk refused to read or write.", "Check the disk."),
)


COMMITS_BETWEEN = 100  # about a thousand pages, when each changes a row or two
CHANGES_BETWEEN = 10_000  # rows: the same for large ones
PAGES_MAX = 4_096  # 16 MB; a longer log makes the start after a crash slow
BYTES_MAX = 24 << 20  # at this length, writes wait until part of it is copied


class Checkpoints:
    """Copies SQLite's log into its file beside the writer, and not inside somebody's commit.

    By default SQLite does so in the commit that makes the log a thousand pages long, and the
    caller of that commit waits for writes all over the file. Here a separate thread does it. Under
    constant load the log would never start from its beginning again: then the writer copies the
    small rest, so that the log stays short. On a machine so busy that the thread gets no time, the
    writer waits for it before the log grows much longer.

    `committed` is called in the writer's thread. The copying thread starts when first needed.
    """

    def __init__(self, connect: Callable[[], sqlite3.Connection], path: Path) -> None:
        self._connect = connect
        self._log = path.with_name(f"{path.name}-wal")
        self._commits = 0
        self._changes = 0
        self._overlong = False
        self._closed = False
        self._due = threading.Event()
        self._rests = threading.Event()
        self._rests.set()
        self._thread: threading.Thread | None = None

    def committed(self, writer: sqlite3.Connection) -> None:
        """Call it after a commit was answered; `writer` is the connection of that commit."""
        if self._overlong:
            self._overlong = False
            carry_over(writer)
        self._commits += 1
        changes = writer.total_changes
        if self._commits >= COMMITS_BETWEEN or changes - self._changes >= CHANGES_BETWEEN:
            self._commits, self._changes = 0, changes
            if self._is_far_behind():
                self._rests.wait()
                carry_over(writer)  # alone: two at once would not reset the log
            else:
                self._wake()

    def close(self) -> None:
        """Waits for a running copy."""
        self._closed = True
        self._due.set()
        if self._thread is not None:
            self._thread.join()

    def _is_far_behind(self) -> bool:
        if self._rests.is_set():
            return False
        try:
            return self._log.stat().st_size > BYTES_MAX
        except OSError:
            return False  # the file was removed: writing goes on all the same

    def _wake(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._serve, name="clarion-checkpoints", daemon=True
            )
            self._thread.start()
        self._rests.clear()
        self._due.set()

    def _serve(self) -> None:
        try:
            with closing(self._connect()) as connection:
                while not self._closed:
                    self._due.wait()
                    self._round(connection)
        finally:
            self._rests.set()  # the writer must not wait for a thread that has ended

    def _round(self, connection: sqlite3.Connection) -> None:
        self._due.clear()
        if not self._closed:
            self._overlong = carry_over(connection) > PAGES_MAX
        if not self._due.is_set():
            self._rests.set()


def checkpoint_ourselves(writer: sqlite3.Connection) -> None:
    """Turn SQLite's own checkpoints off, and let the log file shrink after a flood."""
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute(f"PRAGMA journal_size_limit = {BYTES_MAX}")


def carry_over(connection: sqlite3.Connection) -> int:
    """Copy what is possible without making others wait. Returns the length of the log in pages."""
    try:
        _busy, length, _carried = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error as error:
        # The log keeps everything; the next round tries again.
        log.warning("the log was not carried over: %s", error)
        return 0
    return int(length)
