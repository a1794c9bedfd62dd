from datetime import timedelta

from clarion.base.events import StoredEvent
from clarion.doors.metrics.window import Window
from tests.support.clock import START, ManualClock


def told(kind: str, minutes_ago: float = 0, *, of: int = 1, **data: object) -> StoredEvent:
    at = START - timedelta(minutes=minutes_ago)
    return StoredEvent(1, at, kind, 1, f"rem_{of}", "ana", {"ring": f"rem_{of}:1", **data})


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
    fired = [told("reminder.triggered", of=one, attempt=1) for one in range(4)]
    taken = [told(kind, of=one) for one in range(3) for kind in ("ring.delivered", "ring.heard")]

    assert window(*fired, *taken).success_rate() == 0.75


def test_a_call_that_went_on_to_another_device_is_one_call() -> None:
    moved = told("ring.moved", ring="rem_1:2", attempt=1)
    taken = told("ring.sent", ring="rem_1:2")

    assert window(told("reminder.triggered", attempt=1), moved, taken).success_rate() == 1


def test_what_is_older_than_an_hour_counts_no_more() -> None:
    old = [told("reminder.triggered", minutes_ago=61, late=99)]
    new = [told("reminder.triggered", of=2, late=0.5), told("ring.delivered", of=2)]

    assert window(*old, *new).success_rate() == 1
    assert window(*old, *new).latency() == 0.5


def test_the_confirm_rate_looks_back_a_day() -> None:
    confirmed = [told("reminder.confirmed", minutes_ago=600, of=one) for one in (1, 2, 3)]

    assert window(*confirmed, told("reminder.timeout", of=4)).confirm_rate() == 0.75


def test_the_confirm_rate_counts_what_had_to_be_confirmed_and_each_once() -> None:
    plain = [told("reminder.failed", of=one, confirm=False) for one in range(5, 9)]
    late = [told("reminder.timeout", of=1), told("reminder.confirmed", of=1)]

    assert window(*plain, *late, told("reminder.timeout", of=2)).confirm_rate() == 0.5


def test_the_most_stubborn_reminder_is_seen() -> None:
    ends = [told("reminder.confirmed", attempt=2), told("reminder.timeout", attempt=5)]

    assert window(*ends).retries_most() == 5


def test_latency_is_that_of_the_slowest_but_five_in_a_hundred() -> None:
    rings = [told("reminder.triggered", late=number / 10) for number in range(101)]

    assert window(*rings).latency() == 9.5
