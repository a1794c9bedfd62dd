"""The last hour in numbers: what waits, how late it is, and what happened meanwhile."""

from datetime import datetime, timedelta

from clarion.base.events import StoredEvent
from clarion.doors.http.api.trends import EVERY, KEPT, Trends, sample_out
from clarion.tasks.model import Level
from clarion.tasks.records import Count, Longest, TaskStatus
from tests.support.clock import START, ManualClock


class Numbers:
    """Three VIPs wait, the first of them for a minute."""

    async def counts(self) -> list[Count]:
        return [
            Count(TaskStatus.READY, Level.HIGH, 3),
            Count(TaskStatus.SCHEDULED, Level.HIGH, 40),
            Count(TaskStatus.DEAD, Level.BULK, 2),
            Count(TaskStatus.RUNNING, Level.NORMAL, 5),
        ]

    async def longest_waiting(self, now: datetime) -> list[Longest]:
        return [Longest(Level.HIGH, now - timedelta(minutes=1))]


def happened(kind: str) -> StoredEvent:
    return StoredEvent(1, START, kind, 1, "rem_1", None, {})


async def test_a_sample_counts_what_is_due_and_what_happened_since_the_last(
    clock: ManualClock,
) -> None:
    trends = Trends(Numbers(), clock)
    trends.heard(happened("reminder.triggered"))
    trends.heard(happened("reminder.created"))

    look_at = await trends.run_once()
    await trends.run_once()

    first, second = trends.samples
    assert look_at == clock.now() + EVERY
    assert sample_out(first) == {
        "at": "2030-01-07T08:00:00.000Z",
        "waiting": {"high": 3},
        "age": {"high": 60.0},
        "dead": 2,
        "running": 5,
        "rung": 1,
    }
    assert second.happened == {}


async def test_one_hour_is_kept(clock: ManualClock) -> None:
    trends = Trends(Numbers(), clock)

    for _ in range(KEPT + 3):
        await trends.run_once()

    assert len(trends.samples) == KEPT
