"""The dispatch interface: its answers, and its ten refusals by number, over a real socket."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.access.model import TokenId, TokenKind
from clarion.agent.rulebook import RuleFile
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.errors import ClarionError, Unavailable
from clarion.base.ids import TaskId
from clarion.dispatch import errors
from clarion.dispatch.choose import Chosen, Problem
from clarion.dispatch.desk import Desk as Records
from clarion.dispatch.guarding import Guard
from clarion.dispatch.holding import HoldsWithFallback
from clarion.dispatch.metering import Counts
from clarion.dispatch.model import EventId, Need, TeamId
from clarion.dispatch.ports import PlanRequest, Progress
from clarion.dispatch.service import Policy
from clarion.doors.http.auth import Identity, _known
from clarion.doors.http.dispatch import dispatch_routes
from clarion.doors.http.dispatch_records import dispatch_record_routes
from clarion.doors.http.server import build_app
from clarion.store.redis.holds import RedisHolds, holds_client
from clarion.store.sql.database import Database
from clarion.store.sql.dispatch_holds import SqlHolds
from tests.support.databases import opened, sqlite_file
from tests.support.dispatching import Desk, event, planner, team
from tests.support.http import serving
from tests.support.server import free_port

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


@pytest.fixture
async def open_door(tmp_path: Path) -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(opened(await sqlite_file(tmp_path)))

        async def make(**options: Any) -> Door:
            desk = Desk(options.pop("database", None) or database, SystemClock(), **options)
            app = app_of(desk)
            url = await stack.enter_async_context(serving(app))
            http = await stack.enter_async_context(httpx.AsyncClient(base_url=url))
            return Door(desk, http)

        yield make


def app_of(desk: Desk) -> Any:
    guard = Guard(Breaker("database", desk.clock), timedelta(seconds=5))
    records = Records(desk.records, desk.store, desk.clock, guard)
    app = build_app(
        [
            dispatch_record_routes(records, desk.clock),
            dispatch_routes(desk.service, records, desk.clock),
        ],
        body_bytes_max=100_000,
    )
    app.dependency_overrides[_known] = an_admin
    return app


async def an_admin() -> Identity:
    return Identity(token_id=TokenId("tok"), kind=TokenKind.ADMIN, user_id=None)


@pytest.fixture
async def door(open_door: Open) -> Door:
    return await open_door()


async def test_a_scheme_is_asked_for_followed_and_read(door: Door) -> None:
    await door.desk.add(team("t1"), event())

    asked = await door.post("/ai/generate-scheme", {"event_id": "event-1"})
    await door.desk.service.run(TaskId(asked.json()["task_id"]))
    followed = (await door.get(asked.headers["Location"])).json()
    scheme = (await door.get(f"/ai/schemes/{followed['scheme_id']}")).json()

    assert asked.status_code == 202
    assert (followed["status"], followed["progress"]["percent"]) == ("done", 100)
    assert followed["progress"]["steps"][0]["node"] == "load_rules"
    assert [one["team_id"] for one in scheme["teams"]] == ["t1"]
    assert (scheme["status"], scheme["shortfall"], scheme["coverage"]) == ("committed", [], 1.0)


async def test_an_event_may_come_with_the_request(door: Door) -> None:
    await door.desk.add(team("t1"))

    answer = await door.plan(event={"report": "有人昏迷", "place": PLACE, "severity": "low"})

    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == "wait=2"
    events = (await door.get("/ai/events")).json()["items"]
    assert [(one["type"], one["status"]) for one in events] == [("medical", "covered")]


async def test_waiting_ends_with_the_task_when_nothing_has_come_of_it(door: Door) -> None:
    await door.desk.add(team("t1"), event())

    answer = await door.post("/ai/generate-scheme", {"event_id": "event-1"}, Prefer="wait=1")

    assert answer.status_code == 202
    assert answer.json()["status"] == "waiting"


async def test_ai4001_a_task_that_is_not_there(door: Door) -> None:
    answer = await door.get("/ai/tasks/task-x")

    refused(answer, 404, "AI4001", "任务不存在: task-x")


async def test_ai4002_a_scheme_that_is_not_there(door: Door) -> None:
    answer = await door.get("/ai/schemes/scheme-x")

    refused(answer, 404, "AI4002", "方案不存在: scheme-x")


async def test_ai4003_teams_that_belong_to_somebody_else(door: Door) -> None:
    both = event("event-9", needs=(Need("medical", 2),))
    await door.desk.add(team("team-001"), team("team-002"), event("event-123"), both)
    holds = SqlHolds(door.desk.database, door.desk.clock)
    fences = {TeamId("team-001"): 0, TeamId("team-002"): 0}
    door.desk.service._agent = HoldsMeanwhile(holds, fences)

    answer = await door.plan(event_id="event-9")

    body = refused(answer, 409, "AI4003", "资源已被锁定: team-001, team-002")
    assert body["details"]["locked_resources"] == ["team-001", "team-002"]
    assert body["details"]["locked_by"] == "event-123"
    assert body["details"]["retry_after_seconds"] == 30
    assert answer.headers["Retry-After"] == "30"


class HoldsMeanwhile:
    """Somebody else holds the teams just after they were chosen."""

    def __init__(self, holds: SqlHolds, fences: dict[TeamId, int]) -> None:
        self._holds, self._fences = holds, fences

    async def plan(self, request: PlanRequest, progress: Progress) -> Any:
        proposal = await planner().plan(request, progress)
        ttl = timedelta(seconds=30)
        await self._holds.acquire("other", EventId("event-123"), self._fences, ttl)
        return proposal


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "event_id or event"),
        ({"event_id": ""}, "#/event_id"),
        ({"event_id": "a", "speed": 1}, "#/speed"),
        ({"event": {"place": {"latitude": 91, "longitude": 0}}}, "#/event/place/latitude"),
        ({"event": {"place": PLACE}}, "type or report"),
        ({"event": {**EVENT, "needs": [NEED, NEED]}}, "needs: a capability twice"),
        ([], "#"),
    ],
)
async def test_ai4004_input_that_cannot_be_used(door: Door, body: Any, place: str) -> None:
    answer = await door.post("/ai/generate-scheme", body)

    found = refused(answer, 400, "AI4004")
    assert found["message"].startswith("输入参数无效: ")
    assert place in found["message"]


async def test_ai4005_an_event_that_is_not_there(door: Door) -> None:
    answer = await door.post("/ai/generate-scheme", {"event_id": "event-x"})

    refused(answer, 404, "AI4005", "事件不存在: event-x")
    refused(await door.get("/ai/events/event-x"), 404, "AI4005")


async def test_ai5001_rules_that_were_never_good(open_door: Open, tmp_path: Path) -> None:
    door = await open_door(agent=planner(book=RuleFile(tmp_path / "none.yaml")))
    await door.desk.add(team("t1"), event())

    answer = await door.plan(event_id="event-1")

    found = refused(answer, 500, "AI5001")
    assert found["message"].startswith("规则加载失败: none.yaml")


class Failing:
    """A database that is there and fails, or hangs, when dispatch reads."""

    dialect = "sqlite"

    def __init__(self, database: Database) -> None:
        self._database = database
        self.trouble: BaseException | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    async def read(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        if self.trouble is not None:
            raise self.trouble
        return await self._database.read(work, *args, **kwargs)


async def test_ai5002_a_database_that_keeps_failing_is_left_alone(
    open_door: Open, sqlite: Database
) -> None:
    failing = Failing(sqlite)
    door = await open_door(database=failing)
    failing.trouble = Unavailable("gone", retry_after=2)
    for _ in range(5):
        assert (await door.get("/ai/tasks/task-x")).status_code == 503

    answer = await door.get("/ai/tasks/task-x")

    found = refused(answer, 503, "AI5002", "熔断器已打开: database")
    assert found["details"]["retry_after_seconds"] == 30
    assert answer.headers["Retry-After"] == "30"


async def test_ai5003_a_database_that_does_not_answer(open_door: Open, sqlite: Database) -> None:
    failing = Failing(sqlite)
    door = await open_door(database=failing)
    failing.trouble = TimeoutError()

    answer = await door.get("/ai/tasks/task-x")

    refused(answer, 504, "AI5003", "数据库查询超时: task")


async def test_ai5004_redis_is_away_and_there_is_no_way_around(
    open_door: Open, sqlite: Database
) -> None:
    clock = SystemClock()
    client = holds_client(f"redis://127.0.0.1:{free_port()}/0")
    holds = HoldsWithFallback(
        RedisHolds(client, clock),
        SqlHolds(sqlite, clock),
        Counts(),
        Breaker("redis", clock),
        allowed=False,
    )
    door = await open_door(database=sqlite, holds=holds, policy=Policy(tries_max=1))
    await door.desk.add(team("t1"), event())

    answer = await door.plan(event_id="event-1")

    await client.aclose()
    found = refused(answer, 503, "AI5004")
    assert found["message"].startswith("Redis不可用")
    assert (await door.desk.statuses())["t1"] == "standby"


class Broken:
    async def choose(self, given: Problem) -> Chosen:
        raise ZeroDivisionError("by design")


async def test_ai5005_an_algorithm_that_fails(open_door: Open) -> None:
    door = await open_door(agent=planner(chooser=Broken()))
    await door.desk.add(team("t1"), event())

    answer = await door.plan(event_id="event-1")

    found = refused(answer, 500, "AI5005", "算法执行失败: choose: by design")
    assert found["details"]["node"] == "choose"
    followed = (await door.get("/ai/tasks")).json()["items"][0]
    assert followed["error"]["error_code"] == "AI5005"


async def test_teams_are_added_changed_moved_and_forgotten(door: Door) -> None:
    body = {"id": "t1", "name": "一队", "place": PLACE, "capabilities": {"medical": 2}}

    made = await door.post("/ai/teams", body)
    twice = await door.post("/ai/teams", body)
    changed = await door.http.patch(
        "/ai/teams/t1", json={"cost": 9}, headers={"If-Match": made.headers["ETag"]}
    )
    stale = await door.http.patch(
        "/ai/teams/t1", json={"cost": 1}, headers={"If-Match": made.headers["ETag"]}
    )
    rests = await door.post("/ai/teams/t1/unavailable", {"reason": "休整"})
    gone = await door.http.delete("/ai/teams/t1")

    assert [one.status_code for one in (made, twice, changed, stale, rests, gone)] == [
        *(201, 409, 200, 412, 200, 204)
    ]
    assert changed.json()["cost"] == 9
    assert (rests.json()["status"], rests.json()["reason"]) == ("unavailable", "休整")
    assert (await door.get("/ai/teams/t1")).status_code == 404


async def test_a_team_is_never_deployed_by_hand(door: Door) -> None:
    await door.desk.add(team("t1"))

    answer = await door.http.patch("/ai/teams/t1", json={"status": "deployed"})

    assert answer.status_code == 409
    assert answer.json()["details"]["allowed"] == ["unavailable"]


async def test_a_deployed_team_completes_breaks_down_or_declines(door: Door) -> None:
    await door.desk.add(*(team(f"t{n}", km=n) for n in (1, 2, 3)), event())
    await door.plan(event_id="event-1")

    broken = (await door.post("/ai/teams/t1/breakdown")).json()
    [replan] = (await door.get("/ai/tasks?status=waiting")).json()["items"]
    await door.desk.service.run(TaskId(replan["task_id"]))
    declined = (await door.post("/ai/teams/t2/decline")).json()
    [replan] = (await door.get("/ai/tasks?status=waiting")).json()["items"]
    await door.desk.service.run(TaskId(replan["task_id"]))
    done = (await door.post("/ai/teams/t3/complete")).json()

    assert [one["status"] for one in (broken, declined, done)] == [
        *("unavailable", "standby", "standby")
    ]
    parts = (await door.get("/ai/assignments?event_id=event-1")).json()["items"]
    assert {one["team_id"]: one["outcome"] for one in parts} == {
        "t1": "broke_down",
        "t2": "declined",
        "t3": "completed",
    }
    assert (await door.get("/ai/events/event-1")).json()["status"] == "closed"


async def test_a_person_approves_and_sees_what_is_held(open_door: Open) -> None:
    door = await open_door(policy=Policy(approval=True))
    await door.desk.add(team("t1"), event())
    scheme = (await door.plan(event_id="event-1")).json()

    [lock] = (await door.get("/ai/locks")).json()["items"]
    approved = (await door.post(f"/ai/schemes/{scheme['scheme_id']}/approve")).json()
    late = await door.post(f"/ai/schemes/{scheme['scheme_id']}/reject", {"reason": "no"})

    assert (lock["team_id"], lock["locked_by"]) == ("t1", "event-1")
    assert (scheme["status"], approved["status"]) == ("proposed", "committed")
    assert late.status_code == 409
    assert (await door.get("/ai/locks")).json() == {"items": [], "degraded": False}


async def test_an_event_is_ended_by_people_and_otherwise_by_teams(door: Door) -> None:
    made = await door.post("/ai/events", EVENT)
    shown = await door.http.patch("/ai/events/event-1", json={"status": "covered"})
    ended = await door.http.patch("/ai/events/event-1", json={"status": "closed"})
    again = await door.http.patch("/ai/events/event-1", json={"title": "late"})

    assert made.status_code == 201
    assert [one.status_code for one in (shown, ended, again)] == [409, 200, 409]
    assert shown.json()["details"]["allowed"] == ["cancelled", "closed"]


def refused(answer: httpx.Response, status: int, code: str, message: str = "") -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["error_code"]) == (status, code), body
    assert answer.headers["content-type"] == "application/problem+json"
    assert {"error_code", "message", "details"} <= set(body)
    if message:
        assert body["message"] == message
    return body


def test_every_number_of_the_interface_has_an_error() -> None:
    numbers = {
        kind.error_code: kind.status
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, ClarionError) and kind.error_code
    }

    assert numbers == {
        "AI4001": 404,
        "AI4002": 404,
        "AI4003": 409,
        "AI4004": 400,
        "AI4005": 404,
        "AI5001": 500,
        "AI5002": 503,
        "AI5003": 504,
        "AI5004": 503,
        "AI5005": 500,
    }
