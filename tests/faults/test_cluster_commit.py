"""A connection that breaks in the very commit is said to be lost, never repeated in silence."""

import pytest
from sqlalchemy import Connection, text

from clarion.store.sql.engine.database import StorageAway
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks.store import SqlTasks
from tests.support.clock import START
from tests.support.databases import opened
from tests.support.tasks import a_task, take

CUT = """
CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$
"""
AT_COMMIT = """
CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON tasks DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW WHEN (NEW.id = 'tsk_cut') EXECUTE FUNCTION cut()
"""


def lay_trap(conn: Connection) -> None:
    conn.execute(text(CUT))
    conn.execute(text(AT_COMMIT))


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_commit_that_is_cut_off_raises_and_is_tried_once(database_url: str) -> None:
    async with opened(database_url) as database:
        await database.write(lay_trap)
        tries: list[int] = []

        def work(conn: Connection) -> None:
            tries.append(1)
            tasks.add(conn, [a_task("cut")], START)

        with pytest.raises(StorageAway):
            await database.write(work)

        assert len(tries) == 1
        assert await take(SqlTasks(database)) == [], "reading tells what became of it"
