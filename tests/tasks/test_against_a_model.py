"""Random lives of a queue, with crashes and clocks that move, compared with a simple model.

Nothing is lost, nothing is done twice, and the order is always that of the ranks.
"""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from clarion.store.sql.engine.database import driver
from clarion.store.sql.engine.sqlite import SqliteOptions, make_engine
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.tables.tasks import tasks as table
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import store as tasks_store
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import DEFAULT_SHARES
from clarion.tasks.ports import Again, Claim, Done, Failed, Later, Outcome, Released, Wanted
from clarion.tasks.records import TaskStatus
from tests.support.clock import START
from tests.support.task_model import TaskModel
from tests.support.tasks import LEASE, a_task

Write: TypeAlias = Callable[..., Any]

waits = st.integers(-300, 300).map(lambda minutes: timedelta(minutes=minutes))
keys = st.sampled_from(["ring:1", "ring:2", None, None])
sources = st.sampled_from(["chat:1", "chat:2", None])
bases = st.sampled_from([0, 10, 50, 99, 100])
wishes = st.tuples(
    waits | st.just(timedelta(0)),
    st.fixed_dictionaries(
        {
            "base": bases,
            "key": keys,
            "source": sources,
            "weight": st.sampled_from([None, None, 3.0]),
            "control": st.sampled_from([False, False, False, True]),
        }
    ),
)
KINDS = ("done", "failed", "dead", "later", "released")


class QueueMachine(RuleBasedStateMachine):
    def __init__(self, write: Write) -> None:
        super().__init__()
        self._write = write
        self._model = TaskModel(DEFAULT_SHARES)
        self._claims: list[Claim] = []
        """Every claim ever made; most of them belong to workers that are dead or done."""
        self._now = START
        self._numbers = iter(range(1_000_000))

    @initialize()
    def begin_empty(self) -> None:
        self._write(lambda conn: conn.execute(table.delete()))

    @rule(wished=st.lists(wishes, min_size=1, max_size=4))
    def add(self, wished: list[tuple[timedelta, dict[str, Any]]]) -> None:
        batch = [
            a_task(str(next(self._numbers)), due_at=self._now + wait, **more)
            for wait, more in wished
        ]

        added = self._write(tasks.add, batch, self._now)

        assert sorted(added) == sorted(self._model.add(batch, self._now))

    @rule(any_=st.integers(0, 4), critical=st.integers(0, 2), control=st.integers(0, 2))
    def claim(self, any_: int, critical: int, control: int = 0) -> None:
        wanted = Wanted("ana", LEASE, any=any_, critical=critical, control=control)

        taken = self._write(tasks_store.turn, [], wanted, self._now)

        claimed = [(claim.task.id, claim.attempt, claim.fence) for claim in taken.claims]
        limits = (any_, critical, control)
        assert claimed == self._model.claim(limits, self._now + LEASE, self._now)
        self._claims += taken.claims

    @precondition(lambda self: self._claims)
    @rule(data=st.data(), kind=st.sampled_from(["done", "failed", "dead", "later", "released"]))
    def settle(self, data: st.DataObject, kind: str) -> None:
        """A worker speaks: one that holds the task, or one that everybody thought was dead."""
        claim = data.draw(st.sampled_from(self._claims))
        soon = self._now + data.draw(waits)
        outcomes: dict[str, Outcome] = {
            "done": Done(claim),
            "failed": Failed(claim, "boom", soon),
            "dead": Failed(claim, "boom", None),
            "later": Later(claim, Again(soon)),
            "released": Released(claim),
        }

        self._write(tasks_store.turn, [outcomes[kind]], Wanted("ana", LEASE), self._now)

        self._model.settle(outcomes[kind], self._now)
        self._model.claim((0, 0, 0), self._now, self._now)

    @precondition(lambda self: self._claims)
    @rule(data=st.data())
    def renew(self, data: st.DataObject) -> None:
        claim = data.draw(st.sampled_from(self._claims))

        ours = self._write(tasks_store.renew, [claim], LEASE, self._now)

        assert bool(ours) == self._model.is_current(claim)
        if ours:
            self._model.entries[claim.task.id].leased_until = self._now + LEASE

    @rule(by=st.sampled_from([1, 20, 3_600, 86_400]))
    def move_the_clock(self, by: int) -> None:
        self._now += timedelta(seconds=by)

    @rule()
    def crash(self) -> None:
        """All workers die; after their leases another one takes over what they had."""
        self._now += LEASE
        self.take_back()
        self.claim(4, 0)

    @rule()
    def take_back(self) -> None:
        assert self._write(tasks_store.take_back, self._now) == self._model.take_back(self._now)

    @precondition(lambda self: self._model.entries)
    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(list(self._model.entries.values())))

        cancelled = self._write(tasks.cancel, [entry.task.id], self._now)

        assert cancelled == self._model.cancel([entry])

    @rule(key=keys.filter(bool))
    def cancel_key(self, key: str) -> None:
        found = [one for one in self._model.entries.values() if one.task.key == key]

        assert self._write(tasks.cancel_keys, [key], self._now) == self._model.cancel(found)

    @rule(key=keys.filter(bool), wait=waits)
    def reschedule(self, key: str, wait: timedelta) -> None:
        due_at = self._now + wait

        moved = self._write(tasks.reschedule, key, due_at, self._now)

        assert moved == self._model.reschedule(key, due_at, self._now)

    @rule(source=sources.filter(bool), base=bases)
    def reprioritise(self, source: str, base: int) -> None:
        moved = self._write(tasks.reprioritise_source, source, base, self._now)

        assert moved == self._model.reprioritise_source(source, base)

    @precondition(lambda self: self._model.entries)
    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(list(self._model.entries.values())))

        replayed = self._write(tasks.replay, [entry.task.id], self._now)

        assert bool(replayed) == self._model.replay(entry, self._now)

    @invariant()
    def both_say_the_same(self) -> None:
        c = table.c
        columns = (c.id, c.status, c.attempt, c.fence, c.due_at, c.start_at)
        rows = self._write(lambda conn: conn.execute(select(*columns)).all())

        assert {row.id: tuple(row)[1:] for row in rows} == {
            id_: (entry.status, entry.attempt, entry.fence, entry.due_at, entry.start_at)
            for id_, entry in self._model.entries.items()
        }

    def teardown(self) -> None:
        """At the end all live workers die, the clock goes on, and everything open is done."""
        self._now += timedelta(days=10)
        self.take_back()
        while claims := self._left():
            for claim in claims:
                self._model.settle(Done(claim), self._now)
            self._write(tasks_store.finish, claims, self._now)
        ended = {TaskStatus.DONE, TaskStatus.DEAD, TaskStatus.CANCELLED}
        for entry in self._model.entries.values():
            assert entry.status in ended
            assert entry.finished == (entry.status is TaskStatus.DONE)
        self.both_say_the_same()

    def _left(self) -> list[Claim]:
        before = len(self._claims)
        self.claim(3, 0)
        return self._claims[before:]


