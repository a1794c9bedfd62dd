"""The first layout."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from clarion.store.sql.types import Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
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
