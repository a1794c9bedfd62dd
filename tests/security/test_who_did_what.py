"""Every change is noted: who, what, by which token, from where; and for as long as set."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from clarion.access.audit import AuditTrail, Deed
from clarion.store.sql.audit import SqlAudit
from tests.support.assistant import over_http
from tests.support.clock import START
from tests.support.doors import Doors

AT = (START + timedelta(hours=3)).isoformat()


async def test_a_change_is_noted_with_who_and_from_where(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("admin") as admin:
        made = await ana.post("/api/v1/reminders", json={"content": "吃药", "trigger_at": AT})
        name = made.json()["id"]
        await ana.get(f"/api/v1/reminders/{name}")
        await ana.post("/api/v1/reminders", json={"content": "", "trigger_at": AT})
        gone = await ana.delete(f"/api/v1/reminders/{name}", headers={"If-Match": "*"})
        assert gone.is_success, gone.text
        found = (await admin.get("/api/v1/audit", params={"user_id": "ana"})).json()["items"]
        table = (await admin.get("/api/v1/audit/export")).text

    assert [(one["action"], one["subject"]) for one in found] == [
        ("DELETE /api/v1/reminders/{reminder_id}", name),
        ("POST /api/v1/reminders", name),
    ]
    assert {one["token_id"] for one in found} == {doors.tokens["ana"].partition(".")[0]}
    assert {one["address"] for one in found} == {"127.0.0.1"}
    assert table.startswith("at,door,action,subject,")
    assert "吃药" not in table


async def test_what_an_assistant_changes_is_noted_too(doors: Doors) -> None:
    async with over_http(doors.url, doors.tokens["ana"], "2026-07-28") as ana:
        made = await ana.call("reminder_create_natural", text="明天早上8点提醒我吃药")
        await ana.call("reminder_list")
        await ana.refused("reminder_cancel", reminder_id="rem_none")
    async with doors.client("admin") as admin:
        found = (await admin.get("/api/v1/audit", params={"user_id": "ana"})).json()["items"]

    assert [(one["door"], one["action"], one["subject"]) for one in found] == [
        ("mcp", "reminder_create_natural", made["reminder"]["id"])
    ]


async def test_notes_are_kept_as_long_as_set(doors: Doors) -> None:
    store = SqlAudit(doors.parts.database)
    trail = AuditTrail(store, doors.clock, timedelta(days=2))
    trail.note("rest", "POST /x", "", None, "")
    await trail.run_once()
    doors.clock.advance(timedelta(days=3))
    trail.note("rest", "POST /y", "", None, "")
    await trail.run_once()

    kept = await store.page(
        user_id=None, token_id=None, since=None, until=None, before=None, limit=10
    )

    assert [one.action for one in kept] == ["POST /y"]


async def test_pages_follow_one_another(doors: Doors) -> None:
    async with doors.client("admin") as admin:
        for number in range(5):
            await admin.post("/api/v1/users", json={"id": f"u{number}"})
        seen, cursor = [], None
        while True:
            query = {"limit": 2, **({"cursor": cursor} if cursor else {})}
            page = (await admin.get("/api/v1/audit", params=query)).json()
            seen += [one["subject"] for one in page["items"]]
            if (cursor := page["next_cursor"]) is None:
                break

    assert seen == ["u4", "u3", "u2", "u1", "u0"]


class SlowAudit(SqlAudit):
    """Writes when it is let."""

    let: asyncio.Event

    async def add(self, deeds: Sequence[Deed]) -> None:
        await self.let.wait()
        await super().add(deeds)


async def test_who_reads_waits_for_what_is_just_being_written(doors: Doors) -> None:
    store = SlowAudit(doors.parts.database)
    store.let = asyncio.Event()
    trail = AuditTrail(store, doors.clock, timedelta(days=2))
    trail.note("rest", "POST /x", "", None, "")

    writing = asyncio.create_task(trail.run_once())
    reading = asyncio.create_task(trail.write())
    done, _ = await asyncio.wait({writing, reading}, timeout=0.05)
    store.let.set()
    await asyncio.gather(writing, reading)

    assert not done