@pytest.fixture
def write_sqlite(tmp_path: Path) -> Iterator[Write]:
    """Straight to the file, without threads or waits."""
    engine = make_engine(SqliteOptions(tmp_path / "model.db", synchronous="OFF"))
    with engine.connect() as conn:
        metadata.create_all(conn)

        def write(work: Callable[..., Any], *args: Any) -> Any:
            driver(conn).execute("BEGIN IMMEDIATE")
            answer = work(conn, *args)
            driver(conn).execute("COMMIT")
            return answer

        yield write
    engine.dispose()


@pytest.fixture
def write_postgres(postgres_url: str) -> Iterator[Write]:
    with asyncio.Runner() as runner:
        database = runner.run(open_database(postgres_url))
        runner.run(migrate(database))
        store = SqlTasks(database)

        def write(work: Callable[..., Any], *args: Any) -> Any:
            if work is tasks_store.turn:  # as workers ask for it, in one sentence
                return runner.run(store.turn(*args))
            return runner.run(database.write(work, *args))

        yield write
        runner.run(database.close())


def live(write: Write, lives: int, steps: int) -> None:
    class Life(QueueMachine):
        def __init__(self) -> None:
            super().__init__(write)

    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=lives,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.timeout(120)
def test_a_random_life_on_sqlite_goes_as_the_model_says(write_sqlite: Write) -> None:
    live(write_sqlite, lives=150, steps=40)


@pytest.mark.timeout(120)
def test_a_random_life_on_postgresql_goes_as_the_model_says(write_postgres: Write) -> None:
    live(write_postgres, lives=10, steps=30)
