"""How urgent the work at hand is, for whoever has to choose what comes first.

Set around the work, read deep below: a disk that many write to serves the urgent ones first.
The numbers are those of task levels, 0 to 100.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ORDINARY = 10
URGENT = 50

_urgency: ContextVar[int] = ContextVar("urgency", default=ORDINARY)


@contextmanager
def urgency(level: int) -> Iterator[None]:
    token = _urgency.set(level)
    try:
        yield
    finally:
        _urgency.reset(token)


def is_urgent() -> bool:
    return _urgency.get() >= URGENT
