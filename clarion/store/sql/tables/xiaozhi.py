"""Addresses of xiaozhi that people pasted, and how their lines are."""

from sqlalchemy import Column, Index, Integer, Table, Text

from clarion.store.sql.sealing import Sealed
from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant

xiaozhi_points = Table(
    "xiaozhi_points",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, nullable=False),
    Column("address", Sealed, nullable=False),
    Column("address_hash", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("error", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("next_at", Instant, nullable=False),
    Column("connected_at", Instant),
    Column("held_by", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
)
Index("ix_xiaozhi_points_address", xiaozhi_points.c.address_hash, unique=True)
Index("ix_xiaozhi_points_user", xiaozhi_points.c.user_id)
