"""By what the driving time of a team's part was multiplied when it was told."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column(
        "dispatch_assignments",
        sa.Column("correction", sa.Float(), nullable=False, server_default="1"),
    )
