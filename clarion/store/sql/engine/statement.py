"""One SQL sentence for both databases that takes or gives many rows at once.

Rows travel as one JSON array, so a batch is a single call: SQLite works through it without
holding up the event loop, and PostgreSQL answers it in one round trip. `{rows}` stands for the
array, whose columns are `value ->> 0`, `value ->> 1` and so on. `{skip_locked}` lets several
servers pick rows from PostgreSQL at once without waiting for one another; `{lock}` waits.
"""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, text

from clarion.store.sql.engine.sqlite import driver

_encode = json.JSONEncoder(separators=(",", ":")).encode


def packed(rows: Iterable[Any]) -> str:
    return _encode(list(rows))


class Statement:
    """SQLite gets it without SQLAlchemy's share of the work: half the time of a small batch."""

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
