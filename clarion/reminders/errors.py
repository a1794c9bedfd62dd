"""What reminders refuse, and why. The codes are listed in docs/errors.md."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from clarion.base.errors import Conflict, NotFound, Unavailable, Unprocessable


class Unreachable(Unavailable):
    """A channel says: this device surely cannot be reached now. The ring goes on elsewhere."""

    code = "unreachable"


class NoSuchReminder(NotFound):
    code = "no_such_reminder"

    def __init__(self, reminder_id: str) -> None:
        super().__init__(f"There is no reminder {reminder_id!r}.")


class NoSuchSeries(NotFound):
    code = "no_such_series"

    def __init__(self, series_id: str) -> None:
        super().__init__(f"There is no series {series_id!r}.")


class ReminderOver(Conflict):
    code = "reminder_over"

    def __init__(self, reminder_id: str, status: str) -> None:
        super().__init__(
            f"Reminder {reminder_id!r} is {status}.",
            hint="It is over. Set a new one instead.",
            details={"status": status},
        )


class NotPending(Conflict):
    code = "not_pending"

    def __init__(self, reminder_id: str, status: str) -> None:
        super().__init__(
            f"Reminder {reminder_id!r} is {status}; only a pending one can be changed.",
            hint="Snooze, confirm or cancel it instead.",
            details={"status": status},
        )


class SeriesOver(Conflict):
    code = "series_over"

    def __init__(self, series_id: str) -> None:
        super().__init__(f"Series {series_id!r} has ended.", hint="Set a new one instead.")


class KeyUsedOtherwise(Unprocessable):
    """The same idempotency key with another request: one of the two is a mistake."""

    code = "key_used_otherwise"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The key {key!r} was used for another request.", hint="Use a new key for each request."
        )


class TimePast(Unprocessable):
    code = "time_past"

    def __init__(self, at: datetime, proposal: datetime, readback: str) -> None:
        super().__init__(
            f"{at.isoformat()} is in the past.",
            hint=f"Did you mean {readback}?",
            details={"proposal": proposal.isoformat(), "readback": readback},
        )


class TooFarAhead(Unprocessable):
    code = "too_far_ahead"


class RingsTooOften(Unprocessable):
    code = "rings_too_often"

    def __init__(self, step: timedelta, least: timedelta) -> None:
        least_seconds = int(least.total_seconds())
        super().__init__(
            f"It would ring every {int(step.total_seconds())} s; at most every {least_seconds} s.",
            hint="Leave more time between two rings.",
            details={"seconds": step.total_seconds(), "least": least_seconds},
        )


class MissingTime(Unprocessable):
    """The words do not say when. `what` is missing; `candidates` are instants to offer."""

    code = "missing_time"

    def __init__(self, what: str, candidates: Sequence[datetime], readback: str) -> None:
        super().__init__(
            "It is not clear when this should ring.",
            hint=readback,
            details={
                "what": what,
                "candidates": [at.isoformat() for at in candidates],
                "readback": readback,
            },
        )


class ImpossibleTime(Unprocessable):
    """The words name a time that does not exist or is over: 30 February, yesterday."""

    code = "impossible_time"

    def __init__(self, why: str, proposal: datetime | None, readback: str) -> None:
        super().__init__(
            "That time cannot be.",
            hint=readback,
            details={
                "why": why,
                "proposal": proposal.isoformat() if proposal else None,
                "readback": readback,
            },
        )


class NeverRings(Unprocessable):
    code = "never_rings"


class BadLink(NotFound):
    """A confirm link that we did not sign, or that has run out: we do not tell which."""

    code = "bad_link"
