"""The dispatcher's seat over HTTP: read back, what if, cover, replay, log, export."""

import csv
import io
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.dispatch.model import Need, Place
from clarion.dispatch.seat import verbs
from clarion.dispatch.seat.replay import Replay, replayed
from tests.support.dispatch_door import PLACE, Door, dispatch_doors
from tests.support.dispatching import event, team


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    async with dispatch_doors(tmp_path) as make:
        yield await make()


async def test_a_report_is_read_and_said_back_and_nothing_is_kept(door: Door) -> None:
    body = {"report": "六楼起火，有人被困", "place": PLACE}

    chinese = (await door.post("/ai/reports/read", body)).json()
    english = (await door.post("/ai/reports/read", {**body, "language": "en"})).json()

    assert chinese["event"]["type"] == "fire"
    assert chinese["event"]["severity"] == "high"
    assert chinese["said"] == "火灾，严重，需要灭火 × 6、医疗 × 2。对吗？"
    assert english["said"].startswith("Fire, severity high, needs firefighting × 6")
    assert (await door.get("/ai/events")).json()["items"] == []
    posted = await door.post("/ai/events", chinese["event"])
    assert posted.status_code == 201


@pytest.mark.parametrize(
    ("report", "kind"),
    [
        ("a house is burning, three people hurt", "fire"),
        ("有人晕倒了", "medical"),
        ("两车相撞，三人被困", "traffic_accident"),
        ("asdf qwer", "other"),
    ],
)
async def test_usual_words_name_the_type_of_an_event(door: Door, report: str, kind: str) -> None:
    body = {"report": report, "place": PLACE}

    read = (await door.post("/ai/reports/read", body)).json()

    assert read["event"]["type"] == kind
    assert ("没有听出是哪一类" in read["said"]) is (kind == "other")


async def test_a_report_of_nothing_is_refused(door: Door) -> None:
    assert (
        await door.post("/ai/reports/read", {"report": " \n", "place": PLACE})
    ).status_code == 400


async def test_leaving_out_a_team_that_is_not_there_is_refused(door: Door) -> None:
    await door.desk.add(team("t1", km=1), event())

    asked = await door.post("/ai/what-if", {"event_id": "event-1", "without": ["t9"]})
    past = await door.post("/ai/replay", {"since": "2030-01-01T00:00:00Z", "without": ["t9"]})

    for refused in (asked, past):
        assert refused.status_code == 404
        assert refused.json()["details"]["team_id"] == "t9"


async def test_what_if_holds_and_sends_nobody(door: Door) -> None:
    await door.desk.add(team("t1", km=1), team("t2", km=3), team("t3", km=5), event())

    plain = (await door.post("/ai/what-if", {"event_id": "event-1"})).json()
    without = (await door.post("/ai/what-if", {"event_id": "event-1", "without": ["t1"]})).json()
    more = (
        await door.post(
            "/ai/what-if",
            {
                "event_id": "event-1",
                "more": [{"capability": "medical", "amount": 1}],
                "language": "en",
            },
        )
    ).json()

    assert [one["team_id"] for one in plain["teams"]] == ["t1"]
    assert [one["team_id"] for one in without["teams"]] == ["t2"]
    assert [one["team_id"] for one in more["teams"]] == ["t1", "t2"]
    assert more["explanation"].startswith("Event event-1 (medical, medium). Sends 2")
    assert set((await door.desk.statuses()).values()) == {"standby"}
    assert (await door.get("/ai/locks")).json()["items"] == []
    assert (await door.get("/ai/tasks")).json()["items"] == []


async def test_a_bare_district_is_named_with_who_could_move_up(door: Door) -> None:
    station = {"name": "北站", "place": {"latitude": 31.6, "longitude": 121.47}, "district": "北"}
    await door.http.put("/ai/stations/north", json={**station, "least": {"medical": 1}})
    await door.http.put(
        "/ai/stations/centre", json={"name": "中", "place": PLACE, "least": {"medical": 1}}
    )
    await door.desk.add(team("t1", km=1), team("t2", km=2))

    [gap] = (await door.get("/ai/move-ups")).json()["items"]
    await door.http.delete("/ai/stations/north")

    assert (gap["district"], gap["least"], gap["there"]) == ("北", 1, 0)
    # The nearer one to the north; the other covers the centre.
    assert [one["team_id"] for one in gap["moves"]] == ["t2"]
    assert (await door.get("/ai/move-ups")).json()["items"] == []


async def test_a_district_that_lacks_two_is_offered_two(door: Door) -> None:
    station = {"name": "北站", "place": {"latitude": 31.6, "longitude": 121.47}}
    least = {"fire": 1, "medical": 3}
    await door.http.put("/ai/stations/north", json={**station, "least": least})
    both = {"medical": 1, "fire": 1}
    await door.desk.add(
        team("t1", km=1), team("t2", km=2), team("t3", km=3, capabilities=both), team("t4", km=0.5)
    )

    fire, medical = (await door.get("/ai/move-ups")).json()["items"]

    assert [one["team_id"] for one in fire["moves"]] == ["t3"]
    assert [one["team_id"] for one in medical["moves"]] == ["t3", "t2", "t1"]


