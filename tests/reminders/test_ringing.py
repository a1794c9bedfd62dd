"""The decisions of the ring, on plain values: what is due, what is stale, who is next."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from clarion.reminders.decisions import moves
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.decisions.decision import NOTHING, Decision, changed, deadline_key, ring_key
from clarion.reminders.errors import ReminderOver
from clarion.reminders.model import FINAL, MOVES, Patience, Reminder, ReminderStatus
from tests.support import build
from tests.support.build import BEDROOM, CONFIRM, KITCHEN
from tests.support.clock import START
from tests.support.fakes.scene import PlainScene, a_ring

PATIENCE = Patience()
SECOND = timedelta(seconds=1)
WAIT = timedelta(seconds=CONFIRM.timeout)


def due(**fields: Any) -> Reminder:
    return build.reminder(**{"trigger_at": START, **fields})


def ringing_now(**fields: Any) -> PlainScene:
    reminder = due(
        **{
            "status": ReminderStatus.TRIGGERED,
            "attempt": 1,
            "rings": 1,
            "tried": (KITCHEN,),
            "answer_by": START + PATIENCE.wake,
            **fields,
        }
    )
    return PlainScene(reminder, ring=a_ring(reminder))


def only(change: Decision) -> Reminder:
    (after,) = change.reminders
    return after


def test_firing_moves_counts_and_sets_a_deadline() -> None:
    change = ringing.fire(PlainScene(due()), START, PATIENCE)

    after = only(change)
    assert (after.status, after.attempt, after.rings) == (ReminderStatus.TRIGGERED, 1, 1)
    assert after.answer_by == START + PATIENCE.wake
    assert [task.key for task in change.tasks] == [deadline_key(after)]
    assert [event.kind for event in change.events] == ["reminder.triggered"]


def test_a_task_for_a_time_that_was_changed_does_nothing() -> None:
    snoozed = due(trigger_at=START + SECOND)

    assert ringing.fire(PlainScene(snoozed), START, PATIENCE) == NOTHING


@pytest.mark.parametrize("status", sorted(set(ReminderStatus) - {ReminderStatus.PENDING}))
def test_only_what_is_pending_fires(status: ReminderStatus) -> None:
    assert ringing.fire(PlainScene(due(status=status)), START, PATIENCE) == NOTHING


def test_a_device_that_has_just_spoken_is_given_time() -> None:
    scene = PlainScene(due(), rung={KITCHEN: START - 4 * SECOND})

    assert ringing.fire(scene, START, PATIENCE) == Decision(retry_at=START + 6 * SECOND)


def test_words_are_late_from_two_minutes_on() -> None:
    early = ringing.fire(PlainScene(due()), START + 119 * SECOND, PATIENCE).effects[0]
    late = ringing.fire(PlainScene(due()), START + 120 * SECOND, PATIENCE).effects[0]

    assert (early.late, late.late) == (None, timedelta(minutes=2))  # type: ignore[union-attr]  # both begin a ring


def test_the_wait_for_an_answer_counts_from_what_was_heard() -> None:
    scene = ringing_now(confirmation=CONFIRM)
    assert scene.ring is not None

    change = ringing.heard(scene, scene.ring.id, START + 10 * SECOND, PATIENCE)

    assert only(change).answer_by == START + 310 * SECOND
    assert [key for key, _ in change.moved] == [deadline_key(scene.reminder)]


@pytest.mark.parametrize("fact", [ringing.delivered, ringing.heard])
def test_a_fact_that_comes_twice_changes_nothing(fact: object) -> None:
    scene = ringing_now()
    assert scene.ring is not None
    scene.ring = replace(scene.ring, delivered_at=START, heard_at=START)

    assert fact(scene, scene.ring.id, START, PATIENCE) == NOTHING  # type: ignore[operator]  # one of two functions


def told_again_after(seconds: int) -> tuple[PlainScene, Decision]:
    """A line broke in the middle of the words; the next session begins them again."""
    scene = ringing_now(confirmation=CONFIRM, answer_by=START + WAIT)
    assert scene.ring is not None
    scene.ring = replace(scene.ring, delivered_at=START, answer_by=START + WAIT)
    now = START + timedelta(seconds=seconds)
    return scene, ringing.delivered(scene, scene.ring.id, now, PATIENCE)


def test_what_another_session_tells_anew_has_its_time_to_be_answered() -> None:
    scene, change = told_again_after(int(WAIT.total_seconds()) - 2)

    assert only(change).answer_by == START + 2 * WAIT - 2 * SECOND
    assert [one.answer_by for one in change.rings] == [START + 2 * WAIT - 2 * SECOND]
    assert [key for key, _ in change.moved] == [deadline_key(scene.reminder)]
    assert change.events == ()


def test_a_line_that_breaks_again_and_again_keeps_nobody_waiting_for_ever() -> None:
    _, change = told_again_after(int((PATIENCE.wake + 2 * WAIT).total_seconds()) - 1)

    assert only(change).answer_by == START + PATIENCE.wake + 2 * WAIT


def test_a_fact_about_an_older_ring_changes_nothing() -> None:
    scene = ringing_now()

    assert ringing.delivered(scene, a_ring(due()).id, START, PATIENCE) == NOTHING


def test_a_deadline_that_was_extended_does_nothing() -> None:
    scene = ringing_now()

    assert ringing.deadline(scene, START + PATIENCE.wake - SECOND, PATIENCE) == NOTHING


def test_the_next_device_is_one_that_was_not_tried() -> None:
    scene = ringing_now()
    scene.devices = [build.device("kitchen"), build.device("bedroom")]
    assert scene.ring is not None

    change = ringing.unreachable(scene, scene.ring.id, "away", START, PATIENCE)

    assert change.begun[0].device_id == BEDROOM
    assert only(change).attempt == 1


def test_an_attempt_that_reached_nobody_does_not_count() -> None:
    scene = ringing_now()
    assert scene.ring is not None

    change = ringing.unreachable(scene, scene.ring.id, "away", START, PATIENCE)

    after = only(change)
    assert (after.status, after.attempt) == (ReminderStatus.PENDING, 0)
    assert after.unreached_since == START
    assert [task.key for task in change.tasks] == [ring_key(after)]


def test_a_session_that_breaks_before_the_words_were_heard_is_tried_elsewhere() -> None:
    scene = ringing_now()
    assert scene.ring is not None
    scene.ring = replace(scene.ring, delivered_at=START)

    change = ringing.unreachable(scene, scene.ring.id, "line broke", START, PATIENCE)

    assert only(change).status is ReminderStatus.PENDING


def test_what_was_heard_is_not_undone_by_a_broken_line() -> None:
    scene = ringing_now()
    assert scene.ring is not None
    scene.ring = replace(scene.ring, delivered_at=START, heard_at=START)

    assert ringing.unreachable(scene, scene.ring.id, "line broke", START, PATIENCE) == NOTHING


def test_a_ring_that_was_told_is_not_begun_again() -> None:
    scene = ringing_now()
    assert scene.ring is not None
    before = ringing.ring_again(scene)
    scene.ring = replace(scene.ring, delivered_at=START)

    assert len(before.effects) == 1
    assert ringing.ring_again(scene) == NOTHING


@pytest.mark.parametrize("status", sorted(FINAL))
def test_what_is_over_cannot_be_snoozed(status: ReminderStatus) -> None:
    with pytest.raises(ReminderOver):
        moves.snooze(PlainScene(due(status=status)), START, START + SECOND, "ana")


@pytest.mark.parametrize("before", ReminderStatus)
@pytest.mark.parametrize("after", ReminderStatus)
def test_only_the_moves_of_the_table_can_be_made(
    before: ReminderStatus, after: ReminderStatus
) -> None:
    if after in MOVES[before]:
        assert changed(due(status=before), START, after).status is after
        return
    with pytest.raises(AssertionError):
        changed(due(status=before), START, after)
