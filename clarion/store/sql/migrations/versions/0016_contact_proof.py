"""When a contact last answered a test."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("contacts", sa.Column("proved_at", Instant(), nullable=True))
