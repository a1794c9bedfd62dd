"""Who changed what: one row for every change, never changed afterwards."""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text

from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant

audit = Table(
    "audit",
    metadata,
    Column(
        "sequence",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    Column("at", Instant, nullable=False),
    Column("door", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("token_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("user_id", Text),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_audit_at", audit.c.at)
Index("ix_audit_user", audit.c.user_id, audit.c.sequence)
