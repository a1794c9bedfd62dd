"""What talks remember, and promises: said to be done soon, and asked about again."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from clarion.store.sql.types import Instant

revision = "0003"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "dialogues",
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column(
            "memory",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_dialogues_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_dialogues")),
    )
    op.create_index("ix_dialogues_at", "dialogues", ["at"])
    op.create_index("ix_dialogues_user", "dialogues", ["user_id"])
    op.add_column("reminders", sa.Column("promised_at", Instant(), nullable=True))
    op.add_column(
        "reminders", sa.Column("checked", sa.Integer(), nullable=False, server_default="0")
    )
