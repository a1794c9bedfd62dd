"""The queue: one row for each unit of durable work, from `scheduled` to its end.

A future task is `scheduled` and found by its due instant; a due one is `ready` and found by its
rank. So a million future tasks cost a claim nothing. Each index covers one status only: a task
is in one of them at a time, and finding the next never touches those that are done.
"""

from sqlalchemy import BigInteger, Column, Index, Integer, Table, Text, text

from clarion.store.sql.engine.database import Instant, Json
from clarion.store.sql.sealing import Sealed
from clarion.store.sql.tables.meta import counted, metadata

WAITING = "status IN ('scheduled', 'ready')"
OPEN = "status IN ('scheduled', 'ready', 'running')"
ENDED = "status IN ('done', 'dead', 'cancelled')"

tasks = Table(
    "tasks",
    metadata,
    # Orders equal ranks, first come first served, and is never reused: a worker that returns
    # after a long break must not find another task under its number.
    counted("sequence"),
    Column("id", Text, nullable=False),
    Column("queue", Text, nullable=False),
    Column("kind", Text, nullable=False),
    # JSON as text: the database never looks inside, so it need not parse it either.
    Column("payload", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("rank", Instant, nullable=False),
    Column("key", Text),
    Column("source", Text),
    Column("status", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("worker", Text),
    Column("leased_until", Instant),
    Column("error", Text),
    Column("created_at", Instant, nullable=False),
    Column("started_at", Instant),
    Column("ended_at", Instant),
    # The instant from which its rank counts; None before it is ready, and from old servers.
    Column("start_at", Instant),
    # The share of its source, in hundredths.
    Column("weight", Integer, nullable=False, server_default="100"),
    # 1 for control tasks: commands, buttons, answers.
    Column("control", Integer, nullable=False, server_default="0"),
    # JSON that the handler returned.
    Column("result", Text),
    # The W3C `traceparent` of the caller that added it.
    Column("trace", Text),
    # No longer used; servers of the version before still write them during an upgrade.
    Column("sent_at", Instant),
    Column("sends", Integer, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

# Pauses and limits: `queue:…` or `kind:…`.
task_gates = Table(
    "task_gates",
    metadata,
    Column("name", Text, primary_key=True),
    Column("paused_at", Instant),
    # When its rate lets the next task of this kind begin.
    Column("next_at", Instant),
)

# Keys that were added recently, for tasks that are unique for a time.
task_keys = Table(
    "task_keys",
    metadata,
    Column("key", Text, primary_key=True),
    Column("task_id", Text, nullable=False),
    Column("until", Instant, nullable=False, index=True),
)

# Kinds of task that other programs carry out: by a signed POST, or as a BullMQ job.
task_kinds = Table(
    "task_kinds",
    metadata,
    Column("name", Text, primary_key=True),
    Column("target", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("secret", Sealed, nullable=False),
    # JSON: limit, retries, concurrency, rate.
    Column("options", Json, nullable=False),
    Column("created_at", Instant, nullable=False),
)


def _index(name: str, *columns: str, where: str, unique: bool = False) -> None:
    Index(
        name,
        *(tasks.c[column] for column in columns),
        unique=unique,
        sqlite_where=text(where),
        postgresql_where=text(where),
    )


Index("uq_tasks_id", tasks.c.id, unique=True)
# With `base` in them, counting a million tasks by level reads the index alone.
_index("ix_tasks_scheduled", "due_at", "base", where="status = 'scheduled'")
_index("ix_tasks_ready", "rank", "sequence", "base", where="status = 'ready'")
_index("ix_tasks_critical", "rank", "sequence", where="status = 'ready' AND base >= 100")
_index("ix_tasks_running", "leased_until", where="status = 'running'")
_index("uq_tasks_key", "key", where=f"key IS NOT NULL AND {WAITING}", unique=True)
_index("ix_tasks_source", "source", where=f"source IS NOT NULL AND {OPEN}")
_index("ix_tasks_shares", "source", "start_at", where="status = 'ready' AND source IS NOT NULL")
_index("ix_tasks_control", "rank", "sequence", where="status = 'ready' AND control > 0")
# Those that may not begin: `HELD` of `tasks.rows`, 1 << 56, is added to their rank.
_index("ix_tasks_held", "kind", "rank", where="status = 'ready' AND rank >= 72057594037927936")
_index("ix_tasks_ended", "queue", "status", "ended_at", where=ENDED)


duties = Table(
    "duties",
    metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Instant, nullable=False),
)
