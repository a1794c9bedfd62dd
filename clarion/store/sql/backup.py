"""Everything in one file, and back from it, on either database.

The file is gzipped JSON: a line with the layout, then for each table a line with its name and
columns and its rows in batches, ordered by key, and last a line with the number of rows and a
checksum. A restored database is read again and must come to the same checksum.
"""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Table,
    Text,
    func,
    insert,
    select,
    text,
    update,
)

from clarion.base.errors import BadInput, Conflict
from clarion.store.sql import sealed_file
from clarion.store.sql.engine.database import Instant, from_micros, to_micros
from clarion.store.sql.migrate import HEAD
from clarion.store.sql.tables import metadata

BATCH = 2_000  # rows in a line: a megabyte or so

Progress = Callable[[str, int], None]
"""The table, and how many rows of it are through."""


class BadBackup(BadInput):
    code = "bad_backup"


class NotEmpty(Conflict):
    code = "database_not_empty"


@dataclass(frozen=True, slots=True)
class Summary:
    rows: int
    checksum: str


def dump(conn: Connection, path: Path, progress: Progress, password: str = "") -> Summary:
    """Write one consistent view. The file appears only when it is whole."""
    unfinished = path.with_name(path.name + ".part")
    with (
        sealed_file.create(unfinished, password) as file,
        gzip.GzipFile("", "wb", compresslevel=1, fileobj=file) as out,
    ):
        summary = _through(lines(conn, progress), out.write)
        out.write(_line({"rows": summary.rows, "checksum": summary.checksum}))
    unfinished.replace(path)
    return summary


def verify(conn: Connection, progress: Progress) -> Summary:
    """The checksum that a dump of this database would have."""
    return _through(lines(conn, progress), lambda _line: None)


def load(conn: Connection, path: Path, progress: Progress, password: str = "") -> Summary:
    """Fill an empty database of the same layout. All of it, or nothing."""
    filled = [table.name for table in metadata.sorted_tables if not _is_empty(conn, table)]
    if filled:
        raise NotEmpty(
            f"There is something in the database already: {', '.join(filled[:5])}.",
            hint="Restore into an empty one, such as another CLARION_DATA_DIR.",
        )
    promised = _fill(conn, path, progress, password)
    _wind_counters(conn)
    found = verify(conn, progress)
    if found != promised:
        raise BadBackup("What was restored is not what was backed up; nothing was kept.")
    _settle_events(conn)
    return found


def lines(conn: Connection, progress: Progress) -> Iterator[bytes]:
    yield _line({"clarion": HEAD})
    for table in metadata.sorted_tables:
        columns = list(table.columns)
        yield _line({"table": table.name, "columns": [column.name for column in columns]})
        through = 0
        order = [_bytewise(conn, one) for one in table.primary_key.columns or columns]
        for rows in conn.execute(select(table).order_by(*order)).partitions(BATCH):
            yield _line([_plain(row) for row in rows])
            through += len(rows)
            progress(table.name, through)


def _bytewise(conn: Connection, column: Column[Any]) -> ColumnElement[Any]:
    """Sort by bytes: PostgreSQL would use its locale, and the checksum would differ."""
    is_text = conn.dialect.name == "postgresql" and isinstance(column.type, Text)
    return column.collate("C") if is_text else column


def _through(produced: Iterator[bytes], write: Callable[[bytes], Any]) -> Summary:
    rows, checksum = 0, hashlib.sha256()
    for line in produced:
        checksum.update(line)
        rows += line.count(b"\n", 0, len(line) - 1)
        write(line)
    return Summary(rows, checksum.hexdigest())


def _line(value: Any) -> bytes:
    """One JSON value; a batch of rows has each on a line of its own."""
    if isinstance(value, list):
        body = b",\n".join(_encode(row) for row in value)
        return b"[\n" + body + b"]\n"
    return _encode(value) + b"\n"


def _encode(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _plain(row: Any) -> list[Any]:
    return [to_micros(value) if isinstance(value, datetime) else value for value in row]


def _fill(conn: Connection, path: Path, progress: Progress, password: str) -> Summary:
    checksum, rows = hashlib.sha256(), 0
    table: Table | None = None
    columns: list[Column[Any]] = []
    for raw, value in _read(path, password):
        if isinstance(value, dict) and "checksum" in value:
            if value["checksum"] != checksum.hexdigest():
                raise BadBackup("The backup is damaged: its checksum does not fit.")
            return Summary(value["rows"], value["checksum"])
        checksum.update(raw)
        if isinstance(value, list):
            assert table is not None
            conn.execute(insert(table), [_values(columns, row) for row in value])
            rows += len(value)
            progress(table.name, rows)
        elif "table" in value:
            table, columns, rows = *_table(value), 0
        elif value.get("clarion") != HEAD:
            raise BadBackup(f"The backup has the layout {value.get('clarion')}, not {HEAD}.")
    raise BadBackup("The backup ends too early.")


def _table(value: dict[str, Any]) -> tuple[Table, list[Column[Any]]]:
    table = metadata.tables.get(value["table"])
    if table is None or [column.name for column in table.columns] != value["columns"]:
        raise BadBackup(f"The backup has a table {value['table']!r} that is none of ours.")
    return table, list(table.columns)


def _values(columns: Sequence[Column[Any]], row: Sequence[Any]) -> dict[str, Any]:
    return {
        column.name: from_micros(value)
        if value is not None and isinstance(column.type, Instant)
        else value
        for column, value in zip(columns, row, strict=True)
    }


def _read(path: Path, password: str) -> Iterator[tuple[bytes, Any]]:
    """Each value with the exact bytes it was written as."""
    try:
        with sealed_file.read(path, password) as sealed, gzip.GzipFile(fileobj=sealed) as file:
            for raw in _whole(file):
                yield raw, json.loads(raw)
    except (OSError, EOFError, ValueError) as error:
        raise BadBackup(f"The backup cannot be read: {error}.") from None


def _whole(file: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a batch together, every other line by itself."""
    batch: list[bytes] = []
    for line in file:
        batch.append(line)
        if batch[0] != b"[\n" or line.endswith(b"]]\n"):
            yield b"".join(batch)
            batch = []


def _is_empty(conn: Connection, table: Table) -> bool:
    return conn.execute(select(text("1")).select_from(table).limit(1)).first() is None


def _settle_events(conn: Connection) -> None:
    """Mark all events settled: transaction numbers of another database mean nothing here."""
    if conn.dialect.name == "postgresql":
        conn.execute(update(metadata.tables["events"]).values(xact=0))


def _wind_counters(conn: Connection) -> None:
    """Set PostgreSQL's counters behind the restored rows; it does not do so itself."""
    if conn.dialect.name != "postgresql":
        return
    for table in metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            sequence = func.pg_get_serial_sequence(table.name, column.name)
            most = select(func.coalesce(func.max(column), 0)).scalar_subquery()
            conn.execute(select(func.setval(sequence, most + 1, False)))
