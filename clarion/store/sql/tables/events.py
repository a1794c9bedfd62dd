"""The event log: what happened, in commit order, never changed afterwards."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

events = Table(
    "events",
    metadata,
    # SQLite counts only an INTEGER key by itself; AUTOINCREMENT there never reuses a number.
    Column(
        "sequence",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
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
