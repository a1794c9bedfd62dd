"""How a person's contacts are told, and in which round each was."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Json

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("users", sa.Column("escalation", Json, nullable=True))
    number = sa.Column("round", sa.Integer(), nullable=False, server_default="1")
    op.add_column("told", number)
