"""What a contact said who was told: takes it, cannot, until when."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0014"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("told", sa.Column("said", sa.Text(), nullable=True))
    op.add_column("told", sa.Column("said_at", Instant(), nullable=True))
    op.add_column("told", sa.Column("until", Instant(), nullable=True))
