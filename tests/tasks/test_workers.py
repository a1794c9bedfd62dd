"""Workers on a real store. Tests wait for facts; the limit of the suite bounds the wait."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest

from clarion.base.clock import SystemClock
from clarion.base.errors import Unavailable
from clarion.base.ids import TaskId
from clarion.base.loop import Restarts
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import Level, Task
from clarion.tasks.ports import Claim, Done, Failed, Outcome, Released, Ticket, Wanted
from clarion.tasks.pump import Express
from clarion.tasks.records import TaskStatus
from clarion.tasks.workers import Workers
from tests.support.tasks import a_task, status_of, take

SECOND = timedelta(seconds=1)


class WatchedTasks(SqlTasks):
    """Tells the test of each renewal: the claims that were still ours."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.renewed: asyncio.Queue[set[Ticket]] = asyncio.Queue()
        self.asked = asyncio.Event()
        self.answers = asyncio.Event()
        self.answers.set()
        """Cleared: the database is slow, and a renewal waits for it."""

    async def renew(self, claims: Sequence[Claim], lease: timedelta, now: datetime) -> set[Ticket]:
        ours = await super().renew(claims, lease, now)
        self.asked.set()
        await self.answers.wait()
        self.renewed.put_nowait(ours)
        return ours


class Stage:
    """Workers under way, and handlers that report to the test."""

    def __init__(self, store: WatchedTasks, workers: Workers, kinds: Kinds) -> None:
        self.store = store
        self.workers = workers
        self.kinds = kinds
        self.clock = SystemClock()
        self.began: asyncio.Queue[str] = asyncio.Queue()
        self.settled: asyncio.Queue[Outcome] = asyncio.Queue()
        self.gate = asyncio.Event()
        workers.on_settled = self.settled.put_nowait
        kinds.add(Kind("noop", self._begin))
        kinds.add(Kind("wait", self._wait))
        kinds.add(Kind("hang", self._wait, limit=timedelta(milliseconds=20)))
        kinds.add(Kind("deaf", self._ignore_the_end, limit=timedelta(milliseconds=20)))
        kinds.add(Kind("raise", self._raise))
        kinds.add(Kind("post", self._wait, outside=True))

    async def add(self, *tasks: Task) -> None:
        await self.store.add(tasks, self.clock.now())

    def task(self, name: str, kind: str = "noop", **more: Any) -> Task:
        return a_task(name, kind=kind, due_at=self.clock.now(), **more)

    async def next(self) -> str:
        return await self.began.get()

    async def _begin(self, claim: Claim) -> None:
        self.began.put_nowait(claim.task.id.removeprefix("tsk_"))

    async def _wait(self, claim: Claim) -> None:
        await self._begin(claim)
        await self.gate.wait()

    async def _ignore_the_end(self, claim: Claim) -> None:
        await self._begin(claim)
        while not self.gate.is_set():
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                continue

    async def _raise(self, claim: Claim) -> None:
        await self._begin(claim)
        raise asyncio.CancelledError if claim.task.payload.get("cancelled") else ZeroDivisionError


Staged = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def stage(database: Database) -> Staged:
    @asynccontextmanager
    async def staged(**options: Any) -> AsyncIterator[Stage]:
        store, kinds = WatchedTasks(database), Kinds()
        options = {"slots": 2, "reserved": 1, "patience": SECOND, **options}
        made = Stage(store, Workers(store, kinds, SystemClock(), **options), kinds)
        running = asyncio.create_task(made.workers.run())
        try:
            yield made
        finally:
            made.gate.set()
            running.cancel()
            await asyncio.wait([running])

    return staged


async def test_an_added_task_begins_at_once(stage: Staged) -> None:
    async with stage() as on:
        await on.add(on.task("one"))

        assert await on.next() == "one"
        assert isinstance(await on.settled.get(), Done)
    assert await status_of(on.store, "one") is TaskStatus.DONE


