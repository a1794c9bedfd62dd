"""Contacts agree before they are told, in their language, at several addresses.

Whoever is a contact already stays one: no marks at all count as a yes.
"""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("contacts", sa.Column("ways", Json, nullable=True))
    op.add_column("contacts", sa.Column("quiet", Json, nullable=True))
    language = sa.Column("language", sa.Text(), nullable=False, server_default="")
    op.add_column("contacts", language)
    op.add_column("contacts", sa.Column("agreed", Json, nullable=True))
    op.add_column("contacts", sa.Column("refused_at", Instant(), nullable=True))
