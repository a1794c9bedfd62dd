"""Rotations over HTTP: who takes turns, who is on call now and next, and in the calendar."""

from typing import Any

import httpx

from tests.support.doors import Doors

WEEKLY = {"name": "Nights", "every": "week", "hands_over": "20:00", "begins_on": "2030-01-07"}


async def contact(root: httpx.AsyncClient, name: str) -> str:
    body = {"name": name, "address": f"ntfy://{name}", "user_id": "ana"}
    made = await root.post("/api/v1/contacts", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def weekly(doors: Doors, **fields: Any) -> dict[str, Any]:
    async with doors.client("admin") as root, doors.client("ana") as ana:
        members = [await contact(root, name) for name in ("sue", "tom")]
        made = await ana.post("/api/v1/rotations", json={**WEEKLY, "members": members, **fields})
    assert made.status_code == 201, made.text
    return dict(made.json())


async def test_who_is_on_call_now_and_next(doors: Doors) -> None:
    made = await weekly(doors)

    async with doors.client("ana") as ana:
        asked = {"at": "2030-01-08T12:00:00Z"}
        found = (await ana.get("/api/v1/oncall", params=asked)).json()["items"]

    assert [one["rotation_id"] for one in found] == [made["id"]]
    assert (found[0]["now"]["name"], found[0]["next"]["name"]) == ("sue", "tom")
    assert found[0]["now"]["ends_at"] == found[0]["next"]["begins_at"]


async def test_somebody_stands_in_and_is_shown_at_once(doors: Doors) -> None:
    made = await weekly(doors)
    swap = {
        "contact_id": made["members"][1],
        "begins_at": "2030-01-08T00:00:00Z",
        "ends_at": "2030-01-09T00:00:00Z",
    }

    async with doors.client("ana") as ana:
        path = f"/api/v1/rotations/{made['id']}"
        changed = await ana.patch(path, json={"overrides": [swap]}, headers={"If-Match": '"1"'})
        found = await ana.get("/api/v1/oncall", params={"at": "2030-01-08T12:00:00Z"})
        stale = await ana.patch(path, json={"delay": 5}, headers={"If-Match": '"1"'})

    assert changed.json()["version"] == 2, changed.text
    assert found.json()["items"][0]["now"]["name"] == "tom"
    assert stale.status_code == 412


async def test_the_calendar_shows_who_is_on_call(doors: Doors) -> None:
    await weekly(doors, every="day")

    async with doors.client("ana") as ana, doors.client() as anybody:
        path = (await ana.post("/api/v1/users/ana/calendar")).json()["path"]
        shown = (await anybody.get(path)).text

    assert "SUMMARY:Nights: sue" in shown
    assert "SUMMARY:Nights: tom" in shown


async def test_only_contacts_of_the_person_take_turns(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await ana.post("/api/v1/rotations", json={**WEEKLY, "members": ["con_foreign"]})
        empty = await ana.post("/api/v1/rotations", json={**WEEKLY, "members": []})

    assert (made.status_code, made.json()["code"]) == (404, "no_such_contact")
    assert empty.status_code == 400


async def test_nobody_sees_or_changes_anothers_rotation(doors: Doors) -> None:
    made = await weekly(doors)

    async with doors.client("bo") as boris:
        path = f"/api/v1/rotations/{made['id']}"
        seen = await boris.get(path)
        body = {**WEEKLY, "members": made["members"], "user_id": "ana"}
        added = await boris.post("/api/v1/rotations", json=body)

    assert seen.status_code == 404
    assert added.status_code in (403, 404)


async def test_a_holiday_of_a_contact_is_kept(doors: Doors) -> None:
    made = await weekly(doors)
    away = [{"first": "2030-01-07", "last": "2030-01-13"}]

    async with doors.client("ana") as ana:
        path = f"/api/v1/contacts/{made['members'][0]}"
        changed = await ana.patch(path, json={"away": away}, headers={"If-Match": "*"})
        found = await ana.get("/api/v1/oncall", params={"at": "2030-01-08T12:00:00Z"})

    assert changed.json()["away"] == away, changed.text
    assert found.json()["items"][0]["now"]["name"] == "tom"
