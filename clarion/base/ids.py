"""Names for things: prefixed, sortable by age, unguessable; one type for each kind of thing."""

import secrets
from datetime import datetime
from typing import NewType

ReminderId = NewType("ReminderId", str)
SeriesId = NewType("SeriesId", str)
TaskId = NewType("TaskId", str)
UserId = NewType("UserId", str)
DeviceId = NewType("DeviceId", str)
ContactId = NewType("ContactId", str)

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u to misread
TIME_LETTERS = 10  # 50 bits of milliseconds: good until the year 37648
RANDOM_BITS = 80  # as many as a ULID has: guessing one is hopeless


def new_id(prefix: str, now: datetime) -> str:
    """`rem_01kc3…`: ids made later sort later, to the millisecond."""
    moment = _letters(int(now.timestamp() * 1000), TIME_LETTERS)
    return f"{prefix}_{moment}{_letters(secrets.randbits(RANDOM_BITS), RANDOM_BITS // 5)}"


def _letters(value: int, count: int) -> str:
    return "".join(ALPHABET[(value >> 5 * place) & 31] for place in range(count - 1, -1, -1))
