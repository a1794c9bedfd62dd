"""Names: ids of things, the request and trace that work belongs to, keys of repeated requests.

Ids are prefixed, sortable by age and unguessable, with a type for each kind of thing. A request
brings its trace as the header `traceparent` (W3C Trace Context); tasks that it adds keep it, their
handlers run with it, log lines name it, and what leaves for a handler outside has the header again.
A request that is sent twice with one key is done once: doors keep whole answers by key, verbs the
id of what they made, in one store (`docs/decisions/0009-one-store-for-repeated-requests.md`).
"""

import hashlib
import json
import re
import secrets
from contextvars import ContextVar, Token
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NewType, TypeVar

from clarion.base.errors import BadInput, Unprocessable

ReminderId = NewType("ReminderId", str)
SeriesId = NewType("SeriesId", str)
TaskId = NewType("TaskId", str)
UserId = NewType("UserId", str)
DeviceId = NewType("DeviceId", str)
ContactId = NewType("ContactId", str)

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u to misread
PAIRS = [one + other for one in ALPHABET for other in ALPHABET]  # ten bits at once
TIME_LETTERS = 10  # 50 bits of milliseconds: good until the year 37648
RANDOM_BITS = 80  # as many as a ULID has: guessing one is hopeless


def new_id(prefix: str, now: datetime) -> str:
    """`rem_01kc3…`: ids made later sort later, to the millisecond."""
    moment = _letters(int(now.timestamp() * 1000), TIME_LETTERS)
    return f"{prefix}_{moment}{_letters(secrets.randbits(RANDOM_BITS), RANDOM_BITS // 5)}"


def _letters(value: int, count: int) -> str:
    """An even count of them."""
    return "".join([PAIRS[(value >> place) & 1023] for place in range(5 * count - 10, -1, -10)])


T = TypeVar("T")
TRACE_HEADER = "traceparent"
FORM = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Empty outside of a request."""
traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)
"""None outside of a trace."""


class Belonging(Generic[T]):
    """A variable with a value for a while. A class: generators would cost each task 2 µs."""

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        self._variable = variable
        self._value = value

    def __enter__(self) -> None:
        self._token: Token[T] = self._variable.set(self._value)

    def __exit__(self, *_about: object) -> None:
        self._variable.reset(self._token)


def read_trace(said: object) -> str | None:
    """None for an invalid `traceparent`, which is ignored silently, as the standard asks."""
    return said if isinstance(said, str) and FORM.fullmatch(said) else None


def trace_id(trace: str) -> str:
    return trace.split("-")[1]


def tracing(trace: str | None) -> Belonging[str | None]:
    return Belonging(traceparent, trace)


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
