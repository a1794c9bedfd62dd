"""Kinds of task that others carry out, known from the database, and the pass that keeps up with it.

`http`: a signed POST, whose answer is the result. `bullmq`: a job for somebody's BullMQ worker.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from clarion.base.clock import Clock
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.model import UNLIMITED, Gates, KindLimit
from clarion.tasks.ports import Handler

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
            *(one.name, handler, one.limit, one.retries), open=True, bounds=one.bounds, remote=True
        )

    def paused(self) -> str:
        """What is paused, in words; empty when nothing is."""
        gates = self._kinds.gates
        return ", ".join(sorted(gates.paused_queues | gates.paused_kinds))
