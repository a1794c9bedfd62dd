"""Tasks in the words of BullMQ: never early, in the order of their ranks, under a fresh name."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.base.ids import TaskId
from clarion.store.redis import jobs
from clarion.store.redis.jobs import Lane
from clarion.tasks.broker import Telling
from clarion.tasks.model import Level, Queue, rank
from tests.support.clock import START

WAITED = st.timedeltas(timedelta(days=-300), timedelta(days=1))
BASES = st.integers(0, 100)


def a_telling(
    due_at: datetime = START,
    base: int = Level.NORMAL,
    queue: str = Queue.REMINDERS,
    attempt: int = 0,
    sends: int = 1,
) -> Telling:
    return Telling(
        *(TaskId("tsk_1"), queue, "noop", base, due_at, rank(due_at, base)),
        *(False, attempt, sends),
    )


def naive(due_at: datetime, base: int, now: datetime) -> float:
    """The formula of dynamic ageing as it is written: base + minutes of waiting × 0.5."""
    return base + (now - due_at) / timedelta(minutes=1) * 0.5


@given(WAITED, BASES, WAITED, BASES)
def test_priorities_stand_in_the_order_of_dynamic_ageing(
    due: timedelta, base: int, other_due: timedelta, other_base: int
) -> None:
    one, other = (START + due, base), (START + other_due, other_base)
    since = jobs.epoch(START)
    ahead = naive(*one, START) - naive(*other, START)

    mine, theirs = jobs.priority(rank(*one), since), jobs.priority(rank(*other), since)

    assert 1 <= mine <= jobs.PRIORITY_MAX
    # Whole minutes are half points: within one of them BullMQ serves who came first.
    assert mine <= theirs or ahead <= 0.5
    assert theirs <= mine or ahead >= -0.5


@pytest.mark.parametrize("years", range(0, 60, 7))
def test_priorities_fit_for_generations(years: int) -> None:
    now = START + timedelta(days=365 * years)

    values = [
        jobs.priority(now + timedelta(days=days), jobs.epoch(now)) for days in (-700, 0, 1, 2)
    ]

    assert values == sorted(set(values))
    assert 1 < values[0] < values[-1] < jobs.PRIORITY_MAX


def test_a_rank_beyond_all_bounds_still_has_a_priority() -> None:
    since = jobs.epoch(START)

    assert jobs.priority(START - timedelta(days=20_000), since) == 1
    assert jobs.priority(START + timedelta(days=20_000), since) == jobs.PRIORITY_MAX


@given(st.integers(-5_000_000, 5_000_000))
def test_no_job_is_delivered_before_it_is_due(micros: int) -> None:
    telling = a_telling(START + timedelta(microseconds=micros))

    options = jobs.job(telling, START)["opts"]

    starts_at = jobs.BEGINNING + timedelta(milliseconds=options["timestamp"] + options["delay"])
    assert max(START, telling.due_at) <= starts_at
    assert starts_at - max(START, telling.due_at) < timedelta(milliseconds=1)


def test_each_telling_has_a_name_that_was_never_used() -> None:
    names = [jobs.name(TaskId("tsk_1"), sends) for sends in (1, 2, 3)]

    assert names == ["tsk_1", "tsk_1-2", "tsk_1-3"]


@pytest.mark.parametrize(
    ("telling", "lane"),
    [
        pytest.param(a_telling(), Lane.REMINDERS, id="a reminder"),
        pytest.param(a_telling(attempt=1), Lane.RETRIES, id="a reminder that is tried again"),
        pytest.param(a_telling(queue=Queue.RETRIES), Lane.RETRIES, id="an unanswered reminder"),
        pytest.param(a_telling(queue=Queue.MESSAGES, attempt=3), Lane.MESSAGES, id="a message"),
        pytest.param(a_telling(base=100, queue=Queue.CHORES), Lane.CRITICAL, id="critical"),
        pytest.param(a_telling(queue="of-tomorrow"), Lane.CHORES, id="a later version's queue"),
    ],
)
def test_every_task_has_a_queue(telling: Telling, lane: Lane) -> None:
    assert jobs.lane(telling) is lane
    assert lane in jobs.former_lanes(telling)


def test_what_is_told_can_be_read() -> None:
    job = jobs.read(jobs.job(a_telling(base=42), START)["data"])

    assert job == jobs.Job(TaskId("tsk_1"), START, 42)


@pytest.mark.parametrize("data", [{}, {"task_id": "tsk_1"}, {"payload": {}}])
def test_a_stranger_s_job_is_known_as_such(data: dict[str, object]) -> None:
    assert jobs.read(data) is None
