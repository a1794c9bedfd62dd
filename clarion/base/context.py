"""What the work at hand belongs to: its urgency, its request and its trace.

Set around the work and read deep below. A disk that many write to serves urgent work first; its
numbers are those of task levels, 0 to 100. A request brings its trace as the header `traceparent`
(W3C Trace Context); tasks that it adds keep it, their handlers run with it, log lines name it, and
what leaves for a handler outside has the header again.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ORDINARY = 10
URGENT = 50

_urgency: ContextVar[int] = ContextVar("urgency", default=ORDINARY)
request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Empty outside of a request."""


@contextmanager
def urgency(level: int) -> Iterator[None]:
    token = _urgency.set(level)
    try:
        yield
    finally:
        _urgency.reset(token)


def is_urgent() -> bool:
    return _urgency.get() >= URGENT


TRACE_HEADER = "traceparent"
FORM = re.compile(r"(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")

traceparent: ContextVar[str | None] = ContextVar("traceparent", default=None)
"""None outside of a trace."""


def read_trace(said: object) -> str | None:
    """None for what is no `traceparent`: as the standard wants it, that is left out silently."""
    return said if isinstance(said, str) and FORM.fullmatch(said) else None


def trace_id(trace: str) -> str:
    return trace.split("-")[1]


@contextmanager
def tracing(trace: str | None) -> Iterator[None]:
    token = traceparent.set(trace)
    try:
        yield
    finally:
        traceparent.reset(token)
