from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clarion.tasks.buffer import QueueItem
from clarion.tasks.model import Level, Task, rank
from clarion.tasks.ports import Claim
from clarion.tasks.records import bases_of, level_of
from tests.support.clock import START
from tests.support.tasks import a_task

bases = st.integers(0, 100)
seconds = st.integers(-86_400 * 30, 0)


def dynamic_priority(task: Task, now: datetime) -> float:
    """The formula as it was specified: Base + WaitMinutes × 0.5."""
    waited = (now - task.due_at) / timedelta(minutes=1)
    return task.base + waited * 0.5


@given(
    st.tuples(bases, seconds),
    st.tuples(bases, seconds),
    st.integers(0, 86_400 * 400).map(lambda later: timedelta(seconds=later)),
)
def test_rank_orders_as_the_ageing_formula_does_at_every_instant(
    one: tuple[int, int], other: tuple[int, int], later: timedelta
) -> None:
    first, second = (
        a_task("x", base=base, due_at=START + timedelta(seconds=due)) for base, due in (one, other)
    )
    now = START + later

    # Doubled and in seconds, the formula is exact in whole numbers.
    by_formula = round((dynamic_priority(first, now) - dynamic_priority(second, now)) * 120)

    assert (first.rank < second.rank) == (by_formula > 0)
    assert (first.rank == second.rank) == (by_formula == 0)


@given(st.lists(st.tuples(bases, seconds), min_size=2, max_size=20))
def test_the_heap_orders_as_rank_does(drawn: list[tuple[int, int]]) -> None:
    tasks = [
        a_task(str(n), base=base, due_at=START + timedelta(seconds=due))
        for n, (base, due) in enumerate(drawn)
    ]

    items = sorted(QueueItem.of(Claim(task, 1, 1, n)) for n, task in enumerate(tasks))

    expected = sorted(enumerate(tasks), key=lambda pair: (pair[1].rank, pair[0]))
    assert [item.sequence for item in items] == [n for n, _ in expected]


def test_one_point_of_priority_is_worth_two_minutes_of_waiting() -> None:
    normal = a_task("a", base=10)
    better = replace(normal, base=11, due_at=START + timedelta(minutes=2))

    assert normal.rank == better.rank == rank(START, 10)


@given(bases)
def test_every_priority_belongs_to_one_level(base: int) -> None:
    assert [level for level in Level if base in bases_of(level)] == [level_of(base)]
