"""Every table, one file a feature. Importing this package makes `metadata` complete."""

from clarion.store.sql.tables import access, events, meta
from clarion.store.sql.tables.meta import metadata

__all__ = ["access", "events", "meta", "metadata"]
