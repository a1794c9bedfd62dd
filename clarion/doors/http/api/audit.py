"""Shows admins who changed what, as pages and as a table."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from clarion.access.audit import AuditStore, AuditTrail, Deed
from clarion.base.paging import unwrap_cursor, wrap_cursor
from clarion.doors.http.auth import Admin
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    Instant,
    Limit,
    Shape,
    answer_json,
    refusals,
    shaped,
)

ROWS_MAX = 100_000
COLUMNS = ("at", "door", "action", "subject", "token_id", "kind", "user_id", "name", "address")
Of = Annotated[str | None, Query(max_length=ID_LETTERS_MAX)]
Moment = Annotated[Instant | None, Query()]


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
            before=unwrap_cursor(cursor, int)[0] if cursor else None,
            limit=limit + 1,
        )
        more = wrap_cursor(found[limit - 1].sequence) if len(found) > limit else None
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


def shown(deed: Deed) -> dict[str, Any]:
    return shaped(DeedOut, deed)


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
