"""Map tiles from a PMTiles archive, on this machine or elsewhere, or from a server of tiles.

PMTiles version 3: a header of 127 bytes, directories of varints, and the tiles one after the other
along a Hilbert curve. The archive is read in place; only directories are kept in memory.
"""

import asyncio
import gzip
import os
import struct
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from clarion.base.errors import TimedOut, Unavailable
from clarion.dispatch.seat.sources import MapFacts, MapTile

if TYPE_CHECKING:
    import httpx

HEADER = struct.Struct("<7sB11Q6B4iB2i")
MAGIC = b"PMTiles"
NONE, GZIP = 1, 2
VECTOR = "application/vnd.mapbox-vector-tile"
VECTOR_ENDINGS = (".pbf", ".mvt")
TYPES = {
    1: VECTOR,
    2: "image/png",
    3: "image/jpeg",
    4: "image/webp",
    5: "image/avif",
}
DEEPEST = 19  # of the usual servers of tiles
DEPTH_MAX = 4  # the format allows three levels of directories
LEAVES_MAX = 64  # a few megabytes; a city has one or two
ANSWER_BYTES_MAX = 5_000_000
FOUND = 200
NO_TILE = (204, 404)


class TileServer:
    """`address` has {z}, {x} and {y} in it."""

    def __init__(self, address: str, client: "httpx.AsyncClient") -> None:
        self._address = address
        self._client = client

    async def tile(self, zoom: int, column: int, row: int) -> MapTile | None:
        url = self._address.replace("{z}", str(zoom)).replace("{x}", str(column))
        answer = await _asked(self._client, url.replace("{y}", str(row)), {})
        if answer.status_code in NO_TILE:
            return None
        if answer.status_code != FOUND:
            raise Unavailable(f"The server of map tiles answered {answer.status_code}.")
        kind = answer.headers.get("content-type", "").partition(";")[0].strip()
        return MapTile(answer.content, kind if kind in TYPES.values() else VECTOR)

    async def facts(self) -> MapFacts:
        path = self._address.partition("?")[0]
        return MapFacts(is_vector=path.endswith(VECTOR_ENDINGS), deepest=DEEPEST)


class Bytes(Protocol):
    async def read(self, offset: int, length: int) -> bytes: ...


class LocalBytes:
    def __init__(self, path: Path) -> None:
        self._path = path

    async def read(self, offset: int, length: int) -> bytes:
        return await asyncio.to_thread(self._read, offset, length)

    def _read(self, offset: int, length: int) -> bytes:
        try:
            file = os.open(self._path, os.O_RDONLY)
        except OSError as error:
            raise Unavailable(f"The map cannot be read: {error}") from error
        try:
            return os.pread(file, length, offset)
        finally:
            os.close(file)


class RemoteBytes:
    def __init__(self, url: str, client: "httpx.AsyncClient") -> None:
        self._url = url
        self._client = client

    async def read(self, offset: int, length: int) -> bytes:
        wanted = {"Range": f"bytes={offset}-{offset + length - 1}"}
        answer = await _asked(self._client, self._url, wanted)
        if answer.status_code != 206:  # a whole archive may be a hundred gigabytes
            raise Unavailable(f"The map's server answered {answer.status_code} to a range.")
        return answer.content


async def _asked(
    client: "httpx.AsyncClient", url: str, headers: dict[str, str]
) -> "httpx.Response":
    import httpx

    try:
        answer = await client.get(url, headers=headers)
    except httpx.TimeoutException as error:
        raise TimedOut("The server of the map did not answer in time.") from error
    except httpx.HTTPError as error:
        raise Unavailable(f"The server of the map is away: {error}") from error
    if len(answer.content) > ANSWER_BYTES_MAX:
        raise Unavailable("The server of the map answered with too much.")
    return answer


@dataclass(frozen=True, slots=True)
class TileDirectory:
    """Parallel lists, as in the format: the first tile of each run, and its file position."""

    ids: list[int]
    runs: list[int]
    """How many tiles share the entry; 0: it is a further directory."""
    lengths: list[int]
    offsets: list[int]


