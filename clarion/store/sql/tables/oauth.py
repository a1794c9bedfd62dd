"""Programs that people connect, the yes that waits to be fetched, and pairs of secrets."""

from sqlalchemy import Column, Index, Table, Text

from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant, Json

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
