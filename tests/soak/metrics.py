"""Does each number of /metrics equal what the log and the rows say? Counted again, naively."""

from collections.abc import Sequence
from datetime import timedelta

from clarion.base.events import StoredEvent
from clarion.doors.metrics.window import Window
from clarion.reminders.decisions.decision import RingFacts
from clarion.reminders.model import Reminder, ReminderStatus
from tests.support.clock import ManualClock

EVER = timedelta(days=36_500)
ENDED = (ReminderStatus.CONFIRMED, ReminderStatus.TIMEOUT, ReminderStatus.FAILED)


def disagreements(
    clock: ManualClock,
    log: Sequence[StoredEvent],
    reminders: Sequence[Reminder],
    rings: Sequence[RingFacts],
    pending: int,
) -> list[str]:
    """`log` in the order of its commits; `pending` as the gauge was set."""
    window = Window(clock, rings=EVER, ends=EVER)
    for event in log:
        window.heard(event)
    shown = {
        "reminder_pending": float(pending),
        "trigger_success_rate": window.success_rate(),
        "confirm_rate": window.confirm_rate(),
        "retry_count": window.retries_most(),
        "trigger_latency": window.latency(),
    }
    counted = {
        "reminder_pending": float(sum(one.status is ReminderStatus.PENDING for one in reminders)),
        "trigger_success_rate": _success(log, rings),
        "confirm_rate": _confirmed(reminders),
        "retry_count": _attempts(reminders),
        "trigger_latency": _latency(log),
    }
    return [
        f"{name} shows {shown[name]}, the log says {counted[name]}"
        for name in shown
        if shown[name] != counted[name]
    ]


def _confirmed(reminders: Sequence[Reminder]) -> float | None:
    """By how each reminder that somebody had to confirm stands in the end."""
    asked = [one for one in reminders if one.confirmation.required and one.status in ENDED]
    yes = sum(one.status is ReminderStatus.CONFIRMED for one in asked)
    return yes / len(asked) if asked else None


def _success(log: Sequence[StoredEvent], rings: Sequence[RingFacts]) -> float | None:
    """Each call with the rings that it led to, judged by what became of those rings."""
    taken = {
        one.id
        for one in rings
        if one.sent_at or one.delivered_at or one.heard_at or one.answered_at
    }
    calls: dict[str, list[list[str]]] = {}
    for event in log:
        if event.kind == "reminder.triggered":
            calls.setdefault(event.subject, []).append([event.data["ring"]])
        elif event.kind == "ring.moved":
            calls[event.subject][-1].append(event.data["ring"])
    each = [call for some in calls.values() for call in some]
    good = sum(any(ring in taken for ring in call) for call in each)
    return good / len(each) if each else None


def _attempts(reminders: Sequence[Reminder]) -> float:
    ended = [one for one in reminders if one.status in ENDED[:2]]
    return float(max((one.attempt for one in ended), default=0))


def _latency(log: Sequence[StoredEvent]) -> float | None:
    late = sorted(event.data["late"] for event in log if event.kind == "reminder.triggered")
    return late[int(0.95 * (len(late) - 1))] if late else None
