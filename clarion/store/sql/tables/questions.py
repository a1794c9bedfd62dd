"""Questions to people, and their answers."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

questions = Table(
    "questions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("answers", Json, nullable=False),
    Column("people", Json, nullable=False),
    Column("wait", Integer, nullable=False),
    Column("deadline", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("asked", Json, nullable=False),
    Column("answer", Text),
    Column("answered_by", Text),
    Column("answered_at", Instant),
    Column("version", Integer, nullable=False),
)
Index("ix_questions_user", questions.c.user_id, questions.c.id)
