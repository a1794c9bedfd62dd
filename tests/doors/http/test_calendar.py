"""Calendars out and in, reports, people: what the other files leave out."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from icalendar import Calendar

from tests.support.clock import START
from tests.support.doors import Doors

USER = "/api/v1/users/ana"
FILE = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:once@test
SUMMARY:Dentist
DTSTART;TZID=Asia/Shanghai:20300109T150000
END:VEVENT
BEGIN:VEVENT
UID:weekly@test
SUMMARY:Swimming
DTSTART;TZID=Asia/Shanghai:20300108T180000
RRULE:FREQ=WEEKLY;BYDAY=TU
END:VEVENT
BEGIN:VEVENT
UID:whole-day@test
SUMMARY:Birthday
DTSTART;VALUE=DATE:20300201
END:VEVENT
BEGIN:VEVENT
UID:past@test
SUMMARY:Long ago
DTSTART:20200101T000000Z
END:VEVENT
END:VCALENDAR
"""


async def test_a_calendar_program_reads_what_is_coming_without_a_token(doors: Doors) -> None:
    at = (START + timedelta(hours=1)).isoformat()
    async with doors.client("ana") as ana, doors.client() as program:
        await ana.post("/api/v1/reminders", json={"content": "吃药", "trigger_at": at})
        path = (await ana.post(f"{USER}/calendar")).json()["path"]
        read = await program.get(path)

    event: Any
    [event] = Calendar.from_ical(read.text).walk("VEVENT")
    assert read.headers["content-type"].startswith("text/calendar")
    assert (str(event["SUMMARY"]), event["DTSTART"].dt) == ("吃药", START + timedelta(hours=1))


async def test_a_new_address_ends_the_old_one_and_guessing_finds_nothing(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as program:
        old = (await ana.post(f"{USER}/calendar")).json()["path"]
        new = (await ana.post(f"{USER}/calendar")).json()["path"]
        statuses = [
            (await program.get(path)).status_code
            for path in (old, new, f"{USER}/reminders.ics?key=x", new.replace("/ana/", "/bo/"))
        ]

    assert statuses == [404, 200, 404, 404]


async def test_a_file_is_taken_over_once(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        first = (await ana.post(f"{USER}/calendar/import", content=FILE)).json()
        again = (await ana.post(f"{USER}/calendar/import", content=FILE)).json()
        listed = (await ana.get("/api/v1/reminders")).json()["items"]
        series = (await ana.get("/api/v1/series")).json()["items"]

    assert (first["reminders"], first["series"]) == (2, 1)
    assert [one["uid"] for one in first["skipped"]] == ["past@test"]
    assert again["reminders"] + again["series"] == 3
    assert [(one["content"], one["trigger_at"]) for one in listed] == [
        ("Swimming", "2030-01-08T10:00:00.000Z"),
        ("Dentist", "2030-01-09T07:00:00.000Z"),
        ("Birthday", "2030-02-01T01:00:00.000Z"),
    ]
    assert [one["content"] for one in series] == ["Swimming"]


def calendar_of(starts: str, times: int = 1) -> str:
    event = f"BEGIN:VEVENT\nUID:1\nSUMMARY:x\nDTSTART{starts}\nEND:VEVENT\n"
    return f"BEGIN:VCALENDAR\nVERSION:2.0\n{event * times}END:VCALENDAR\n"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "nonsense",
        "BEGIN:VCALENDAR\nBEGIN:VEVENT",
        calendar_of(";VALUE=TIME:080000"),
        calendar_of(";VALUE=PERIOD:20300101T000000Z/PT1H"),
        calendar_of(";VALUE=DURATION:PT15M"),
        calendar_of(":00010101T000000Z\nRRULE:FREQ=SECONDLY"),
        calendar_of(":20300101T000000Z", times=501),
        "BEGIN:VCALENDAR\n" + "X-A:1\n" * 100_000,
        "BEGIN:VCALENDAR\nX-A:" + "1" * 900_000,
    ],
    ids=lambda content: content[40:80].replace("\n", " "),
)
async def test_what_is_no_calendar_is_refused(doors: Doors, content: str) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(f"{USER}/calendar/import", content=content)

    assert (refused.status_code, refused.json()["code"]) == (400, "bad_input")


async def test_reports_tell_how_it_went(doors: Doors) -> None:
    at = (START + timedelta(minutes=1)).isoformat()
    async with doors.client("ana") as ana:
        made = await ana.post("/api/v1/reminders", json={"content": "吃药", "trigger_at": at})
        await ana.post(f"{made.headers['location']}/confirm")
        span = {"since": START.isoformat(), "until": (START + timedelta(days=1)).isoformat()}
        went = (await ana.get(f"{USER}/adherence", params=span)).json()
        table = await ana.get(f"{USER}/export", params=span)

    assert (went["whole"]["confirmed"], went["days"][0]["day"]) == (1, "2030-01-07")
    assert table.headers["content-type"].startswith("text/csv")
    assert "吃药" in table.text


