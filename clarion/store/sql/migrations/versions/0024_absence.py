"""When a person is away and is not rung."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Json

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("users", sa.Column("absence", Json, nullable=True))
