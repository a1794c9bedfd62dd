"""Users, the devices they are told on, and the contacts who are told when they do not answer."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("context", Json, nullable=False),
    Column("quiet", Json),
    Column("created_at", Instant, nullable=False),
    Column("version", Integer, nullable=False),
    Column("moved_from", Text),
    Column("escalation", Json),
    Column("absence", Json),
)

devices = Table(
    "devices",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE")),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("order", Integer, nullable=False),
    Column("online", Boolean, nullable=False),
    Column("last_seen", Instant),
    Column("offline_since", Instant),
    Column("quiet", Json),
    Column("facts", Json, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("proved_at", Instant),
)
Index("ix_devices_user", devices.c.user_id, devices.c.order)
Index("ix_devices_address", devices.c.kind, devices.c.address)

contacts = Table(
    "contacts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("order", Integer, nullable=False),
    Column("delay", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("proved_at", Instant),
    Column("ways", Json),
    Column("quiet", Json),
    Column("language", Text, nullable=False, server_default=""),
    Column("agreed", Json),
    Column("refused_at", Instant),
    Column("away", Json),
)
Index("ix_contacts_user", contacts.c.user_id, contacts.c.order)

rotations = Table(
    "rotations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("every", Text, nullable=False),
    Column("hands_over", Text, nullable=False),
    Column("begins_on", Text, nullable=False),
    Column("members", Json, nullable=False),
    Column("order", Integer, nullable=False),
    Column("delay", Integer, nullable=False),
    Column("overrides", Json, nullable=False),
    Column("holidays", Json, nullable=False),
    Column("holiday_members", Json, nullable=False),
    Column("version", Integer, nullable=False),
)
Index("ix_rotations_user", rotations.c.user_id, rotations.c.order)


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
