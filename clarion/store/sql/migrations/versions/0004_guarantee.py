"""What the guarantee remembers: proof of devices, reach that was lost, messages sent."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0004"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("devices", sa.Column("proved_at", Instant(), nullable=True))
    op.add_column("reminders", sa.Column("reach_lost_at", Instant(), nullable=True))
    op.add_column("rings", sa.Column("sent_at", Instant(), nullable=True))
