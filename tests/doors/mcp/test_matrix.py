"""Every tool and every kind of caller: a tool that is in no row fails the test.

The tools are those that an admin is shown, so whoever adds one has to say here whose it is.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.people.model import CLARION
from tests.support.assistant import ERAS, Assistant, over_http
from tests.support.clock import START, ManualClock
from tests.support.doors import ANA, Doors, open_doors

HERS, HER_QUESTION = "hers", "her question"
AT = (START + timedelta(hours=3)).isoformat()
OWN: dict[str, dict[str, Any]] = {
    "reminder_create": {"content": "x", "trigger_at": AT, "user_id": "ana"},
    "reminder_create_natural": {"text": "明天早上8点提醒我吃药", "user_id": "ana"},
    "reminder_create_recurring": {"content": "x", "pattern": "0 8 * * *", "user_id": "ana"},
    "reminder_list": {"user_id": "ana"},
    "reminder_get": {"reminder_id": HERS},
    "reminder_update": {"reminder_id": HERS, "content": "y"},
    "reminder_snooze": {"reminder_id": HERS, "duration": 60},
    "reminder_confirm": {"reminder_id": HERS},
    "reminder_cancel": {"reminder_id": HERS},
    "ask_person": {"text": "Lunch?", "user_id": "ana"},
    "question_result": {"question_id": HER_QUESTION},
}
"""On something of Ana's: for her and for admins. What names no reminder of hers names her."""
ADMINS: dict[str, dict[str, Any]] = {
    "task_list": {},
    "task_replay": {"task_id": "none"},
    "team_list": {},
    "dispatch_generate_scheme": {"event_id": "none"},
}
REFUSED = {"forbidden", "no_such_reminder", "no_such_question", "bad_arguments"}


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, requests_per_second=0) as opened:
        yield opened


async def code_of(who: Assistant, tool: str, arguments: dict[str, Any]) -> str:
    """What it was refused with; nothing when it was done."""
    answer = await who.client.call_tool(tool, arguments)
    return str((await who.refused(tool, **arguments))["code"]) if answer.is_error else ""


async def test_no_tool_is_forgotten(doors: Doors) -> None:
    async with over_http(doors.url, doors.tokens["admin"], ERAS[1]) as admin:
        listed = {tool.name for tool in (await admin.client.list_tools()).tools}

    assert listed - OWN.keys() - ADMINS.keys() == set()
    assert (OWN.keys() | ADMINS.keys()) - listed == set(), "rows about tools that are gone"


async def test_what_is_anas_is_hers_and_the_admins(doors: Doors) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], ERAS[1]) as ana,
        over_http(doors.url, doors.tokens["bo"], ERAS[1]) as bo,
        over_http(doors.url, doors.tokens["admin"], ERAS[1]) as admin,
    ):
        await doors.people.add_contact(
            CLARION, user_id=ANA, name="Sue", address="json://sue.invalid"
        )
        question = await ana.call("ask_person", text="Tea?")
        for tool, arguments in OWN.items():
            made = await ana.call("reminder_create", content=f"pills {tool}", trigger_at=AT)
            things = {HERS: made["reminder"]["id"], HER_QUESTION: question["question_id"]}
            named = {key: things.get(value, value) for key, value in arguments.items()}
            before = await ana.call("reminder_list")

            assert await code_of(bo, tool, named) in REFUSED, tool
            assert await ana.call("reminder_list") == before, tool
            assert await code_of(admin, tool, named) == "", tool


async def test_what_is_for_admins_is_for_nobody_else(doors: Doors) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], ERAS[1]) as ana,
        over_http(doors.url, doors.tokens["admin"], ERAS[1]) as admin,
    ):
        for tool, arguments in ADMINS.items():
            assert await code_of(ana, tool, arguments) == "forbidden", tool
            assert await code_of(admin, tool, arguments) != "forbidden", tool


async def test_who_has_no_token_of_a_person_sees_no_tool(doors: Doors) -> None:
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    async with doors.client() as nobody, doors.client("kitchen") as device:
        answers = [(await one.post("/mcp", json=asked)).status_code for one in (nobody, device)]

    assert set(answers) <= {401, 403}
