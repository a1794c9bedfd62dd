"""Cursors: where a page ended, as opaque text. Pure."""

import base64
import binascii
from datetime import UTC, datetime, timedelta

from clarion.reminders.errors import BadCursor

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def write_cursor(at: datetime, last_id: str) -> str:
    micros = (at - EPOCH) // timedelta(microseconds=1)
    return base64.urlsafe_b64encode(f"{micros} {last_id}".encode()).decode().rstrip("=")


def read_cursor(cursor: str) -> tuple[datetime, str]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        micros, _, last_id = base64.urlsafe_b64decode(padded).decode().partition(" ")
        return EPOCH + timedelta(microseconds=int(micros)), last_id
    except (ValueError, OverflowError, binascii.Error):
        raise BadCursor(
            "This cursor is not one of ours.", hint="Use the next_cursor of the page before."
        ) from None
