"""Tools with which an assistant asks people. Their docstrings are read by assistants."""

from datetime import timedelta
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from clarion.access.model import speaks_for
from clarion.base.clock import Clock
from clarion.base.ids import UserId
from clarion.doors.mcp.answers import answer, changes, reads
from clarion.doors.mcp.identity import actor_of, asking
from clarion.questions.model import PutQuestion, QuestionId, QuestionStatus
from clarion.questions.service import Questions

MINUTES_MAX = 60 * 24 * 7


class QuestionTicket(BaseModel):
    said: str
    question_id: str
    status: str = Field(description="open, answered, expired or cancelled.")
    answer: str | None = None
    answered_by: str = Field("", description="Their name.")
    answered_at: str | None = None
    asked: int = Field(0, description="How many people were told so far.")


def add_question_tools(mcp: MCPServer, questions: Questions, clock: Clock) -> None:
    @mcp.tool(name="ask_person", title="Ask people until one answers", annotations=changes())
    async def ask_person(
        text: Annotated[str, Field(max_length=500, description="The question, as they read it.")],
        people: Annotated[
            list[str], Field(description="Names of contacts, in order. Empty: all of them.")
        ] = [],  # noqa: B006  never changed
        answers: Annotated[
            list[str], Field(description="Buttons, at most six. Empty: yes and no.")
        ] = [],  # noqa: B006  never changed
        minutes: Annotated[
            int, Field(ge=1, le=MINUTES_MAX, description="Until when an answer counts.")
        ] = 60,
        wait_minutes: Annotated[
            int, Field(ge=1, le=MINUTES_MAX, description="Until the next one is asked as well.")
        ] = 5,
        user_id: Annotated[str, Field(description="For admin tokens only.")] = "",
    ) -> Annotated[CallToolResult, QuestionTicket]:
        """Ask a person something and go on: "ask my husband whether he picks up the kids".

        They get a message with a page of buttons. The result is a ticket: look with
        question_result after a minute, and tell the user when somebody has answered. Only
        contacts who agreed can be asked.
        """

        async def work() -> QuestionTicket:
            actor = actor_of(asking())
            owner = speaks_for(actor.user_id, is_admin=actor.admin, asked=user_id)
            made = await questions.ask(
                actor,
                user_id=UserId(owner),
                text=text,
                people=people,
                answers=answers,
                wait=wait_minutes * 60,
                deadline=clock.now() + timedelta(minutes=minutes),
            )
            return await ticket(questions, made)

        return await answer(work())

    add_result(mcp, questions)


def add_result(mcp: MCPServer, questions: Questions) -> None:
    @mcp.tool(name="question_result", title="Has somebody answered?", annotations=reads())
    async def question_result(
        question_id: Annotated[str, Field(description="qst_… of ask_person.")],
    ) -> Annotated[CallToolResult, QuestionTicket]:
        """Who answered a question of ask_person, what and when. `open`: nobody yet."""

        async def work() -> QuestionTicket:
            found = await questions.get(actor_of(asking()), QuestionId(question_id))
            return await ticket(questions, found)

        return await answer(work())


async def ticket(questions: Questions, one: PutQuestion) -> QuestionTicket:
    by = await questions.name_of(one.answered_by)
    said = {
        QuestionStatus.OPEN: f"Asked; no answer yet. Look again: {one.id}.",
        QuestionStatus.ANSWERED: f"{by} answered: {one.answer}",
        QuestionStatus.EXPIRED: "Nobody answered in time.",
        QuestionStatus.CANCELLED: "The question was taken back.",
    }[one.status]
    at = one.answered_at
    return QuestionTicket(
        said=said,
        question_id=one.id,
        status=one.status.value,
        answer=one.answer,
        answered_by=by,
        answered_at=at.isoformat() if at else None,
        asked=len(one.asked),
    )
