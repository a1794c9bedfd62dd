"""Pauses and limits, keys that stay unique for a time, kinds that others carry out, traces."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0020"
down_revision = "0019"

HELD = "status = 'ready' AND rank >= 72057594037927936"


def upgrade() -> None:
    op.add_column("tasks", sa.Column("trace", sa.Text(), nullable=True))
    op.create_index(
        "ix_tasks_held",
        "tasks",
        ["kind", "rank"],
        sqlite_where=sa.text(HELD),
        postgresql_where=sa.text(HELD),
    )
    op.create_table(
        "task_gates",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("paused_at", Instant(), nullable=True),
        sa.Column("next_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_task_gates")),
    )
    op.create_table(
        "task_keys",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("task_id", sa.Text(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_task_keys")),
    )
    op.create_index(op.f("ix_task_keys_until"), "task_keys", ["until"])
    op.create_table(
        "task_kinds",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("options", Json, nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_task_kinds")),
    )
