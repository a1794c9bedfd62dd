"""Tokens, connected assistants, secrets of our own, keys of requests sent twice, and who changed
what.
"""

from sqlalchemy import Column, Index, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.sealing import Sealed
from clarion.store.sql.tables.meta import counted, metadata

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


oauth_clients = Table(
    "oauth_clients",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("redirects", Json, nullable=False),
    Column("method", Text, nullable=False),
    Column("secret_hash", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
)
Index("ix_oauth_clients_created_at", oauth_clients.c.created_at)

oauth_codes = Table(
    "oauth_codes",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("client_id", Text, nullable=False),
    Column("client_name", Text, nullable=False),
    Column("redirect", Text, nullable=False),
    Column("challenge", Text, nullable=False),
    Column("resource", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("user_id", Text),
    Column("expires_at", Instant, nullable=False),
    Column("used_at", Instant),
    Column("token_id", Text),
)

oauth_secrets = Table(
    "oauth_secrets",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("token_id", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("used_at", Instant),
)
Index("ix_oauth_secrets_token", oauth_secrets.c.token_id)


xiaozhi_points = Table(
    "xiaozhi_points",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("address", Sealed, nullable=False),
    Column("address_hash", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", Instant, nullable=False),
    Column("connected_at", Instant),
    Column("held_by", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
)
Index("ix_xiaozhi_points_address", xiaozhi_points.c.address_hash, unique=True)
Index("ix_xiaozhi_points_user", xiaozhi_points.c.user_id)


audit = Table(
    "audit",
    metadata,
    counted("sequence"),
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
