"""One store for the keys of requests: answers of the HTTP door, and ids that verbs made.

Expand: the table, with the rows of the two before it. On PostgreSQL servers of the version before
run on meanwhile: what they know as `answers` and `keys` are views of the same rows, so a request
that comes again is known to whichever server it meets. The step that drops the views
belongs to the release after. A SQLite file has one server, which is this one.
"""

import sqlalchemy as sa
from alembic import op

from clarion.store.sql.types import Instant, Json

revision = "0027"
down_revision = "0026"

MOVE = (
    """INSERT INTO idempotency (scope, holder, key, fingerprint, begun_at, body, status, headers)
    SELECT 'request', holder, key, fingerprint, begun_at, body, status, headers FROM answers""",
    """INSERT INTO idempotency (scope, holder, key, fingerprint, begun_at, body)
    SELECT 'reminder', user_id, key, fingerprint, at, result FROM keys""",
)
VIEWS = (
    """CREATE VIEW answers AS
    SELECT holder, key, fingerprint, begun_at, status, headers, body, scope
    FROM idempotency WHERE scope = 'request'""",
    "ALTER VIEW answers ALTER COLUMN scope SET DEFAULT 'request'",
    """CREATE VIEW keys AS
    SELECT holder AS user_id, key, fingerprint, body AS result, begun_at AS at, scope
    FROM idempotency WHERE scope = 'reminder'""",
    "ALTER VIEW keys ALTER COLUMN scope SET DEFAULT 'reminder'",
)


def upgrade() -> None:
    op.create_table(
        "idempotency",
        sa.Column("scope", sa.Text(), primary_key=True),
        sa.Column("holder", sa.Text(), primary_key=True),
        sa.Column("key", sa.Text(), primary_key=True),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("begun_at", Instant(), nullable=False),
        sa.Column("body", sa.Text()),
        sa.Column("status", sa.Integer()),
        sa.Column("headers", Json),
    )
    op.create_index("ix_idempotency_begun_at", "idempotency", ["begun_at"])
    postgres = op.get_bind().dialect.name == "postgresql"
    if postgres:
        # Nobody may write between the copy and the views.
        op.execute("LOCK TABLE answers, keys IN ACCESS EXCLUSIVE MODE")
    for query in MOVE:
        op.execute(query)
    op.drop_table("answers")
    op.drop_table("keys")
    for query in VIEWS if postgres else ():
        op.execute(query)
