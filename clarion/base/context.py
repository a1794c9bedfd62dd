"""The context of the current work: its urgency, its request and its trace.

Set around the work and read in lower layers. The database serves urgent work first; urgency uses
the numbers of task levels, 0 to 100. A request brings its trace as the header `traceparent`
(W3C Trace Context); tasks that it adds keep it, their handlers run with it, log lines name it, and
what leaves for a handler outside has the header again.
"""

import re
from contextvars import ContextVar, Token
from typing import Generic, TypeVar

T = TypeVar("T")
ORDINARY = 10
URGENT = 50

_urgency: ContextVar[int] = ContextVar("urgency", default=ORDINARY)
request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Empty outside of a request."""


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


def urgency(level: int) -> Belonging[int]:
    return Belonging(_urgency, level)


def is_urgent() -> bool:
    return _urgency.get() >= URGENT


TRACE_HEADER = "traceparent"
FORM = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)
"""None outside of a trace."""


def read_trace(said: object) -> str | None:
    """None for an invalid `traceparent`, which is ignored silently, as the standard asks."""
    return said if isinstance(said, str) and FORM.fullmatch(said) else None


def trace_id(trace: str) -> str:
    return trace.split("-")[1]


def tracing(trace: str | None) -> Belonging[str | None]:
    return Belonging(traceparent, trace)
