"""Names: the ids that we give to things, and the keys that callers give to their requests.

Ids are prefixed, sortable by age and unguessable, with a type for each kind of thing. A request
that is sent twice with one key is done once: doors keep whole answers by key, verbs the id of what
they made, in one store (`docs/decisions/0009-one-store-for-repeated-requests.md`).
"""

import hashlib
import json
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NewType

from clarion.base.errors import BadInput, Unprocessable

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


KEY_LETTERS_MAX = 255


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key: whose it is, and what was asked for with it."""

    holder: str
    key: str
    fingerprint: str
    """Tells a repeated request from another one."""


class KeyUsedOtherwise(Unprocessable):
    """The same idempotency key with another request: one of the two is a mistake."""

    code = "key_used_otherwise"

    def __init__(self, key: str) -> None:
        super().__init__(
            f"The key {key!r} was used for another request.", hint="Use a new key for each request."
        )


class InFlight(Exception):
    """The first request with this key is not answered yet."""


def make_key(holder: str, key: str | None, **asked: Any) -> Key | None:
    """None without a key."""
    if key is None:
        return None
    if not 0 < len(key) <= KEY_LETTERS_MAX:
        raise BadInput(f"A key has 1 to {KEY_LETTERS_MAX} letters.")
    text = json.dumps(asked, sort_keys=True, default=str, ensure_ascii=False)
    return Key(holder, key, hashlib.sha256(text.encode()).hexdigest())
