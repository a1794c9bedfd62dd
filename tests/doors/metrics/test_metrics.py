"""What Prometheus reads, from a whole Clarion on the manual clock."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from clarion.app.build import build
from clarion.app.running import Clarion
from clarion.base.ids import UserId
from clarion.doors.metrics.instruments import Instruments
from clarion.people.model import CLARION
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from clarion.settings import load
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from tests.support.clock import ManualClock
from tests.support.drive import Driver

SPECIFIED = {
    "reminder_pending",
    "trigger_success_rate",
    "confirm_rate",
    "retry_count",
    "trigger_latency",
    "dead_queue_size",
    "ai_resource_lock_acquired_total",
    "ai_resource_lock_failed_total",
    "ai_resource_lock_timeout_total",
    "ai_redis_fallback_total",
}


def values(rendered: bytes) -> dict[str, float]:
    """`name{label="…"}` and its value, for every sample."""
    found = {}
    for family in text_string_to_metric_families(rendered.decode()):
        for sample in family.samples:
            labels = ",".join(f"{k}={v}" for k, v in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Clarion]:
    settings = load({"CLARION_DATA_DIR": str(tmp_path)})
    async with await build(settings, clock, listens=False) as built:
        yield built


def seen(clarion: Clarion) -> dict[str, float]:
    assert clarion.parts.instruments is not None
    return values(clarion.parts.instruments.rendered())


def test_the_specifications_names_are_there_to_the_letter() -> None:
    assert set(values(Instruments().rendered())) >= SPECIFIED


def test_holds_are_counted_under_the_specifications_names() -> None:
    instruments = Instruments()

    instruments.count("ai_resource_lock_acquired_total", 3)
    instruments.count("ai_redis_fallback_total")

    got = values(instruments.rendered())
    assert got["ai_resource_lock_acquired_total"] == 3
    assert got["ai_redis_fallback_total"] == 1
    assert got["ai_resource_lock_failed_total"] == 0


async def test_a_reminder_is_seen_waiting_and_then_ringing(
    clarion: Clarion, clock: ManualClock
) -> None:
    passes = {work.name: work for work in clarion.parts.passes}
    reminders = SqlReminders(clarion.parts.database)
    means = Means(store=reminders, people=SqlPeople(clarion.parts.database), clock=clock)
    await Reminders(means).create(
        CLARION,
        user_id=UserId("ana"),
        content="pills",
        trigger_at=clock.now() + timedelta(minutes=5),
    )

    await passes["census"].run_once()
    assert seen(clarion)["reminder_pending"] == 1
    await Driver(clock, passes["tasks"]).fast_forward(timedelta(minutes=40))
    await passes["census"].run_once()

    after = seen(clarion)
    assert after["reminder_pending"] == 0
    assert after["clarion_reminders_ended_total{how=failed}"] == 1  # she has no device
    assert after["clarion_events_total{kind=reminder.created}"] == 1
    assert after["clarion_commit_callers_count"] > 0
    assert after["clarion_degraded"] == 0
