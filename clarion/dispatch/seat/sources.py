"""What the dispatcher's page needs from outside: map tiles and speech recognition. Ports."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MapTile:
    body: bytes
    type: str
    """Its media type."""
    is_gzip: bool = False


@dataclass(frozen=True, slots=True)
class MapFacts:
    is_vector: bool
    deepest: int
    """The greatest zoom that there is."""


class MapSource(Protocol):
    async def facts(self) -> MapFacts: ...

    async def tile(self, zoom: int, column: int, row: int) -> MapTile | None:
        """None where the map has nothing. Raises Unavailable or TimedOut."""
        ...


class SoundReader(Protocol):
    async def words(self, sound: bytes) -> str:
        """The words in a sound file of any usual format; empty: none.

        Raises BadInput when it is no sound or too long, Unavailable when nobody can listen.
        """
        ...
