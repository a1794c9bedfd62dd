"""What takes the short way: who am I, one reminder, its history, and a page of reminders.

Reads at sight what the routes of `reminders` and `tokens` describe: change both together.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.requests import HTTPConnection
from starlette.responses import Response

from clarion.access.model import Identity
from clarion.doors.http.auth import actor_of
from clarion.doors.http.conventions import ID_LETTERS_MAX, LIMIT_MOST, PREFIX, Instant
from clarion.doors.http.reminders import Finding
from clarion.doors.http.shortcut import Asked, Way
from clarion.doors.http.tokens import about_me
from clarion.reminders.model import ReminderStatus
from clarion.reminders.service import Reminders

STATUSES = {status.value: status for status in ReminderStatus}
CURSOR_LETTERS_MAX = 500
_INSTANT: TypeAdapter[datetime] = TypeAdapter(Instant)


class Odd(Exception):
    """Nothing that can be read at sight: the routes will say what is wrong with it."""


def plain_reads(reminders: Reminders) -> Mapping[str, Way]:
    finding = Finding(reminders)

    async def me(who: Identity, _asking: HTTPConnection, _name: str, _asked: Asked) -> Response:
        return about_me(who)

    async def page(who: Identity, _asking: HTTPConnection, _name: str, asked: Asked) -> Response:
        return await finding.page(actor_of(who), **asked)

    async def one(who: Identity, asking: HTTPConnection, name: str, _asked: Asked) -> Response:
        return await finding.one(actor_of(who), name, asking.headers.get("if-none-match"))

    async def past(who: Identity, _asking: HTTPConnection, name: str, _asked: Asked) -> Response:
        return await finding.history(actor_of(who), name)

    return {
        "/me": Way(f"{PREFIX}/me", me),
        "/reminders": Way(f"{PREFIX}/reminders", page, read_search),
        "/reminders/{id}": Way(f"{PREFIX}/reminders/{{reminder_id}}", one),
        "/reminders/{id}/history": Way(f"{PREFIX}/reminders/{{reminder_id}}/history", past),
    }


def read_search(pairs: list[tuple[str, str]]) -> Asked | None:
    """The arguments of a search, or None when anything about it is unusual."""
    asked: dict[str, Any] = {}
    try:
        for name, text in pairs:
            read = READERS.get(name)
            if name == "status":
                asked.setdefault(name, []).append(read_status(text))
            elif read is None or name in asked:
                return None
            else:
                asked[name] = read(text)
    except Odd:
        return None
    return None if len(asked.get("status", ())) > len(STATUSES) else asked


def read_status(text: str) -> ReminderStatus:
    if text not in STATUSES:
        raise Odd
    return STATUSES[text]


def read_instant(text: str) -> datetime:
    try:
        return _INSTANT.validate_python(text)
    except ValidationError:
        raise Odd from None


def read_limit(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):
        raise Odd
    number = int(text)
    if not 1 <= number <= LIMIT_MOST:
        raise Odd
    return number


def up_to(letters_max: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if not 0 < len(text) <= letters_max:
            raise Odd
        return text

    return read


READERS: Mapping[str, Callable[[str], Any]] = {
    "limit": read_limit,
    "since": read_instant,
    "until": read_instant,
    "user_id": up_to(ID_LETTERS_MAX),
    "series_id": up_to(ID_LETTERS_MAX),
    "cursor": up_to(CURSOR_LETTERS_MAX),
}
