"""Which trace the work at hand belongs to, in the words of W3C Trace Context.

A request brings it as the header `traceparent`; tasks that it adds keep it, their handlers run
with it, log lines name it, and what leaves for a handler outside has the header again.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

HEADER = "traceparent"
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
