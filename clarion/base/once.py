"""A request that is sent twice is done once: the key it names, and what can be wrong with one.

Doors keep whole answers by key, verbs the id of what they made, written with it in one
transaction. One store serves both (`docs/decisions/0009-one-store-for-repeated-requests.md`).
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from clarion.base.errors import BadInput, Unprocessable

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