async def test_a_task_begins_when_it_falls_due(stage: Staged) -> None:
    async with stage() as on:
        due_at = on.clock.now() + SECOND / 5
        await on.add(a_task("far", due_at=due_at + 600 * SECOND), a_task("near", due_at=due_at))

        assert await on.next() == "near"
        assert on.clock.now() >= due_at


async def test_a_task_pulled_forward_wakes_the_workers(stage: Staged) -> None:
    async with stage() as on:
        await on.add(a_task("far", key="k", due_at=on.clock.now() + 600 * SECOND))
        await on.store.reschedule("k", on.clock.now(), on.clock.now())

        assert await on.next() == "far"


async def test_tasks_begin_in_the_order_of_their_ranks(stage: Staged) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("first", "wait"))
        await on.next()
        await on.add(on.task("normal"), on.task("bulk", base=0), on.task("vip", base=50))
        on.gate.set()

        assert [await on.next() for _ in range(3)] == ["vip", "normal", "bulk"]


async def test_a_critical_task_begins_though_all_slots_are_busy(stage: Staged) -> None:
    async with stage() as on:
        await on.add(*(on.task(f"slow{n}", "wait") for n in range(9)))
        assert {await on.next(), await on.next()} == {"slow0", "slow1"}

        await on.add(on.task("critical", base=Level.CRITICAL))

        assert await on.next() == "critical"


async def test_what_a_person_does_begins_though_all_slots_are_busy(stage: Staged) -> None:
    async with stage() as on:
        await on.add(*(on.task(f"slow{n}", "wait", source="chat:1") for n in range(9)))
        assert {await on.next(), await on.next()} == {"slow0", "slow1"}

        await on.add(on.task("button", source="chat:1", control=True))

        assert await on.next() == "button"


async def test_the_reserved_slot_is_not_for_those_who_have_aged(stage: Staged) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("slow", "wait"))
        await on.next()
        # Below the level from which a task begins beside them.
        await on.add(a_task("aged", due_at=on.clock.now() - timedelta(days=9), base=49))
        await on.add(on.task("critical", base=Level.CRITICAL))

        assert await on.next() == "critical"
        assert on.began.empty()


async def test_an_urgent_task_begins_though_all_slots_are_busy(stage: Staged) -> None:
    async with stage() as on:
        await on.add(*(on.task(f"slow{n}", "wait") for n in range(9)))
        assert {await on.next(), await on.next()} == {"slow0", "slow1"}

        await on.add(on.task("vip", base=Level.HIGH))

        assert await on.next() == "vip"
        assert on.began.empty(), "nothing ordinary follows it"


async def test_a_crowd_of_urgent_tasks_takes_turns_and_leaves_the_others_theirs(
    stage: Staged,
) -> None:
    async with stage(urgent=2) as on:
        await on.add(*(on.task(f"slow{n}", "wait") for n in range(3)))
        assert {await on.next(), await on.next()} == {"slow0", "slow1"}

        await on.add(*(on.task(f"vip{n}", "wait", base=Level.HIGH) for n in range(4)))
        assert {await on.next(), await on.next()} == {"vip0", "vip1"}
        assert on.began.empty()
        on.gate.set()

        assert {await on.next() for _ in range(3)} == {"vip2", "vip3", "slow2"}


async def test_more_critical_tasks_than_reserved_slots_take_turns(stage: Staged) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("slow", "wait"))
        await on.next()

        await on.add(*(on.task(f"critical{n}", base=Level.CRITICAL) for n in range(5)))

        assert [await on.next() for _ in range(5)] == [f"critical{n}" for n in range(5)]


@pytest.mark.parametrize("cancelled", [False, True], ids=["an error", "a cancellation"])
async def test_a_handler_that_raises_harms_no_other(stage: Staged, cancelled: bool) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("bad", "raise", cancelled=cancelled), on.task("good"))

        assert [await on.next(), await on.next()] == ["bad", "good"]
        outcome = await on.settled.get()
        assert isinstance(outcome, Failed)
        assert outcome.retry_at is not None
        assert "Error" in outcome.error


