"""The zone a person left, until their series have followed: a crash between forgets none."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("users", sa.Column("moved_from", sa.Text(), nullable=True))
