"""The parts that features add while Clarion is being built."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware

from clarion.access.tokens import Access
from clarion.base.clock import Clock
from clarion.base.ids import DeviceId
from clarion.base.loop import Loop, Pass, Restarts
from clarion.base.place import Position
from clarion.chats.platforms import PlatformReach
from clarion.doors.http.health import Check, examine
from clarion.doors.metrics.instruments import Instruments
from clarion.settings import Settings
from clarion.store.sql.engine.database import Database, Listener
from clarion.tasks.duties import Duties, OnDuty
from clarion.tasks.kinds import Kinds
from clarion.voice.dictation import Dictation

if TYPE_CHECKING:
    from clarion.store.redis.bus import Bus


REDIS = "redis"
"""The name of its check in `/health`."""


class BackgroundRunner(Protocol):
    """What runs beside the passes until it is cancelled: a broker's connection, a poller."""

    @property
    def name(self) -> str: ...

    async def run(self) -> None: ...


@dataclass(slots=True, kw_only=True)
class Parts:
    """Filled by one `add_…(parts)` after another, in the order of `build`.

    What is opened goes into `closing`, which closes the last one first, also when a later part
    fails: `parts.closing.push_async_callback(client.close)`.
    """

    settings: Settings
    clock: Clock
    database: Database
    listens: bool = True
    """Whether this process has an HTTP door."""
    works: bool = True
    """Whether tasks are carried out here; a pure door leaves them to other servers."""
    access: Access | None = None
    """Who has which token; there once the doors are joined."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a stop begins: streams that watch it can say goodbye."""
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)
    passes: list[Pass] = field(default_factory=list)
    """The background work as it is, for tests that drive it by hand."""
    runners: list[BackgroundRunner] = field(default_factory=list)
    kinds: Kinds = field(default_factory=Kinds)
    """What can be done: each feature adds the handlers of its kinds of task."""
    checks: list[Check] = field(default_factory=list)
    routers: list[APIRouter] = field(default_factory=list)
    middleware: list[Middleware] = field(default_factory=list)
    """Around every request, the outermost first."""
    touches: list[Callable[[FastAPI], None]] = field(default_factory=list)
    """Applied to the finished application, such as mounts."""

    instruments: Instruments | None = None
    """What Prometheus reads; there once the instruments are joined."""
    reaches: dict[str, PlatformReach] = field(default_factory=dict)
    """How well each chat platform can be reached; there once the chats are joined."""
    positions: list[Callable[[DeviceId, Position], Awaitable[None]]] = field(default_factory=list)
    """Told where a device says that it is."""
    restarts: Restarts = field(init=False)
    """Which parts died and were begun again."""
    bus: "Bus | None" = None
    """Words between servers by Redis; there once somebody has asked for it."""
    dictation: Dictation | None = None
    """Where recordings become words; there once devices are joined and a service is set."""
    duties: Duties | None = None
    """Which of several servers does what only one may do; there once storage is joined."""

    def __post_init__(self) -> None:
        self.restarts = Restarts(self.clock)
        self.checks.append(Check("parts", self.restarts.check, required=False))

    async def is_degraded(self) -> bool:
        """Redis is set and away, by the same question that `/health` asks."""
        asked = [one for one in self.checks if one.name == REDIS]
        return any(not one.ok for one in await examine(asked))

    def add_redis_check(self, probe: Callable[[], Awaitable[object]]) -> None:
        """Added once, by the first feature that uses Redis."""
        if not any(one.name == REDIS for one in self.checks):
            self.checks.append(Check(REDIS, probe, required=False))

    def add_duty(self, work: Pass, *, idle: timedelta = timedelta(seconds=30)) -> Loop:
        """Run `work` in the background of one server at a time."""
        assert self.duties is not None, "duties are joined first"
        loop = self.add_pass(OnDuty(work, self.duties, self.clock), idle=idle)
        self.duties.want(work.name, loop.wake)
        return loop

    def on_signal(self, channel: str, heard: Listener) -> None:
        """Call `heard` whenever a server of this database says something on the channel."""
        self.closing.callback(self.database.listen(channel, heard))

    def add_pass(self, work: Pass, *, idle: timedelta = timedelta(seconds=30)) -> Loop:
        """Run `work` in the background; `wake` the answer to run it at once."""
        loop = Loop(work, self.clock, idle=idle, restarts=self.restarts)
        self.passes.append(work)
        self.runners.append(loop)
        return loop
