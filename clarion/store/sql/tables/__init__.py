"""Every table, one file a feature. Importing this package makes `metadata` complete."""

from clarion.store.sql.tables import (
    access,
    chats,
    dialogues,
    dispatch,
    events,
    meta,
    people,
    questions,
    reminders,
    tasks,
    webhooks,
)
from clarion.store.sql.tables.meta import metadata

__all__ = [
    "access",
    "chats",
    "dialogues",
    "dispatch",
    "events",
    "meta",
    "metadata",
    "people",
    "questions",
    "reminders",
    "tasks",
    "webhooks",
]
