"""Tiles out of PMTiles archives, near and far, and from a server of tiles."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from fastapi import FastAPI, Request, Response

from clarion.base.errors import Unavailable
from clarion.dispatch.seat.sources import MapFacts, MapTile
from clarion.exits.http import operator_client
from clarion.store.tiles import (
    GZIP,
    HEADER,
    NONE,
    VECTOR,
    LocalBytes,
    RemoteBytes,
    TileArchive,
    TileServer,
    tile_id,
)
from tests.support.http import serving

TILES = {(0, 0, 0): b"world", (1, 1, 0): b"east", (3, 6, 2): b"town"}
PNG = 2


def varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def directory(entries: list[tuple[int, int, int, int]]) -> bytes:
    """Of (id, run, length, offset), as the format writes them: column by column."""
    ids = [one[0] for one in entries]
    steps = [after - before for before, after in zip([0, *ids], ids, strict=False)]
    columns = [steps, [e[1] for e in entries], [e[2] for e in entries], [e[3] + 1 for e in entries]]
    numbers = [len(entries), *(value for column in columns for value in column)]
    return gzip.compress(b"".join(map(varint, numbers)))


def archive(*, kind: int = PNG, packed: int = NONE, version: int = 3) -> bytes:
    """The first tile is named by the root, the others by a further directory."""
    ordered = sorted(TILES, key=lambda one: tile_id(*one))
    data, entries = b"", []
    for place in ordered:
        body = gzip.compress(TILES[place], mtime=0) if packed == GZIP else TILES[place]
        entries.append((tile_id(*place), 1, len(body), len(data)))
        data += body
    leaf = directory(entries[1:])
    root = directory([entries[0], (entries[1][0], 0, len(leaf), 0)])
    at = HEADER.size
    sizes = (at, len(root), 0, 0, at + len(root), len(leaf), at + len(root) + len(leaf), len(data))
    head = HEADER.pack(
        b"PMTiles", version, *sizes, 3, 3, 3, 1, GZIP, packed, kind, 0, 3, 0, 0, 0, 0, 0, 0, 0
    )
    return head + root + leaf + data


def kept(folder: Path, body: bytes) -> TileArchive:
    path = folder / "city.pmtiles"
    path.write_bytes(body)
    return TileArchive(LocalBytes(path))


async def test_every_tile_is_found_and_the_sea_is_empty(tmp_path: Path) -> None:
    tiles = kept(tmp_path, archive())

    found = {place: await tiles.tile(*place) for place in TILES}

    assert found == {place: MapTile(body, "image/png") for place, body in TILES.items()}
    assert [await tiles.tile(1, 0, 0), await tiles.tile(3, 7, 7), await tiles.tile(9, 1, 1)] == [
        None
    ] * 3
    assert await tiles.facts() == MapFacts(is_vector=False, deepest=3)


async def test_packed_vector_tiles_stay_packed_for_the_browser(tmp_path: Path) -> None:
    tiles = kept(tmp_path, archive(kind=1, packed=GZIP))

    found = await tiles.tile(1, 1, 0)

    assert found == MapTile(gzip.compress(b"east", mtime=0), VECTOR, is_gzip=True)
    assert (await tiles.facts()).is_vector


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"GIF89a" + bytes(200), id="something else"),
        pytest.param(archive(version=2), id="an old version"),
        pytest.param(archive(kind=9), id="a kind nobody knows"),
        pytest.param(archive()[:140], id="cut off"),
    ],
)
async def test_what_is_no_archive_is_said_to_be_away(tmp_path: Path, body: bytes) -> None:
    with pytest.raises(Unavailable):
        await kept(tmp_path, body).tile(0, 0, 0)


async def test_a_file_that_is_not_there_is_away_and_found_when_it_comes(tmp_path: Path) -> None:
    tiles = TileArchive(LocalBytes(tmp_path / "city.pmtiles"))
    with pytest.raises(Unavailable):
        await tiles.tile(0, 0, 0)

    (tmp_path / "city.pmtiles").write_bytes(archive())

    assert await tiles.tile(0, 0, 0) is not None


@pytest.fixture
async def far() -> AsyncIterator[str]:
    """Serves an archive by ranges, and tiles one by one."""
    app, whole = FastAPI(), archive()

    @app.get("/city.pmtiles")
    async def ranges(request: Request) -> Response:
        first, last = map(int, request.headers["range"].removeprefix("bytes=").split("-"))
        return Response(whole[first : last + 1], 206)

    @app.get("/whole.pmtiles")
    async def no_ranges() -> Response:
        return Response(whole)

    @app.get("/{z}/{x}/{y}.png")
    async def tile(z: int, x: int, y: int) -> Response:
        body = TILES.get((z, x, y))
        return Response(body or b"", 200 if body else 404, media_type="image/png")

    async with serving(app) as url:
        yield url


async def test_an_archive_elsewhere_is_read_by_ranges(far: str) -> None:
    async with operator_client(5) as client:
        tiles = TileArchive(RemoteBytes(f"{far}/city.pmtiles", client))
        assert await tiles.tile(3, 6, 2) == MapTile(b"town", "image/png")
        with pytest.raises(Unavailable):
            await TileArchive(RemoteBytes(f"{far}/whole.pmtiles", client)).tile(0, 0, 0)


async def test_a_server_of_tiles_is_asked_for_one_at_a_time(far: str) -> None:
    async with operator_client(5) as client:
        tiles = TileServer(f"{far}/{{z}}/{{x}}/{{y}}.png", client)
        assert await tiles.tile(1, 1, 0) == MapTile(b"east", "image/png")
        assert await tiles.tile(2, 0, 0) is None
        assert not (await tiles.facts()).is_vector
        with pytest.raises(Unavailable):
            await TileServer("http://127.0.0.1:1/{z}/{x}/{y}", client).tile(0, 0, 0)
