"""Which chat a forwarded message came from, so that it moves with that chat's priority."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("chat_outbox", sa.Column("source", sa.Text(), nullable=True))
    op.create_index(
        "ix_chat_outbox_source",
        "chat_outbox",
        ["source"],
        sqlite_where=sa.text("state != 'done' AND source IS NOT NULL"),
        postgresql_where=sa.text("state != 'done' AND source IS NOT NULL"),
    )
