"""Routes about questions: ask people in an order until one answers, and read the answer."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from clarion.doors.http.auth import Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    Id,
    Instant,
    Key,
    Limit,
    OnceOnly,
    Shape,
    answer_json,
    answer_made,
    refusals,
    shaped,
)
from clarion.questions.model import PutQuestion, QuestionId, QuestionStatus
from clarion.questions.service import WAIT, Questions

Words = Annotated[str, Field(min_length=1, max_length=60)]
Person = Annotated[str, Field(min_length=1, max_length=128)]


class QuestionIn(Shape):
    text: str = Field(min_length=1, max_length=500, examples=["Shall I deploy now?"])
    answers: list[Words] = Field(
        default_factory=list, max_length=6, description="Left out: yes and no."
    )
    people: list[Person] = Field(
        default_factory=list,
        max_length=20,
        description="Contacts by name or id, in this order. Left out: the whole ladder.",
    )
    wait: int = Field(WAIT, ge=10, description="Seconds until the next one is asked as well.")
    deadline: Instant | None = Field(None, description="Left out: in an hour.")
    user_id: Id | None = Field(None, description="For admin tokens: whose contacts are asked.")


class AskedOut(Shape):
    contact_id: str
    at: str


class QuestionOut(Shape):
    id: str
    user_id: str
    text: str
    answers: list[str]
    people: list[str]
    wait: int
    deadline: str
    created_at: str
    status: QuestionStatus
    asked: list[AskedOut] = Field(description="Who was told so far.")
    answer: str | None
    answered_by: str | None = Field(description="The contact's id.")
    answered_by_name: str
    answered_at: str | None


class QuestionPage(Shape):
    items: list[QuestionOut]
    next_cursor: str | None


def question_routes(questions: Questions, once: OnceOnly) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/questions", tags=["questions"])

    @router.post(
        "",
        response_model=QuestionOut,
        status_code=HTTPStatus.CREATED,
        summary="Ask people, in this order, until one answers",
        responses=refusals(404, 422),
    )
    async def ask(request: Request, actor: Asking, body: QuestionIn, key: Key = None) -> Response:
        async def work() -> Response:
            made = await questions.ask(
                actor,
                user_id=whose(actor, body.user_id),
                text=body.text,
                answers=body.answers,
                people=body.people,
                wait=body.wait,
                deadline=body.deadline,
                key=key,
            )
            return answer_made(await shown(questions, made), f"{PREFIX}/questions/{made.id}")

        return await once.do(request, actor.user_id, key, work)

    add_looking(router, questions)
    return router


def add_looking(router: APIRouter, questions: Questions) -> None:
    @router.get("", response_model=QuestionPage, summary="Questions, the newest first")
    async def find(
        actor: Asking,
        user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        owner = None if actor.admin and not user_id else whose(actor, user_id)
        page = await questions.list(actor, owner, limit=limit, cursor=cursor)
        items = [await shown(questions, one) for one in page.items]
        return answer_json({"items": items, "next_cursor": page.next_cursor})

    @router.get(
        "/{question_id}",
        response_model=QuestionOut,
        summary="Who answered what, and when",
        responses=refusals(404),
    )
    async def look(actor: Asking, question_id: str) -> Response:
        found = await questions.get(actor, QuestionId(question_id))
        return answer_json(await shown(questions, found))

    @router.post(
        "/{question_id}/cancel",
        response_model=QuestionOut,
        summary="Ask nobody further",
        responses=refusals(404),
    )
    async def cancel(actor: Asking, question_id: str) -> Response:
        over = await questions.cancel(actor, QuestionId(question_id))
        return answer_json(await shown(questions, over))


async def shown(questions: Questions, one: PutQuestion) -> dict[str, Any]:
    asked = [shaped(AskedOut, each) for each in one.asked]
    name = await questions.name_of(one.answered_by)
    return shaped(QuestionOut, one, asked=asked, answered_by_name=name)
