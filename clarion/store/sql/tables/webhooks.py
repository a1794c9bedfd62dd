"""Webhook subscriptions, and up to which event deliveries have been added."""

from sqlalchemy import BigInteger, Boolean, Column, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.sealing import Sealed
from clarion.store.sql.tables.meta import metadata

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, index=True),
    Column("name", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("secret", Sealed, nullable=False),
    Column("old_secret", Sealed, nullable=False),
    Column("old_secret_until", Instant),
    Column("kinds", Json, nullable=False),
    Column("format", Text, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("version", Integer, nullable=False),
)

cursors = Table(
    "cursors",
    metadata,
    Column("name", Text, primary_key=True),
    Column("sequence", BigInteger, nullable=False),
)
