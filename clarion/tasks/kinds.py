"""The kinds of task: a handler for each, with its time limit and its retries.

Remote kinds are carried out by other programs and are read from the database. `http`: a signed
POST whose answer is the result. `bullmq`: a job for a BullMQ worker elsewhere.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol, TypeAlias

from clarion.base.clock import Clock
from clarion.base.errors import NotFound
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
SLOWLY = doubling(timedelta(seconds=15), timedelta(minutes=15))
TELL_RETRIES = 8  # SLOWLY for about an hour; then the task is dead and shown to an operator


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
    outside: bool = False
    """Whether it does little but wait for the answer of a program outside, which may be slow: such
    tasks have slots of their own, so that all others need not wait as well."""

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
    outside: bool = False,
) -> Callable[[Handler], Kind]:
    """Makes a kind of task of an async function. Name it as an entry point of `clarion.tasks`:

    @task("shop.order", retries=3, concurrency=2, rate=Rate(10))
    async def order(claim: Claim) -> Result:
        return Result({"ordered": claim.task.payload["article"]})
    """

    def kind(handler: Handler) -> Kind:
        bounds = KindLimit(concurrency, rate)
        return Kind(
            *(name, handler, limit, retries, backoff), open=True, bounds=bounds, outside=outside
        )

    return kind


class Kinds:
    """The kinds that this server can carry out, and which of them may begin now."""

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
        """Use the remote kinds and pauses of the database. None replaces a kind of our own."""
        own = {name: kind for name, kind in self._kinds.items() if not kind.remote}
        self._kinds = {kind.name: kind for kind in remote} | own
        self.gates = Gates(frozenset(paused_queues), frozenset(paused_kinds))
        self._join_limits()

    def _join_limits(self) -> None:
        limits = {kind.name: kind.bounds for kind in self if kind.bounds}
        self.gates = replace(self.gates, limits=limits)

    def wrap(self, name: str, around: Callable[[Handler], Handler]) -> None:
        """Wrap the handler of a known kind, for a demonstration or a measurement."""
        kind = self._kinds[name]
        self._kinds[name] = replace(kind, handler=around(kind.handler))

    def get(self, name: str) -> Kind | None:
        return self._kinds.get(name)

    def is_outside(self, name: str) -> bool:
        kind = self._kinds.get(name)
        return kind is not None and kind.outside

    def check(self, name: str) -> None:
        """Raises NotFound for a kind that nobody here carries out."""
        if name not in self._kinds:
            raise NotFound(f"There is no kind of task {name!r} here.")

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._kinds.values())


EVERY = timedelta(seconds=5)  # how long a lost signal may stay unnoticed
QUEUE, KIND = "queue:", "kind:"
"""Before the name of what is paused."""


class Target(StrEnum):
    HTTP = "http"
    BULLMQ = "bullmq"


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteKind:
    name: str
    target: Target
    address: str
    """A URL, or the name of a BullMQ queue."""
    secret: str = ""
    """What a POST is signed with."""
    limit: timedelta = timedelta(seconds=30)
    retries: int = 5
    bounds: KindLimit = UNLIMITED
    created_at: datetime


Maker = Callable[[RemoteKind], Handler]


class RegistryStore(Protocol):
    async def remote_kinds(self) -> Sequence[RemoteKind]: ...

    async def paused(self) -> Sequence[str]: ...

    async def free_forgotten(self, gates: Gates, now: datetime) -> int: ...


class KindRegistry:
    """A pass of every server, woken when kinds or pauses change anywhere."""

    name = "tasks-registry"

    def __init__(self, store: RegistryStore, kinds: Kinds, clock: Clock) -> None:
        self.makers: dict[Target, Maker] = {}
        """Who can carry out which; a server that cannot leaves such tasks to others."""
        self.remote: Mapping[str, RemoteKind] = {}
        self._store = store
        self._kinds = kinds
        self._clock = clock

    async def run_once(self) -> datetime | None:
        await self.refresh()
        return self._clock.now() + EVERY

    async def refresh(self) -> None:
        found = await self._store.remote_kinds()
        self.remote = {one.name: one for one in found}
        paused = await self._store.paused()
        self._kinds.know(
            [self._kind(one) for one in found if one.target in self.makers],
            [name.removeprefix(QUEUE) for name in paused if name.startswith(QUEUE)],
            [name.removeprefix(KIND) for name in paused if name.startswith(KIND)],
        )
        await self._store.free_forgotten(self._kinds.gates, self._clock.now())

    def _kind(self, one: RemoteKind) -> Kind:
        handler = self.makers[one.target](one)
        return Kind(
            *(one.name, handler, one.limit, one.retries),
            open=True,
            bounds=one.bounds,
            remote=True,
            outside=one.target is Target.HTTP,
        )

    def paused(self) -> str:
        """What is paused, in words; empty when nothing is."""
        gates = self._kinds.gates
        return ", ".join(sorted(gates.paused_queues | gates.paused_kinds))
