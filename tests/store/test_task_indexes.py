"""No verb of the queue reads more rows than it needs: the databases tell how they find them."""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text

from clarion.store.sql.engine.database import Statement, driver
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
    if isinstance(statement, Statement) and name != "_TURN"  # PostgreSQL's alone, of others' parts
}
VALUES = (
    *("now", "rows", "source", "most", "key", "due_at", "a_point", "status", "base", "head_start"),
    *("id", "any", "critical", "before", "worker", "leased_until", "until", "sequence", "fence"),
    *("error", "queue", "kept", "ended_at", "kind", "payload", "rank", "cost", "control", "prefix"),
    *("done", "dead"),
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
    values = dict.fromkeys(VALUES, 1)
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


def postgres_plan(conn: Connection, name: str, values: Mapping[str, Any]) -> str:
    said = conn.execute(text(f"EXPLAIN {getattr(tasks_store, name).postgres}"), dict(values))
    return "\n".join(said.scalars())


async def test_a_quiet_server_makes_no_plan_that_reads_the_whole_table(
    postgres: PostgresServer,
) -> None:
    """PostgreSQL keeps it: a flood would meet what was best while one task waited."""
    name = await postgres_database(postgres)
    wanted = Wanted("ana", LEASE, any=1, critical=1, control=1)
    values = {"rows": "[[1, 1, null]]", **tasks_claims.bounds(wanted, START)}
    async with opened(postgres.url(name)) as database:
        await tasks_store.SqlTasks(database).add([a_task()], START)
        postgres.run_sql("ANALYZE tasks", name)
        turn = await database.read(postgres_plan, "_TURN", values)
    postgres.drop_database(name)

    assert "pk_tasks" in turn
    assert "Seq Scan on tasks" not in turn


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("_FINISH", {"now": 1}),
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
        steps = await database.read(postgres_plan, name, {"rows": "[]", **values})
    postgres.drop_database(made)

    assert "pk_tasks" in steps
    assert "ix_tasks_running" not in steps
