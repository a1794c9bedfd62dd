"""Which scope a request needs, by its method and path. What is on no line needs `admin`."""

from urllib.parse import urlsplit

from clarion.access.model import Identity
from clarion.access.scopes import Scope, check_scope
from clarion.base.errors import Unauthorised
from clarion.doors.http.conventions import PREFIX

READING = frozenset({"GET", "HEAD"})
FREE = frozenset({"/mcp", f"{PREFIX}/me"})
"""The assistants' door asks at each tool; who one is everybody may know."""
CONFIRMING = ("/confirm", "/snooze")
PREVIEW = f"{PREFIX}/reminders/preview"
CONTEXT = "/xiaozhi/context"
FIGURES = ("/adherence", "/export")


def needed_scope(method: str, path: str) -> Scope | None:
    """None: any token will do."""
    if path in FREE:
        return None
    if path == CONTEXT:
        return Scope.READ
    if path.startswith("/ai/"):
        return Scope.DISPATCH
    reads = method in READING
    match path.removeprefix(PREFIX).split("/")[1:2]:
        case ["reminders"] | ["series"]:
            if reads or path == PREVIEW:
                return Scope.READ
            return Scope.CONFIRM if path.endswith(CONFIRMING) else Scope.SET
        case ["events"]:
            return Scope.READ
        case ["users"] if reads and path.endswith(FIGURES):
            return Scope.READ
        case ["questions"]:
            return Scope.READ if reads else Scope.SET
        case ["users"] | ["devices"] | ["contacts"] | ["rotations"] | ["oncall"]:
            return Scope.PEOPLE
        case _:
            return Scope.ADMIN


def check_reach(who: Identity, method: str, path: str) -> None:
    """Raises Unauthorised for a token of another address, InsufficientScope for too little."""
    if who.client_id is None:
        return
    below = urlsplit(who.resource).path
    if below and path != below and not path.startswith(f"{below}/"):
        raise Unauthorised(
            "This token is for another address.", hint=f"It is good at {who.resource} only."
        )
    check_scope(who.scopes, needed_scope(method, path))
