"""Quiet hours as they travel: two times of day in the user's zone."""

from datetime import time
from typing import Annotated

from pydantic import Field

from clarion.doors.http.conventions import Shape
from clarion.reminders.model import QuietHours

TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["22:00"])]


class Quiet(Shape):
    """Over midnight when `ends` is the smaller."""

    begins: TimeOfDay
    ends: TimeOfDay


def quiet_in(quiet: Quiet | None) -> QuietHours | None:
    if quiet is None:
        return None
    return QuietHours(time.fromisoformat(quiet.begins), time.fromisoformat(quiet.ends))


def quiet_out(quiet: QuietHours | None) -> dict[str, str] | None:
    if quiet is None:
        return None
    return {"begins": f"{quiet.begins:%H:%M}", "ends": f"{quiet.ends:%H:%M}"}
