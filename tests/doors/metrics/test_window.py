from datetime import timedelta

from clarion.base.events import StoredEvent
from clarion.doors.metrics.window import Window
from tests.support.clock import START, ManualClock


def told(kind: str, minutes_ago: float = 0, **data: float) -> StoredEvent:
    at = START - timedelta(minutes=minutes_ago)
    return StoredEvent(1, at, kind, 1, "rem_1", "ana", data)


def window(*events: StoredEvent) -> Window:
    made = Window(ManualClock(START))
    for event in events:
        made.heard(event)
    return made


def test_nothing_has_no_rate() -> None:
    empty = window()

    assert empty.success_rate() is None
    assert empty.confirm_rate() is None
    assert empty.latency() is None
    assert empty.retries_most() == 0


def test_success_is_the_share_of_rings_that_a_device_took() -> None:
    fired = [told("reminder.triggered", late=0.1) for _ in range(4)]

    assert window(*fired, *[told("ring.delivered")] * 3).success_rate() == 0.75


def test_what_is_older_than_an_hour_counts_no_more() -> None:
    old = [told("reminder.triggered", minutes_ago=61, late=99)]
    new = [told("reminder.triggered", late=0.5), told("ring.delivered")]

    assert window(*old, *new).success_rate() == 1
    assert window(*old, *new).latency() == 0.5


def test_the_confirm_rate_looks_back_a_day() -> None:
    confirmed = [told("reminder.confirmed", minutes_ago=600, attempt=1)] * 3

    assert window(*confirmed, told("reminder.timeout", attempt=3)).confirm_rate() == 0.75


def test_the_most_stubborn_reminder_is_seen() -> None:
    ends = [told("reminder.confirmed", attempt=2), told("reminder.timeout", attempt=5)]

    assert window(*ends).retries_most() == 5


def test_latency_is_that_of_the_slowest_but_five_in_a_hundred() -> None:
    rings = [told("reminder.triggered", late=number / 10) for number in range(101)]

    assert window(*rings).latency() == 9.5
