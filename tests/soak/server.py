"""One whole Clarion of the simulation: every feature joined, and a power plug within reach."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import datetime, timedelta
from random import Random
from typing import Any

from clarion.app.build import Joined, add_features
from clarion.app.parts import Parts
from clarion.base.clock import Clock
from clarion.base.errors import TimedOut, Unavailable
from clarion.base.loop import Pass
from clarion.people.model import DeviceKind
from clarion.settings import Settings
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from clarion.tasks.ports import Claim
from tests.support.fakes.channel import Outside, RecordingChannel
from tests.support.fakes.dying import Died, DyingDatabase

NEVER = 10**9
AGAIN = timedelta(seconds=5)
# What the life of reminders, chats and dispatch hangs on; the rest counts, cleans or listens.
DRIVEN = ("duties", "tasks", "reminders-keeper", "dispatch-answers", "webhooks")


class Plug(DyingDatabase):
    """A database whose process can be made to die after any of its next commits, or be cut off
    from: then nothing answers, and half of what was written is written all the same.
    """

    _luck: Random | None = None

    def part(self, luck: Random) -> None:
        self._luck = luck

    def join(self) -> None:
        self._luck = None

    @property
    def is_parted(self) -> bool:
        return self._luck is not None

    async def write(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._luck is None or self.is_dead:  # whoever is dead does not wait for an answer
            return await super().write(work, *args, **kwargs)
        if self._luck.random() < 0.5:
            await super().write(work, *args, **kwargs)
        raise TimedOut("The database did not answer in time.")

    async def read(self, work: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._luck is not None and not self.is_dead:
            raise TimedOut("The database did not answer in time.")
        return await super().read(work, *args, **kwargs)

    def pull(self, after: int) -> None:
        self._after = self.commits + after

    @property
    def is_dead(self) -> bool:
        return self.commits >= self._after


class Node:
    """A server that runs until its plug is pulled."""

    def __init__(self, parts: Parts, joined: Joined, plug: Plug, channel: RecordingChannel) -> None:
        self.parts = parts
        self.channel = channel
        self.services = joined.services
        self.sent = joined.sent
        self.plug = plug
        self._at: dict[str, datetime] = {}

    async def turn(self, now: datetime) -> datetime | None:
        """Everything that is due; when to look again."""
        for work in self._driven():
            if self._at.get(work.name, now) <= now or work.name != "reminders-keeper":
                planned = await self._once(work, now)
                if planned is not None:
                    self._at[work.name] = planned
                else:
                    self._at.pop(work.name, None)
        return self._at.get("tasks")

    async def _once(self, work: Pass, now: datetime) -> datetime | None:
        """As the loop does it: what fails is tried again a little later."""
        try:
            return await work.run_once()
        except (Unavailable, TimedOut):
            return now + AGAIN

    def _driven(self) -> Sequence[Pass]:
        """In the order in which they are named above."""
        found = {work.name: work for work in self.parts.passes}
        return [found[name] for name in DRIVEN]

    async def deliver(self, claim: Claim) -> None:
        """A task comes once more, as a broker may bring it."""
        kind = self.parts.kinds.get(claim.task.kind)
        assert kind is not None, claim.task.kind
        await kind.handler(claim)

    async def close(self) -> None:
        """Stop in good order, or bury what is dead: its leases have to run out by themselves."""
        with suppress(Died):
            await self.parts.closing.aclose()


async def start(settings: Settings, url: str, clock: Clock, outside: Outside) -> Node:
    closing = AsyncExitStack()
    database: Database = await open_database(url)
    closing.push_async_callback(database.close)
    plug = Plug(database, NEVER)
    parts = Parts(settings=settings, clock=clock, database=plug, closing=closing)
    joined = await add_features(parts)
    channel = RecordingChannel(outside)
    channel.facts = joined.services.facts
    joined.services.ways[DeviceKind.TERMINAL] = channel
    return Node(parts, joined, plug, channel)
