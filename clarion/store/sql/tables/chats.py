"""Chats, their rules, what arrived there and what is to be sent there."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.tables.meta import counted, metadata

chats = Table(
    "chats",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False, default=""),
    Column("language", Text, nullable=False, default="zh"),
    Column("dead_at", Instant),
    Column("paused_until", Instant),
    Column("moved_to", Text),
    # The version before counts tasks here and still runs during an upgrade.
    Column("spare_in", Integer, nullable=False, default=0),
    Column("spare_out", Integer, nullable=False, default=0),
    Column("rests_in", Instant),
    Column("rests_out", Instant),
)

rules = Table(
    "rules",
    metadata,
    counted("id"),
    Column("chat_id", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("targets", Json, nullable=False),
    Column("filters", Json, nullable=False),
    Column("enabled", Boolean, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("version", Integer, nullable=False),
    # The chat's share of the queue; NULL: the share of its priority.
    Column("weight", Float),
    UniqueConstraint("chat_id"),
    sqlite_autoincrement=True,
)

inbox = Table(
    "chat_inbox",
    metadata,
    counted("sequence"),
    Column("update", Text, nullable=False, unique=True),
    Column("chat_id", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("state", Text, nullable=False),
    Column("fence", Integer, nullable=False, default=0),
    Column("lease_by", Instant),
    Column("holder", Text),
    Column("message", Json, nullable=False),
    Column("outcome", Text, nullable=False, default=""),
    # The instant from which its rank counts, behind waiting messages of the same chat.
    Column("start_at", Instant),
    sqlite_autoincrement=True,
)

outbox = Table(
    "chat_outbox",
    metadata,
    counted("sequence"),
    Column("key", Text, unique=True),
    Column("chat_id", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("since", Instant, nullable=False),
    Column("state", Text, nullable=False),
    Column("fence", Integer, nullable=False, default=0),
    Column("lease_by", Instant),
    Column("holder", Text),
    Column("message", Json, nullable=False),
    Column("outcome", Text, nullable=False, default=""),
    # The chat whose message it forwards; it follows that chat's priority.
    Column("source", Text),
    # Its order among the messages for one chat: a busy source delays only itself.
    Column("place", BigInteger, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)
Index(
    "ix_chat_outbox_source",
    outbox.c.source,
    outbox.c.chat_id,
    outbox.c.base,
    outbox.c.place,
    sqlite_where=text("state != 'done' AND source IS NOT NULL"),
    postgresql_where=text("state != 'done' AND source IS NOT NULL"),
)

for _lane in (inbox, outbox):
    Index(
        f"ix_{_lane.name}_under_way",
        _lane.c.chat_id,
        sqlite_where=_lane.c.state == "under_way",
        postgresql_where=_lane.c.state == "under_way",
    )
    Index(
        f"ix_{_lane.name}_open",
        _lane.c.chat_id,
        _lane.c.base.desc(),
        *([_lane.c.place] if _lane is outbox else []),
        _lane.c.sequence,
        sqlite_where=_lane.c.state != "done",
        postgresql_where=_lane.c.state != "done",
    )
