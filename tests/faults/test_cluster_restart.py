"""A new version is rolled out under load: every process ends in order, and nobody notices."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.support.cluster_run import Cluster, cluster_of, restart_one_after_another

SEED = 9
REMINDERS = 60
PER_SECOND = 4


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with cluster_of(SEED) as made:
        yield made


@pytest.mark.timeout(240)
async def test_a_rolling_restart_loses_nothing_and_repeats_nothing(cluster: Cluster) -> None:
    await cluster.move_in(REMINDERS)

    async with asyncio.TaskGroup() as group:
        group.create_task(cluster.set_reminders(REMINDERS, PER_SECOND))
        group.create_task(cluster.hurt([restart_one_after_another]))
    verdict = await cluster.settled(within=60)

    assert len(cluster.load.answered) == REMINDERS
    assert (verdict.silent, verdict.twice) == ([], [])
    assert cluster.taken_back() == 0, "what was under way was finished or handed back"
