"""The first layout."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from clarion.store.sql.types import Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "answers",
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("begun_at", Instant(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column(
            "headers",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=True,
        ),
        sa.Column("body", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("holder", "key", name=op.f("pk_answers")),
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index("ix_answers_begun_at", ["begun_at"], unique=False)

    op.create_table(
        "calendars",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("made_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_calendars")),
    )
    op.create_table(
        "events",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=True),
        sa.Column(
            "data",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("xact", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("ix_events_subject", ["subject", "sequence"], unique=False)
        batch_op.create_index("ix_events_user", ["user", "sequence"], unique=False)

    op.create_table(
        "login_codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_login_codes")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=True),
        sa.Column("revoked_at", Instant(), nullable=True),
        sa.Column("used_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index("ix_tokens_user", ["user_id", "id"], unique=False)
