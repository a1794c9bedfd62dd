"""An assistant asks a person, gets a ticket, and reads the answer."""

from clarion.base.ids import ContactId
from clarion.people.access import CLARION
from clarion.questions.asking import answered
from clarion.questions.model import QuestionId
from clarion.store.sql.questions import SqlQuestions
from tests.support.assistant import over_http
from tests.support.doors import ANA, Doors

MODERN = "2026-07-28"


async def test_ask_person_gives_a_ticket_and_question_result_the_answer(doors: Doors) -> None:
    husband = await doors.people.add_contact(
        CLARION, user_id=ANA, name="husband", address="json://husband.invalid"
    )
    store, now = SqlQuestions(doors.parts.database), doors.clock.now()
    async with over_http(doors.url, doors.tokens["ana"], MODERN, profile="people") as ana:
        listed = {tool.name for tool in (await ana.client.list_tools()).tools}
        put = await ana.call("ask_person", text="Do you pick up the kids?", people=["husband"])
        before = await ana.call("question_result", question_id=put["question_id"])
        name = QuestionId(put["question_id"])
        by = ContactId(husband.id)
        await store.change(name, lambda one: answered(one, by, "好", now), now)
        after = await ana.call("question_result", question_id=name)

    assert {"ask_person", "question_result", "reminder_create"} <= listed
    assert (put["status"], before["status"]) == ("open", "open")
    assert (after["status"], after["answer"], after["answered_by"]) == ("answered", "好", "husband")
    assert after["answered_at"]


async def test_an_assistant_of_somebody_else_reads_nothing(doors: Doors) -> None:
    await doors.people.add_contact(CLARION, user_id=ANA, name="Sue", address="json://sue.invalid")
    async with (
        over_http(doors.url, doors.tokens["ana"], MODERN, profile="people") as ana,
        over_http(doors.url, doors.tokens["bo"], MODERN) as bo,
    ):
        put = await ana.call("ask_person", text="Lunch?")
        refused = await bo.refused("question_result", question_id=put["question_id"])
        nobody = await ana.refused("ask_person", text="Lunch?", people=["Eve"])

    assert refused["code"] == "no_such_question"
    assert nobody["code"] == "nobody_to_ask"
