"""The column types under the name by which migrations import them: those are frozen."""

from clarion.store.sql.engine.database import Instant, Json

__all__ = ["Instant", "Json"]
