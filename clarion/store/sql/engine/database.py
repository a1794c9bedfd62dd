"""The one way to the database: hand a plain function `f(conn, …)` to `read` or `write`.

`write` returns only after the commit is on disk. A function may run twice (after a deadlock or a
serialisation failure), so it must do nothing but use `conn`.

`Prepared` and `Statement` are built once, for queries that run for every reminder and for batches:
SQLAlchemy needs several times as long for a small statement as SQLite does. Its work (the SQL, the
conversion of values) is done once, and SQLite is called directly; PostgreSQL, where the network
costs more, is called through SQLAlchemy as usual.

Columns of the types `Instant` and `Json` mean the same in both databases.

Inside a write, `send_signal` tells other servers about the change; after a rollback nothing is
sent. On PostgreSQL it becomes a NOTIFY at the end; on SQLite the listeners of this process are
called after the commit. A signal may be lost (a listener was disconnected), so every listener also
looks by itself now and then.
"""

import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import chain
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import JSON, BigInteger, BindParameter, Connection, Dialect, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.base import Executable
from sqlalchemy.types import TypeDecorator, TypeEngine

from clarion.base.errors import Unavailable

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Work = TypeVar("Work", bound=Callable[..., object])
Listener: TypeAlias = Callable[[str], None]
Signal: TypeAlias = tuple[str, str]
Then: TypeAlias = Callable[[], None]
JoinedWrite: TypeAlias = Callable[[Connection, str], Then | None]
"""Does its part inside the transaction that sends, before the commit, and is given the payload.

What it returns is called in the event loop after the commit, in place of the listeners. None:
it had nothing to do, and they hear as usual. SQLite runs it in its writer's thread.
"""
StopJoining: TypeAlias = Callable[[], Awaitable[None]]
_BRIEF: set[Callable[..., object]] = set()
_SINGLE: set[Callable[..., object]] = set()
Together: TypeAlias = Callable[[Connection, Sequence[tuple[Any, ...]]], Sequence[Any]]
"""Does the same work for many callers: given the arguments of each, it returns the answer of each.
"""
_TOGETHER: dict[Callable[..., object], tuple[Together, Callable[..., int]]] = {}


def brief(work: Work) -> Work:
    """Mark a read of few rows by an index. For SQLite that takes less time than a switch to
    another thread, so it runs in the calling thread; elsewhere the mark changes nothing.
    """
    _BRIEF.add(work)
    return work


def is_brief(work: Callable[..., object]) -> bool:
    return work in _BRIEF


def single(work: Work) -> Work:
    """Mark a write of one statement, which is atomic by itself: PostgreSQL gets no BEGIN and
    COMMIT around it, which saves two of three round trips. Its signals are sent after it.
    """
    _SINGLE.add(work)
    return work


def is_single(work: Callable[..., object]) -> bool:
    return work in _SINGLE


def together(by: Together, rows: Callable[..., int] = lambda *_: 1) -> Callable[[Work], Work]:
    """Mark a write that is done for many callers at a time with fewer statements, by `by`. SQLite
    uses it for those that wait one behind the other; when it raises, each is done by itself.

    `rows` is given the arguments: how many rows it writes, which bounds how much is done at once.
    0: it must be done by itself.
    """

    def mark(work: Work) -> Work:
        _TOGETHER[work] = by, rows
        return work

    return mark


def done_together(work: Callable[..., object], *given: Any) -> tuple[Together | None, int]:
    """What does it for many callers, None when it is done by itself; and how many rows it has."""
    if (found := _TOGETHER.get(work)) is None:
        return None, 0
    by, rows = found
    number = rows(*given)
    return (by, number) if number else (None, 0)


async def nothing_to_stop() -> None:
    """Ends what never joined."""


