"""Notes every change that came through the API, and shows admins who did what."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clarion.access.audit import AuditStore, AuditTrail, Deed
from clarion.access.model import Identity
from clarion.doors.http.auth import IDENTITY, Admin
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    BadPage,
    Cursor,
    Instant,
    Limit,
    Shape,
    answer_json,
    refusals,
    said,
)
from clarion.doors.http.middleware import route_of

CHANGES = frozenset({"DELETE", "PATCH", "POST", "PUT"})
DISPATCH = "/ai/"
LINKS = frozenset({"/c/{token}", "/i/{token}", "/q/{token}"})  # what stands there is a secret
ROWS_MAX = 100_000
SEQUENCE_DIGITS_MAX = 18
COLUMNS = ("at", "door", "action", "subject", "token_id", "kind", "user_id", "name", "address")
Of = Annotated[str | None, Query(max_length=ID_LETTERS_MAX)]
Moment = Annotated[Instant | None, Query()]


class Audited:
    """Middleware: what was changed and not refused is noted, with who did it."""

    def __init__(self, app: ASGIApp, trail: AuditTrail) -> None:
        self._app = app
        self._trail = trail

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in CHANGES:
            await self._app(scope, receive, send)
            return

        async def watching(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                self._note(scope, message)
            await send(message)

        await self._app(scope, receive, watching)

    def _note(self, scope: Scope, message: Message) -> None:
        route = route_of(scope)
        if not route.startswith((PREFIX, DISPATCH)) and route not in LINKS:
            return  # devices and assistants tell of themselves
        who = scope.get(IDENTITY)
        client = scope.get("client")
        self._trail.note(
            "rest",
            f"{scope['method']} {route}",
            "" if route in LINKS else subject_of(scope, message),
            who if isinstance(who, Identity) else None,
            client[0] if client else "",
        )


def subject_of(scope: Scope, message: Message) -> str:
    """The ids in the address; for something new, the id that it was given."""
    named = [str(one) for one in scope.get("path_params", {}).values()]
    for name, value in message.get("headers", ()):
        if name.lower() == b"location":
            named.append(value.decode().rpartition("/")[2])
    return " ".join(named)[: 2 * ID_LETTERS_MAX]


class DeedOut(Shape):
    sequence: int
    at: str
    door: str
    action: str
    subject: str
    token_id: str
    kind: str
    user_id: str | None
    name: str
    address: str


class DeedPage(Shape):
    items: list[DeedOut]
    next_cursor: str | None


def audit_routes(store: AuditStore, trail: AuditTrail) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/audit", tags=["audit"])

    @router.get(
        "", response_model=DeedPage, summary="Who changed what, the newest first", responses=BAD
    )
    async def list_deeds(
        _: Admin,
        user_id: Of = None,
        token_id: Of = None,
        since: Moment = None,
        until: Moment = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        await trail.write()
        found = await store.page(
            user_id=user_id,
            token_id=token_id,
            since=since,
            until=until,
            before=page_end(cursor),
            limit=limit + 1,
        )
        more = str(found[limit - 1].sequence) if len(found) > limit else None
        items = [shown(deed) for deed in found[:limit]]
        return answer_json({"items": items, "next_cursor": more})

    @router.get(
        "/export", response_class=Response, summary="The same as CSV", responses={**TABLE, **BAD}
    )
    async def export_deeds(_: Admin, since: Moment = None, until: Moment = None) -> Response:
        await trail.write()
        found = await store.page(
            user_id=None, token_id=None, since=since, until=until, before=None, limit=ROWS_MAX
        )
        where = {"Content-Disposition": 'attachment; filename="audit.csv"'}
        return Response(table_of(found), media_type="text/csv", headers=where)

    return router


BAD = refusals(400)
TABLE: dict[int | str, dict[str, Any]] = {
    200: {"description": "The table", "content": {"text/csv": {"schema": {"type": "string"}}}}
}


def page_end(cursor: str | None) -> int | None:
    if not cursor:
        return None
    if not cursor.isascii() or not cursor.isdecimal() or len(cursor) > SEQUENCE_DIGITS_MAX:
        raise BadPage("That cursor is none of ours.", hint="Take `next_cursor` of a page.")
    return int(cursor)


def shown(deed: Deed) -> dict[str, Any]:
    return {
        "sequence": deed.sequence,
        "at": said(deed.at),
        "door": deed.door,
        "action": deed.action,
        "subject": deed.subject,
        "token_id": deed.token_id,
        "kind": deed.kind,
        "user_id": deed.user_id,
        "name": deed.name,
        "address": deed.address,
    }


def table_of(deeds: list[Deed]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for deed in deeds:
        row = shown(deed)
        writer.writerow([harmless(row[name]) for name in COLUMNS])
    return text.getvalue()


def harmless(value: Any) -> str:
    """A name that begins like a formula must not become one in somebody's spreadsheet."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
