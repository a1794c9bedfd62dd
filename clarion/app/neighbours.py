"""Joins the servers that share one database: what one decides reaches the line at another."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clarion.app.cluster import bus_of
from clarion.app.parts import Parts
from clarion.doors.devices.wake.neighbours import Neighbours
from clarion.doors.devices.wake.wake import Wakes
from clarion.doors.devices.wire.registry import Registry
from clarion.store.sql.engine import signals
from clarion.store.sql.engine.database import Database

if TYPE_CHECKING:
    from clarion.store.redis.bus import Bus

CHANNEL = "clarion_devices"
OTHERS_MIN = 2  # who heard it: we ourselves, and at least one more


def add_neighbours(parts: Parts, registry: Registry, wakes: Wakes) -> Neighbours | None:
    """None for a server that is alone: a SQLite file has one.

    By PostgreSQL, and by Redis where there is one; when it is away, by PostgreSQL again.
    """
    database = parts.database
    if database.dialect == "sqlite":
        return None
    spoken = Spoken(database, bus_of(parts))
    neighbours = Neighbours(registry, wakes, spoken.send)

    def look_everywhere() -> None:
        for line in registry:
            line.look()

    if spoken.bus is not None:
        spoken.bus.listen(CHANNEL, neighbours.hear)
        spoken.bus.returned.append(look_everywhere)
    parts.closing.callback(database.listen(CHANNEL, neighbours.hear))
    return neighbours


@dataclass(frozen=True, slots=True)
class Spoken:
    database: Database
    bus: "Bus | None"

    async def send(self, text: str) -> None:
        heard = await self.bus.publish(CHANNEL, text) if self.bus else 0
        if heard < OTHERS_MIN:
            await self.database.write(signals.send, CHANNEL, text)
