"""Tokens, login codes, secrets of our own, and the keys of requests sent twice."""

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

idempotency = Table(
    "idempotency",
    metadata,
    Column("scope", Text, primary_key=True),
    Column("holder", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("begun_at", Instant, nullable=False),
    # None: still at work. Of a door the whole answer, of a verb the id of what it made.
    Column("body", Text),
    Column("status", Integer),
    Column("headers", Json),
)
Index("ix_idempotency_begun_at", idempotency.c.begun_at)

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
