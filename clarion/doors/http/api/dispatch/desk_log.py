"""What was done at the desk and by whom, and what followed from it: one list, the newest first."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from clarion.access.audit import AuditStore, Deed
from clarion.access.feed import EventLog
from clarion.base.events import StoredEvent
from clarion.doors.http.api.dispatch.answers import DeskLogAnswers
from clarion.doors.http.api.dispatch.shapes import DispatchRoute
from clarion.doors.http.auth import Viewer
from clarion.doors.http.conventions import Id, answer_json, said

KINDS = ("event.", "plan.", "scheme.", "team.")
LOOKED_AT = 1000  # deeds and events each; older ones are in the audit and the event log
AUTOMATIC = "automatic"
Count = Annotated[int, Query(ge=1, le=LOOKED_AT)]


def dispatch_log_routes(audit: AuditStore, events: EventLog) -> APIRouter:
    router = APIRouter(prefix="/ai", tags=["dispatch"], route_class=DispatchRoute)

    @router.get(
        "/log", response_model=DeskLogAnswers, summary="What happened at the desk, and who did it"
    )
    async def log(_who: Viewer, about: Id | None = None, limit: Count = 200) -> Response:
        """`about`: the id of an event, team, scheme or plan."""
        deeds = await audit.page(
            user_id=None, token_id=None, since=None, until=None, before=None, limit=LOOKED_AT
        )
        happened = await events.search(
            after=0,
            user=None,
            subject=None,
            kinds=(),
            words="",
            newest_first=True,
            limit=LOOKED_AT,
        )
        lines = [_deed(one) for one in deeds if " /ai/" in one.action]
        lines += [_event(one) for one in happened if one.kind.startswith(KINDS)]
        shown = [one for one in lines if about is None or about in _about(one)]
        shown.sort(key=lambda one: one["at"], reverse=True)
        return answer_json({"items": shown[:limit]})

    return router


def _deed(one: Deed) -> dict[str, Any]:
    by = one.user_id or one.name or one.kind
    return {"at": said(one.at), "by": by, "what": one.action, "subject": one.subject, "data": {}}


def _event(one: StoredEvent) -> dict[str, Any]:
    by = str(one.data.get("by") or AUTOMATIC)
    return {
        "at": said(one.at),
        "by": by,
        "what": one.kind,
        "subject": one.subject,
        "data": dict(one.data),
    }


def _about(line: dict[str, Any]) -> set[str]:
    named = set(str(line["subject"]).split())
    return named | {str(line["data"][name]) for name in ("event", "scheme") if name in line["data"]}
