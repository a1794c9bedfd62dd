"""Machines that wait for their owner's yes, and machines that have it."""

from sqlalchemy import Column, ForeignKey, Index, Table, Text

from clarion.store.sql.tables.meta import metadata
from clarion.store.sql.types import Instant, Json

activations = Table(
    "activations",
    metadata,
    Column("code", Text, primary_key=True),
    Column("hardware", Text, nullable=False, unique=True),
    Column("proof", Text, nullable=False),
    Column("challenge", Text, nullable=False),
    Column("facts", Json, nullable=False),
    Column("asked_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("token_id", Text, nullable=False),
    Column("token_hash", Text, nullable=False),
)

machines = Table(
    "machines",
    metadata,
    Column("hardware", Text, primary_key=True),
    Column("proof", Text, nullable=False),
    Column("device_id", Text, ForeignKey("devices.id", ondelete="CASCADE"), nullable=False),
    Column("bound_at", Instant, nullable=False),
)
Index("ix_machines_device_id", machines.c.device_id)
