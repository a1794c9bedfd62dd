"""Teams, events, plans, schemes and who was sent where.

The partial index on open assignments is the last defence: whatever goes wrong before it, the
database itself refuses to send one team to two places.
"""

from sqlalchemy import (
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    text,
)

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import metadata

teams = Table(
    "rescue_teams_v2",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("capabilities", Json, nullable=False),
    Column("speed_kmh", Float, nullable=False),
    Column("ready_seconds", Integer, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("range_km", Float),
    Column("status", Text, nullable=False),
    Column("current_task_id", Text),
    Column("reason", Text, nullable=False, default=""),
    Column("fence", Integer, nullable=False, default=0),
    Column("held_by", Text),
    Column("held_for", Text),
    Column("held_since", Instant),
    Column("held_until", Instant),
    Column("user_id", Text),
    Column("device_id", Text),
    Column("updated_at", Instant, nullable=False),
    Column("version", Integer, nullable=False, default=1),
    Column("kind", Text, nullable=False, default="car", server_default="car"),
    Column("position_at", Instant),
    Column("accuracy_m", Float),
    Column("station_id", Text),
    Column("crew", Json, nullable=False, default=list, server_default="[]"),
    Column("crew_min", Integer, nullable=False, default=0, server_default="0"),
    Column("shifts", Json, nullable=False, default=list, server_default="[]"),
    Column("rest_seconds", Integer, nullable=False, default=0, server_default="0"),
    Column("rests_until", Instant),
    Column("mutual_aid", Integer, nullable=False, default=0, server_default="0"),
    CheckConstraint("status IN ('standby', 'deployed', 'unavailable')", name="status"),
    CheckConstraint("(status = 'deployed') = (current_task_id IS NOT NULL)", name="task"),
)
Index("ix_rescue_teams_v2_status", teams.c.status)
Index(
    "ix_rescue_teams_v2_held",
    teams.c.held_by,
    sqlite_where=text("held_by IS NOT NULL"),
    postgresql_where=text("held_by IS NOT NULL"),
)

dispatch_events = Table(
    "dispatch_events",
    metadata,
    Column("id", Text, primary_key=True),
    Column("type", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("title", Text, nullable=False),
    Column("report", Text, nullable=False),
    Column("needs", Json, nullable=False),
    Column("reported_at", Instant, nullable=False),
    Column("deadline_at", Instant),
    Column("status", Text, nullable=False),
    Column("officer", Text),
    Column("version", Integer, nullable=False, default=1),
)
Index("ix_dispatch_events_status", dispatch_events.c.status, dispatch_events.c.reported_at)

runs = Table(
    "dispatch_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("event_id", Text, ForeignKey("dispatch_events.id"), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("key", Text, unique=True),
    Column("status", Text, nullable=False),
    Column("attempt", Integer, nullable=False, default=0),
    Column("team_ids", Json, nullable=False),
    Column("excluded", Json, nullable=False),
    Column("needs_approval", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("node", Text, nullable=False, default=""),
    Column("steps", Json, nullable=False),
    Column("replans", Integer, nullable=False, default=0),
    Column("degraded", Integer, nullable=False, default=0),
    Column("scheme_id", Text),
    Column("error", Json),
    Column("started_at", Instant),
    Column("finished_at", Instant),
)
# One plan at a time for an event: two would only race for the same teams.
Index(
    "uq_dispatch_runs_open",
    runs.c.event_id,
    unique=True,
    sqlite_where=text("finished_at IS NULL"),
    postgresql_where=text("finished_at IS NULL"),
)
Index("ix_dispatch_runs_created", runs.c.created_at)

schemes = Table(
    "dispatch_schemes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("event_id", Text, ForeignKey("dispatch_events.id"), nullable=False),
    Column("run_id", Text, ForeignKey("dispatch_runs.id"), nullable=False),
    Column("status", Text, nullable=False),
    Column("option", Json, nullable=False),
    Column("alternatives", Json, nullable=False),
    Column("explanation", Text, nullable=False),
    Column("quality", Text, nullable=False),
    Column("degraded", Integer, nullable=False),
    Column("fences", Json, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("decided_at", Instant),
    Column("decided_by", Text, nullable=False, default=""),
    Column("reason", Text, nullable=False, default=""),
    Column("held_until", Instant),
    Column("chosen", Integer, nullable=False, default=0),
)
Index("ix_dispatch_schemes_event", schemes.c.event_id, schemes.c.created_at)

assignments = Table(
    "dispatch_assignments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("scheme_id", Text, ForeignKey("dispatch_schemes.id"), nullable=False),
    Column("event_id", Text, ForeignKey("dispatch_events.id"), nullable=False),
    Column("team_id", Text, nullable=False),  # the history outlives the team
    Column("role", Text, nullable=False),
    Column("eta_seconds", Integer, nullable=False),
    Column("amounts", Json, nullable=False),
    Column("fence", Integer, nullable=False),
    Column("opened_at", Instant, nullable=False),
    Column("call", Text, nullable=False),
    Column("called_at", Instant),
    Column("reminder_id", Text),
    Column("closed_at", Instant),
    Column("outcome", Text, nullable=False, default=""),
    Column("kind", Text, nullable=False, default="car", server_default="car"),
    Column("eta_source", Text, nullable=False, default="air", server_default="air"),
    Column("correction", Float, nullable=False, default=1.0, server_default="1"),
    Column("en_route_at", Instant),
    Column("on_scene_at", Instant),
    Column("returning_at", Instant),
)
Index(
    "uq_dispatch_assignments_open",
    assignments.c.team_id,
    unique=True,
    sqlite_where=text("closed_at IS NULL"),
    postgresql_where=text("closed_at IS NULL"),
)
Index("ix_dispatch_assignments_event", assignments.c.event_id, assignments.c.opened_at)
Index("ix_dispatch_assignments_reminder", assignments.c.reminder_id)

stations = Table(
    "dispatch_stations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("latitude", Float, nullable=False),
    Column("longitude", Float, nullable=False),
    Column("district", Text, nullable=False),
    Column("least", Json, nullable=False),
)
