"""Secrets that all servers of one database share, for example to sign links."""

import secrets as dice

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from clarion.store.sql.tables.access import secrets

BYTES = 32


def secret(conn: Connection, name: str) -> bytes:
    """The secret of that name, made when first asked for; the same on every server."""
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    new = dialect.insert(secrets).values(name=name, value=dice.token_hex(BYTES))
    conn.execute(new.on_conflict_do_nothing())
    found = conn.execute(select(secrets.c.value).where(secrets.c.name == name)).scalar_one()
    return bytes.fromhex(found)
