"""Fair shares, the control lane and results of tasks; nothing has to be told to a broker."""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant

revision = "0002"
down_revision = "0005"

SHARED = "status = 'ready' AND source IS NOT NULL"
CONTROL = "status = 'ready' AND control > 0"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER task_moved ON tasks")
        op.execute("DROP FUNCTION task_moved()")
    # The columns `sent_at` and `sends` stay until no server of the version before runs any more.
    op.drop_index("ix_tasks_unsent", "tasks")
    op.add_column("tasks", sa.Column("start_at", Instant(), nullable=True))
    op.add_column("tasks", sa.Column("weight", sa.Integer(), server_default="100", nullable=False))
    op.add_column("tasks", sa.Column("control", sa.Integer(), server_default="0", nullable=False))
    op.add_column("tasks", sa.Column("result", sa.Text(), nullable=True))
    for name, columns, where in (
        ("ix_tasks_shares", ["source", "start_at"], SHARED),
        ("ix_tasks_control", ["rank", "sequence"], CONTROL),
    ):
        op.create_index(
            name,
            "tasks",
            columns,
            sqlite_where=sa.text(where),
            postgresql_where=sa.text(where),
        )
