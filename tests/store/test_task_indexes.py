"""No verb of the queue reads more rows than it needs: the databases tell how they find them."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from clarion.store.sql.engine.database import Statement, ValuesStatement, driver, packed
from clarion.store.sql.engine.sqlite import SqliteOptions, make_engine
from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.tasks import claims as tasks_claims
from clarion.store.sql.tasks import gates as tasks_gates
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import store as tasks_store
from clarion.store.sql.tasks import views as tasks_views
from clarion.tasks.ports import Wanted
from tests.support.clock import START
from tests.support.databases import opened, postgres_database
from tests.support.services import PostgresServer
from tests.support.tasks import LEASE, a_task

STATEMENTS = {
    f"tasks_{module.__name__.rpartition('.')[2]}{name}{number or ''}": statement
    for module in (tasks, tasks_claims, tasks_store, tasks_gates, tasks_views)
    for name, found in vars(module).items()
    for number, statement in enumerate(found.values() if isinstance(found, dict) else [found])
    if isinstance(statement, Statement | ValuesStatement)
    and not name.startswith("_TURN")  # PostgreSQL's alone, of others' parts
}
VALUES = (
    *("now", "rows", "source", "most", "key", "due_at", "a_point", "status", "base", "head_start"),
    *("id", "any", "critical", "before", "worker", "leased_until", "until", "sequence", "fence"),
    *("error", "queue", "kept", "ended_at", "kind", "payload", "rank", "cost", "control", "prefix"),
    *("done", "dead", "new_key"),
)


@pytest.fixture(scope="module")
def sqlite_connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    folder: Path = tmp_path_factory.mktemp("plans")
    engine = make_engine(SqliteOptions(folder / "plans.db"))
    with engine.connect() as conn:
        metadata.create_all(conn)
        yield driver(conn)
    engine.dispose()


def plan(conn: sqlite3.Connection, sql: str) -> list[str]:
    values = [1] * sql.count("?") or dict.fromkeys(VALUES, 1)
    return [row[3] for row in conn.execute(f"EXPLAIN QUERY PLAN {sql}", values)]


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_a_verb_finds_its_rows_by_an_index(
    sqlite_connection: sqlite3.Connection, name: str
) -> None:
    steps = plan(sqlite_connection, STATEMENTS[name].sqlite)

    # A scan of an index that has one status only is what we want: it is in the right order.
    whole_table = [step for step in steps if step.startswith("SCAN") and "tasks" in step]
    assert [step for step in whole_table if "USING" not in step] == []


def test_looking_for_critical_tasks_does_not_walk_past_those_that_wait(
    sqlite_connection: sqlite3.Connection,
) -> None:
    steps = plan(sqlite_connection, STATEMENTS["tasks_claims_CLAIM_NEXT"].sqlite)

    assert "SEARCH tasks USING INDEX ix_tasks_critical (rank<?)" in steps
    assert "SCAN tasks USING INDEX ix_tasks_ready" not in steps


def explained(conn: Connection, sql: str, values: Mapping[str, Any]) -> str:
    return "\n".join(conn.execute(text(f"EXPLAIN {sql}"), dict(values)).scalars())


def postgres_plan(conn: Connection, name: str, values: Mapping[str, Any]) -> str:
    return explained(conn, str(getattr(tasks_store, name).postgres), values)


TURNS = 10  # after five, PostgreSQL would keep a plan
FLOOD = 5_000


def rows_read_by_a_turn(conn: Connection, rows: str) -> int:
    """How many rows of the table, by what PostgreSQL counts in this transaction."""
    wanted = Wanted("ana", LEASE, any=20, critical=1, control=1)
    values = {"rows": rows, **tasks_claims.bounds(wanted, START)}
    before = conn.execute(ROWS_READ).scalar_one()
    getattr(tasks_store, "_TURN").all(conn, **values)  # noqa: B009  it is private
    return int(conn.execute(ROWS_READ).scalar_one() - before)


ROWS_READ = text(
    "SELECT seq_tup_read + COALESCE(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
    " WHERE relname = 'tasks'"
)


async def test_a_flood_after_a_quiet_time_is_not_read_as_a_whole(
    postgres: PostgresServer,
) -> None:
    """What was best while one task waited must not be what is done when thousands do."""
    name = await postgres_database(postgres)
    async with opened(postgres.url(name)) as database:
        postgres.run_sql("ALTER TABLE tasks SET (autovacuum_enabled = false)", name)
        store = tasks_store.SqlTasks(database)
        await store.add([a_task("quiet")], START)
        postgres.run_sql("ANALYZE tasks", name)
        for _ in range(TURNS):
            await database.write(rows_read_by_a_turn, "[]")
        await store.add([a_task(str(number)) for number in range(FLOOD)], START)
        ended = packed([[number, 1, None, 1] for number in range(20)])

        read = await database.write(rows_read_by_a_turn, ended)
    postgres.drop_database(name)

    assert read < FLOOD / 10


async def test_what_has_no_index_is_read_in_the_order_of_the_table(
    postgres: PostgresServer,
) -> None:
    """An index that does not help would only lead to each row by a detour."""
    name = await postgres_database(postgres)
    async with opened(postgres.url(name)) as database:
        await tasks_store.SqlTasks(database).add(
            [a_task(str(number)) for number in range(FLOOD)], START
        )
        postgres.run_sql("ANALYZE tasks", name)
        steps = await database.read(explained, "SELECT status, count(*) FROM tasks GROUP BY 1", {})
    postgres.drop_database(name)

    assert "Seq Scan on tasks" in steps
    assert "cost=10000000000" not in steps


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("_FINISH", {}),
        ("_RENEW", {"until": 1}),
        ("_PUT_BACK", {"now": 1, "a_point": 1}),
    ],
)
async def test_what_runs_is_found_by_its_number(
    postgres: PostgresServer, name: str, values: dict[str, Any]
) -> None:
    """The index of what runs contains all that ever ran since the last vacuum."""
    made = await postgres_database(postgres)
    async with opened(postgres.url(made)) as database:
        some = [a_task(str(number)) for number in range(FLOOD)]
        await tasks_store.SqlTasks(database).add(some, START)
        steps = await database.read(postgres_plan, name, {"rows": "[]", **values})
    postgres.drop_database(made)

    assert "pk_tasks" in steps
    assert "ix_tasks_running" not in steps
