"""The console's chat: the same commands and conversation as Telegram, without a token of theirs."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.access.tokens import Identity
from clarion.base.clock import Clock
from clarion.base.errors import Forbidden, Unprocessable
from clarion.base.ids import UserId, new_id
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.chats.platforms import CONSOLE_ADMIN, CONSOLE_PERSON
from clarion.chats.ports import ChatLine, Inbox, Transcript
from clarion.doors.http.auth import Admin, Who, actor_of
from clarion.doors.http.conventions import (
    PREFIX,
    Id,
    Instant,
    Limit,
    Name,
    Shape,
    answer_json,
    refusals,
    shaped,
)

MAIN = ChatId("console:main")
TEXT_LETTERS_MAX = 8_000
IMPORTED_AT_ONCE_MAX = 1_000


class ChatSaid(Shape):
    """Words, or a button that was pressed under a message."""

    chat_id: Annotated[Id, Field(examples=["console:main"])] = MAIN
    text: Annotated[str, Field(max_length=TEXT_LETTERS_MAX)] = ""
    button: Annotated[str, Field(max_length=200)] = ""
    message_id: Annotated[str, Field(max_length=100)] = ""
    title: Name = ""
    language: Annotated[str, Field(pattern="^(zh|en)$")] = "zh"


class OldLine(Shape):
    id: Id
    """The same id twice is imported once."""
    sender: Name = ""
    text: Annotated[str, Field(min_length=1, max_length=TEXT_LETTERS_MAX)]
    sent_at: Instant


class ChatHistory(Shape):
    """What was said before Clarion was there. It is handled as bulk, behind everything else."""

    chat_id: Annotated[Id, Field(examples=["telegram:-100123"])]
    title: Name = ""
    messages: Annotated[list[OldLine], Field(min_length=1, max_length=IMPORTED_AT_ONCE_MAX)]


class ChatTaken(Shape):
    id: str


class ChatImported(Shape):
    imported: int


class LineOut(Shape):
    id: str
    at: str
    mine: bool
    sender: str
    text: str
    buttons: list[list[str]]
    state: str


class Lines(Shape):
    items: list[LineOut]


def chat_routes(inbox: Inbox, transcript: Transcript, clock: Clock) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/chat", tags=["chat"])

    @router.post(
        "/messages",
        response_model=ChatTaken,
        status_code=202,
        summary="Say something in a chat of the console, or press a button there",
        responses=refusals(403),
    )
    async def say(who: Who, body: ChatSaid) -> Response:
        if not (body.text.strip() or body.button):
            raise Unprocessable("Say something, or press a button.")
        message = message_of(who, body, clock)
        await inbox.take_in([message], clock.now())
        return answer_json({"id": message.update}, 202)

    @router.get(
        "/messages", response_model=Lines, summary="What was said there", responses=refusals(403)
    )
    async def read(
        who: Who,
        chat_id: Annotated[Id, Query()] = MAIN,
        limit: Limit = 50,
    ) -> Response:
        lines = await transcript.lines(own_chat(who, chat_id), limit)
        return answer_json({"items": [line_out(line) for line in lines]})

    @router.post(
        "/history",
        response_model=ChatImported,
        status_code=202,
        summary="Import what was said in a chat before; twice is once",
    )
    async def bring_in(_: Admin, body: ChatHistory) -> Response:
        messages = [old_message(body, line) for line in body.messages]
        return answer_json({"imported": await inbox.take_in(messages, clock.now())}, 202)

    return router


def old_message(body: ChatHistory, line: OldLine) -> Message:
    return Message(
        update=f"history:{body.chat_id}:{line.id}",
        chat=Chat(id=ChatId(body.chat_id), kind=ChatKind.GROUP, title=body.title),
        sender=ChatSender(id=PersonId(f"history:{line.sender}"), name=line.sender),
        text=line.text,
        sent_at=line.sent_at,
        is_history=True,
    )


def own_chat(who: Identity, asked: str) -> ChatId:
    """Admins may open every chat of the console, users their own."""
    actor = actor_of(who)
    if not asked.startswith("console:"):
        raise Forbidden("The console speaks only in its own chats.")
    if actor.admin:
        return ChatId(asked)
    assert actor.user_id is not None
    return chat_of_user(actor.user_id)


def chat_of_user(user_id: UserId) -> ChatId:
    return ChatId(f"{CONSOLE_PERSON}{user_id}")


def message_of(who: Identity, body: ChatSaid, clock: Clock) -> Message:
    chat_id = own_chat(who, body.chat_id)
    private = not who.is_admin
    person = CONSOLE_ADMIN if who.is_admin else PersonId(f"console:{who.user_id}")
    title = body.title or chat_id.partition(":")[2]
    kind = ChatKind.PRIVATE if private else ChatKind.GROUP
    return Message(
        update=new_id("console", clock.now()),
        chat=Chat(id=chat_id, kind=kind, title=title, language=body.language),
        sender=ChatSender(id=person, name=who.name or "console", language=body.language),
        text=body.text,
        sent_at=clock.now(),
        button=body.button,
        message_id=body.message_id,
    )


def line_out(line: ChatLine) -> dict[str, Any]:
    return shaped(LineOut, line, mine=line.incoming)
