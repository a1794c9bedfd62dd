"""Reminders over REST: set, find, change, snooze, confirm, cancel."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from clarion.people.model import CLARION
from tests.support.clock import START
from tests.support.doors import BO, KITCHEN, Doors

AT = (START + timedelta(hours=1)).isoformat()
PATH = "/api/v1/reminders"


async def set_one(client: httpx.AsyncClient, **fields: Any) -> httpx.Response:
    body = {"content": "吃药", "trigger_at": AT, **fields}
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer


async def test_a_reminder_is_set_and_found_again(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await set_one(ana, confirmation={"required": True})
        listed = await ana.get(PATH)

    assert made.headers["location"] == f"{PATH}/{made.json()['id']}"
    assert made.json()["confirmation"]["required"] is True
    assert listed.json() == {"items": [made.json()], "next_cursor": None}


async def test_plain_words_are_read_back(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await ana.post(f"{PATH}/natural", json={"text": "明天早上8点提醒我吃药，要确认"})

    body = made.json()
    assert made.status_code == 201, made.text
    assert body["reminder"]["content"] == "吃药"
    assert body["reminder"]["trigger_at"] == "2030-01-08T00:00:00.000Z"
    assert body["reminder"]["confirmation"]["required"] is True
    assert "早上8点" in body["readback"]


async def test_who_will_hear_it_is_said_when_it_is_set_and_in_lists(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await ana.post(f"{PATH}/natural", json={"text": "明天早上8点提醒我吃药"})
        await doors.people.seen(KITCHEN, online=True)
        listed = (await ana.get(PATH)).json()["items"][0]["guarantee"]

    alone = made.json()["guarantee"]
    assert alone["level"] == "nobody"
    assert "没有连上过" in alone["sentence"]
    assert listed["level"] == "likely"
    assert "在线" in listed["sentence"]


async def test_words_without_a_time_are_sent_back(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(f"{PATH}/natural", json={"text": "提醒我吃药"})

    assert refused.status_code == 422
    assert refused.json()["code"] == "missing_time"


@pytest.mark.parametrize("said", ["2030-01-08T08:00:00", "tomorrow", 1893974400, "2030-01-08"])
async def test_a_time_without_an_offset_is_refused(doors: Doors, said: Any) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"content": "吃药", "trigger_at": said})

    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "#/trigger_at"


async def test_a_misspelt_field_is_refused(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"content": "吃药", "trigger_at": AT, "tme": 1})

    assert refused.json()["errors"][0]["pointer"] == "#/tme"


async def test_a_change_needs_the_version_that_was_seen(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await set_one(ana)
        path = made.headers["location"]
        without = await ana.patch(path, json={"content": "喝水"})
        good = await ana.patch(
            path, json={"content": "喝水"}, headers={"If-Match": made.headers["etag"]}
        )
        stale = await ana.patch(
            path, json={"content": "散步"}, headers={"If-Match": made.headers["etag"]}
        )

    assert (without.status_code, without.json()["code"]) == (428, "precondition_required")
    assert (good.status_code, good.json()["content"]) == (200, "喝水")
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")


async def test_what_was_seen_is_not_sent_again(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await set_one(ana)
        same = await ana.get(
            made.headers["location"], headers={"If-None-Match": made.headers["etag"]}
        )

    assert (same.status_code, same.content) == (304, b"")


async def test_a_request_sent_twice_is_done_once(doors: Doors) -> None:
    key = {"Idempotency-Key": "breakfast-1"}
    body = {"content": "吃药", "trigger_at": AT}

    async with doors.client("ana") as ana:
        first = await ana.post(PATH, json=body, headers=key)
        again = await ana.post(PATH, json=body, headers=key)
        other = await ana.post(PATH, json={**body, "content": "喝水"}, headers=key)
        listed = await ana.get(PATH)

    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_used")
    assert len(listed.json()["items"]) == 1


async def test_a_refused_request_frees_its_key(doors: Doors) -> None:
    key = {"Idempotency-Key": "breakfast-2"}
    past = {"content": "吃药", "trigger_at": "2020-01-01T00:00:00Z"}

    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json=past, headers=key)
        mended = await ana.post(PATH, json={**past, "trigger_at": AT}, headers=key)

    assert (refused.status_code, refused.json()["code"]) == (422, "time_past")
    assert mended.status_code == 201


async def test_a_snooze_that_says_nothing_does_not_ring_sooner(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        in_two_days = (START + timedelta(days=2)).isoformat()
        path = (await set_one(ana, trigger_at=in_two_days)).headers["location"]
        refused = await ana.post(f"{path}/snooze", json={})
        after = await ana.get(path)

    assert (refused.status_code, refused.json()["code"]) == (409, "not_ringing")
    assert after.json()["trigger_at"] == "2030-01-09T08:00:00.000Z"


async def test_snooze_confirm_and_what_happened(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        path = (await set_one(ana)).headers["location"]
        snoozed = await ana.post(f"{path}/snooze", json={"duration": 300})
        confirmed = await ana.post(f"{path}/confirm")
        twice = await ana.post(f"{path}/confirm", json={"by": "Bo"})
        told = await ana.get(f"{path}/history")

    assert snoozed.json()["trigger_at"] == "2030-01-07T08:05:00.000Z"
    assert confirmed.json()["status"] == "confirmed"
    assert twice.json() == confirmed.json()
    assert [one["kind"] for one in told.json()["items"]] == [
        "reminder.created",
        "reminder.snoozed",
        "reminder.confirmed",
    ]


async def test_cancelling_keeps_the_record(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = await set_one(ana)
        gone = await ana.delete(made.headers["location"], headers={"If-Match": "*"})
        still = await ana.get(made.headers["location"])

    assert gone.json()["status"] == still.json()["status"] == "cancelled"


async def test_pages_follow_one_another(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        made = [(await set_one(ana, content=f"{n}")).json()["id"] for n in range(3)]
        first = (await ana.get(PATH, params={"limit": 2})).json()
        second = (await ana.get(PATH, params={"limit": 2, "cursor": first["next_cursor"]})).json()
        bad = await ana.get(PATH, params={"cursor": "nonsense"})

    assert sorted(one["id"] for one in first["items"] + second["items"]) == sorted(made)
    assert second["next_cursor"] is None
    assert (bad.status_code, bad.json()["code"]) == (400, "bad_cursor")


async def test_five_plain_words_are_no_cron_expression(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        seen = await ana.post(f"{PATH}/preview", json={"text": "8 am take my pills"})

    assert seen.status_code == 200, seen.text
    assert seen.json()["content"] == "take my pills"


async def test_a_preview_sets_nothing(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        seen = await ana.post(f"{PATH}/preview", json={"text": "每天早上8点吃药", "n": 2})
        listed = await ana.get(PATH)

    assert seen.json()["times"] == ["2030-01-08T08:00:00+08:00", "2030-01-09T08:00:00+08:00"]
    assert listed.json()["items"] == []


async def test_a_series_is_paused_resumed_skipped_and_ended(doors: Doors) -> None:
    body = {"content": "吃降压药", "pattern": "0 8 * * *", "confirmation": {"required": True}}

    async with doors.client("ana") as ana:
        made = await ana.post("/api/v1/series", json=body)
        path = made.headers["location"]
        paused = await ana.post(f"{path}/pause")
        resumed = await ana.post(f"{path}/resume")
        skipped = await ana.post(f"{path}/skip")
        ended = await ana.delete(path, headers={"If-Match": "*"})

    assert made.json()["next_at"] == "2030-01-08T00:00:00.000Z"
    assert paused.json()["enabled"] is False
    assert resumed.json()["enabled"] is True
    assert skipped.json()["next_at"] == "2030-01-09T00:00:00.000Z"
    assert ended.json()["ended_at"] is not None


async def test_a_link_confirms_by_its_button_alone(doors: Doors) -> None:
    from clarion.base.ids import ContactId, ReminderId
    from clarion.reminders.links import Grant

    async with doors.client("ana") as ana, doors.client() as anybody:
        made = (await set_one(ana)).json()
        grant = Grant(ReminderId(made["id"]), ContactId("kitchen"))
        path = f"/c/{doors.links.token(grant, START + timedelta(days=1))}"
        looked = await anybody.get(path)
        before = await ana.get(f"{PATH}/{made['id']}")
        pressed = await anybody.post(path)
        after = await ana.get(f"{PATH}/{made['id']}")
        forged = await anybody.post(path[:-2] + "xx")

    assert "吃药" in looked.text
    assert before.json()["status"] == "pending"
    assert (pressed.status_code, after.json()["status"]) == (200, "confirmed")
    assert forged.status_code == 404


async def test_a_text_is_found_and_its_signs_mean_themselves(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        for content in ("Take the PILLS", "100% wool", "100 days", "吃药"):
            await set_one(ana, content=content)
        found = {
            text: [
                one["content"]
                for one in (await ana.get(PATH, params={"text": text})).json()["items"]
            ]
            for text in ("pills", "100%", "药", "")
        }
        foreign = (await bo.get(PATH, params={"text": "pills"})).json()["items"]

    assert found["pills"] == ["Take the PILLS"]
    assert found["100%"] == ["100% wool"]
    assert found["药"] == ["吃药"]
    assert len(found[""]) == 4
    assert foreign == []


async def test_an_unfinished_sentence_is_no_error(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        typed = await ana.post(f"{PATH}/preview", json={"text": "提醒我", "unfinished": True})
        refused = await ana.post(f"{PATH}/preview", json={"text": "提醒我"})

    assert (typed.status_code, typed.json()["times"]) == (200, [])
    assert typed.json()["missing"]
    assert refused.status_code == 422


async def test_who_is_not_added_yet_previews_in_the_zone_of_their_screen(doors: Doors) -> None:
    sentence = {"text": "in 1 minute remind me to drink water", "zone": "Europe/Berlin"}
    here = doors.clock.now().astimezone(ZoneInfo("Europe/Berlin")) + timedelta(minutes=1)
    async with doors.client("admin") as admin:
        new = await admin.post(f"{PATH}/preview", json={**sentence, "user_id": "me"})
        known = await admin.post(f"{PATH}/preview", json={**sentence, "user_id": "ana"})
        nowhere = {**sentence, "user_id": "me", "zone": "Europe/Nowhere"}
        refused = await admin.post(f"{PATH}/preview", json=nowhere)

    assert [new.json()["times"], new.json()["content"]] == [[here.isoformat()], "drink water"]
    assert new.json()["readback"] != known.json()["readback"]
    assert refused.status_code == 400
    assert "no time zone" in refused.json()["message"]


async def test_the_screen_s_language_decides_what_stands_on_it(doors: Doors) -> None:
    english = {"Accept-Language": "en-GB,en;q=0.9"}
    sentence = {"text": "明天早上8点提醒我吃药"}
    async with doors.client("ana") as ana:
        own = (await ana.post(f"{PATH}/preview", json=sentence)).json()["readback"]
        shown = (await ana.post(f"{PATH}/preview", json=sentence, headers=english)).json()
        made = (await ana.post(f"{PATH}/natural", json=sentence, headers=english)).json()
        listed = (await ana.get(PATH, headers=english)).json()["items"][0]["guarantee"]
        hers = (await ana.get(PATH)).json()["items"][0]["guarantee"]

    assert "明天" in own
    assert "tomorrow" in shown["readback"].lower()
    assert "tomorrow" in made["readback"].lower()
    assert "Nobody" in listed["sentence"]
    assert "没有人" in hers["sentence"]


@pytest.mark.parametrize("text", ["don't remind me at 8 tomorrow", "明天八点不要提醒我吃药"])
async def test_who_wants_no_reminder_gets_none(doors: Doors, text: str) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(f"{PATH}/natural", json={"text": text})
        listed = await ana.get(PATH)

    assert (refused.status_code, refused.json()["code"]) == (422, "no_request")
    assert listed.json()["items"] == []


@pytest.mark.parametrize("text", ["明天提醒我", "remind me tomorrow at 9"])
async def test_a_reminder_of_nothing_is_not_set(doors: Doors, text: str) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(f"{PATH}/natural", json={"text": text})
        timer = await ana.post(f"{PATH}/natural", json={"text": "set a timer for five minutes"})
        listed = await ana.get(PATH)

    assert (refused.status_code, refused.json()["code"]) == (422, "missing_content")
    assert timer.status_code == 201
    assert len(listed.json()["items"]) == 1


async def test_somebody_elses_reminder_is_theirs_or_is_refused(doors: Doors) -> None:
    said = {"text": "remind my mum to take her pills tomorrow at 8 am"}
    await doors.people.update_user(CLARION, BO, name="Mum", zone="Europe/Paris")
    async with doors.client("ana") as ana:
        refused = await ana.post(f"{PATH}/natural", json=said)
        previewed = await ana.post(f"{PATH}/preview", json=said)
        await doors.people.add_contact(CLARION, user_id=BO, name="Ana", address=f"device:{KITCHEN}")
        made = await ana.post(f"{PATH}/natural", json=said, headers={"Accept-Language": "en"})
        listed = await ana.get(PATH)

    assert (refused.status_code, refused.json()["code"]) == (422, "may_not_remind")
    assert (previewed.status_code, previewed.json()["code"]) == (422, "may_not_remind")
    assert made.status_code == 201
    body = made.json()
    assert (body["reminder"]["user_id"], body["person"]) == ("bo", "your mum")
    assert body["reminder"]["trigger_at"] == "2030-01-08T07:00:00.000Z", "eight o'clock is hers"
    assert "your mum's clock" in body["readback"]
    assert listed.json()["items"] == []


async def test_a_new_user_speaks_the_language_of_whoever_adds_them(doors: Doors) -> None:
    path = "/api/v1/users"
    async with doors.client("admin") as admin:
        english = {"Accept-Language": "en-GB,en;q=0.9"}
        told = await admin.post(path, json={"id": "eve"}, headers=english)
        chosen = await admin.post(path, json={"id": "liu", "language": "zh"}, headers=english)

    assert (told.json()["language"], chosen.json()["language"]) == ("en", "zh")
