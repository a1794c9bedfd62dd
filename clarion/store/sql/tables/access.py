"""Tokens, login codes, secrets of our own, and the answers kept for requests sent twice."""

from sqlalchemy import Column, Index, Integer, Table, Text

from clarion.store.sql.sealing import Sealed
from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant, Json

tokens = Table(
    "tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("user_id", Text),
    Column("device_id", Text),
    Column("name", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
    Column("used_at", Instant),
    Column("client_id", Text),
    Column("scopes", Text),
    Column("resource", Text),
)
Index("ix_tokens_user", tokens.c.user_id, tokens.c.id)
Index("ix_tokens_client", tokens.c.client_id)

login_codes = Table(
    "login_codes",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("user_id", Text),
    Column("expires_at", Instant, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("holder", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("begun_at", Instant, nullable=False),
    Column("status", Integer),
    Column("headers", Json),
    Column("body", Text),
)
Index("ix_answers_begun_at", answers.c.begun_at)

calendars = Table(
    "calendars",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("made_at", Instant, nullable=False),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Sealed, nullable=False),
)
