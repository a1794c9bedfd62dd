"""What can be done: a handler for each kind of task, with its time limit and its patience."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from clarion.tasks.model import OPEN, UNLIMITED, Gates, KindLimit, Rate
from clarion.tasks.ports import Handler

Backoff: TypeAlias = Callable[[int], timedelta]
"""How long to wait after the try of this number, the first being 1."""


def doubling(
    first: timedelta = timedelta(seconds=1), most: timedelta = timedelta(minutes=10)
) -> Backoff:
    """1 s, 2 s, 4 s … up to `most`."""

    def after(attempt: int) -> timedelta:
        return min(most, first * (1 << min(attempt - 1, 20)))

    return after


DOUBLING = doubling()


@dataclass(frozen=True, slots=True)
class Kind:
    """`limit` is hard: a handler that is not done by then is cut, and that try has failed.

    A handler runs in the event loop. Work that needs the processor for more than a few
    milliseconds belongs in `asyncio.to_thread`, or every other handler waits for it.
    """

    name: str
    handler: Handler
    limit: timedelta = timedelta(seconds=30)
    retries: int = 5
    backoff: Backoff = DOUBLING
    open: bool = False
    """Whether anybody who may use the queue may add tasks of it; Clarion's own are not."""
    bounds: KindLimit = UNLIMITED
    """How many run at a time and how fast they begin, on all servers together."""
    remote: bool = False
    """Whether others carry it out: it is known from the database, and may change there."""

    def retries_after(self, attempt: int) -> timedelta | None:
        """How long to wait before the next try; None when there is none."""
        return self.backoff(attempt) if attempt <= self.retries else None


def task(
    name: str,
    *,
    limit: timedelta = timedelta(seconds=30),
    retries: int = 5,
    backoff: Backoff = DOUBLING,
    concurrency: int | None = None,
    rate: Rate | None = None,
) -> Callable[[Handler], Kind]:
    """Makes a kind of task of an async function. Name it as an entry point of `clarion.tasks`:

    @task("shop.order", retries=3, concurrency=2, rate=Rate(10))
    async def order(claim: Claim) -> Result:
        return Result({"ordered": claim.task.payload["article"]})
    """

    def kind(handler: Handler) -> Kind:
        bounds = KindLimit(concurrency, rate)
        return Kind(name, handler, limit, retries, backoff, open=True, bounds=bounds)

    return kind


class Kinds:
    """What this server can carry out, and what of it may begin."""

    def __init__(self, *kinds: Kind) -> None:
        self._kinds: dict[str, Kind] = {}
        self.gates = OPEN
        """What is paused, and the limits of all kinds."""
        for kind in kinds:
            self.add(kind)

    def add(self, kind: Kind) -> None:
        assert kind.name not in self._kinds, f"two handlers for {kind.name!r}"
        self._kinds[kind.name] = kind
        self._join_limits()

    def know(
        self, remote: Iterable[Kind], paused_queues: Iterable[str], paused_kinds: Iterable[str]
    ) -> None:
        """What the database says now. A remote kind never takes the place of one of our own."""
        own = {name: kind for name, kind in self._kinds.items() if not kind.remote}
        self._kinds = {kind.name: kind for kind in remote} | own
        self.gates = Gates(frozenset(paused_queues), frozenset(paused_kinds))
        self._join_limits()

    def _join_limits(self) -> None:
        limits = {kind.name: kind.bounds for kind in self if kind.bounds}
        self.gates = replace(self.gates, limits=limits)

    def wrap(self, name: str, around: Callable[[Handler], Handler]) -> None:
        """Put something around a handler that is there: a demonstration, a measurement."""
        kind = self._kinds[name]
        self._kinds[name] = replace(kind, handler=around(kind.handler))

    def get(self, name: str) -> Kind | None:
        return self._kinds.get(name)

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._kinds.values())
