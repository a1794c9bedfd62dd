"""Rules of chats over the API: whatever a platform calls its chats, they can be named."""

from pathlib import Path

import pytest

from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.matrix_double import ANA, matrix_double
from tests.support.matrix_double import TOKEN as MATRIX_TOKEN
from tests.support.telegram_double import TOKEN, telegram_double

TOPIC = "telegram:-100123#5"
ROOM = "matrix:!OGEhHVWSdvArJzumhm:example.org"
PERSON = "matrix:@ana=x/y:example.org"


@pytest.mark.parametrize("target", [TOPIC, ROOM])
async def test_a_topic_and_a_room_are_chats_like_others(
    tmp_path: Path, clock: ManualClock, target: str
) -> None:
    filters = {"senders": [PERSON]}
    rule = {"chat_id": ROOM if target is TOPIC else "console:main", "targets": [target]}
    trial = {"text": "fire", "targets": [target], "filters": filters, "sender": PERSON}
    async with telegram_double() as telegram, matrix_double(clock) as matrix:
        telegram.chats[-100123] = {"id": -100123, "type": "supergroup"}
        telegram.members[-100123, 42] = "member"
        matrix.room(ROOM.partition(":")[2], ANA)
        settings = {
            "telegram_token": TOKEN,
            "telegram_api_url": telegram.base_url,
            "matrix_url": matrix.url,
            "matrix_token": MATRIX_TOKEN,
        }
        opened = open_doors(tmp_path, clock, by_hand=True, **settings)
        async with opened as doors, doors.client("admin") as admin:
            made = await admin.post("/api/v1/rules", json={**rule, "filters": filters})
            tried = await admin.post("/api/v1/rules/try", json=trial)

    assert made.json()["targets"] == [target]
    assert tried.json()["goes_to"] == [target]


@pytest.mark.parametrize("target", ["", "a b", "#5", "telegram:1\n", "x" * 129])
async def test_what_can_be_no_chat_is_refused(doors: Doors, target: str) -> None:
    async with doors.client("admin") as admin:
        rule = {"chat_id": "console:main", "targets": [target]}
        refused = await admin.post("/api/v1/rules", json=rule)

    assert refused.status_code == 422


async def test_a_name_with_an_at_is_nobody_and_no_chat(doors: Doors) -> None:
    wrong = ({"filters": {"senders": ["@ana"]}}, {"targets": ["console:@desk"]})
    async with doors.client("admin") as admin:
        refused = [
            (await admin.post("/api/v1/rules", json={"chat_id": "console:main", **one})).json()
            for one in wrong
        ]
        listed = await admin.get("/api/v1/rules")

    assert "Nobody writes as @ana" in refused[0]["message"]
    assert "a chat is named such as console:main" in refused[1]["message"]
    assert listed.json()["items"] == []


async def test_a_target_where_nothing_is_set_up_is_refused_in_words(doors: Doors) -> None:
    rule = {"chat_id": "console:main", "targets": [TOPIC]}
    async with doors.client("admin") as admin:
        refused = await admin.post("/api/v1/rules", json=rule)
        chinese = await admin.post("/api/v1/rules", json=rule, headers={"Accept-Language": "zh"})
        listed = await admin.get("/api/v1/rules")

    assert (refused.status_code, refused.json()["code"]) == (422, "chat_bad_target")
    assert "'telegram' is not set up here" in refused.json()["message"]
    assert "没有接入 telegram" in chinese.json()["message"]
    assert listed.json()["items"] == []