async def test_what_comes_tells_also_what_a_series_has_not_made_yet(doors: Doors) -> None:
    daily = {"content": "吃药", "pattern": "30 8 * * *", "zone": "UTC", "count": 3}
    async with doors.client("ana") as ana:
        made = (await ana.post("/api/v1/series", json=daily)).json()
        coming = (await ana.get(f"{USER}/upcoming?days=30")).json()["items"]
        near = (await ana.get(f"{USER}/upcoming?days=1")).json()["items"]

    assert [one["series_id"] for one in coming] == [made["id"]] * 3
    assert [one["reminder_id"] for one in coming] == [made["current"], None, None]
    assert coming[0]["at"] == made["next_at"]
    assert len(near) == 1


async def test_people_are_changed_with_the_version_that_was_seen(doors: Doors) -> None:
    quiet = {"begins": "22:00", "ends": "07:00"}
    async with doors.client("ana") as ana:
        before = await ana.get(USER)
        seen = {"If-Match": before.headers["etag"]}
        changed = await ana.patch(USER, json={"quiet": quiet, "zone": "UTC"}, headers=seen)
        stale = await ana.patch(USER, json={"name": "A"}, headers=seen)
        cleared = await ana.patch(USER, json={"quiet": None}, headers={"If-Match": "*"})
        wrong = await ana.patch(USER, json={"zone": "Mars/Base"}, headers={"If-Match": "*"})

    assert (changed.json()["quiet"], changed.json()["zone"]) == (quiet, "UTC")
    assert stale.status_code == 412
    assert cleared.json()["quiet"] is None
    assert wrong.status_code == 400


async def test_contacts_and_devices_come_and_go(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        contact = await ana.post(
            "/api/v1/contacts", json={"name": "Bo", "address": "device:kitchen", "delay": 60}
        )
        device = await ana.post(
            "/api/v1/devices", json={"kind": "notify", "address": "ntfy://pills", "name": "phone"}
        )
        ladder = (await ana.get("/api/v1/contacts")).json()["items"]
        gone = [
            (await ana.delete(one.headers["location"])).status_code for one in (contact, device)
        ]
        after = (await ana.get("/api/v1/contacts")).json()["items"]

    assert [one["name"] for one in ladder] == ["Bo"]
    assert gone == [204, 204]
    assert after == []


async def test_what_clarion_wrote_itself_is_not_added_again(doors: Doors) -> None:
    at = (START + timedelta(hours=1)).isoformat()
    daily = {"content": "water", "pattern": "0 8 * * *"}
    async with doors.client("ana") as ana, doors.client() as program:
        await ana.post("/api/v1/reminders", json={"content": "pills", "trigger_at": at})
        await ana.post("/api/v1/series", json=daily)
        path = (await ana.post(f"{USER}/calendar")).json()["path"]
        own = (await program.get(path)).content
        imported = (await ana.post(f"{USER}/calendar/import", content=own)).json()

    assert (imported["reminders"], imported["series"]) == (0, 0)
    assert len(imported["skipped"]) > 2


async def test_an_alarm_rings_before_the_event(doors: Doors) -> None:
    alarm = "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT30M\nEND:VALARM\n"
    file = FILE.replace("20300109T150000\n", f"20300109T150000\n{alarm}")
    async with doors.client("ana") as ana:
        await ana.post(f"{USER}/calendar/import", content=file)
        listed = (await ana.get("/api/v1/reminders")).json()["items"]

    [dentist] = [one for one in listed if one["content"] == "Dentist"]
    assert dentist["trigger_at"] == "2030-01-09T06:30:00.000Z"


@pytest.mark.parametrize(
    "pattern",
    [
        "DTSTART:00010101T000000Z\nRRULE:FREQ=SECONDLY",
        "DTSTART:00010101T000000\nRRULE:FREQ=DAILY",
        "DTSTART:99991231T235959Z\nRRULE:FREQ=SECONDLY;INTERVAL=10000",
        "FREQ=SECONDLY;UNTIL=00010101T000000Z",
        "FREQ=DAILY;UNTIL=99991231T235959Z;COUNT=1",
    ],
)
async def test_a_series_at_the_edge_of_time_is_refused_or_set(doors: Doors, pattern: str) -> None:
    async with doors.client("ana") as ana:
        made = await ana.post("/api/v1/series", json={"content": "x", "pattern": pattern})

    assert made.status_code in (201, 422), made.text


async def test_a_large_calendar_keeps_nobody_waiting(doors: Doors) -> None:
    """What is parsed runs beside the loop: another request is answered meanwhile."""
    lines = "".join(f"X-{n}:{'y' * 30}\n" for n in range(19_000))
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        reading = asyncio.create_task(
            ana.post(f"{USER}/calendar/import", content=f"BEGIN:VCALENDAR\n{lines}END:VCALENDAR")
        )
        answered = 0
        while not reading.done():
            (await bo.get("/api/v1/me")).raise_for_status()
            answered += 1

    assert reading.result().status_code == 200
    assert answered > 3