async def test_who_would_be_in_time_for_more_is_proposed(door: Door) -> None:
    north = {"latitude": PLACE["latitude"] + 0.2, "longitude": PLACE["longitude"]}
    await door.http.put("/ai/stations/north", json={"name": "北", "place": north})
    await door.http.put("/ai/stations/centre", json={"name": "中", "place": PLACE})
    await door.desk.add(*(team(f"t{n}", km=0.1 * n) for n in range(3)))
    for number in range(4):
        await door.desk.add(event(f"e{number}", place=Place(**north)))

    found = (await door.get("/ai/move-ups")).json()
    await door.http.put(
        "/ai/stations/centre", json={"name": "中", "place": PLACE, "least": {"medical": 3}}
    )
    needed = (await door.get("/ai/move-ups")).json()

    assert found["items"] == []
    [better] = found["better"]
    assert (better["team_id"], better["station_id"], better["capability"]) == (
        "t2",
        "north",
        "medical",
    )
    assert 0 < better["gain"] < 1
    assert needed["better"] == []  # the least that a station should have stays there


async def test_a_past_day_is_lived_again_with_fewer_teams_and_other_rules(door: Door) -> None:
    since = door.desk.clock.now() - timedelta(hours=1)
    named = [event(f"e{n}", now=since + timedelta(minutes=n)) for n in range(3)]
    await door.desk.add(team("near", km=1), team("far", km=9), *named)
    rules = {"types": {"other": {"needs": {"medical": 1}, "range_km": 5}}}
    span = {"since": (since - timedelta(hours=1)).isoformat()}

    same = (await door.post("/ai/replay", span)).json()
    fewer = (await door.post("/ai/replay", {**span, "without": ["near"]})).json()
    nearer = (await door.post("/ai/replay", {**span, "rules": rules})).json()
    wrong = await door.post("/ai/replay", {**span, "rules": {"types": {}}})

    assert same["before"] == same["after"]
    assert same["before"]["events"] == 3
    assert same["before"]["covered"] == 2  # two teams, each away for an hour
    assert fewer["after"]["covered"] == 1
    assert fewer["difference"]["covered"] == -1
    assert fewer["changed"][0] == {"event_id": "e0", "before": ["near"], "after": ["far"]}
    assert nearer["after"]["covered"] == 1
    assert (wrong.status_code, wrong.json()["error_code"]) == (400, "AI4004")


async def test_a_past_month_is_lived_again_beside_the_event_loop(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = door.desk.clock.now() - timedelta(hours=1)
    await door.desk.add(team("near", km=1), event("e1", now=since))
    worked: list[int] = []

    def watched(*given: Any) -> Replay:
        worked.append(threading.get_ident())
        return replayed(*given)

    monkeypatch.setattr(verbs, "replayed", watched)
    answer = await door.post("/ai/replay", {"since": since.isoformat()})

    assert answer.json()["before"]["events"] == 1
    assert worked != [threading.get_ident()]


async def test_explanations_are_there_in_both_languages(door: Door) -> None:
    soon = door.desk.clock.now() + timedelta(minutes=5)
    needs = (Need("medical", 2),)
    await door.desk.add(team("t1", km=300), event(needs=needs, deadline_at=soon))
    await door.plan(event_id="event-1")

    english = (await door.get("/ai/events/event-1/schemes/en")).json()["items"][0]
    chinese = (await door.get("/ai/events/event-1/schemes/zh")).json()["items"][0]

    assert "Missing medical: 0 of 2" in english["explanation"]
    assert "too late" in english["explanation"]
    assert "缺口 医疗" in chinese["explanation"]
    assert "无法及时到达" in chinese["explanation"]


async def test_what_was_done_stands_beside_who_did_it(door: Door) -> None:
    await door.desk.add(team("t1"), event())
    await door.plan(event_id="event-1")
    headers = {"Authorization": f"Bearer {door.tokens['dispatcher']}"}

    await door.http.post("/ai/teams/t1/on-scene", headers=headers)
    await door.flush()
    lines = (await door.get("/ai/log?about=t1")).json()["items"]

    done = {(one["what"], one["by"]) for one in lines}
    assert ("POST /ai/teams/{team_id}/on-scene", "dispatcher") in done
    assert ("team.deployed", "automatic") in done
    assert [one["at"] for one in lines] == sorted((one["at"] for one in lines), reverse=True)


async def test_events_and_teams_leave_as_sheets_and_maps(door: Door) -> None:
    await door.desk.add(replace(team("t1"), name="=1+1"), event(now=door.desk.clock.now()))
    since = (door.desk.clock.now() - timedelta(hours=1)).isoformat().replace("+", "%2B")

    sheet = await door.get(f"/ai/export?what=teams&format=csv&since={since}")
    shown = (await door.get(f"/ai/export?what=events&format=geojson&since={since}")).json()
    plain = (await door.get(f"/ai/export?what=assignments&since={since}")).json()
    wrong = await door.get(f"/ai/export?what=assignments&format=geojson&since={since}")

    [row] = csv.DictReader(io.StringIO(sheet.text))
    assert (row["id"], row["name"]) == ("t1", "'=1+1")  # a sheet does not calculate it
    assert float(row["latitude"]) > 31
    [feature] = shown["features"]
    assert feature["geometry"]["coordinates"] == [PLACE["longitude"], PLACE["latitude"]]
    assert plain == {"items": []}
    assert wrong.json()["error_code"] == "AI4004"
