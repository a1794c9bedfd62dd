"""Addresses of xiaozhi that people pasted."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "xiaozhi_points",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("address_hash", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", Instant(), nullable=False),
        sa.Column("connected_at", Instant(), nullable=True),
        sa.Column("held_by", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_xiaozhi_points"),
    )
    op.create_index("ix_xiaozhi_points_address", "xiaozhi_points", ["address_hash"], unique=True)
    op.create_index("ix_xiaozhi_points_user", "xiaozhi_points", ["user_id"])
