"""The dispatch interface over a real socket: what it takes and what it answers."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.ids import TaskId
from clarion.dispatch.service import Policy
from tests.support.dispatch_door import EVENT, PLACE, Door, Open, dispatch_doors
from tests.support.dispatching import event, team


@pytest.fixture
async def open_door(tmp_path: Path) -> AsyncIterator[Open]:
    async with dispatch_doors(tmp_path) as make:
        yield make


@pytest.fixture
async def door(open_door: Open) -> Door:
    return await open_door()


async def test_a_scheme_is_asked_for_followed_and_read(door: Door) -> None:
    await door.desk.add(team("t1"), event())

    asked = await door.post("/ai/generate-scheme", {"event_id": "event-1"})
    await door.desk.service.run(TaskId(asked.json()["task_id"]))
    followed = (await door.get(asked.headers["Location"])).json()
    scheme = (await door.get(f"/ai/schemes/{followed['scheme_id']}")).json()

    assert asked.status_code == 202
    assert (followed["status"], followed["progress"]["percent"]) == ("done", 100)
    assert followed["progress"]["steps"][0]["node"] == "load_rules"
    assert [one["team_id"] for one in scheme["teams"]] == ["t1"]
    assert (scheme["status"], scheme["shortfall"], scheme["coverage"]) == ("committed", [], 1.0)


async def test_an_event_may_come_with_the_request(door: Door) -> None:
    await door.desk.add(team("t1"))

    answer = await door.plan(event={"report": "有人昏迷", "place": PLACE, "severity": "low"})

    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == "wait=2"
    events = (await door.get("/ai/events")).json()["items"]
    assert [(one["type"], one["status"]) for one in events] == [("medical", "sent")]


async def test_waiting_ends_with_the_task_when_nothing_has_come_of_it(door: Door) -> None:
    await door.desk.add(team("t1"), event())

    answer = await door.post("/ai/generate-scheme", {"event_id": "event-1"}, Prefer="wait=1")

    assert answer.status_code == 202
    assert answer.json()["status"] == "waiting"


async def test_teams_are_added_changed_moved_and_forgotten(door: Door) -> None:
    body = {"id": "t1", "name": "一队", "place": PLACE, "capabilities": {"medical": 2}}

    made = await door.post("/ai/teams", body)
    twice = await door.post("/ai/teams", body)
    changed = await door.http.patch(
        "/ai/teams/t1", json={"cost": 9}, headers={"If-Match": made.headers["ETag"]}
    )
    stale = await door.http.patch(
        "/ai/teams/t1", json={"cost": 1}, headers={"If-Match": made.headers["ETag"]}
    )
    rests = await door.post("/ai/teams/t1/unavailable", {"reason": "休整"})
    gone = await door.http.delete("/ai/teams/t1")

    assert [one.status_code for one in (made, twice, changed, stale, rests, gone)] == [
        *(201, 409, 200, 412, 200, 204)
    ]
    assert changed.json()["cost"] == 9
    assert (rests.json()["status"], rests.json()["reason"]) == ("unavailable", "休整")
    assert (await door.get("/ai/teams/t1")).status_code == 404


async def test_changes_of_different_fields_at_once_are_all_kept(door: Door) -> None:
    await door.desk.add(team("t1"), event())
    moved = {"latitude": 31.5, "longitude": 121.5}

    answers = await asyncio.gather(
        door.http.patch("/ai/teams/t1", json={"name": "改名"}),
        door.http.patch("/ai/teams/t1", json={"place": moved}),
        door.http.patch("/ai/teams/t1", json={"cost": 7}),
        door.http.patch("/ai/events/event-1", json={"title": "桥塌了"}),
        door.http.patch("/ai/events/event-1", json={"place": moved}),
    )

    assert [one.status_code for one in answers] == [200] * 5
    kept = (await door.get("/ai/teams/t1")).json()
    assert (kept["name"], kept["place"], kept["cost"]) == ("改名", moved, 7)
    told = (await door.get("/ai/events/event-1")).json()
    assert (told["title"], told["place"]) == ("桥塌了", moved)


async def test_a_long_list_of_teams_goes_on_where_it_stopped(door: Door) -> None:
    await door.desk.add(*(team(f"t{n}") for n in range(5)))

    first = (await door.get("/ai/teams?limit=3")).json()
    rest = (await door.get(f"/ai/teams?limit=3&cursor={first['next_cursor']}")).json()

    assert [one["id"] for one in [*first["items"], *rest["items"]]] == [
        "t0",
        "t1",
        "t2",
        "t3",
        "t4",
    ]
    assert rest["next_cursor"] is None


async def test_a_team_is_never_deployed_by_hand(door: Door) -> None:
    await door.desk.add(team("t1"))

    answer = await door.http.patch("/ai/teams/t1", json={"status": "deployed"})

    assert answer.status_code == 409
    assert answer.json()["details"]["allowed"] == ["unavailable"]


async def test_a_deployed_team_completes_breaks_down_or_declines(door: Door) -> None:
    await door.desk.add(*(team(f"t{n}", km=n) for n in (1, 2, 3)), event())
    await door.plan(event_id="event-1")

    broken = (await door.post("/ai/teams/t1/breakdown")).json()
    [replan] = (await door.get("/ai/tasks?status=waiting")).json()["items"]
    await door.desk.service.run(TaskId(replan["task_id"]))
    declined = (await door.post("/ai/teams/t2/decline")).json()
    [replan] = (await door.get("/ai/tasks?status=waiting")).json()["items"]
    await door.desk.service.run(TaskId(replan["task_id"]))
    done = (await door.post("/ai/teams/t3/complete")).json()

    assert [one["status"] for one in (broken, declined, done)] == [
        *("unavailable", "standby", "standby")
    ]
    parts = (await door.get("/ai/assignments?event_id=event-1")).json()["items"]
    assert {one["team_id"]: one["outcome"] for one in parts} == {
        "t1": "broke_down",
        "t2": "declined",
        "t3": "completed",
    }
    assert (await door.get("/ai/events/event-1")).json()["status"] == "closed"


async def test_a_person_approves_and_sees_what_is_held(open_door: Open) -> None:
    door = await open_door(policy=Policy(approval=True))
    await door.desk.add(team("t1"), event())
    scheme = (await door.plan(event_id="event-1")).json()

    [lock] = (await door.get("/ai/locks")).json()["items"]
    approved = (await door.post(f"/ai/schemes/{scheme['scheme_id']}/approve")).json()
    late = await door.post(f"/ai/schemes/{scheme['scheme_id']}/reject", {"reason": "no"})

    assert (lock["team_id"], lock["locked_by"]) == ("t1", "event-1")
    assert (scheme["status"], approved["status"]) == ("proposed", "committed")
    assert late.status_code == 409
    assert (await door.get("/ai/locks")).json() == {"items": [], "degraded": False}


async def test_a_person_sends_an_alternative_instead(open_door: Open) -> None:
    door = await open_door(policy=Policy(approval=True))
    await door.desk.add(team("t1", km=1), team("t2", km=2), event())
    scheme = (await door.plan(event_id="event-1")).json()
    address = f"/ai/schemes/{scheme['scheme_id']}/approve"

    absent = await door.post(address, {"alternative": 7})
    approved = (await door.post(address, {"alternative": 1})).json()

    assert (absent.status_code, absent.json()["error_code"]) == (400, "AI4004")
    assert (approved["status"], approved["chosen"]) == ("committed", 1)
    assert approved["teams"] == scheme["alternatives"][0]["teams"]
    assert await door.desk.statuses() == {"t1": "standby", "t2": "deployed"}


async def test_an_event_is_ended_by_people_and_otherwise_by_teams(door: Door) -> None:
    made = await door.post("/ai/events", EVENT)
    shown = await door.http.patch("/ai/events/event-1", json={"status": "covered"})
    ended = await door.http.patch("/ai/events/event-1", json={"status": "closed"})
    again = await door.http.patch("/ai/events/event-1", json={"title": "late"})

    assert made.status_code == 201
    assert [one.status_code for one in (shown, ended, again)] == [409, 200, 409]
    assert shown.json()["details"]["allowed"] == ["cancelled", "closed"]


async def test_how_far_a_team_is_stands_beside_its_status(door: Door) -> None:
    await door.desk.add(team("t1"), event())
    await door.plan(event_id="event-1")
    sent = (await door.get("/ai/events/event-1")).json()["status"]

    told = [await door.post(f"/ai/teams/t1/{step}") for step in ("en-route", "on-scene")]
    covered = (await door.get("/ai/events/event-1")).json()["status"]
    await door.post("/ai/teams/t1/returning")

    assert [one.json()["status"] for one in told] == ["deployed", "deployed"]
    assert (sent, covered) == ("sent", "covered")
    [part] = (await door.get("/ai/assignments?team_id=t1")).json()["items"]
    assert part["call"] == "accepted"
    assert part["en_route_at"] <= part["on_scene_at"] <= part["returning_at"]


async def test_a_position_is_kept_with_its_time_and_an_older_one_changes_nothing(
    door: Door,
) -> None:
    await door.desk.add(team("t1"))
    now = door.desk.clock.now()
    new = {"latitude": 31.5, "longitude": 121.1, "at": now.isoformat(), "accuracy_m": 12}
    old = {**new, "latitude": 30, "at": (now - timedelta(minutes=9)).isoformat()}
    ahead = {**new, "at": (now + timedelta(days=9)).isoformat()}

    await door.post("/ai/teams/t1/position", new)
    kept = (await door.post("/ai/teams/t1/position", old)).json()
    corrected = (await door.post("/ai/teams/t1/position", ahead)).json()
    wrong = await door.post("/ai/teams/t1/position", {"latitude": 99, "longitude": 0})

    assert (kept["place"]["latitude"], kept["accuracy_m"]) == (31.5, 12)
    assert corrected["position_at"] < (now + timedelta(minutes=9)).isoformat()
    assert wrong.json()["error_code"] == "AI4004"


async def test_a_crew_with_its_shifts_is_kept_and_checked(door: Door) -> None:
    body = {
        "id": "boat",
        "name": "水上一队",
        "place": PLACE,
        "capabilities": {"water_rescue": 1},
        "kind": "boat",
        "crew": [{"name": "Ana", "skills": ["medical"]}],
        "crew_min": 1,
        "shifts": [{"starts": "20:00", "ends": "06:00", "days": [1, 2]}],
        "rest_seconds": 600,
        "mutual_aid": True,
    }

    made = (await door.post("/ai/teams", body)).json()
    changed = await door.http.patch("/ai/teams/boat", json={"shifts": [], "kind": "foot"})
    wrong = await door.http.patch("/ai/teams/boat", json={"shifts": [{"starts": "26:00"}]})

    assert {name: made[name] for name in ("kind", "crew_min", "mutual_aid")} == {
        "kind": "boat",
        "crew_min": 1,
        "mutual_aid": True,
    }
    assert made["crew"][0]["skills"] == ["medical"]
    assert (changed.json()["shifts"], changed.json()["kind"]) == ([], "foot")
    assert wrong.status_code == 400


async def test_a_viewer_sees_a_dispatcher_acts_and_only_an_admin_deletes(door: Door) -> None:
    await door.desk.add(team("t1"), event())

    async def as_a(kind: str, method: str, path: str, body: object = None) -> int:
        headers = {"Authorization": f"Bearer {door.tokens[kind]}"}
        return (await door.http.request(method, path, json=body, headers=headers)).status_code

    plan = {"event_id": "event-1"}
    assert await as_a("viewer", "GET", "/ai/teams") == 200
    assert await as_a("viewer", "POST", "/ai/generate-scheme", plan) == 403
    assert await as_a("viewer", "POST", "/ai/teams/t1/unavailable", {}) == 403
    assert await as_a("dispatcher", "POST", "/ai/generate-scheme", plan) == 202
    assert await as_a("dispatcher", "DELETE", "/ai/teams/t1") == 403
    assert await as_a("user", "GET", "/ai/teams") == 403
