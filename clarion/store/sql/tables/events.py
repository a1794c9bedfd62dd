"""The event log: what happened, in commit order, never changed afterwards."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import counted, metadata

events = Table(
    "events",
    metadata,
    counted("sequence"),
    Column("at", Instant, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("subject", Text, nullable=False),
    Column("user", Text),
    Column("data", Json, nullable=False),
    # PostgreSQL numbers rows before they commit; the transaction says which are settled.
    Column("xact", BigInteger),
    sqlite_autoincrement=True,
)
Index("ix_events_subject", events.c.subject, events.c.sequence)
Index("ix_events_user", events.c.user, events.c.sequence)
