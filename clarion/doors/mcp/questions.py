"""Tools with which an assistant asks people. Their docstrings are read by assistants."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from clarion.doors.mcp.answers import answer, changes, reads
from clarion.doors.mcp.creating import Owner
from clarion.doors.mcp.kit import Kit
from clarion.questions.model import PutQuestion, QuestionId, QuestionStatus
from clarion.questions.service import Questions

MINUTES_MAX = 60 * 24 * 7
ASK = "ask_person"
SAID = {
    "zh": {
        QuestionStatus.OPEN: "已经问了，还没有人回答。",
        QuestionStatus.ANSWERED: "{by}回答：{answer}",
        QuestionStatus.EXPIRED: "到时间了，没有人回答。",
        QuestionStatus.CANCELLED: "这个问题已经撤回。",
    },
    "en": {
        QuestionStatus.OPEN: "Asked; no answer yet.",
        QuestionStatus.ANSWERED: "{by} answered: {answer}",
        QuestionStatus.EXPIRED: "Nobody answered in time.",
        QuestionStatus.CANCELLED: "The question was taken back.",
    },
}
Minutes = Annotated[int, Field(ge=1, le=MINUTES_MAX)]


class QuestionTicket(BaseModel):
    said: str
    question_id: str
    status: str = Field(description="open, answered, expired or cancelled.")
    answer: str | None = None
    answered_by: str = Field("", description="Their name.")
    answered_at: str | None = None
    asked: int = Field(0, description="How many people were told so far.")


@dataclass(frozen=True, slots=True)
class QuestionTools:
    questions: Questions
    kit: Kit

    def add_to(self, mcp: MCPServer) -> None:
        self._add_ask(mcp)
        self._add_result(mcp)

    def _add_ask(self, mcp: MCPServer) -> None:
        @mcp.tool(name=ASK, title="Ask people", annotations=changes(idempotent=False))
        async def ask_person(
            text: Annotated[str, Field(max_length=500, description="As they will read it.")],
            people: Annotated[
                list[str], Field(description="Contacts by name, in order; empty: all.")
            ] = [],  # noqa: B006  never changed
            answers: Annotated[
                list[str], Field(description="Buttons, up to 6; empty: yes, no.")
            ] = [],  # noqa: B006  never changed
            minutes: Minutes = 60,
            wait_minutes: Annotated[Minutes, Field(description="Until the next one.")] = 5,
            user_id: Owner = "",
        ) -> Annotated[CallToolResult, QuestionTicket]:
            """Ask contacts one after another until one answers: "ask my husband whether …".

            They get a page of buttons. Look with question_result after a minute.
            """

            async def work() -> QuestionTicket:
                made = await self.questions.ask(
                    self.kit.actor,
                    user_id=self.kit.whose(user_id),
                    text=text,
                    people=people,
                    answers=answers,
                    wait=wait_minutes * 60,
                    deadline=self.kit.clock.now() + timedelta(minutes=minutes),
                )
                return await self.ticket(made)

            return await answer(work())

    def _add_result(self, mcp: MCPServer) -> None:
        @mcp.tool(name="question_result", title="Has somebody answered?", annotations=reads())
        async def question_result(
            question_id: Annotated[str, Field(description="qst_…")],
        ) -> Annotated[CallToolResult, QuestionTicket]:
            """Who answered ask_person, and what. `open`: nobody yet."""

            async def work() -> QuestionTicket:
                found = await self.questions.get(self.kit.actor, QuestionId(question_id))
                return await self.ticket(found)

            return await answer(work())

    async def ticket(self, one: PutQuestion) -> QuestionTicket:
        by = await self.questions.name_of(one.answered_by)
        language = (await self.kit.user(one.user_id)).language
        at = one.answered_at
        return QuestionTicket(
            said=SAID[language][one.status].format(by=by, answer=one.answer),
            question_id=one.id,
            status=one.status.value,
            answer=one.answer,
            answered_by=by,
            answered_at=at.isoformat() if at else None,
            asked=len(one.asked),
        )
