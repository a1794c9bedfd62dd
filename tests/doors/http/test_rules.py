"""Rules of chats over the API: whatever a platform calls its chats, they can be named."""

import pytest

from tests.support.doors import Doors

TOPIC = "telegram:-100123#5"
ROOM = "matrix:!OGEhHVWSdvArJzumhm:example.org"
PERSON = "matrix:@ana=x/y:example.org"


@pytest.mark.parametrize("target", [TOPIC, ROOM])
async def test_a_topic_and_a_room_are_chats_like_others(doors: Doors, target: str) -> None:
    filters = {"senders": [PERSON]}
    async with doors.client("admin") as admin:
        rule = {"chat_id": ROOM if target is TOPIC else "console:main", "targets": [target]}
        made = await admin.post("/api/v1/rules", json={**rule, "filters": filters})
        trial = {"text": "fire", "targets": [target], "filters": filters, "sender": PERSON}
        tried = await admin.post("/api/v1/rules/try", json=trial)

    assert made.json()["targets"] == [target]
    assert tried.json()["goes_to"] == [target]


@pytest.mark.parametrize("target", ["", "a b", "#5", "telegram:1\n", "x" * 129])
async def test_what_can_be_no_chat_is_refused(doors: Doors, target: str) -> None:
    async with doors.client("admin") as admin:
        rule = {"chat_id": "console:main", "targets": [target]}
        refused = await admin.post("/api/v1/rules", json=rule)

    assert refused.status_code == 422
