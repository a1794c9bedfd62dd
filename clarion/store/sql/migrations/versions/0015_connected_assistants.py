"""Assistants that people connect by OAuth: programs, codes, secrets, and what a token may."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0015"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("tokens", sa.Column("client_id", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("scopes", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("resource", sa.Text(), nullable=True))
    op.create_index("ix_tokens_client", "tokens", ["client_id"])
    op.create_table(
        "oauth_clients",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("redirects", Json, nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("secret_hash", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_oauth_clients"),
    )
    op.create_index("ix_oauth_clients_created_at", "oauth_clients", ["created_at"])
    op.create_table(
        "oauth_codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("client_name", sa.Text(), nullable=False),
        sa.Column("redirect", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("used_at", Instant(), nullable=True),
        sa.Column("token_id", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("hash", name="pk_oauth_codes"),
    )
    op.create_table(
        "oauth_secrets",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("used_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("hash", name="pk_oauth_secrets"),
    )
    op.create_index("ix_oauth_secrets_token", "oauth_secrets", ["token_id"])
