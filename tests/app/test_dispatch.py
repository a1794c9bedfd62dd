"""The whole of Clarion sends a team: asked over HTTP, planned by a worker, called on its device."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.app.running import Clarion
from clarion.base.ids import UserId
from clarion.settings import Settings
from tests.support.services import RedisServer

pytestmark = pytest.mark.timeout(120)  # LangGraph and the optimiser are imported on first use

PLACE = {"latitude": 31.23, "longitude": 121.47}
TEAM = {"id": "team-001", "name": "急救一队", "place": PLACE, "capabilities": {"medical": 2}}
EVENT = {"id": "event-123", "type": "medical", "severity": "critical", "place": PLACE}
WAIT = {"Prefer": "wait=20"}


@dataclass
class Site:
    clarion: Clarion
    http: httpx.AsyncClient

    async def post(self, path: str, body: Any = None, **headers: str) -> Any:
        answer = await self.http.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        return (await self.http.get(path)).raise_for_status().json()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(port=0, data_dir=tmp_path)


@pytest.fixture
async def site(settings: Settings) -> AsyncIterator[Site]:
    async with await build(settings) as clarion:
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        assert clarion.parts.access is not None
        token = (await clarion.parts.access.issue(TokenKind.ADMIN)).text
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=clarion.url, headers=headers, timeout=25) as http:
            yield Site(clarion, http)
        clarion.stop()
        await running


async def test_a_team_is_sent_and_called(site: Site) -> None:
    await site.post("/api/v1/users", {"id": "wang", "name": "Wang"})
    await site.post("/api/v1/devices", {"kind": "terminal", "id": "radio", "user_id": "wang"})
    await site.post("/ai/teams", TEAM | {"user_id": "wang", "device_id": "radio"})
    await site.post("/ai/events", EVENT)

    scheme = await site.post("/ai/generate-scheme", {"event_id": "event-123"}, **WAIT)

    assert [one["team_id"] for one in scheme["teams"]] == ["team-001"]
    assert scheme["quality"] == "optimal"
    assert (await site.get("/ai/teams/team-001"))["status"] == "deployed"
    task = await site.get(f"/ai/tasks/{scheme['task_id']}")
    assert (task["status"], task["progress"]["percent"]) == ("done", 100)


async def test_only_admins_send_teams(site: Site) -> None:
    assert site.clarion.parts.access is not None
    token = (await site.clarion.parts.access.issue(TokenKind.USER, user_id=UserId("wang"))).text

    refused = await site.http.get("/ai/teams", headers={"Authorization": f"Bearer {token}"})
    unknown = await site.http.get("/ai/teams", headers={"Authorization": "Bearer x"})

    assert (refused.status_code, unknown.status_code) == (403, 401)


@pytest.fixture
def with_redis(redis_server: RedisServer, tmp_path: Path) -> Settings:
    return Settings(port=0, data_dir=tmp_path, redis_url=redis_server.url)


class TestWithRedis:
    @pytest.fixture
    def settings(self, with_redis: Settings) -> Settings:
        return with_redis

    async def test_losing_redis_degrades_and_teams_are_sent_all_the_same(
        self, site: Site, redis_server: RedisServer
    ) -> None:
        await site.post("/ai/teams", TEAM)
        await site.post("/ai/events", EVENT)
        redis_server.kill()

        scheme = await site.post("/ai/generate-scheme", {"event_id": "event-123"}, **WAIT)

        assert (scheme["status"], scheme["degraded"]) == ("committed", True)
        assert (await site.get("/ai/locks"))["degraded"] is True
        health = await site.get("/health")
        assert (health["status"], health["checks"]["redis"]["ok"]) == ("degraded", False)