async def test_a_handler_that_hangs_is_cut_at_its_limit(stage: Staged) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("hung", "hang"), on.task("good"))

        assert [await on.next(), await on.next()] == ["hung", "good"]
        outcome = await on.settled.get()
        assert isinstance(outcome, Failed)
        assert outcome.error == "Not done within 0.02 s."


async def test_what_waits_for_slow_receivers_holds_up_no_other(stage: Staged) -> None:
    async with stage(slots=1, outside=2) as on:
        await on.add(*(on.task(f"post{n}", "post") for n in range(2)), on.task("plain"))

        assert {await on.next() for _ in range(3)} == {"post0", "post1", "plain"}
        assert ("outside", 2, 2) in on.workers.occupied()


async def test_more_that_wait_for_receivers_take_ordinary_slots(stage: Staged) -> None:
    async with stage(slots=2, outside=1) as on:
        await on.add(*(on.task(f"post{n}", "post") for n in range(3)))

        assert {await on.next() for _ in range(3)} == {"post0", "post1", "post2"}
        assert {("outside", 1, 1), ("ordinary", 2, 2)} <= set(on.workers.occupied())


async def test_a_handler_that_ignores_its_end_loses_its_slot(stage: Staged) -> None:
    async with stage(slots=1, patience=SECOND / 50) as on:
        await on.add(on.task("deaf", "deaf"), on.task("good"))

        assert [await on.next(), await on.next()] == ["deaf", "good"]
        outcome = await on.settled.get()
        assert isinstance(outcome, Failed)
        assert outcome.error == "It did not stop when its time was over."


async def test_what_ends_while_leases_are_renewed_frees_its_slot_once(stage: Staged) -> None:
    async with stage(slots=2, patience=SECOND / 100, lease=SECOND / 10) as on:
        on.store.answers.clear()
        await on.add(on.task("late", "deaf"), on.task("other", "wait"))
        assert {await on.next(), await on.next()} == {"late", "other"}
        await on.store.asked.wait()
        on.gate.set()  # both end now, the first long after its time, and the renewal still waits
        for _ in range(2):
            await on.settled.get()
        on.store.answers.set()
        await on.store.renewed.get()

        on.gate.clear()
        await on.add(*(on.task(f"next{n}", "wait") for n in range(3)))

        assert {await on.next(), await on.next()} == {"next0", "next1"}
        assert ("ordinary", 2, 2) in on.workers.occupied()
        on.gate.set()
        assert await on.next() == "next2"
        for _ in range(3):
            assert isinstance(await on.settled.get(), Done)


async def test_a_slot_that_dies_is_opened_again_and_counted(stage: Staged) -> None:
    async with stage(slots=1) as on:
        on.workers.on_settled = _break_once(on.settled.put_nowait)
        await on.add(on.task("one"), on.task("two"))

        assert [await on.next(), await on.next()] == ["one", "two"]
        assert isinstance(await on.settled.get(), Done)


