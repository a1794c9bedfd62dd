"""What the dispatcher's page asks for: spots, searches, who is out, the map, spoken reports."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.place import Position
from clarion.dispatch.model import Need, Place, TeamId
from clarion.dispatch.seat.sources import MapFacts, MapTile
from clarion.voice import opus
from clarion.voice.dictation import Dictation
from clarion.voice.sound import Pcm
from tests.support.dispatch_door import Door, Open, dispatch_doors
from tests.support.dispatching import event, team


@pytest.fixture
async def opens(tmp_path: Path) -> AsyncIterator[Open]:
    async with dispatch_doors(tmp_path) as make:
        yield make


@pytest.fixture
async def door(opens: Open) -> Door:
    return await opens()


async def test_spots_are_brief_and_later_only_what_changed(door: Door) -> None:
    await door.desk.add(*(team(f"t{n}", km=n) for n in range(1, 4)))
    first = (await door.get("/ai/positions")).json()
    later = door.desk.clock.now() + timedelta(minutes=1)

    await door.desk.records.was_at(TeamId("t2"), Position(Place(1.0, 2.0), later, None))
    changed = (await door.http.get("/ai/positions", params={"since": later.isoformat()})).json()

    assert first["count"] == 3
    assert [one[0] for one in first["items"]] == ["t1", "t2", "t3"]
    assert changed["items"] == [["t2", "t2", 1.0, 2.0, "standby"]]
    assert changed["count"] == 3


async def test_a_team_is_found_by_its_name_its_id_or_what_it_can_do(door: Door) -> None:
    await door.desk.add(
        replace(team("t-07"), name="急救一队"),
        team("boat", capabilities={"water_rescue": 1}),
        team("100%"),
    )

    async def found(text: str) -> list[str]:
        answer = await door.http.get("/ai/teams", params={"text": text})
        return [one["id"] for one in answer.json()["items"]]

    assert await found("急救") == ["t-07"]
    assert await found("T-0") == ["t-07"]
    assert await found("water") == ["boat"]
    assert await found("%") == ["100%"]
    assert await found("helicopter") == []


async def test_who_is_out_is_listed_however_many_were(door: Door) -> None:
    await door.desk.add(team("t1"), team("t2"), event(needs=(Need("medical", 2),)))
    await door.plan(event_id="event-1")
    await door.post("/ai/teams/t1/complete")

    everybody = (await door.get("/ai/assignments")).json()["items"]
    out = (await door.get("/ai/assignments?open=true")).json()["items"]

    assert len(everybody) == 2
    assert [one["team_id"] for one in out] == ["t2"]
    assert out[0]["expected_at"] > out[0]["opened_at"]


async def test_a_time_says_where_it_comes_from_and_how_old_it_is(door: Door) -> None:
    seen = door.desk.clock.now() - timedelta(minutes=30)
    await door.desk.add(team("t1"), event())
    await door.desk.records.was_at(TeamId("t1"), Position(Place(31.2, 121.47), seen, None))

    scheme = (await door.plan(event_id="event-1")).json()

    (sent,) = scheme["teams"]
    assert sent["eta_source"] == "air"
    assert sent["eta_at"] > sent["position_at"]
    assert "直线估算，位置为30分钟前" in scheme["explanation"]


async def test_what_if_counts_on_whom_the_event_itself_holds(door: Door) -> None:
    await door.desk.add(team("near", km=1), team("far", km=20), event())
    await door.plan(event_id="event-1", approval=True)

    found = (await door.post("/ai/what-if", {"event_id": "event-1"})).json()

    assert [one["team_id"] for one in found["teams"]] == ["near"]


class OneTile:
    async def facts(self) -> MapFacts:
        return MapFacts(is_vector=True, deepest=14)

    async def tile(self, zoom: int, column: int, row: int) -> MapTile | None:
        return MapTile(b"tile", "image/png") if (zoom, column, row) == (3, 2, 1) else None


async def test_the_map_is_served_by_us_and_to_nobody_without_a_token(opens: Open) -> None:
    door = await opens(tiles=OneTile())

    facts = (await door.get("/ai/map")).json()
    tile, sea = await door.get("/ai/map/3/2/1"), await door.get("/ai/map/3/0/0")
    stranger = await door.http.get("/ai/map/3/2/1", headers={"Authorization": "Bearer x"})

    assert facts == {"kind": "vector", "deepest": 14, "credit": "© somebody", "hears": False}
    assert (tile.status_code, tile.content, tile.headers["content-type"]) == (
        200,
        b"tile",
        "image/png",
    )
    assert (sea.status_code, stranger.status_code) == (204, 401)


async def test_without_a_map_there_is_a_plain_grid(door: Door) -> None:
    assert (await door.get("/ai/map")).json()["kind"] == "none"
    assert (await door.get("/ai/map/0/0/0")).status_code == 204


class Hears:
    """A transcriber that knows how long the sound was."""

    async def understand(self, sound: Pcm) -> str:
        return f"六楼起火 {sound.seconds:.0f}"


async def test_a_spoken_report_becomes_words(opens: Open) -> None:
    with ThreadPoolExecutor(1) as threads:
        door = await opens(ears=Dictation(Hears(), threads))
        said = await door.http.post("/ai/reports/hear", content=opus.wav(Pcm(bytes(32_000), 8_000)))
        noise = await door.http.post("/ai/reports/hear", content=b"no sound")
        viewer = {"Authorization": f"Bearer {door.tokens['viewer']}"}
        refused = await door.http.post("/ai/reports/hear", content=b"x", headers=viewer)

    assert said.json() == {"text": "六楼起火 2"}
    assert (await door.get("/ai/map")).json()["hears"]
    assert (noise.status_code, refused.status_code) == (400, 403)


async def test_where_nobody_can_listen_that_is_said(door: Door) -> None:
    answer = await door.http.post("/ai/reports/hear", content=b"sound")

    assert answer.status_code == 404
    assert "CLARION_TRANSCRIPTION_URL" in answer.json()["hint"]
