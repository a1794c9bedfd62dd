"""What a dialogue remembers between two sentences: one row for each chat or device."""

from sqlalchemy import Column, ForeignKey, Index, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

dialogues = Table(
    "dialogues",
    metadata,
    Column("place", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("memory", Json, nullable=False),
    Column("at", Instant, nullable=False),
)
Index("ix_dialogues_at", dialogues.c.at)
Index("ix_dialogues_user", dialogues.c.user_id)
