"""The first layout."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from clarion.store.sql.types import Instant

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "activations",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("hardware", sa.Text(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("challenge", sa.Text(), nullable=False),
        sa.Column(
            "facts",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("asked_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.Column("token_id", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("code", name=op.f("pk_activations")),
        sa.UniqueConstraint("hardware", name=op.f("uq_activations_hardware")),
    )
    op.create_table(
        "answers",
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("begun_at", Instant(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column(
            "headers",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=True,
        ),
        sa.Column("body", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("holder", "key", name=op.f("pk_answers")),
    )
    with op.batch_alter_table("answers", schema=None) as batch_op:
        batch_op.create_index("ix_answers_begun_at", ["begun_at"], unique=False)

    op.create_table(
        "calendars",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("made_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_calendars")),
    )
    op.create_table(
        "chat_inbox",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("update", sa.Text(), nullable=False),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_by", Instant(), nullable=True),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column(
            "message",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_chat_inbox")),
        sa.UniqueConstraint("update", name=op.f("uq_chat_inbox_update")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("chat_inbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_chat_inbox_open",
            ["chat_id", sa.literal_column("base DESC"), "sequence"],
            unique=False,
            sqlite_where=sa.text("state != 'done'"),
            postgresql_where=sa.text("state != 'done'"),
        )
        batch_op.create_index(
            "ix_chat_inbox_under_way",
            ["chat_id"],
            unique=False,
            sqlite_where=sa.text("state = 'under_way'"),
            postgresql_where=sa.text("state = 'under_way'"),
        )

    op.create_table(
        "chat_outbox",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("since", Instant(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("lease_by", Instant(), nullable=True),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column(
            "message",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_chat_outbox")),
        sa.UniqueConstraint("key", name=op.f("uq_chat_outbox_key")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("chat_outbox", schema=None) as batch_op:
        batch_op.create_index(
            "ix_chat_outbox_open",
            ["chat_id", sa.literal_column("base DESC"), "sequence"],
            unique=False,
            sqlite_where=sa.text("state != 'done'"),
            postgresql_where=sa.text("state != 'done'"),
        )
        batch_op.create_index(
            "ix_chat_outbox_under_way",
            ["chat_id"],
            unique=False,
            sqlite_where=sa.text("state = 'under_way'"),
            postgresql_where=sa.text("state = 'under_way'"),
        )

    op.create_table(
        "chats",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("dead_at", Instant(), nullable=True),
        sa.Column("paused_until", Instant(), nullable=True),
        sa.Column("moved_to", sa.Text(), nullable=True),
        sa.Column("spare_in", sa.Integer(), nullable=False),
        sa.Column("spare_out", sa.Integer(), nullable=False),
        sa.Column("rests_in", Instant(), nullable=True),
        sa.Column("rests_out", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_chats")),
    )
    op.create_table(
        "cursors",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_cursors")),
    )
    op.create_table(
        "dispatch_events",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column(
            "needs",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("reported_at", Instant(), nullable=False),
        sa.Column("deadline_at", Instant(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("officer", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispatch_events")),
    )
    with op.batch_alter_table("dispatch_events", schema=None) as batch_op:
        batch_op.create_index("ix_dispatch_events_status", ["status", "reported_at"], unique=False)

    op.create_table(
        "duties",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_duties")),
    )
    op.create_table(
        "events",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("at", Instant(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("user", sa.Text(), nullable=True),
        sa.Column(
            "data",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("xact", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_events")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("events", schema=None) as batch_op:
        batch_op.create_index("ix_events_subject", ["subject", "sequence"], unique=False)
        batch_op.create_index("ix_events_user", ["user", "sequence"], unique=False)

    op.create_table(
        "keys",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "key", name=op.f("pk_keys")),
    )
    with op.batch_alter_table("keys", schema=None) as batch_op:
        batch_op.create_index("ix_keys_at", ["at"], unique=False)

    op.create_table(
        "login_codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("expires_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_login_codes")),
    )
    op.create_table(
        "rescue_teams_v2",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("latitude", sa.Float(), nullable=False),
        sa.Column("longitude", sa.Float(), nullable=False),
        sa.Column(
            "capabilities",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("speed_kmh", sa.Float(), nullable=False),
        sa.Column("ready_seconds", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Integer(), nullable=False),
        sa.Column("range_km", sa.Float(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("current_task_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("held_by", sa.Text(), nullable=True),
        sa.Column("held_for", sa.Text(), nullable=True),
        sa.Column("held_since", Instant(), nullable=True),
        sa.Column("held_until", Instant(), nullable=True),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "(status = 'deployed') = (current_task_id IS NOT NULL)",
            name=op.f("ck_rescue_teams_v2_task"),
        ),
        sa.CheckConstraint(
            "status IN ('standby', 'deployed', 'unavailable')",
            name=op.f("ck_rescue_teams_v2_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rescue_teams_v2")),
    )
    with op.batch_alter_table("rescue_teams_v2", schema=None) as batch_op:
        batch_op.create_index(
            "ix_rescue_teams_v2_held",
            ["held_by"],
            unique=False,
            sqlite_where=sa.text("held_by IS NOT NULL"),
            postgresql_where=sa.text("held_by IS NOT NULL"),
        )
        batch_op.create_index("ix_rescue_teams_v2_status", ["status"], unique=False)

    op.create_table(
        "rules",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("chat_id", sa.Text(), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column(
            "targets",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "filters",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rules")),
        sa.UniqueConstraint("chat_id", name=op.f("uq_rules_chat_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "tasks",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("queue", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("due_at", Instant(), nullable=False),
        sa.Column("rank", Instant(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("leased_until", Instant(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("started_at", Instant(), nullable=True),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("sent_at", Instant(), nullable=True),
        sa.Column("sends", sa.Integer(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_tasks")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("tasks", schema=None) as batch_op:
        batch_op.create_index(
            "ix_tasks_critical",
            ["rank", "sequence"],
            unique=False,
            sqlite_where=sa.text("status = 'ready' AND base >= 100"),
            postgresql_where=sa.text("status = 'ready' AND base >= 100"),
        )
        batch_op.create_index(
            "ix_tasks_ended",
            ["queue", "status", "ended_at"],
            unique=False,
            sqlite_where=sa.text("status IN ('done', 'dead', 'cancelled')"),
            postgresql_where=sa.text("status IN ('done', 'dead', 'cancelled')"),
        )
        batch_op.create_index(
            "ix_tasks_ready",
            ["rank", "sequence", "base"],
            unique=False,
            sqlite_where=sa.text("status = 'ready'"),
            postgresql_where=sa.text("status = 'ready'"),
        )
        batch_op.create_index(
            "ix_tasks_running",
            ["leased_until"],
            unique=False,
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )
        batch_op.create_index(
            "ix_tasks_scheduled",
            ["due_at", "base"],
            unique=False,
            sqlite_where=sa.text("status = 'scheduled'"),
            postgresql_where=sa.text("status = 'scheduled'"),
        )
        batch_op.create_index(
            "ix_tasks_source",
            ["source"],
            unique=False,
            sqlite_where=sa.text(
                "source IS NOT NULL AND status IN ('scheduled', 'ready', 'running')"
            ),
            postgresql_where=sa.text(
                "source IS NOT NULL AND status IN ('scheduled', 'ready', 'running')"
            ),
        )
        batch_op.create_index(
            "ix_tasks_unsent",
            ["rank"],
            unique=False,
            sqlite_where=sa.text("sent_at IS NOT NULL"),
            postgresql_where=sa.text(
                "sent_at IS NULL AND (status IN ('scheduled', 'ready') OR (status = 'cancelled' AND sends > 0))"
            ),
        )
        batch_op.create_index("uq_tasks_id", ["id"], unique=True)
        batch_op.create_index(
            "uq_tasks_key",
            ["key"],
            unique=True,
            sqlite_where=sa.text("key IS NOT NULL AND status IN ('scheduled', 'ready')"),
            postgresql_where=sa.text("key IS NOT NULL AND status IN ('scheduled', 'ready')"),
        )

    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("expires_at", Instant(), nullable=True),
        sa.Column("revoked_at", Instant(), nullable=True),
        sa.Column("used_at", Instant(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
    )
    with op.batch_alter_table("tokens", schema=None) as batch_op:
        batch_op.create_index("ix_tokens_user", ["user_id", "id"], unique=False)

    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column(
            "context",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "quiet",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=True,
        ),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
    )
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("old_secret", sa.Text(), nullable=False),
        sa.Column("old_secret_until", Instant(), nullable=True),
        sa.Column(
            "kinds",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    with op.batch_alter_table("webhooks", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_webhooks_user_id"), ["user_id"], unique=False)

    op.create_table(
        "contacts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("delay", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_contacts_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_contacts")),
    )
    with op.batch_alter_table("contacts", schema=None) as batch_op:
        batch_op.create_index("ix_contacts_user", ["user_id", "order"], unique=False)

    op.create_table(
        "devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("order", sa.Integer(), nullable=False),
        sa.Column("online", sa.Boolean(), nullable=False),
        sa.Column("last_seen", Instant(), nullable=True),
        sa.Column("offline_since", Instant(), nullable=True),
        sa.Column(
            "quiet",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=True,
        ),
        sa.Column(
            "facts",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_devices_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_devices")),
    )
    with op.batch_alter_table("devices", schema=None) as batch_op:
        batch_op.create_index("ix_devices_address", ["kind", "address"], unique=False)
        batch_op.create_index("ix_devices_user", ["user_id", "order"], unique=False)

    op.create_table(
        "dispatch_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column(
            "team_ids",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "excluded",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("needs_approval", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("node", sa.Text(), nullable=False),
        sa.Column(
            "steps",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("replans", sa.Integer(), nullable=False),
        sa.Column("degraded", sa.Integer(), nullable=False),
        sa.Column("scheme_id", sa.Text(), nullable=True),
        sa.Column(
            "error",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=True,
        ),
        sa.Column("started_at", Instant(), nullable=True),
        sa.Column("finished_at", Instant(), nullable=True),
        sa.ForeignKeyConstraint(
            ["event_id"], ["dispatch_events.id"], name=op.f("fk_dispatch_runs_event_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispatch_runs")),
        sa.UniqueConstraint("key", name=op.f("uq_dispatch_runs_key")),
    )
    with op.batch_alter_table("dispatch_runs", schema=None) as batch_op:
        batch_op.create_index("ix_dispatch_runs_created", ["created_at"], unique=False)
        batch_op.create_index(
            "uq_dispatch_runs_open",
            ["event_id"],
            unique=True,
            sqlite_where=sa.text("finished_at IS NULL"),
            postgresql_where=sa.text("finished_at IS NULL"),
        )

    op.create_table(
        "reminders",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("trigger_at", Instant(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column(
            "context",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "confirmation",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("series_id", sa.Text(), nullable=True),
        sa.Column("planned_at", Instant(), nullable=True),
        sa.Column("answer_by", Instant(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("explicit", sa.Boolean(), nullable=False),
        sa.Column("rings", sa.Integer(), nullable=False),
        sa.Column(
            "tried",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("unreached_since", Instant(), nullable=True),
        sa.Column("asked_again", sa.Boolean(), nullable=False),
        sa.Column("held_until", Instant(), nullable=True),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("confirmed_by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_reminders_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reminders")),
    )
    with op.batch_alter_table("reminders", schema=None) as batch_op:
        batch_op.create_index(
            "ix_reminders_held",
            ["user_id"],
            unique=False,
            sqlite_where=sa.text("held_until IS NOT NULL"),
            postgresql_where=sa.text("held_until IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_reminders_open",
            ["status", "trigger_at"],
            unique=False,
            sqlite_where=sa.text("status IN ('pending', 'triggered')"),
            postgresql_where=sa.text("status IN ('pending', 'triggered')"),
        )
        batch_op.create_index("ix_reminders_series", ["series_id", "trigger_at"], unique=False)
        batch_op.create_index("ix_reminders_trigger_at", ["trigger_at", "id"], unique=False)
        batch_op.create_index(
            "ix_reminders_unreached",
            ["user_id"],
            unique=False,
            sqlite_where=sa.text("unreached_since IS NOT NULL"),
            postgresql_where=sa.text("unreached_since IS NOT NULL"),
        )
        batch_op.create_index("ix_reminders_user", ["user_id", "trigger_at", "id"], unique=False)

    op.create_table(
        "series",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column(
            "context",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "confirmation",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("base", sa.Integer(), nullable=False),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("ends_at", Instant(), nullable=True),
        sa.Column("count", sa.Integer(), nullable=True),
        sa.Column("made", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column(
            "skipped",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("next_at", Instant(), nullable=True),
        sa.Column("current", sa.Text(), nullable=True),
        sa.Column("explicit", sa.Boolean(), nullable=False),
        sa.Column("ended_at", Instant(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_series_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_series")),
    )
    with op.batch_alter_table("series", schema=None) as batch_op:
        batch_op.create_index("ix_series_user", ["user_id", "id"], unique=False)

    op.create_table(
        "dispatch_schemes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column(
            "option",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column(
            "alternatives",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("explanation", sa.Text(), nullable=False),
        sa.Column("quality", sa.Text(), nullable=False),
        sa.Column("degraded", sa.Integer(), nullable=False),
        sa.Column(
            "fences",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("decided_at", Instant(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("held_until", Instant(), nullable=True),
        sa.Column("chosen", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["dispatch_events.id"], name=op.f("fk_dispatch_schemes_event_id")
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["dispatch_runs.id"], name=op.f("fk_dispatch_schemes_run_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispatch_schemes")),
    )
    with op.batch_alter_table("dispatch_schemes", schema=None) as batch_op:
        batch_op.create_index("ix_dispatch_schemes_event", ["event_id", "created_at"], unique=False)

    op.create_table(
        "machines",
        sa.Column("hardware", sa.Text(), nullable=False),
        sa.Column("proof", sa.Text(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("bound_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["device_id"], ["devices.id"], name=op.f("fk_machines_device_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hardware", name=op.f("pk_machines")),
    )
    with op.batch_alter_table("machines", schema=None) as batch_op:
        batch_op.create_index("ix_machines_device_id", ["device_id"], unique=False)

    op.create_table(
        "rings",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("reminder_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("device_id", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("answer_by", Instant(), nullable=False),
        sa.Column("fired_at", Instant(), nullable=False),
        sa.Column("delivered_at", Instant(), nullable=True),
        sa.Column("heard_at", Instant(), nullable=True),
        sa.Column("answered_at", Instant(), nullable=True),
        sa.Column("unreachable_at", Instant(), nullable=True),
        sa.Column("label", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["reminder_id"], ["reminders.id"], name=op.f("fk_rings_reminder_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rings")),
    )
    with op.batch_alter_table("rings", schema=None) as batch_op:
        batch_op.create_index("ix_rings_device", ["device_id", "fired_at"], unique=False)
        batch_op.create_index("ix_rings_reminder", ["reminder_id", "number"], unique=True)

    op.create_table(
        "told",
        sa.Column("reminder_id", sa.Text(), nullable=False),
        sa.Column("contact_id", sa.Text(), nullable=False),
        sa.Column("told_at", Instant(), nullable=False),
        sa.ForeignKeyConstraint(
            ["reminder_id"], ["reminders.id"], name=op.f("fk_told_reminder_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reminder_id", "contact_id", name=op.f("pk_told")),
    )
    op.create_table(
        "dispatch_assignments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("scheme_id", sa.Text(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("eta_seconds", sa.Integer(), nullable=False),
        sa.Column(
            "amounts",
            sa.JSON().with_variant(postgresql.JSONB(astext_type=sa.Text()), "postgresql"),
            nullable=False,
        ),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("opened_at", Instant(), nullable=False),
        sa.Column("call", sa.Text(), nullable=False),
        sa.Column("called_at", Instant(), nullable=True),
        sa.Column("reminder_id", sa.Text(), nullable=True),
        sa.Column("closed_at", Instant(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["event_id"], ["dispatch_events.id"], name=op.f("fk_dispatch_assignments_event_id")
        ),
        sa.ForeignKeyConstraint(
            ["scheme_id"], ["dispatch_schemes.id"], name=op.f("fk_dispatch_assignments_scheme_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dispatch_assignments")),
    )
    with op.batch_alter_table("dispatch_assignments", schema=None) as batch_op:
        batch_op.create_index(
            "ix_dispatch_assignments_event", ["event_id", "opened_at"], unique=False
        )
        batch_op.create_index("ix_dispatch_assignments_reminder", ["reminder_id"], unique=False)
        batch_op.create_index(
            "uq_dispatch_assignments_open",
            ["team_id"],
            unique=True,
            sqlite_where=sa.text("closed_at IS NULL"),
            postgresql_where=sa.text("closed_at IS NULL"),
        )
    if op.get_bind().dialect.name != "postgresql":
        return
    op.execute(
        """
        CREATE FUNCTION task_moved() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.due_at <> OLD.due_at OR NEW.rank <> OLD.rank
                OR (OLD.status NOT IN ('scheduled', 'ready') AND NEW.status <> OLD.status)
                OR (NEW.status = 'cancelled' AND OLD.status <> 'cancelled')
            THEN NEW.sent_at := NULL;
            END IF;
            RETURN NEW;
        END $$
        """
    )
    op.execute(
        """
        CREATE TRIGGER task_moved BEFORE UPDATE ON tasks FOR EACH ROW
        WHEN (NEW.status IN ('scheduled', 'ready', 'cancelled')) EXECUTE FUNCTION task_moved()
        """
    )
