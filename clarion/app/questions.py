"""Joins questions: people are asked until one answers, for programs and assistants."""

from clarion.app.parts import Parts
from clarion.app.reminders import pages_at, told_where_they_answer
from clarion.app.services import Outside, ReminderServices
from clarion.doors.http.api.questions import question_routes
from clarion.doors.http.conventions import OnceOnly
from clarion.doors.http.pages.question import question_page_routes
from clarion.doors.notify.contacts import Contacts
from clarion.flows.chat_channel import ChatChannel
from clarion.questions import asking
from clarion.questions.service import Questions
from clarion.reminders.effects import Channels
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.idempotency import SqlAnswers
from clarion.store.sql.questions import SqlQuestions
from clarion.tasks.kinds import SLOWLY, TELL_RETRIES, Kind

AS_TASK = "ask_person"


async def add_questions(
    parts: Parts, services: ReminderServices, outside: Outside, chats: ChatChannel
) -> Questions:
    say = told_where_they_answer(parts, Channels(services.ways), chats)
    questions = Questions(
        SqlQuestions(parts.database),
        services.people_store,
        Contacts(outside.apprise, outside.sender, say),
        parts.clock,
        key=await parts.database.write(secret, "questions"),
        address=pages_at(parts.settings),
    )
    for kind in question_kinds(questions):
        parts.kinds.add(kind)
    once = OnceOnly(SqlAnswers(parts.database), parts.clock)
    parts.routers += [question_routes(questions, once), question_page_routes(questions)]
    return questions


def question_kinds(questions: Questions) -> list[Kind]:
    return [
        Kind(asking.ASK, questions.ask_next, retries=TELL_RETRIES, backoff=SLOWLY),
        Kind(asking.DEADLINE, questions.expire),
        Kind(asking.INFORM, questions.inform, retries=TELL_RETRIES, backoff=SLOWLY),
        Kind(AS_TASK, questions.as_task, open=True),
    ]
