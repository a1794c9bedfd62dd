"""Statements that are made once: for what every reminder passes through, and for many rows.

SQLAlchemy spends several times as long on a small statement as SQLite does. Here its work (the
SQL, the conversion of values) is done once, and SQLite gets the rest directly; PostgreSQL, where
the network costs more than that, is spoken to as usual.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import BindParameter, Connection, text
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.base import Executable

from clarion.store.sql.engine.sqlite import driver

Convert: TypeAlias = Callable[[Any], Any]
T = TypeVar("T")
DIALECT = sqlite.dialect(paramstyle="named")


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
        """One value a row. `read_raw` makes the same of SQLite's own row, as `read` of ours: a
        row that is asked for a thousand times a second is worth a second way to read it.
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
        found = {
            name: bind.type.dialect_impl(DIALECT).bind_processor(DIALECT)
            for name, bind in binds.items()
        }
        return {name: convert for name, convert in found.items() if convert is not None}

    @cached_property
    def _fixed(self) -> Mapping[str, Any]:
        """Values that stand in the statement itself, such as a LIMIT."""
        found = self._compiled.params
        return {name: value for name, value in found.items() if value is not None}

    @cached_property
    def _columns(self) -> list[tuple[str, Convert | None]]:
        return [
            (column.name, column.type.dialect_impl(DIALECT).result_processor(DIALECT, None))
            for column in self._statement.selected_columns  # type: ignore[attr-defined]
        ]

    def _bound(self, values: Mapping[str, Any]) -> dict[str, Any]:
        converters = self._converters
        bound = dict(self._fixed)
        for name, value in values.items():
            convert = converters.get(name)
            bound[name] = value if convert is None else convert(value)
        return bound


_encode = json.JSONEncoder(separators=(",", ":")).encode


def packed(rows: Iterable[Any]) -> str:
    return _encode(list(rows))


class Statement:
    """One SQL sentence for both databases that takes or gives many rows at once.

    Rows travel as one JSON array, so a batch is a single call: SQLite works through it without
    holding up the event loop, and PostgreSQL answers it in one round trip. `{rows}` stands for the
    array, whose columns are `value ->> 0`, `value ->> 1` and so on. `{skip_locked}` lets several
    servers pick rows from PostgreSQL at once without waiting for one another; `{lock}` waits.
    SQLite gets it without SQLAlchemy's share of the work: half the time of a small batch.
    """

    def __init__(self, sql: str, *, index: str = "", **pieces: str) -> None:
        """`index`: the one that `{by_index}` makes SQLite use, where it would choose badly.

        `pieces`: what several sentences have in common, each for its name in braces.
        """
        self.sqlite = sql.format(
            rows="json_each(:rows)",
            skip_locked="",
            lock="",
            by_index=f"INDEXED BY {index}",
            **pieces,
        )
        self._postgres = text(
            sql.format(
                rows="jsonb_array_elements(CAST(:rows AS jsonb))",
                skip_locked="FOR UPDATE SKIP LOCKED",
                lock="FOR UPDATE",
                by_index="",
                **pieces,
            )
        )

    def run(self, conn: Connection, **values: Any) -> int:
        """The number of rows that were changed."""
        if conn.dialect.name == "sqlite":
            return driver(conn).execute(self.sqlite, values).rowcount
        return conn.execute(self._postgres, values).rowcount

    def all(self, conn: Connection, **values: Any) -> list[Any]:
        if conn.dialect.name == "sqlite":
            return driver(conn).execute(self.sqlite, values).fetchall()
        return list(conn.execute(self._postgres, values).all())

    def one(self, conn: Connection, **values: Any) -> Any:
        """The first column of the first row; None when there is none."""
        found = self.all(conn, **values)
        return found[0][0] if found else None
