"""A part of a long list, and the cursor that asks for the part after it."""

import base64
import binascii
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from clarion.base.errors import BadInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a long list. `next_cursor` asks for the part after it; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None = None


class BadCursor(BadInput):
    code = "bad_cursor"


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
