"""Queries about questions: one row each, decided on while it is locked."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.events import Event
from clarion.base.ids import ContactId, Key, UserId
from clarion.questions.model import AskedPerson, PutQuestion, QuestionId, QuestionStatus
from clarion.questions.ports import DecideQuestion
from clarion.store.sql import events, idempotency
from clarion.store.sql.engine.database import Database
from clarion.store.sql.idempotency import KeptBy
from clarion.store.sql.tables.questions import questions
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Task


def add(
    conn: Connection,
    question: PutQuestion,
    first: Sequence[Task],
    happened: Sequence[Event],
    now: datetime,
    key: Key | None,
) -> QuestionId | None:
    if key and (before := idempotency.made_before(conn, KeptBy.QUESTION, key, now)):
        return QuestionId(before)
    insert_ = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    row = insert_(questions).values(_values(question)).on_conflict_do_nothing()
    if not conn.execute(row).rowcount:
        return question.id
    tasks.add(conn, first, now)
    events.append(conn, happened, now)
    if key:
        idempotency.keep_made(conn, KeptBy.QUESTION, key, now, question.id)
    return None


def get(conn: Connection, question_id: str) -> PutQuestion | None:
    query = select(questions).where(questions.c.id == question_id)
    row = conn.execute(query).mappings().one_or_none()
    return _question(row) if row else None


def page(conn: Connection, user_id: str | None, after: str, limit: int) -> list[PutQuestion]:
    query = select(questions).order_by(questions.c.id.desc()).limit(limit)
    if after:
        query = query.where(questions.c.id < after)
    if user_id is not None:
        query = query.where(questions.c.user_id == user_id)
    return [_question(row) for row in conn.execute(query).mappings()]


def change(
    conn: Connection, question_id: str, decide: DecideQuestion, now: datetime
) -> PutQuestion | None:
    mine = select(questions).where(questions.c.id == question_id).with_for_update()
    row = conn.execute(mine).mappings().one_or_none()
    if row is None:
        return None
    found = _question(row)
    step = decide(found)
    if step.question is not None:
        place = questions.c.id == question_id
        conn.execute(update(questions).where(place).values(_values(step.question)))
    if step.drop:
        tasks.cancel_keys(conn, step.drop, now)
    tasks.add(conn, step.tasks, now)
    events.append(conn, step.events, now)
    return step.question or found


def _values(one: PutQuestion) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in PutQuestion.__slots__}
    return values | {
        "answers": list(one.answers),
        "people": list(one.people),
        "status": one.status.value,
        "asked": [[each.contact_id, each.at.isoformat()] for each in one.asked],
    }


def _question(facts: RowMapping) -> PutQuestion:
    asked = tuple(
        AskedPerson(ContactId(who), datetime.fromisoformat(at)) for who, at in facts["asked"]
    )
    read = {
        "answers": tuple(facts["answers"]),
        "people": tuple(ContactId(one) for one in facts["people"]),
        "status": QuestionStatus(facts["status"]),
        "asked": asked,
    }
    return PutQuestion(**{**facts, **read})


class SqlQuestions:
    """`QuestionStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def add(
        self,
        question: PutQuestion,
        tasks: Sequence[Task],
        events: Sequence[Event],
        now: datetime,
        key: Key | None = None,
    ) -> QuestionId | None:
        return await self._db.write(add, question, tasks, events, now, key)

    async def get(self, question_id: QuestionId) -> PutQuestion | None:
        return await self._db.read(get, question_id)

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[PutQuestion]:
        return await self._db.read(page, user_id, after, limit)

    async def change(
        self, question_id: QuestionId, decide: DecideQuestion, now: datetime
    ) -> PutQuestion | None:
        return await self._db.write(change, question_id, decide, now)
