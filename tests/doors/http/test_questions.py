"""Questions as programs and people meet them: REST, the page with its buttons."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.base.ids import ContactId
from clarion.people.model import CLARION
from clarion.questions.model import QuestionId
from clarion.questions.service import Questions
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.idempotency import GIVEN_UP_AFTER, SqlAnswers
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.questions import SqlQuestions
from tests.support.clock import ManualClock
from tests.support.doors import ANA, Doors, open_doors

FROM_NOWHERE = {"Origin": "null"}


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    """Nothing is sent: the addresses here are nobody's."""
    async with open_doors(tmp_path, clock, by_hand=True) as opened:
        yield opened


async def asked(doors: Doors, client: httpx.AsyncClient) -> tuple[dict[str, Any], str]:
    """A question to Sue, and her link."""
    sue = await doors.people.add_contact(CLARION, user_id=ANA, name="Sue", address="json://sue")
    body = {"text": "Deploy <now>?", "answers": ["Go", "Wait"], "people": ["sue"]}
    made = await client.post("/api/v1/questions", json=body, headers={"Idempotency-Key": "1"})
    again = await client.post("/api/v1/questions", json=body, headers={"Idempotency-Key": "1"})
    assert (made.status_code, again.json()["id"]) == (201, made.json()["id"])
    key = await doors.parts.database.write(secret, "questions")
    store, people = SqlQuestions(doors.parts.database), SqlPeople(doors.parts.database)
    verbs = Questions(store, people, None, doors.clock, key=key, address="")  # type: ignore[arg-type]  # it only links
    question = await store.get(QuestionId(made.json()["id"]))
    assert question is not None
    return made.json(), verbs.link(question, ContactId(sue.id))


async def test_a_program_asks_and_reads_who_said_what_and_when(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made, link = await asked(doors, ana)
        page = await sue.get(link)
        await sue.post(link, data={"answer": "Wait"}, headers=FROM_NOWHERE)
        found = (await ana.get(f"/api/v1/questions/{made['id']}")).json()
        listed = (await ana.get("/api/v1/questions")).json()["items"]

    assert "Deploy &lt;now&gt;?" in page.text
    assert ">Go</button>" in page.text
    assert (found["status"], found["answer"], found["answered_by_name"]) == (
        "answered",
        "Wait",
        "Sue",
    )
    assert found["answered_at"]
    assert [one["id"] for one in listed] == [made["id"]]


async def test_a_key_whose_server_died_before_it_answered_asks_once(
    doors: Doors, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        raise ConnectionError

    body = {"text": "Deploy now?", "people": ["sue"]}
    key = {"Idempotency-Key": "build-117"}
    await doors.people.add_contact(CLARION, user_id=ANA, name="Sue", address="json://sue")
    async with doors.client("ana") as ana:
        with monkeypatch.context() as dying:
            dying.setattr(SqlAnswers, "finish", die)
            lost = await ana.post("/api/v1/questions", json=body, headers=key)
        doors.clock.advance(GIVEN_UP_AFTER)
        later = await ana.post("/api/v1/questions", json=body, headers=key)
        listed = (await ana.get("/api/v1/questions")).json()["items"]

    assert (lost.status_code, later.status_code) == (500, 201)
    assert [one["id"] for one in listed] == [later.json()["id"]]


@pytest.mark.parametrize("how", ["removed", "expired"])
async def test_a_link_that_is_not_good_shows_nothing_and_answers_nothing(
    doors: Doors, how: str
) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made, link = await asked(doors, ana)

        async def tried(wrong: str) -> list[httpx.Response]:
            return [await sue.get(wrong), await sue.post(wrong, data={"answer": "Go"})]

        pages = await tried(f"{link[:-4]}AAAA") + await tried(link.replace("/q/", "/i/"))
        if how == "expired":
            doors.clock.advance(timedelta(days=2))
        else:
            [contact] = (await ana.get("/api/v1/contacts")).json()["items"]
            await ana.delete(f"/api/v1/contacts/{contact['id']}")
        pages += await tried(link)
        found = (await ana.get(f"/api/v1/questions/{made['id']}")).json()

    assert {page.status_code for page in pages} == {404}
    assert all("Deploy" not in page.text for page in pages)
    assert found["answer"] is None


async def test_a_link_that_is_used_again_shows_the_first_answer(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made, link = await asked(doors, ana)
        await sue.post(link, data={"answer": "Wait"})
        page = await sue.get(link)
        again = await sue.post(link, data={"answer": "Go"})
        found = (await ana.get(f"/api/v1/questions/{made['id']}")).json()

    assert "<button" not in page.text
    assert "Wait" in page.text
    assert "Wait" in again.text or again.status_code == 409
    assert found["answer"] == "Wait"


async def test_a_question_is_taken_back(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made, link = await asked(doors, ana)
        over = await ana.post(f"/api/v1/questions/{made['id']}/cancel")
        late = await sue.post(link, data={"answer": "Go"})

    assert over.json()["status"] == "cancelled"
    assert late.status_code == 409
