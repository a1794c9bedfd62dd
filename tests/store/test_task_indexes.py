"""No verb of the queue reads more rows than it needs: SQLite tells how it would find them."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from clarion.store.sql.engine.database import Statement, driver
from clarion.store.sql.engine.sqlite import SqliteOptions, make_engine
from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.tasks import claims as tasks_claims
from clarion.store.sql.tasks import gates as tasks_gates
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import store as tasks_store
from clarion.store.sql.tasks import views as tasks_views

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
