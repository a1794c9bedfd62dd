"""A part of a long list, and the cursor that asks for the part after it."""

import base64
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar

from clarion.base.errors import BadInput

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A part of a long list. `next_cursor` asks for the part after it; None at the end."""

    items: tuple[T, ...]
    next_cursor: str | None = None


class BadCursor(BadInput):
    code = "bad_cursor"

    def __init__(self) -> None:
        super().__init__(
            "This cursor is not one of ours.", hint="Use the next_cursor of the page before."
        )


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NUMBER_MAX = 10**18  # what every database can compare


def wrap_cursor(*parts: str | int) -> str:
    """Opaque to callers, who only pass it back."""
    text = json.dumps(parts, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unwrap_cursor(cursor: str, *kinds: type) -> list[Any]:
    """What `wrap_cursor` wrote, when its parts are of these kinds; else raises BadCursor."""
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        parts = json.loads(text)
    except (ValueError, RecursionError):
        parts = None
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
        raise BadCursor
    if any(isinstance(part, int) and abs(part) > NUMBER_MAX for part in parts):
        raise BadCursor
    return parts


def write_cursor(at: datetime, last: str | int) -> str:
    return wrap_cursor((at - EPOCH) // timedelta(microseconds=1), last)


def read_cursor(cursor: str, kind: type = str) -> tuple[datetime, Any]:
    """The instant, and the id or number, of the last one on the page before."""
    micros, last = unwrap_cursor(cursor, int, kind)
    try:
        return EPOCH + timedelta(microseconds=micros), last
    except OverflowError:
        raise BadCursor from None
