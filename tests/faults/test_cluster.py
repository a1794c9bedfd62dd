"""A cluster of real processes, hurt in every way it knows: every answered reminder rings once."""

import asyncio
from collections.abc import Iterator

import pytest

from tests.support.cluster_run import ACCIDENTS, Cluster, cluster_of

SEED = 20261115
REMINDERS = 60
PER_SECOND = 4


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with cluster_of(SEED) as made:
        yield made


@pytest.mark.timeout(240)
async def test_every_answered_reminder_rings_exactly_once(cluster: Cluster) -> None:
    await cluster.move_in(REMINDERS)
    accidents = cluster.random.sample(ACCIDENTS, len(ACCIDENTS))

    async with asyncio.TaskGroup() as group:
        group.create_task(cluster.set_reminders(REMINDERS, PER_SECOND))
        group.create_task(cluster.hurt(accidents))
    await cluster.heal()
    verdict = await cluster.settled(within=40)

    assert len(cluster.load.answered) > REMINDERS / 2
    assert (verdict.silent, verdict.twice) == ([], []), f"seed {SEED}: {cluster.accidents}"