class Database(Protocol):
    dialect: str
    """`sqlite` or `postgresql`."""

    async def write(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` in a transaction of its own and return when it is on disk."""
        ...

    async def read(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run `work` on one consistent view; it must not write."""
        ...

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        """Receive `send_signal` of every server; called in the event loop, so be quick."""
        ...

    def join_commits(self, channel: str, joined: JoinedWrite) -> StopJoining:
        """Do more work inside this process's transactions that send on `channel`.

        Only one per channel joins; others listen as before. What is returned ends it, and returns
        when what it returned for every commit before has been called.
        """
        ...

    def joined(self, channel: str) -> JoinedWrite | None:
        """What joins on this channel now."""
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
    """The database was written by a later version: writing to it could lose data unknown to us."""

    code = "storage_too_new"


OUTBOX = "clarion_signals"  # the key in Connection.info under which a transaction collects signals
NOTICES = "clarion_notices"  # the same for PostgreSQL's NOTIFY
JOINED = "clarion_joined"  # on PostgreSQL, the joined writes by channel
AFTER = "clarion_after"  # on PostgreSQL, what is called after the commit
PAYLOAD_BYTES_MAX = 7_900  # PostgreSQL refuses 8000


def send_signal(conn: Connection, channel: str, payload: str = "") -> None:
    """Tell every listener of `channel`, once this transaction is committed."""
    assert len(payload.encode()) <= PAYLOAD_BYTES_MAX, "signals carry names, not contents"
    to_others = conn.dialect.name == "postgresql"
    outbox: list[Signal] = conn.info.setdefault(NOTICES if to_others else OUTBOX, [])
    if (channel, payload) not in outbox[-8:]:  # many writers in one commit send the same signal
        outbox.append((channel, payload))


def send_signal_here(conn: Connection, channel: str, payload: str) -> None:
    """Tell the listeners of this process alone, once this transaction is committed."""
    conn.info.setdefault(OUTBOX, []).append((channel, payload))


def forget_signal_here(conn: Connection, channel: str, payload: str) -> None:
    outbox: list[Signal] = conn.info.get(OUTBOX, [])
    if (channel, payload) in outbox:
        outbox.remove((channel, payload))


def joined_write(conn: Connection, channel: str) -> JoinedWrite | None:
    """For a `single` write on PostgreSQL, which must do both in one statement."""
    found: JoinedWrite | None = conn.info.get(JOINED, {}).get(channel)
    return found


def after_commit(conn: Connection, then: Then) -> None:
    conn.info.setdefault(AFTER, []).append(then)


def run_joined_writes(conn: Connection) -> None:
    """On PostgreSQL, as the last part of a transaction; who joined gets no signal about it."""
    for signal in tuple(conn.info.get(NOTICES, ())):
        joined = joined_write(conn, signal[0])
        then = None if joined is None else joined(conn, signal[1])
        if then is not None:
            after_commit(conn, then)
            conn.info[NOTICES].remove(signal)


def notify(conn: Connection) -> None:
    """Pass the collected signals to PostgreSQL, in one statement at the end of the transaction."""
    if notices := conn.info.pop(NOTICES, None):
        conn.execute(NOTIFY, {"notices": json.dumps(notices)})


NOTIFY = text(
    "SELECT pg_notify(value ->> 0, value ->> 1) FROM jsonb_array_elements(CAST(:notices AS jsonb))"
)


class Switchboard:
    """The listeners of this process, by channel. One that raises does not disturb the others."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = {}

    @property
    def channels(self) -> Iterable[str]:
        return tuple(self._listeners)

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        """Start listening; call what is returned to stop."""
        self._listeners.setdefault(channel, []).append(listener)

        def stop() -> None:
            if listener in self._listeners[channel]:
                self._listeners[channel].remove(listener)

        return stop

    def tell(self, channel: str, payload: str) -> None:
        for listener in tuple(self._listeners.get(channel, ())):
            try:
                listener(payload)
            except Exception:
                log.exception("a listener failed", extra={"channel": channel})


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

Json = JSON().with_variant(JSONB(), "postgresql")


def to_micros(instant: datetime) -> int:
    return (instant - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    return EPOCH + micros * MICROSECOND  # half the time of making the sum of a new timedelta


class Instant(TypeDecorator[datetime]):
    """An instant in UTC, kept as whole microseconds: exact, sortable, alike in both databases."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else to_micros(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        return None if value is None else from_micros(value)


Convert: TypeAlias = Callable[[Any], Any]
DIALECT = sqlite.dialect(paramstyle="named")


def driver(connection: Connection) -> sqlite3.Connection:
    """The sqlite3 connection itself, for what SQLAlchemy would only slow down."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def bound_by(kind: TypeEngine[Any]) -> Convert | None:
    """How SQLite gets a value of this type; None: as it is."""
    if isinstance(kind, Instant):
        return _micros  # through SQLAlchemy it takes three calls more
    return kind.dialect_impl(DIALECT).bind_processor(DIALECT)


def read_by(kind: TypeEngine[Any]) -> Convert | None:
    if isinstance(kind, Instant):
        return _instant
    if isinstance(kind, JSON):
        return _unpacked
    return kind.dialect_impl(DIALECT).result_processor(DIALECT, None)


def _micros(instant: datetime | None) -> int | None:
    return None if instant is None else to_micros(instant)


def _instant(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


def _unpacked(said: str | None) -> Any:
    """Most of what is kept as JSON is empty."""
    if said is None or said == "null":
        return None
    return {} if said == "{}" else json.loads(said)


class Prepared:
    """Values are given by name, all of them, each time."""

    def __init__(self, statement: Executable) -> None:
        self._statement = statement

    def run(self, conn: Connection, values: Mapping[str, Any]) -> int:
        """The number of rows that were changed."""
        if conn.dialect.name == "sqlite":
            return driver(conn).execute(self._sql, self._bound(values)).rowcount
        return int(conn.execute(self._statement, dict(values)).rowcount)

    def run_all(self, conn: Connection, many: Sequence[Mapping[str, Any]]) -> None:
        if conn.dialect.name == "sqlite":
            driver(conn).executemany(self._sql, [self._bound(values) for values in many])
        else:
            conn.execute(self._statement, [dict(values) for values in many])

    def rows(self, conn: Connection, values: Mapping[str, Any]) -> Sequence[Mapping[Any, Any]]:
        if conn.dialect.name != "sqlite":
            return list(conn.execute(self._statement, dict(values)).mappings())
        found = driver(conn).execute(self._sql, self._bound(values)).fetchall()
        return [
            {
                name: value if convert is None else convert(value)
                for (name, convert), value in zip(self._columns, row, strict=True)
            }
            for row in found
        ]

    def values(
        self,
        conn: Connection,
        values: Mapping[str, Any],
        read: Callable[[Mapping[Any, Any]], T],
        read_raw: Callable[[Sequence[Any]], T],
    ) -> list[T]:
        """One value a row. `read_raw` reads SQLite's own row and returns the same as `read`: a row
        that is read a thousand times a second is worth a second reader.
        """
        if conn.dialect.name != "sqlite":
            return [read(row) for row in self.rows(conn, values)]
        found = driver(conn).execute(self._sql, self._bound(values))
        return [read_raw(row) for row in found]

    def row(self, conn: Connection, values: Mapping[str, Any]) -> Mapping[Any, Any] | None:
        """The first row, if there is one."""
        found = self.rows(conn, values)
        return found[0] if found else None

    @cached_property
    def _compiled(self) -> Any:
        return self._statement.compile(dialect=DIALECT)  # type: ignore[attr-defined]

    @cached_property
    def _sql(self) -> str:
        return str(self._compiled)

    @cached_property
    def _converters(self) -> Mapping[str, Convert]:
        binds: Mapping[str, BindParameter[Any]] = self._compiled.binds
        found = {name: bound_by(bind.type) for name, bind in binds.items()}
        return {name: convert for name, convert in found.items() if convert is not None}

    @cached_property
    def _fixed(self) -> Mapping[str, Any]:
        """Values that stand in the statement itself, such as a LIMIT."""
        found = self._compiled.params
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def _columns(self) -> list[tuple[str, Convert | None]]:
        return [
            (column.name, read_by(column.type))
            for column in self._statement.selected_columns  # type: ignore[attr-defined]
        ]

    def _bound(self, values: Mapping[str, Any]) -> dict[str, Any]:
        bound = {**self._fixed, **values}
        for name, convert in self._converters.items():
            if name in values:
                bound[name] = convert(values[name])
        return bound


_encode = json.JSONEncoder(separators=(",", ":")).encode


def packed(rows: Iterable[Any]) -> str:
    return _encode(list(rows))


class Statement:
    """One SQL statement for both databases that takes or returns many rows at once.

    Rows travel as one JSON array, so a batch is a single call: SQLite works through it without
    holding up the event loop, and PostgreSQL answers it in one round trip. `{rows}` stands for the
    array, whose columns are `value ->> 0`, `value ->> 1` and so on. `{skip_locked}` lets several
    servers pick rows from PostgreSQL at once without waiting for one another; `{lock}` waits.
    `{few}` at the end of a subquery of the array tells PostgreSQL to expect ten rows in it.
    `{lookup}` at the end of an EXISTS makes PostgreSQL use its index for each row; it expects a
    hundred rows in any array, and would rather read the whole table.
    SQLite gets it without SQLAlchemy's share of the work: half the time of a small batch.
    """

    def __init__(self, sql: str, *, index: str = "", **pieces: str) -> None:
        """`index`: the one that `{by_index}` makes SQLite use, where it would choose badly.

        `pieces`: parts that several statements share, each inserted for its name in braces.
        """
        self.sqlite = sql.format(
            rows="json_each(:rows)",
            skip_locked="",
            lock="",
            lookup="",
            few="",
            by_index=f"INDEXED BY {index}",
            **pieces,
        )
        self.postgres = text(
            sql.format(
                rows="jsonb_array_elements(CAST(:rows AS jsonb))",
                skip_locked="FOR UPDATE SKIP LOCKED",
                lock="FOR UPDATE",
                lookup="OFFSET 0",
                few="LIMIT (SELECT CAST(NULL AS BIGINT))",  # no limit, but a tenth is expected
                by_index="",
                **pieces,
            )
        )

    def run(self, conn: Connection, **values: Any) -> int:
        """The number of rows that were changed."""
        if conn.dialect.name == "sqlite":
            return driver(conn).execute(self.sqlite, values).rowcount
        return conn.execute(self.postgres, values).rowcount

    def all(self, conn: Connection, **values: Any) -> list[Any]:
        if conn.dialect.name == "sqlite":
            return driver(conn).execute(self.sqlite, values).fetchall()
        return list(conn.execute(self.postgres, values).all())

    def one(self, conn: Connection, **values: Any) -> Any:
        """The first column of the first row; None when there is none."""
        found = self.all(conn, **values)
        return found[0][0] if found else None


VALUES_MAX = 128  # rows in one call; more make it no quicker


def array_of(*types: str) -> str:
    """For a `Statement`: its rows as a table with the columns column1, column2 and so on."""
    columns = [f"CAST(value ->> {n} AS {kind}) AS column{n + 1}" for n, kind in enumerate(types)]
    return f"(SELECT {', '.join(columns)} FROM {{rows}} {{few}})"  # noqa: S608  constants


class ValuesStatement:
    """Like `Statement`, for the batches that are written most: SQLite gets their rows as VALUES.

    That takes it half the time of an array, in which it looks for each value. `{rows}` stands for
    a table of these types, see `array_of`. The rows come in a few calls, of 128, 64, 32 rows and
    so on, so that few statements serve batches of all sizes.
    """

    def __init__(self, sql: str, *types: str) -> None:
        self._array = Statement(sql.replace("{rows}", array_of(*types)))
        self.postgres = self._array.postgres
        row = f"({','.join('?' * len(types))})"
        sizes = [1 << bit for bit in range(VALUES_MAX.bit_length())]
        self._by_size = {
            size: sql.replace("{rows}", f"(VALUES {','.join([row] * size)})") for size in sizes
        }
        self.sqlite = self._by_size[VALUES_MAX]

    def run(self, conn: Connection, rows: Sequence[Sequence[Any]]) -> int:
        """The number of rows that were changed."""
        if conn.dialect.name != "sqlite":
            return self._array.run(conn, rows=packed(rows))
        raw = driver(conn)
        return sum(raw.execute(sql, values).rowcount for sql, values in self._calls(rows))

    def all(self, conn: Connection, rows: Sequence[Sequence[Any]]) -> list[Any]:
        if conn.dialect.name != "sqlite":
            return self._array.all(conn, rows=packed(rows))
        raw = driver(conn)
        calls = self._calls(rows)
        return [row for sql, values in calls for row in raw.execute(sql, values).fetchall()]

    def _calls(self, rows: Sequence[Sequence[Any]]) -> Iterator[tuple[str, list[Any]]]:
        begin = 0
        while left := len(rows) - begin:
            size = min(VALUES_MAX, 1 << left.bit_length() - 1)
            yield self._by_size[size], list(chain.from_iterable(rows[begin : begin + size]))
            begin += size
