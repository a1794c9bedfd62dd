"""What every store of tasks shows to people, and what it forgets."""

from datetime import timedelta

import pytest

from clarion.base.errors import BadInput
from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.model import A_POINT, Level, Queue
from clarion.tasks.ports import Done, Failed
from clarion.tasks.records import Count, KeepEnded, Longest, TaskFilter, TaskPage, TaskStatus
from tests.support.clock import START
from tests.support.tasks import a_task, settle, take, take_one

MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(database: Database) -> SqlTasks:
    return SqlTasks(database)


def shown(page: TaskPage) -> list[str]:
    return [record.task.id.removeprefix("tsk_") for record in page.records]


async def test_tasks_are_counted_by_status_and_level(store: SqlTasks) -> None:
    await store.add([a_task(base=60), a_task(base=50), a_task(base=100)], START)
    await store.add([a_task(base=9, due_at=START + MINUTE) for _ in range(4)], START)
    await settle(store, Failed((await take(store, any=0, critical=1))[0], "boom", None))

    assert await store.counts() == [
        Count(TaskStatus.DEAD, Level.CRITICAL, 1),
        Count(TaskStatus.READY, Level.HIGH, 2),
        Count(TaskStatus.SCHEDULED, Level.BULK, 4),
    ]


async def test_who_waits_longest_is_told_for_each_level(store: SqlTasks) -> None:
    await store.add([a_task(base=10), a_task(base=12, due_at=START - MINUTE)], START)
    await store.add([a_task(base=100, due_at=START + MINUTE)], START)

    assert await store.longest_waiting(START) == [Longest(Level.NORMAL, START - MINUTE)]
    assert await store.longest_waiting(START + MINUTE) == [
        Longest(Level.CRITICAL, START + MINUTE),
        Longest(Level.NORMAL, START - MINUTE),
    ]


async def test_pages_lead_to_one_another_until_the_end(store: SqlTasks) -> None:
    await store.add([a_task(name) for name in "abcde"], START)

    first = await store.page(TaskFilter(), 2)
    second = await store.page(TaskFilter(), 2, first.cursor)
    third = await store.page(TaskFilter(), 2, second.cursor)

    assert [shown(page) for page in (first, second, third)] == [["e", "d"], ["c", "b"], ["a"]]
    assert third.cursor is None


async def test_waiting_tasks_are_shown_in_the_order_they_will_begin(store: SqlTasks) -> None:
    await store.add([a_task("normal"), a_task("vip", base=50), a_task("bulk", base=0)], START)
    await store.add([a_task(f"in{n}", due_at=START + n * MINUTE) for n in (3, 1, 2)], START)

    ready = await store.page(TaskFilter(status=TaskStatus.READY), 2)
    more = await store.page(TaskFilter(status=TaskStatus.READY), 2, ready.cursor)
    scheduled = await store.page(TaskFilter(status=TaskStatus.SCHEDULED), 2)
    later = await store.page(TaskFilter(status=TaskStatus.SCHEDULED), 2, scheduled.cursor)

    assert shown(ready) + shown(more) == ["vip", "normal", "bulk"]
    assert shown(scheduled) + shown(later) == ["in1", "in2", "in3"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        pytest.param(TaskFilter(level=Level.HIGH), ["vip"], id="level"),
        pytest.param(TaskFilter(kind="ring"), ["ring"], id="kind"),
        pytest.param(TaskFilter(source="chat:1"), ["chat"], id="source"),
        pytest.param(TaskFilter(queue=Queue.DISPATCH), ["plan"], id="queue"),
        pytest.param(TaskFilter(status=TaskStatus.RUNNING), ["vip"], id="status"),
    ],
)
async def test_pages_can_be_narrowed(store: SqlTasks, wanted: TaskFilter, found: list[str]) -> None:
    await store.add([a_task("vip", base=70), a_task("ring", kind="ring")], START)
    await store.add([a_task("chat", source="chat:1"), a_task("plan", queue=Queue.DISPATCH)], START)
    await take_one(store)

    assert shown(await store.page(wanted)) == found


@pytest.mark.parametrize("cursor", ["x", "1.2.3", "", "1"])
async def test_a_wrong_cursor_is_refused(store: SqlTasks, cursor: str) -> None:
    with pytest.raises(BadInput):
        await store.page(TaskFilter(status=TaskStatus.READY), 2, cursor)


async def test_the_last_completed_and_failed_of_each_queue_are_kept(store: SqlTasks) -> None:
    kept = KeepEnded(completed=2, failed=3)
    for queue in (Queue.REMINDERS, Queue.MESSAGES):
        await store.add([a_task(f"{queue}-{n}", queue=queue) for n in range(10)], START)
    for n, claim in enumerate(await take(store)):
        outcome = Done(claim) if n % 2 else Failed(claim, "boom", None)
        await settle(store, outcome, now=START + n * MINUTE)

    removed = await store.clean(kept, START + 60 * MINUTE, 100)
    again = await store.clean(kept, START + 60 * MINUTE, 100)

    assert (removed, again) == (10, 0)
    assert shown(await store.page(TaskFilter(status=TaskStatus.DONE, queue=Queue.MESSAGES))) == [
        "messages-9",
        "messages-7",
    ]
    assert await store.counts() == [
        Count(TaskStatus.DEAD, Level.NORMAL, 6),
        Count(TaskStatus.DONE, Level.NORMAL, 4),
    ]


async def test_what_ended_long_ago_is_forgotten_however_few_there_are(store: SqlTasks) -> None:
    await store.add([a_task("old"), a_task("new"), a_task("waiting")], START)
    await settle(store, Done(await take_one(store)), now=START)
    await settle(store, Done(await take_one(store)), now=START + MINUTE)

    await store.clean(
        KeepEnded(completed_for=timedelta(days=1)), START + timedelta(days=1, seconds=1), 9
    )

    assert shown(await store.page(TaskFilter())) == ["waiting", "new"]


async def test_a_clean_up_stops_at_its_limit(store: SqlTasks) -> None:
    await store.add([a_task() for _ in range(9)], START)
    await settle(store, *(Done(claim) for claim in await take(store)))

    removed = [await store.clean(KeepEnded(completed=0), START, 4) for _ in range(4)]

    assert removed == [4, 4, 1, 0]


async def test_why_a_task_has_not_begun_is_told(store: SqlTasks) -> None:
    await store.add([a_task(source="chat:1") for _ in range(4)], START)
    await store.add([a_task("vip", base=50, source="chat:2")], START)
    await store.add([a_task("last", source="chat:1")], START)
    done = [Done(claim) for claim in await take(store, any=2)]  # the VIP, and the first of chat 1
    await take(store, any=0, outcomes=done)

    reasons = await store.why(TaskId("tsk_last"), START)

    assert reasons is not None
    assert (reasons.ahead, reasons.ahead_of) == (3, (("chat:1", 3),))
    assert (reasons.same_source, reasons.behind) == (4, timedelta(seconds=4))
    assert reasons.rank == START + timedelta(seconds=4) - 10 * A_POINT
    assert reasons.expected_at(START) == START + timedelta(seconds=3 / (2 / 60))


async def test_why_knows_what_is_planned_and_what_is_not_there(store: SqlTasks) -> None:
    later = START + timedelta(hours=1)
    await store.add([a_task("later", due_at=later)], START)

    reasons = await store.why(TaskId("tsk_later"), START)

    assert reasons is not None
    assert (reasons.ahead, reasons.expected_at(START)) == (0, later)
    assert await store.why(TaskId("tsk_none"), START) is None
