"""Reminders, the series they come from, their rings, and which contacts were told of them."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, Table, Text, text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

reminders = Table(
    "reminders",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("content", Text, nullable=False),
    Column("trigger_at", Instant, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("device_id", Text),
    Column("context", Json, nullable=False),
    Column("confirmation", Json, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("series_id", Text),
    Column("planned_at", Instant),
    Column("answer_by", Instant),
    Column("version", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("explicit", Boolean, nullable=False),
    Column("rings", Integer, nullable=False),
    Column("tried", Json, nullable=False),
    Column("unreached_since", Instant),
    Column("asked_again", Boolean, nullable=False),
    Column("held_until", Instant),
    Column("ended_at", Instant),
    Column("confirmed_by", Text, nullable=False),
    Column("reach_lost_at", Instant),
    Column("promised_at", Instant),
    Column("checked", Integer, nullable=False, server_default="0"),
)
Index("ix_reminders_user", reminders.c.user_id, reminders.c.trigger_at, reminders.c.id)
Index("ix_reminders_trigger_at", reminders.c.trigger_at, reminders.c.id)
Index("ix_reminders_series", reminders.c.series_id, reminders.c.trigger_at)
Index(
    "ix_reminders_open",
    reminders.c.status,
    reminders.c.trigger_at,
    sqlite_where=text("status IN ('pending', 'triggered')"),
    postgresql_where=text("status IN ('pending', 'triggered')"),
)
Index(
    "ix_reminders_unreached",
    reminders.c.user_id,
    sqlite_where=text("unreached_since IS NOT NULL"),
    postgresql_where=text("unreached_since IS NOT NULL"),
)
Index(
    "ix_reminders_held",
    reminders.c.user_id,
    sqlite_where=text("held_until IS NOT NULL"),
    postgresql_where=text("held_until IS NOT NULL"),
)

series = Table(
    "series",
    metadata,
    Column("id", Text, primary_key=True),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    Column("content", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("zone", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("pattern", Text, nullable=False),
    Column("device_id", Text),
    Column("context", Json, nullable=False),
    Column("confirmation", Json, nullable=False),
    Column("base", Integer, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("ends_at", Instant),
    Column("count", Integer),
    Column("made", Integer, nullable=False),
    Column("missed", Integer, nullable=False),
    Column("skipped", Json, nullable=False),
    Column("next_at", Instant),
    Column("current", Text),
    Column("explicit", Boolean, nullable=False),
    Column("ended_at", Instant),
    Column("version", Integer, nullable=False),
)
Index("ix_series_user", series.c.user_id, series.c.id)

rings = Table(
    "rings",
    metadata,
    Column("id", Text, primary_key=True),
    Column("reminder_id", Text, ForeignKey("reminders.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("device_id", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("answer_by", Instant, nullable=False),
    Column("fired_at", Instant, nullable=False),
    Column("delivered_at", Instant),
    Column("heard_at", Instant),
    Column("answered_at", Instant),
    Column("unreachable_at", Instant),
    Column("label", Text, nullable=False),
    Column("sent_at", Instant),
)
Index("ix_rings_reminder", rings.c.reminder_id, rings.c.number, unique=True)
Index("ix_rings_device", rings.c.device_id, rings.c.fired_at)

told = Table(
    "told",
    metadata,
    Column("reminder_id", Text, ForeignKey("reminders.id", ondelete="CASCADE"), primary_key=True),
    Column("contact_id", Text, primary_key=True),
    Column("told_at", Instant, nullable=False),
    Column("said", Text),
    Column("said_at", Instant),
    Column("until", Instant),
    Column("round", Integer, nullable=False, server_default="1"),
    Column("delivered_at", Instant),
    Column("opened_at", Instant),
    Column("through", Text, nullable=False, server_default=""),
)
