"""Every change of layout, walked upwards on both databases, with data in the tables."""

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Connection,
    MetaData,
    Table,
    column,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import table as sql_table

from clarion.access.ports import Remembered
from clarion.base.ids import InFlight, Key
from clarion.store.sql import idempotency
from clarion.store.sql.engine.database import Database, Instant, StorageTooNew, to_micros
from clarion.store.sql.idempotency import KeptBy
from clarion.store.sql.migrate import HEAD, alembic_config, migrate, version
from clarion.store.sql.opening import open_database
from clarion.store.sql.tables import metadata
from tests.support.clock import START

VERSIONS = Path(__file__).parents[2] / "clarion/store/sql/migrations/versions"


@pytest.fixture(params=["sqlite", "postgres"])
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """A database without any table."""
    url = f"sqlite:{tmp_path}/empty.db"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
    database = await open_database(url)
    yield database
    await database.close()


def revisions(conn: Connection) -> list[str]:
    scripts = ScriptDirectory.from_config(alembic_config(conn))
    return [script.revision for script in scripts.walk_revisions()][::-1]


def test_the_first_layout_is_frozen() -> None:
    """Homes of 0.1.0 have exactly this. What changes since then has a file of its own."""
    first = (VERSIONS / "0001_first_layout.py").read_bytes()
    assert hashlib.sha256(first).hexdigest().startswith("b3facf733108e0af")


async def test_the_newest_file_is_the_head_we_claim(empty: Database) -> None:
    assert (await empty.read(revisions))[-1] == HEAD


async def test_every_step_up_keeps_the_rows_that_are_there(empty: Database) -> None:
    for revision in await empty.read(revisions):
        await empty.write(_step, revision)
        await empty.write(_fill)
        counts = await empty.read(_counts)
        assert all(counts.values()), f"at {revision}: {counts}"

    assert await empty.read(version) == HEAD


async def test_requests_answered_before_the_upgrade_are_known_after_it(empty: Database) -> None:
    await empty.write(_step, "0026")
    await empty.write(_kept_by_the_version_before, "k")

    await empty.write(_step, "0027")

    assert await empty.write(_known, "k") == (Remembered(201, [("etag", "1")], "tea"), "rem_1")


@pytest.mark.parametrize("empty", ["postgres"], indirect=True)
async def test_servers_of_two_versions_know_each_others_requests(empty: Database) -> None:
    """While servers are restarted one by one, those of the version before use the old names."""
    await migrate(empty)
    await empty.write(_kept_by_the_version_before, "theirs")
    assert await empty.write(_known, "ours") == (None, None)

    assert await empty.write(_known, "theirs") == (
        Remembered(201, [("etag", "1")], "tea"),
        "rem_1",
    )
    with pytest.raises(InFlight):
        await empty.write(_known, "ours")
    assert not await empty.write(_claim_by_the_version_before, "ours")


async def test_the_migrations_build_the_tables_of_the_code(empty: Database) -> None:
    assert await migrate(empty)
    assert await empty.write(_differences) == []


async def test_migrating_twice_changes_nothing(empty: Database) -> None:
    assert await migrate(empty)
    assert not await migrate(empty)


async def test_a_database_of_a_later_version_is_refused(empty: Database) -> None:
    await migrate(empty)
    await empty.write(
        lambda conn: conn.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    )

    with pytest.raises(StorageTooNew, match="9999"):
        await migrate(empty)


def _step(conn: Connection, revision: str) -> None:
    command.upgrade(alembic_config(conn), revision)


def _kept_by_the_version_before(conn: Connection, key: str) -> None:
    """A whole answer and a reminder's id, written as servers wrote them until layout 0026."""
    assert _claim_by_the_version_before(conn, key)
    conn.execute(
        text("""UPDATE answers SET status = 201, headers = '[["etag", "1"]]', body = 'tea'
        WHERE holder = 'ana' AND key = :key AND status IS NULL"""),
        {"key": key},
    )
    conn.execute(
        text("""INSERT INTO keys (user_id, key, fingerprint, result, at)
        VALUES ('ana', :key, 'f', '', :at) ON CONFLICT DO NOTHING"""),
        {"key": key, "at": to_micros(START)},
    )
    conn.execute(text("UPDATE keys SET result = 'rem_1' WHERE key = :key"), {"key": key})


def _claim_by_the_version_before(conn: Connection, key: str) -> bool:
    claim = """INSERT INTO answers (holder, key, fingerprint, begun_at)
    VALUES ('ana', :key, 'f', :at) ON CONFLICT DO NOTHING"""
    return bool(conn.execute(text(claim), {"key": key, "at": to_micros(START)}).rowcount)


def _known(conn: Connection, key: str) -> tuple[Remembered | None, str | None]:
    asked = Key("ana", key, "f")
    answer = idempotency.claim(conn, KeptBy.REQUEST, asked, START)
    return answer, idempotency.made_before(conn, KeptBy.REMINDER, asked, START)


def _fill(conn: Connection) -> None:
    """One row in every table that is there, with some value in each of its columns."""
    seen = inspect(conn)
    there = set(seen.get_table_names())
    gone = there - set(metadata.tables) - {"alembic_version"}
    tables = [Table(name, MetaData(), autoload_with=conn) for name in sorted(gone)]
    for table in [*metadata.sorted_tables, *tables]:
        if table.name not in there or _is_filled(conn, table.name):
            continue
        names = {column["name"] for column in seen.get_columns(table.name)}
        values = {c.name: _some(c) for c in _to_fill(table) if c.name in names}
        # Only the columns of then: the code's own table would add the defaults of later ones.
        then = sql_table(table.name, *(column(c.name, c.type) for c in table.c if c.name in names))
        conn.execute(insert(then).values(values))


def _is_filled(conn: Connection, name: str) -> bool:
    query = select(func.count()).select_from(sql_table(name))
    return bool(conn.execute(query).scalar_one())


def _to_fill(table: Table) -> list[Column[Any]]:
    return [c for c in table.columns if not (c.nullable or c.autoincrement is True)]


def _some(column: Column[Any]) -> Any:
    if isinstance(column.type, Instant):
        return START
    if isinstance(column.type, Boolean):
        return True
    if allowed := _allowed(column):
        return allowed[0]
    return {str: "x", int: 1, float: 1.0, bytes: b"x"}.get(column.type.python_type, {})


def _allowed(column: Column[Any]) -> list[str]:
    """The values that a check on this column names, such as `status IN ('standby', …)`."""
    assert isinstance(column.table, Table)
    checks = [c for c in column.table.constraints if isinstance(c, CheckConstraint)]
    about = [str(c.sqltext) for c in checks if re.match(rf"{column.name}\b", str(c.sqltext))]
    return [value for text in about for value in re.findall(r"'([^']*)'", text)]


def _counts(conn: Connection) -> dict[str, int]:
    names = [name for name in inspect(conn).get_table_names() if name != "alembic_version"]
    return {
        name: int(conn.execute(select(func.count()).select_from(sql_table(name))).scalar_one())
        for name in names
    }


def _differences(conn: Connection) -> list[Any]:
    context = MigrationContext.configure(conn, opts={"compare_type": False})
    return list(compare_metadata(context, metadata))
