"""An assistant asks a person, gets a ticket or a task, and reads the answer."""

import json
from typing import Any

import httpx
from mcp_types import INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY

from clarion.base.ids import ContactId
from clarion.people.model import CLARION
from clarion.questions.asking import answered
from clarion.questions.model import QuestionId
from clarion.store.sql.questions import SqlQuestions
from tests.support.assistant import over_http
from tests.support.doors import ANA, Doors

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
TASKS = "io.modelcontextprotocol/tasks"


async def befriend(doors: Doors) -> ContactId:
    made = await doors.people.add_contact(
        CLARION, user_id=ANA, name="husband", address="json://husband.invalid"
    )
    return ContactId(made.id)


async def husband_says(doors: Doors, name: str, by: ContactId, answer: str) -> None:
    store, now = SqlQuestions(doors.parts.database), doors.clock.now()
    await store.change(QuestionId(name), lambda one: answered(one, by, answer, now), now)


async def test_ask_person_gives_a_ticket_and_question_result_the_answer(
    doors: Doors, era: str
) -> None:
    by = await befriend(doors)
    async with over_http(doors.url, doors.tokens["ana"], era) as ana:
        listed = {tool.name for tool in (await ana.client.list_tools()).tools}
        put = await ana.call("ask_person", text="Do you pick up the kids?", people=["husband"])
        again = await ana.call("ask_person", text="Do you pick up the kids?", people=["husband"])
        before = await ana.call("question_result", question_id=put["question_id"])
        await husband_says(doors, put["question_id"], by, "好")
        after = await ana.call("question_result", question_id=put["question_id"])

    assert {"ask_person", "question_result", "reminder_create"} <= listed
    assert (put["status"], before["status"]) == ("open", "open")
    assert again["question_id"] == put["question_id"], "a host that repeats itself asks once"
    assert (after["status"], after["answer"], after["answered_by"]) == ("answered", "好", "husband")
    assert (after["said"], bool(after["answered_at"])) == ("husband回答：好", True)


async def test_an_assistant_of_somebody_else_reads_nothing(doors: Doors) -> None:
    await befriend(doors)
    async with (
        over_http(doors.url, doors.tokens["ana"], MODERN) as ana,
        over_http(doors.url, doors.tokens["bo"], MODERN) as bo,
    ):
        put = await ana.call("ask_person", text="Lunch?")
        refused = await bo.refused("question_result", question_id=put["question_id"])
        nobody = await ana.refused("ask_person", text="Lunch?", people=["Eve"])

    assert refused["code"] == "no_such_question"
    assert nobody["code"] == "nobody_to_ask"


class WaitingHost:
    """A host with the tasks extension, in plain messages: what it sends and what it gets."""

    def __init__(self, doors: Doors, who: str, *, knows_tasks: bool = True) -> None:
        self._doors = doors
        self._token = doors.tokens[who]
        declared: dict[str, Any] = {TASKS: {}} if knows_tasks else {}
        self._meta = {
            f"{META}protocolVersion": MODERN,
            f"{META}clientInfo": {"name": "host", "version": "1"},
            f"{META}clientCapabilities": {"extensions": declared},
        }

    async def sends(self, method: str, **params: Any) -> dict[str, Any]:
        headers = {
            "Authorization": f"Bearer {self._token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": method,
            "Mcp-Name": params.get("name") or params.get("taskId") or "",
        }
        params["_meta"] = self._meta
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        async with httpx.AsyncClient(timeout=30) as http:
            answer = await http.post(f"{self._doors.url}/mcp", json=body, headers=headers)
        text = answer.text
        if "data:" in text:
            text = [line for line in text.splitlines() if line.startswith("data:")][-1][5:]
        told: dict[str, Any] = json.loads(text)
        return told

    async def asks(self, text: str) -> dict[str, Any]:
        told = await self.sends("tools/call", name="ask_person", arguments={"text": text})
        result: dict[str, Any] = told["result"]
        return result


async def test_a_host_with_tasks_waits_for_the_answer_itself(doors: Doors) -> None:
    by = await befriend(doors)
    host = WaitingHost(doors, "ana")
    task = await host.asks("Lunch?")
    working = (await host.sends("tasks/get", taskId=task["taskId"]))["result"]
    await husband_says(doors, task["taskId"], by, "好")
    done = (await host.sends("tasks/get", taskId=task["taskId"]))["result"]

    assert (task["resultType"], task["status"], "result" in task) == ("task", "working", False)
    assert (working["status"], working["resultType"]) == ("working", "complete")
    assert done["status"] == "completed"
    assert done["result"]["structuredContent"]["answer"] == "好"
    assert done["result"]["content"][0]["text"].startswith("husband回答：好")


async def test_a_host_takes_a_question_back_as_a_task(doors: Doors) -> None:
    await befriend(doors)
    host = WaitingHost(doors, "ana")
    task = await host.asks("Lunch?")
    acks = [(await host.sends("tasks/cancel", taskId=task["taskId"]))["result"] for _ in "12"]
    after = (await host.sends("tasks/get", taskId=task["taskId"]))["result"]

    assert [one["resultType"] for one in acks] == ["complete", "complete"]
    assert (after["status"], "result" in after) == ("cancelled", False)


async def test_a_task_is_its_owners_alone_and_needs_the_extension(doors: Doors) -> None:
    await befriend(doors)
    task = await WaitingHost(doors, "ana").asks("Lunch?")
    strangers = WaitingHost(doors, "bo")
    verbs = ("tasks/get", "tasks/cancel", "tasks/update")
    foreign = [await strangers.sends(verb, taskId=task["taskId"]) for verb in verbs]
    plain = WaitingHost(doors, "ana", knows_tasks=False)
    without = [await plain.sends(verb, taskId=task["taskId"]) for verb in verbs]
    ticket = await plain.asks("Dinner?")

    assert [one["error"]["code"] for one in foreign] == [INVALID_PARAMS] * 3
    assert [one["error"]["code"] for one in without] == [MISSING_REQUIRED_CLIENT_CAPABILITY] * 3
    assert ticket["structuredContent"]["status"] == "open"
