"""The instant at which every test begins, and the clock that stands still until moved."""

from datetime import UTC, datetime

from clarion.base.clock import ManualClock

__all__ = ["START", "ManualClock"]

START = datetime(2030, 1, 7, 8, 0, tzinfo=UTC)  # a Monday morning
