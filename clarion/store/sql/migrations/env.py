"""Alembic runs this: use the connection we were handed, inside its transaction."""

from alembic import context

from clarion.store.sql.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite can change a table only by copying it
    transactional_ddl=False,  # the transaction is the caller's
)
context.run_migrations()
