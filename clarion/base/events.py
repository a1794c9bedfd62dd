"""Events: every change writes what happened in the same transaction.

An event kind is a frozen dataclass that names its `kind` and `version`. The version rises when
a field changes its meaning; adding an optional field does not raise it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """The base of all event kinds. `subject` is the id of what it is about."""

    kind: ClassVar[str]
    version: ClassVar[int] = 1

    subject: str
    user: str | None = None
    """Whose it is: a user's token sees an event only when it is theirs; None is for admins."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event as the log has it. `sequence` rises in commit order and is never reused."""

    sequence: int
    at: datetime
    kind: str
    version: int
    subject: str
    user: str | None
    data: Mapping[str, Any]
