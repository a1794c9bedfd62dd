"""The ten refusals of the dispatch interface, each provoked, each with its number and JSON."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.agent.rulebook import RuleFile
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.errors import ClarionError, Unavailable
from clarion.dispatch import errors
from clarion.dispatch.holding import Counts, HoldsWithFallback
from clarion.dispatch.model import EventId, Need, TeamId
from clarion.dispatch.plan.choose import ChoiceProblem, Chosen
from clarion.dispatch.ports import PlanRequest, Progress
from clarion.dispatch.service import Policy
from clarion.language.script import HAN
from clarion.store.redis.holds import RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.engine.database import Database
from tests.support.dispatch_door import EVENT, NEED, PLACE, Door, Open, dispatch_doors
from tests.support.dispatching import event, planner, team
from tests.support.server import free_port

JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def open_door(tmp_path: Path) -> AsyncIterator[Open]:
    async with dispatch_doors(tmp_path) as make:
        yield make


@pytest.fixture
async def door(open_door: Open) -> Door:
    return await open_door()


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


async def test_letters_and_numbers_that_cannot_be_kept_are_refused(
    open_door: Open, database: Database
) -> None:
    door = await open_door(database=database)
    await door.desk.add(team("t1"))
    plain = json.dumps({"id": "t2", "name": "n", "place": PLACE, "capabilities": {"a": 1}})[:-1]
    rules = {"types": {"other": {"needs": {"medical": 1}, "deadline_minutes": 1e300}}}

    answers = [
        await door.http.post("/ai/teams", content=f'{plain}, "range_km": 1e999}}', headers=JSON),
        await door.post("/ai/replay", {"since": "2026-01-01T00:00:00Z", "rules": rules}),
        await door.http.post(
            "/ai/teams/t1/position", content='{"latitude": NaN, "longitude": 1}', headers=JSON
        ),
    ]
    odd = [
        await door.post("/ai/events", {**EVENT, "id": "odd", "report": "a\0b"}),
        await door.post("/ai/teams/t1/unavailable", {"reason": "a\0b"}),
        await door.get("/ai/teams?text=%00"),
        await door.get("/ai/events/%00"),
    ]

    assert [one.json().get("error_code") for one in answers] == ["AI4004"] * 3
    assert all(one.status_code < 500 for one in odd)
    assert (await door.get("/ai/teams")).status_code == 200  # and nobody else is refused by it


async def test_ai4005_an_event_that_is_not_there(door: Door) -> None:
    answer = await door.post("/ai/generate-scheme", {"event_id": "event-x"})

    refused(answer, 404, "AI4005", "事件不存在: event-x")
    refused(await door.get("/ai/events/event-x"), 404, "AI4005")


async def test_a_name_that_no_team_has_is_refused_before_anything_is_kept(door: Door) -> None:
    await door.desk.add(team("t1"))

    answer = await door.plan(event=EVENT, team_ids=["t1", "t9"])

    assert (answer.status_code, answer.json()["code"]) == (404, "ai_team_not_found")
    assert "t9" in answer.json()["detail"]
    assert (await door.get("/ai/events")).json()["items"] == []


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
    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        raise ZeroDivisionError("by design")


async def test_ai5005_an_algorithm_that_fails(open_door: Open) -> None:
    door = await open_door(agent=planner(chooser=Broken()))
    await door.desk.add(team("t1"), event())

    answer = await door.plan(event_id="event-1")

    found = refused(answer, 500, "AI5005", "算法执行失败: choose: by design")
    assert found["details"]["node"] == "choose"
    followed = (await door.get("/ai/tasks")).json()["items"][0]
    assert followed["error"]["error_code"] == "AI5005"


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


async def test_a_refusal_in_english_says_what_is_wrong(door: Door) -> None:
    english = {"Accept-Language": "en"}
    named = {"id": "t1", "name": "One", "place": PLACE, "capabilities": {"medical": 1}}
    await door.post("/ai/teams", named)

    taken = await door.post("/ai/teams", named, **english)
    empty = await door.post("/ai/generate-scheme", {}, **english)
    rules = {"since": "2030-01-01T00:00:00Z", "rules": {"types": 5}}
    replay = await door.post("/ai/replay", rules, **english)

    assert (taken.status_code, taken.json()["message"]) == (409, "This id is taken: t1.")
    assert "event_id or event: one of them" in empty.json()["message"]
    assert replay.status_code == 400
    assert not HAN(replay.json()["message"])
