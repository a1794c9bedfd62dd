"""How much may be said about people, their devices and contacts. Pure."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clarion.base.errors import BadInput
from clarion.language.when.model import PARTS, ROUTINES
from clarion.people.model import PersonAbsence

WARN_CONTACTS = "warn_contacts"
"""In a person's context: tell a contact when nobody could hear what comes within a day."""
HABITS = ("day", *PARTS, *ROUTINES)
"""What a person may have an hour for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleLimits:
    context_bytes_max: int = 16_384
    page_max: int = 500
    contacts_max: int = 50
    ways_max: int = 5

    def context(self, context: Mapping[str, Any] | None) -> Mapping[str, Any]:
        kept = dict(context or {})
        try:
            size = len(json.dumps(kept, ensure_ascii=False).encode()) if kept else 0
        except (TypeError, ValueError):
            raise BadInput("The context is not JSON.") from None
        if size > self.context_bytes_max:
            raise BadInput(f"The context has {size} bytes; at most {self.context_bytes_max}.")
        return kept

    def page(self, limit: int) -> int:
        if not 1 <= limit <= self.page_max:
            raise BadInput(f"The limit is {limit}; it must be from 1 to {self.page_max}.")
        return limit


def checked_wishes(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """What we act upon has to be what we understand: `habits` and `warn_contacts`."""
    if not isinstance(context.get(WARN_CONTACTS, False), bool):
        raise BadInput("warn_contacts is not yes or no.", hint="true or false.")
    return checked_habits(context)


def checked_habits(context: Mapping[str, Any]) -> Mapping[str, Any]:
    """Hours of the day under names that are known: `{"dinner": "19:00"}`."""
    habits = context.get("habits")
    if habits is None:
        return context
    if not isinstance(habits, Mapping):
        raise BadInput("The habits are not an object.", hint='For example {"dinner": "19:00"}.')
    for name, at in habits.items():
        if name not in HABITS:
            raise BadInput(f"There is no habit {name!r}.", hint=f"One of: {', '.join(HABITS)}.")
        try:
            known = time.fromisoformat(at).tzinfo is None
        except (TypeError, ValueError):
            known = False
        if not known:
            raise BadInput(f"The habit {name} is not an hour of the day.", hint="Such as 19:00.")
    return context


def checked_absence(absence: PersonAbsence | None, now: datetime) -> PersonAbsence | None:
    """As it is kept: it begins now at the earliest."""
    if absence is None:
        return None
    kept = replace(absence, begins=max(absence.begins, now), set_at=now)
    if kept.ends is None or kept.ends > kept.begins:
        return kept
    raise BadInput("The absence is over before it begins, or already.", hint="Name a later end.")


def known_zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise BadInput(
            f"There is no time zone {name!r}.", hint="Use a name such as Asia/Shanghai."
        ) from None