async def test_a_fetch_that_dies_is_begun_again_and_counted(
    stage: Staged, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarts = Restarts(SystemClock(), first=SECOND / 100)
    async with stage(slots=1, restarts=restarts) as on:
        run, died = Express.run_once, asyncio.Event()

        async def dies_once(express: Express) -> datetime | None:
            if died.is_set():
                return await run(express)
            died.set()
            raise asyncio.CancelledError  # a stray one: nobody has cancelled us

        monkeypatch.setattr(Express, "run_once", dies_once)
        await on.add(on.task("vip", base=50))
        await died.wait()
        await on.add(on.task("plain"))

        assert {await on.next(), await on.next()} == {"vip", "plain"}
    assert restarts.counts[Express.name] == 1


def _break_once(report: Callable[[Outcome], None]) -> Callable[[Outcome], None]:
    broken: list[Outcome] = []

    def told(outcome: Outcome) -> None:
        if not broken:
            broken.append(outcome)
            raise ZeroDivisionError
        report(outcome)

    return told


async def test_a_kind_that_nobody_handles_is_tried_later(stage: Staged) -> None:
    async with stage() as on:
        await on.add(on.task("odd", "from.the.future"))

        outcome = await on.settled.get()

        assert isinstance(outcome, Failed)
        assert outcome.retry_at is not None


async def test_only_a_defect_is_logged_with_its_traceback(
    stage: Staged, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(_: Claim) -> None:
        raise Unavailable("The printer does not answer.")

    async with stage() as on:
        on.kinds.add(Kind("refuse", refuse))
        await on.add(on.task("one", "refuse"), on.task("two", "raise"))
        await on.settled.get()
        await on.settled.get()

    failed = [one for one in caplog.records if one.msg.startswith("task failed")]
    tracebacks = {one.getMessage(): bool(one.exc_info) for one in failed}
    assert tracebacks == {"task failed: The printer does not answer.": False, "task failed: ": True}


async def test_a_task_cancelled_while_it_runs_is_cut(stage: Staged) -> None:
    async with stage(lease=SECOND) as on:
        await on.add(on.task("one", "wait"))
        await on.next()

        await on.store.cancel([TaskId("tsk_one")], on.clock.now())

        assert isinstance(await on.settled.get(), Released)
    assert await status_of(on.store, "one") is TaskStatus.CANCELLED


async def test_a_long_task_keeps_its_lease(stage: Staged) -> None:
    async with stage(lease=SECOND) as on:
        await on.add(on.task("long", "wait"))
        await on.next()

        for _ in range(3):
            assert await on.store.renewed.get()

        assert on.settled.empty()


async def test_the_tasks_of_a_dead_worker_are_taken_over(stage: Staged) -> None:
    async with stage(lease=SECOND / 5) as on:
        orphan = a_task("orphan", due_at=on.clock.now() + SECOND / 10)
        await on.store.add([orphan], on.clock.now())
        await on.store.claim([orphan.id], Wanted("dead", SECOND / 5), orphan.due_at)

        assert await on.next() == "orphan"


async def test_a_worker_that_gets_its_own_lost_task_again_finishes_it_once(stage: Staged) -> None:
    async with stage(lease=SECOND) as on:
        await on.add(on.task("one", "wait"))
        await on.next()
        await on.store.take_back(on.clock.now(), everybody=True)

        assert await on.next() == "one"
        first = await on.settled.get()
        on.gate.set()
        second = await on.settled.get()

    assert (type(first), type(second)) == (Released, Done)
    assert first.claim.fence < second.claim.fence
    assert await status_of(on.store, "one") is TaskStatus.DONE


async def test_a_lone_server_begins_with_what_it_left_running(
    database: Database, stage: Staged
) -> None:
    store = SqlTasks(database)
    now = SystemClock().now()
    await store.add([a_task("left", due_at=now)], now)
    await take(store, now)

    async with stage(alone=True) as on:
        assert await on.next() == "left"


async def test_a_stop_waits_for_what_runs_and_puts_back_the_rest(stage: Staged) -> None:
    async with stage(slots=1) as on:
        await on.add(on.task("runs", "wait"), on.task("waits"))
        await on.next()

    assert await status_of(on.store, "runs") is TaskStatus.DONE
    assert await status_of(on.store, "waits") is TaskStatus.READY


async def test_a_stop_gives_back_what_does_not_end_in_time(database: Database) -> None:
    store, kinds = WatchedTasks(database), Kinds()
    workers = Workers(store, kinds, SystemClock(), slots=1, patience=SECOND / 100)
    on = Stage(store, workers, kinds)
    running = asyncio.create_task(workers.run())
    await on.add(on.task("slow", "wait"))
    await on.next()

    running.cancel()
    await asyncio.wait([running])

    assert await status_of(store, "slow") is TaskStatus.READY


async def test_a_backlog_of_thousands_is_worked_off_each_once(stage: Staged) -> None:
    async with stage(slots=10, buffered_max=20) as on:
        for batch in range(4):
            await on.add(*(on.task(f"{batch}-{n}", base=n % 101) for n in range(500)))

        began = [await on.next() for _ in range(2_000)]

        assert len(set(began)) == 2_000
        assert on.began.empty()
