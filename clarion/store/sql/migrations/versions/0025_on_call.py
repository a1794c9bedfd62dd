"""Contacts who take turns and are away, and how far a message to a contact got."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.create_table(
        "rotations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("every", sa.Text(), nullable=False),
        sa.Column("hands_over", sa.Text(), nullable=False),
        sa.Column("begins_on", sa.Text(), nullable=False),
        sa.Column("members", Json, nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("delay", sa.Integer(), nullable=False),
        sa.Column("overrides", Json, nullable=False),
        sa.Column("holidays", Json, nullable=False),
        sa.Column("holiday_members", Json, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_rotations_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rotations")),
    )
    op.create_index("ix_rotations_user", "rotations", ["user_id", "order"])
    op.add_column("contacts", sa.Column("away", Json, nullable=True))
    op.add_column("told", sa.Column("delivered_at", Instant(), nullable=True))
    op.add_column("told", sa.Column("opened_at", Instant(), nullable=True))
    through = sa.Column("through", sa.Text(), nullable=False, server_default="")
    op.add_column("told", through)