@dataclass(frozen=True, slots=True)
class Archive:
    root: TileDirectory
    leaves_at: int
    data_at: int
    is_packed: bool
    tile_packed: bool
    type: str
    max_zoom: int


class TileArchive:
    def __init__(self, source: Bytes) -> None:
        self._source = source
        self._archive: Archive | None = None
        self._leaves: dict[int, TileDirectory] = {}

    async def facts(self) -> MapFacts:
        archive = await self._opened()
        return MapFacts(is_vector=archive.type == VECTOR, deepest=archive.max_zoom)

    async def tile(self, zoom: int, column: int, row: int) -> MapTile | None:
        archive = await self._opened()
        wanted = tile_id(zoom, column, row)
        directory = archive.root
        for _ in range(DEPTH_MAX):
            at = bisect_right(directory.ids, wanted) - 1
            if at < 0:
                return None
            offset, length = directory.offsets[at], directory.lengths[at]
            if directory.runs[at]:
                if wanted >= directory.ids[at] + directory.runs[at]:
                    return None
                body = await self._source.read(archive.data_at + offset, length)
                return MapTile(body, archive.type, archive.tile_packed)
            directory = await self._leaf(archive, offset, length)
        raise Unavailable("The map's directories are too deep.")

    async def _opened(self) -> Archive:
        if self._archive is None:
            head = await self._source.read(0, HEADER.size)
            self._archive = await self._read(head)
        return self._archive

    async def _read(self, head: bytes) -> Archive:
        if len(head) < HEADER.size or head[:7] != MAGIC or head[7] != 3:
            raise Unavailable("The map is no PMTiles archive of version 3.")
        fields = HEADER.unpack(head)
        root_at, root_length, _, _, leaves_at, _, data_at = fields[2:9]
        inner, outer, kind, _, max_zoom = fields[14:19]
        if inner not in (NONE, GZIP) or outer not in (NONE, GZIP) or kind not in TYPES:
            raise Unavailable("The map is packed in a way that is not known here: use gzip.")
        packed = inner == GZIP
        root = directory_of(await self._source.read(root_at, root_length), is_packed=packed)
        return Archive(root, leaves_at, data_at, packed, outer == GZIP, TYPES[kind], max_zoom)

    async def _leaf(self, archive: Archive, offset: int, length: int) -> TileDirectory:
        if offset not in self._leaves:
            raw = await self._source.read(archive.leaves_at + offset, length)
            if len(self._leaves) >= LEAVES_MAX:
                self._leaves.clear()
            self._leaves[offset] = directory_of(raw, is_packed=archive.is_packed)
        return self._leaves[offset]


def tile_id(zoom: int, column: int, row: int) -> int:
    """The place on the Hilbert curves of all zooms, one after the other."""
    found: int = (4**zoom - 1) // 3
    for bit in reversed(range(zoom)):
        side = 1 << bit
        east, south = int(bool(column & side)), int(bool(row & side))
        found += side * side * ((3 * east) ^ south)
        if not south:
            if east:
                column, row = side - 1 - column, side - 1 - row
            column, row = row, column
    return found


def directory_of(raw: bytes, *, is_packed: bool) -> TileDirectory:
    try:
        values = iter(varints(gzip.decompress(raw) if is_packed else raw))
        count = next(values)
        ids, last = [], 0
        for _ in range(count):
            last += next(values)
            ids.append(last)
        runs = [next(values) for _ in range(count)]
        lengths = [next(values) for _ in range(count)]
        offsets: list[int] = []
        for at in range(count):
            said = next(values)
            offsets.append(said - 1 if said else offsets[at - 1] + lengths[at - 1])
    except (OSError, EOFError, StopIteration, IndexError) as error:
        raise Unavailable("A directory of the map is damaged.") from error
    return TileDirectory(ids, runs, lengths, offsets)


def varints(raw: bytes) -> list[int]:
    found, value, shift = [], 0, 0
    for byte in raw:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            found.append(value)
            value, shift = 0, 0
    return found
