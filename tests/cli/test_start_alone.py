"""Nothing outside keeps Clarion from starting: reminders ring while everything else is dead."""

from pathlib import Path

import httpx
import pytest

from clarion.doors.http.server import listen_on
from tests.support.program import clarion, served

OUTSIDE = ("telegram", "matrix", "mqtt", "llm", "speech", "transcription", "gateway", "redis")


@pytest.fixture
def nobody() -> str:
    """An address at which nobody listens, and nobody will."""
    with listen_on("127.0.0.1", 0) as taken:
        return f"127.0.0.1:{taken.getsockname()[1]}"


def settings(nobody: str) -> dict[str, str]:
    return {
        "telegram_token": "42:secret",
        "telegram_api_url": f"http://{nobody}/bot",
        "matrix_url": f"http://{nobody}",
        "matrix_token": "syt_secret",
        "mqtt_url": f"mqtt://{nobody}",
        "llm_url": f"http://{nobody}/v1",
        "speech_url": f"http://{nobody}/v1",
        "transcription_url": f"http://{nobody}/v1",
        "gateway_url": f"http://{nobody}",
        "redis_url": f"redis://{nobody}",
    }


def test_it_starts_and_rings_while_everything_outside_is_dead(tmp_path: Path, nobody: str) -> None:
    data = tmp_path / "data"
    with served(data, **settings(nobody)) as server:
        token = (data / "token").read_text().strip()
        with httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {token}"}, timeout=60
        ) as client:
            said = client.post("/api/v1/chat/messages", json={"text": "/remind 一秒后喝水"})
            told = wait_for(client, "chat.message_sent", "喝水", times=2)
            health = client.get("/health")
            metrics = client.get("/metrics").text
        code = server.interrupt()

    assert said.status_code < 300
    assert "喝水" in told
    assert health.status_code == 200
    assert health.json()["status"] == "degraded"
    checks = health.json()["checks"]
    assert {name for name, one in checks.items() if not one["ok"]} == set(OUTSIDE)
    assert checks["telegram"]["waiting"] == {"in": 0, "out": 0}
    assert checks["telegram"]["last_success_at"] is None
    assert 'clarion_outside_up{service="telegram"} 0.0' in metrics
    assert code == 0


def test_several_servers_start_without_their_redis(
    tmp_path: Path, nobody: str, postgres_url: str
) -> None:
    data, cluster = tmp_path / "data", {"database_url": postgres_url}
    clarion("migrate", data_dir=data, **cluster)

    with served(data, **cluster, redis_url=f"redis://{nobody}") as server:
        health = httpx.get(f"{server.url}/health")

    assert health.json()["status"] == "degraded"
    assert not health.json()["checks"]["redis"]["ok"]


def wait_for(client: httpx.Client, kind: str, words: str, *, times: int) -> str:
    """Follow the events until this one came so often; the last one's data."""
    with client.stream("GET", "/api/v1/events", headers={"Last-Event-ID": "0"}) as stream:
        for line in stream.iter_lines():
            if kind in line and words in line:
                times -= 1
                if not times:
                    return line
    raise AssertionError("the stream ended")
