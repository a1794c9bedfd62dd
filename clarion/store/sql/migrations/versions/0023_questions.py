"""Questions that are put to people."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "questions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answers", Json, nullable=False),
        sa.Column("people", Json, nullable=False),
        sa.Column("wait", sa.Integer(), nullable=False),
        sa.Column("deadline", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("asked", Json, nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_by", sa.Text(), nullable=True),
        sa.Column("answered_at", Instant(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_questions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
    )
    op.create_index("ix_questions_user", "questions", ["user_id", "id"])
