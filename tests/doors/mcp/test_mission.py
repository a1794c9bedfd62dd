"""The whole mission over MCP, with the official client, in both eras of the protocol."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import Tool

from tests.support.assistant import ERAS, over_http
from tests.support.clock import START
from tests.support.doors import ANA, Doors

SENTENCE = "明天早上8点提醒我吃药，要确认"


async def test_words_become_a_reminder_that_is_listed_put_off_and_confirmed(
    doors: Doors, era: str
) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        made = await ana.call("reminder_create_natural", text=SENTENCE, device_id="kitchen")
        name = made["reminder"]["id"]
        listed = await ana.call("reminder_list", status=["pending", "triggered"])
        later = await ana.call("reminder_snooze", reminder_id=name, duration=300)
        done = await ana.call("reminder_confirm", reminder_id=name)
        again = await ana.call("reminder_confirm", reminder_id=name)

    assert made["reminder"]["content"] == "吃药"
    assert made["reminder"]["trigger_at"] == "2030-01-08T08:00:00+08:00"
    assert made["reminder"]["confirmation"]["required"] is True
    assert "早上8点" in made["said"]
    assert [one["id"] for one in listed["items"]] == [name]
    assert later["reminder"]["trigger_at"] == "2030-01-07T16:05:00+08:00"
    assert "下午4点零5分" in later["said"]
    assert done["reminder"]["status"] == again["reminder"]["status"] == "confirmed"


async def test_no_result_says_a_time_twice(doors: Doors, era: str) -> None:
    """An assistant reads out `said`: "8点，早上8点" is heard as two times."""
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        once = await ana.call("reminder_create_natural", text=SENTENCE)
        daily = await ana.call("reminder_create_natural", text="每天晚上9点提醒我量血压")
        name = once["reminder"]["id"]
        seven = "2030-01-08T07:00:00+08:00"
        moved = await ana.call("reminder_update", reminder_id=name, trigger_at=seven)
        later = await ana.call("reminder_snooze", reminder_id=name, duration=300)

    for said, clock in ((once, "8点"), (daily, "9点"), (moved, "7点"), (later, "4点")):
        assert said["said"].count(clock) == 1, said["said"]


async def test_the_four_examples_of_the_specification_run(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["admin"], era) as admin:
        once = await admin.call(
            "reminder.create_natural", user_id="user123", text="明天早上8点提醒我吃药，要确认"
        )
        series = await admin.call(
            "reminder.create_recurring",
            user_id="user123",
            content="吃降压药",
            pattern="0 8 * * *",
            confirmation={"required": True, "retry_interval": 60, "max_retries": 3},
        )
        listed = await admin.call(
            "reminder.list", user_id="user123", status=["pending", "triggered"]
        )
        snoozed = await admin.call(
            "reminder.snooze", reminder_id=once["reminder"]["id"], duration=300
        )

    assert once["reminder"]["confirmation"]["required"] is True
    assert series["series"]["next_at"] == "2030-01-08T08:00:00+08:00"
    assert series["series"]["confirmation"]["max_retries"] == 3
    assert len(listed["items"]) == 2
    assert snoozed["reminder"]["trigger_at"] == "2030-01-07T16:05:00+08:00"


async def test_a_missing_time_is_asked_for(doors: Doors, era: str) -> None:
    token = doors.tokens["ana"]
    async with over_http(doors.url, token, era, answers_with="明天下午3点") as ana:
        made = await ana.call("reminder_create_natural", text="提醒我给妈妈打电话，要确认")

    assert len(ana.asked) == 1
    assert made["reminder"]["content"] == "给妈妈打电话"
    assert made["reminder"]["trigger_at"] == "2030-01-08T15:00:00+08:00"
    assert made["reminder"]["confirmation"]["required"] is True


async def test_an_exact_time_that_was_left_out_is_asked_for(doors: Doors, era: str) -> None:
    token = doors.tokens["ana"]
    async with over_http(doors.url, token, era, answers_with="every day at 20:00") as ana:
        made = await ana.call("reminder_create", content="water the plants")

    assert len(ana.asked) == 1
    assert made["series"]["next_at"] == "2030-01-07T20:00:00+08:00"


async def test_who_cannot_ask_is_told_to(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        natural = await ana.refused("reminder_create_natural", text="提醒我给妈妈打电话")
        exact = await ana.refused("reminder_create", content="喝水")

    assert natural["code"] == exact["code"] == "missing_time"
    assert natural["hint"]
    assert exact["hint"].startswith("Ask the person when")


async def test_refusals_have_a_code_and_a_hint(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        nowhere = await ana.refused("reminder_get", reminder_id="rem_none")
        naive = await ana.refused(
            "reminder_create", content="喝水", trigger_at="2030-01-08T08:00:00"
        )
        past = await ana.refused(
            "reminder_create", content="喝水", trigger_at="2020-01-08T08:00:00Z"
        )
        impossible = await ana.refused("reminder_create_natural", text="2月30日提醒我吃药")

    assert nowhere["code"] == "no_such_reminder"
    assert (naive["code"], "Asia/Shanghai" in naive["hint"]) == ("bad_input", True)
    assert past["code"] == "time_past"
    assert impossible["code"] == "impossible_time"


async def test_a_misspelt_argument_is_not_lost(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        result = await ana.client.call_tool("reminder_list", {"staus": ["pending"]})

    assert result.is_error
    assert "staus" in result.content[0].text  # type: ignore[union-attr]


async def test_changing_and_cancelling(doors: Doors, era: str) -> None:
    at = (START + timedelta(hours=2)).isoformat()

    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        made = await ana.call("reminder_create", content="喝水", trigger_at=at)
        name = made["reminder"]["id"]
        changed = await ana.call("reminder_update", reminder_id=name, content="散步")
        gone = await ana.call("reminder_cancel", reminder_id=name)
        over = await ana.refused("reminder_update", reminder_id=name, content="睡觉")
        series = await ana.call("reminder_create_recurring", content="跑步", pattern="每天早上7点")
        ended = await ana.call("reminder_cancel", reminder_id=series["series"]["id"])

    assert changed["reminder"]["content"] == "散步"
    assert gone["reminder"]["status"] == "cancelled"
    assert over["code"] == "not_pending"
    assert ended["series"]["next_at"] is None


async def test_a_key_sets_nothing_twice(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        first = await ana.call("reminder_create_natural", text=SENTENCE, idempotency_key="k")
        again = await ana.call("reminder_create_natural", text=SENTENCE, idempotency_key="k")
        listed = await ana.call("reminder_list")

    assert again["reminder"]["id"] == first["reminder"]["id"]
    assert len(listed["items"]) == 1


async def test_the_day_is_reviewed_and_the_list_is_read(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        made = await ana.call("reminder_create_natural", text="今天晚上8点提醒我吃药")
        prompt = await ana.client.get_prompt("daily_review")
        upcoming = await ana.client.read_resource("reminders://upcoming/ana")
        one = await ana.client.read_resource(f"reminder://{made['reminder']['id']}")
        listed = await ana.client.list_resources()

    assert "吃药" in prompt.messages[0].content.text  # type: ignore[union-attr]
    assert "吃药" in upcoming.contents[0].text  # type: ignore[union-attr]
    assert made["reminder"]["id"] in one.contents[0].text  # type: ignore[union-attr]
    assert [str(each.uri) for each in listed.resources] == ["reminders://upcoming/ana"]


async def test_bo_can_neither_read_nor_change_what_is_anas(doors: Doors, era: str) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], era) as ana,
        over_http(doors.url, doors.tokens["bo"], era) as bo,
    ):
        name = (await ana.call("reminder_create_natural", text=SENTENCE))["reminder"]["id"]
        codes = [
            (await bo.refused(tool, reminder_id=name, **more))["code"]
            for tool, more in FOREIGN.items()
        ]
        listed = await bo.call("reminder_list")
        named = await bo.refused("reminder_list", user_id=ANA)
        own = await ana.call("reminder_get", reminder_id=name)

    assert set(codes) == {"no_such_reminder"}
    assert listed["items"] == []
    assert named["code"] == "forbidden"
    assert own["reminder"]["status"] == "pending"


FOREIGN: dict[str, dict[str, Any]] = {
    "reminder_get": {},
    "reminder_update": {"content": "x"},
    "reminder_cancel": {},
    "reminder_snooze": {"duration": 60},
    "reminder_confirm": {},
}


@pytest.mark.parametrize("address", ["reminder://{name}", "reminders://upcoming/ana"])
async def test_bo_cannot_read_anas_resources(doors: Doors, era: str, address: str) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], era) as ana,
        over_http(doors.url, doors.tokens["bo"], era) as bo,
    ):
        name = (await ana.call("reminder_create_natural", text=SENTENCE))["reminder"]["id"]

        with pytest.raises(MCPError):
            await bo.client.read_resource(address.format(name=name))


async def test_only_admins_see_and_use_the_queue(doors: Doors, era: str) -> None:
    async with (
        over_http(doors.url, doors.tokens["ana"], era) as ana,
        over_http(doors.url, doors.tokens["admin"], era) as admin,
    ):
        hers = await ana.client.list_tools()
        all_of_them = await admin.client.list_tools()
        refused = await ana.refused("task_list")
        dead = await admin.call("task_list")

    assert len(hers.tools) == 11
    assert all("user_id" not in tool.input_schema["properties"] for tool in hers.tools)
    assert {tool.name for tool in all_of_them.tools} - {tool.name for tool in hers.tools} == {
        *("task_list", "task_replay", "dispatch_generate_scheme", "team_list")
    }
    assert refused["code"] == "forbidden"
    assert dead["items"] == []


async def test_an_admin_sends_the_nearest_team(doors: Doors) -> None:
    place = {"latitude": 31.23, "longitude": 121.47}
    async with (
        doors.client("admin") as rest,
        over_http(doors.url, doors.tokens["admin"], ERAS[1]) as admin,
        over_http(doors.url, doors.tokens["ana"], ERAS[1]) as ana,
    ):
        team = {"id": "medics", "name": "Medics", "place": place, "capabilities": {"medical": 1}}
        event = {"id": "evt_1", "type": "medical", "place": place}
        needs = [{"capability": "medical", "amount": 1}]
        added = await rest.post("/ai/teams", json=team)
        reported = await rest.post("/ai/events", json={**event, "needs": needs})
        sent = await admin.call("dispatch_generate_scheme", event_id="evt_1", wait=8)
        teams = await admin.call("team_list", status=["deployed"])
        refused = await ana.refused("team_list")

    assert (added.status_code, reported.status_code) == (201, 201), reported.text
    assert (sent["status"], sent["teams"]) == ("done", ["medics"])
    assert [one["id"] for one in teams["items"]] == ["medics"]
    assert refused["code"] == "forbidden"


async def test_every_tool_says_what_it_does(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["admin"], era) as admin:
        tools = (await admin.client.list_tools()).tools

    for tool in tools:
        assert tool.annotations is not None
        assert None not in (
            tool.annotations.read_only_hint,
            tool.annotations.destructive_hint,
            tool.annotations.idempotent_hint,
            tool.annotations.open_world_hint,
        )
        assert tool.output_schema
        assert len(tool.name) <= 40
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False


async def test_bad_arguments_are_said_in_a_sentence(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        late = await ana.refused("reminder_snooze", reminder_id="rem_1", duration=-1)
        typo = await ana.refused("reminder_create_natural", txt="明天8点吃药")

    assert (late["code"], typo["code"]) == ("bad_arguments", "bad_arguments")
    assert late["detail"].startswith("The arguments of reminder_snooze cannot be used. duration: ")
    assert "text: Field required" in typo["detail"]
    assert "text, device_id" in typo["hint"]
    assert "pydantic" not in typo["detail"]


async def test_a_question_that_is_declined_is_a_refusal_to_read(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era, answers_with="") as ana:
        refused = await ana.refused("reminder_create_natural", text="提醒我给妈妈打电话")

    assert len(ana.asked) == 1
    assert (refused["code"], "Nothing was set" in refused["hint"]) == ("not_answered", True)


async def test_the_list_of_tools_is_short(doors: Doors, era: str) -> None:
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        tools = (await ana.client.list_tools()).tools
    async with over_http(doors.url, doors.tokens["ana"], era, profile="voice") as speaker:
        voice = (await speaker.client.list_tools()).tools
        told = await speaker.call("reminder_create_natural", text="明天早上8点提醒我吃药")

    assert len(listed(tools)) <= 12_000
    assert len(listed(voice)) <= 6_000
    assert len(voice) <= 6
    assert all("\u4e00" <= (tool.description or "")[0] <= "\u9fff" for tool in voice)
    assert "吃药" in told["said"]


def listed(tools: list[Tool]) -> bytes:
    """As it goes over the wire."""
    shown = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


async def test_what_a_host_repeats_is_set_once(doors: Doors, era: str) -> None:
    """A speaker that hears no answer sends the same call up to three times."""
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:

        async def create() -> str:
            made = await ana.call("reminder_create_natural", text="五分钟后提醒我关火")
            return str(made["reminder"]["id"])

        thrice = await asyncio.gather(create(), create(), create())
        await ana.call("reminder_cancel", reminder_id=thrice[0])
        meant = await create()
        doors.clock.advance(timedelta(seconds=31))
        later = await create()
        listed = await ana.call("reminder_list", status=["pending"])

    assert len(set(thrice)) == 1
    assert len({thrice[0], meant, later}) == 3
    assert len(listed["items"]) == 2
