"""Which server does what only one may do."""

from sqlalchemy import Column, Table, Text

from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant

duties = Table(
    "duties",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Instant, nullable=False),
)
