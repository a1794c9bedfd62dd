"""The dispatch routes over a real socket and a real desk; plans run when a test says so."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any

import httpx
from starlette.middleware import Middleware

from clarion.access.audit import AuditTrail
from clarion.access.tokens import Access, TokenKind
from clarion.agent.rulebook import RuleFile
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId, UserId
from clarion.dispatch.desk import Desk as Records
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.seat.sources import MapSource, SoundReader
from clarion.dispatch.seat.verbs import Seat
from clarion.doors.http.api.dispatch.desk_log import dispatch_log_routes
from clarion.doors.http.api.dispatch.export import export_routes
from clarion.doors.http.api.dispatch.page import page_routes
from clarion.doors.http.api.dispatch.plans import dispatch_routes
from clarion.doors.http.api.dispatch.records import dispatch_record_routes
from clarion.doors.http.api.dispatch.seat import seat_routes
from clarion.doors.http.auth import Attended, Doorkeeper, FailedTries, RateLimit
from clarion.doors.http.middleware import Audited
from clarion.doors.http.server import build_app
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.dispatch.seat import SqlSeat
from clarion.store.sql.events import SqlEventLog
from tests.support.databases import opened, sqlite_file
from tests.support.dispatching import Desk, planner
from tests.support.http import serving

PLACE = {"latitude": 31.23, "longitude": 121.47}
NEED = {"capability": "medical", "amount": 1}
EVENT = {
    "id": "event-1",
    "type": "medical",
    "place": PLACE,
    "needs": [NEED],
}


@dataclass
class Door:
    """The routes over a desk; plans are carried out when a test says so."""

    desk: Desk
    http: httpx.AsyncClient
    tokens: dict[str, str]
    """One of each kind, beside the admin's that `http` has."""
    flush: Callable[[], Awaitable[object]]
    """Writes what the audit has noted so far."""

    async def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return await self.http.post(path, json=body, headers=headers)

    async def get(self, path: str) -> httpx.Response:
        return await self.http.get(path)

    async def plan(self, **body: Any) -> httpx.Response:
        """Ask, carry it out, and ask again by the same key, which answers with what came of it."""
        asked = await self.post("/ai/generate-scheme", body, **{"Idempotency-Key": "k"})
        if asked.status_code == 202:
            await self.desk.service.run(TaskId(asked.json()["task_id"]))
            waiting = {"Idempotency-Key": "k", "Prefer": "wait=2"}
            return await self.post("/ai/generate-scheme", body, **waiting)
        return asked


Open = Callable[..., Awaitable[Door]]


@asynccontextmanager
async def dispatch_doors(folder: Path) -> AsyncIterator[Open]:
    """Opens one door after another; `database` may be another one than that of the tokens."""
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(opened(await sqlite_file(folder, "door.db")))
        clock = SystemClock()
        access = Access(SqlTokens(database), clock)
        token = (await access.issue(TokenKind.ADMIN)).text
        tokens = {
            kind.value: (await access.issue(kind, user_id=user)).text
            for kind, user in (
                (TokenKind.DISPATCHER, None),
                (TokenKind.VIEWER, None),
                (TokenKind.USER, UserId("ana")),
            )
        }
        keeper = Doorkeeper(access, RateLimit(1000, clock), FailedTries(clock))

        async def make(**options: Any) -> Door:
            tiles, ears = options.pop("tiles", None), options.pop("ears", None)
            desk = Desk(options.pop("database", None) or database, clock, **options)
            trail = AuditTrail(SqlAudit(desk.database), clock, timedelta(days=1))
            url = await stack.enter_async_context(serving(app_of(desk, keeper, trail, tiles, ears)))
            headers = {"Authorization": f"Bearer {token}"}
            client = httpx.AsyncClient(base_url=url, headers=headers, timeout=30)
            return Door(desk, await stack.enter_async_context(client), tokens, trail.write)

        yield make


def app_of(
    desk: Desk,
    keeper: Doorkeeper,
    trail: AuditTrail,
    tiles: MapSource | None,
    ears: SoundReader | None,
) -> Any:
    guard = DispatchGuard(Breaker("database", desk.clock), timedelta(seconds=5))
    records = Records(desk.records, desk.store, desk.clock, guard)
    return build_app(
        [
            dispatch_record_routes(records, desk.clock),
            dispatch_routes(desk.service, records, desk.clock),
            seat_routes(seat_of(desk, guard), desk.service, records, desk.clock, "zh"),
            page_routes(seat_of(desk, guard), tiles, "© somebody", ears),
            dispatch_log_routes(SqlAudit(desk.database), SqlEventLog(desk.database)),
            export_routes(SqlSeat(desk.database)),
        ],
        body_bytes_max=100_000,
        middleware=[Middleware(Attended, keeper=keeper), Middleware(Audited, trail=trail)],
    )


def seat_of(desk: Desk, guard: DispatchGuard) -> Seat:
    seats = SqlSeat(desk.database)
    return Seat(desk.store, seats, planner(), RuleFile(), desk.clock, guard, UTC)
