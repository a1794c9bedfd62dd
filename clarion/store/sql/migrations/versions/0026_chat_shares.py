"""Fair shares in chats: the weight of a rule, and the place of each message."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0026"
down_revision = "0025"

OPEN = sa.text("state != 'done'")
PASSED_ON = sa.text("state != 'done' AND source IS NOT NULL")


def upgrade() -> None:
    op.add_column("rules", sa.Column("weight", sa.Float(), nullable=True))
    op.add_column("chat_inbox", sa.Column("start_at", Instant(), nullable=True))
    # A server of the version before writes none: its messages come first, in their order.
    place = sa.Column("place", sa.BigInteger(), nullable=False, server_default="0")
    op.add_column("chat_outbox", place)
    _index("ix_chat_outbox_open", ["chat_id", sa.text("base DESC"), "place", "sequence"], OPEN)
    _index("ix_chat_outbox_source", ["source", "chat_id", "base", "place"], PASSED_ON)


def _index(name: str, columns: list[str | sa.TextClause], where: sa.TextClause) -> None:
    op.drop_index(name, table_name="chat_outbox")
    op.create_index(name, "chat_outbox", columns, sqlite_where=where, postgresql_where=where)
