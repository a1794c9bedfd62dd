"""Every table, one file a feature. Importing this package makes `metadata` complete."""

from clarion.store.sql.tables import (
    access,
    activation,
    audit,
    chats,
    dialogues,
    dispatch,
    duties,
    events,
    meta,
    oauth,
    people,
    questions,
    reminders,
    tasks,
    webhooks,
    xiaozhi,
)
from clarion.store.sql.tables.meta import metadata

__all__ = [
    "access",
    "activation",
    "audit",
    "chats",
    "dialogues",
    "dispatch",
    "duties",
    "events",
    "meta",
    "metadata",
    "oauth",
    "people",
    "questions",
    "reminders",
    "tasks",
    "webhooks",
    "xiaozhi",
]
