"""Tasks in the words of BullMQ: in the order of their ranks, and never due too early."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.base.ids import TaskId
from clarion.store.redis import jobs
from clarion.tasks.model import Level, Queue, rank
from clarion.tasks.records import ShownTask, TaskStatus
from tests.support.clock import START

WAITED = st.timedeltas(timedelta(days=-300), timedelta(days=1))
BASES = st.integers(0, 100)


def a_shown_task(
    status: TaskStatus = TaskStatus.READY,
    due_at: datetime = START,
    base: int = Level.NORMAL,
    queue: str = Queue.REMINDERS,
    attempt: int = 0,
) -> ShownTask:
    return ShownTask(
        *(TaskId("tsk_1"), queue, "noop", base, due_at, rank(due_at, base), status, attempt),
        *(START, None, None, None, None),
    )


def places(task: ShownTask) -> list[tuple[str, str]]:
    return [(job.queue, job.state) for job in jobs.shown([task], START).values()]


@given(WAITED, BASES, WAITED, BASES)
def test_scores_stand_in_the_order_of_ranks(
    due: timedelta, base: int, other_due: timedelta, other_base: int
) -> None:
    one, other = (
        a_shown_task(due_at=START + waited, base=level)
        for waited, level in ((due, base), (other_due, other_base))
    )
    (mine,), (theirs,) = (jobs.shown([task], START).values() for task in (one, other))

    # Within a millisecond BullMQ shows them in any order.
    assert mine.score <= theirs.score or one.rank >= other.rank
    assert 1 <= jobs.priority(one.rank, START) <= jobs.PRIORITY_MAX


@pytest.mark.parametrize("years", range(0, 60, 7))
def test_priorities_fit_for_generations(years: int) -> None:
    now = START + timedelta(days=365 * years)

    values = [jobs.priority(now + timedelta(days=days), now) for days in (-700, 0, 1, 2)]

    assert values == sorted(set(values))
    assert 1 < values[0] < values[-1] < jobs.PRIORITY_MAX


@given(st.integers(-5_000_000, 5_000_000))
def test_no_job_is_shown_to_be_due_before_it_is(micros: int) -> None:
    due_at = START + timedelta(microseconds=micros)

    (job,) = jobs.shown([a_shown_task(TaskStatus.SCHEDULED, due_at)], START).values()

    shown = jobs.BEGINNING + jobs.MILLISECOND * int(job.score / 4096)
    assert timedelta(0) <= shown - due_at < jobs.MILLISECOND


@pytest.mark.parametrize(
    ("task", "seen"),
    [
        pytest.param(a_shown_task(TaskStatus.SCHEDULED), [("reminders", "delayed")], id="planned"),
        pytest.param(a_shown_task(), [("reminders", "prioritized")], id="due"),
        pytest.param(
            a_shown_task(attempt=1), [("reminders-retries", "prioritized")], id="tried before"
        ),
        pytest.param(
            a_shown_task(queue=Queue.MESSAGES, attempt=3),
            [("messages", "prioritized")],
            id="a message tried before",
        ),
        pytest.param(a_shown_task(TaskStatus.RUNNING), [("reminders", "active")], id="running"),
        pytest.param(a_shown_task(TaskStatus.DONE), [("reminders", "completed")], id="done"),
        pytest.param(
            a_shown_task(TaskStatus.DEAD),
            [("reminders", "failed"), ("reminders-dead", "prioritized")],
            id="dead",
        ),
        pytest.param(a_shown_task(TaskStatus.CANCELLED), [], id="cancelled"),
        pytest.param(
            a_shown_task(queue="of-tomorrow"), [("chores", "prioritized")], id="a later version's"
        ),
    ],
)
def test_every_task_has_its_place(task: ShownTask, seen: list[tuple[str, str]]) -> None:
    assert places(task) == seen


@pytest.mark.parametrize("data", ["null", "[]", '"text"', ""])
def test_data_of_a_stranger_that_is_no_object_reads_as_none(data: str) -> None:
    assert jobs.read("messages", "1", {"name": "greet", "data": data}).data == {}
