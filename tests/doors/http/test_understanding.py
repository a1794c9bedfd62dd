"""What an utterance means, over REST: the same reader as everywhere, and nothing is set."""

import pytest

from tests.support.doors import Doors

PATH = "/api/v1/understand"


@pytest.mark.parametrize(
    ("context", "utterance", "intent", "kind"),
    [
        ("ring:吃药", "吃过了", "answer", "done"),
        ("idle", "救命", "distress", None),
        ("idle", "明天早上八点提醒我吃药", "create", None),
        ("asked:几点提醒您？", "五分钟后", "fill", None),
    ],
)
async def test_a_program_asks_what_somebody_means(
    doors: Doors, context: str, utterance: str, intent: str, kind: str | None
) -> None:
    async with doors.client("ana") as ana:
        said = await ana.post(PATH, json={"context": context, "utterance": utterance})
        listed = await ana.get("/api/v1/reminders")

    assert said.status_code == 200, said.text
    assert (said.json()["intent"], said.json()["kind"]) == (intent, kind)
    assert listed.json()["items"] == []


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"utterance": 1},
        {"utterance": "好", "context": "elsewhere"},
        {"utterance": "好" * 2_001},
    ],
)
async def test_what_cannot_be_read_is_refused(doors: Doors, body: dict[str, object]) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json=body)

    assert refused.status_code == 422
    assert refused.json()["code"]


async def test_any_token_may_ask_and_nobody_else(doors: Doors) -> None:
    asked = {"utterance": "吃过了", "context": "ring:吃药"}
    async with doors.client() as nobody, doors.client("kitchen") as device:
        statuses = [(await who.post(PATH, json=asked)).status_code for who in (nobody, device)]

    assert statuses == [401, 200]
