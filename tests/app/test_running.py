"""A built Clarion runs its passes and doors together, and closes what it opened."""

import asyncio
from datetime import datetime
from pathlib import Path

import httpx
import pytest

from clarion.app.build import build
from clarion.app.storage import StorageOutdated
from clarion.base.errors import Unavailable
from clarion.doors.http.server import PortTaken, listen_on
from clarion.settings import Settings
from tests.support.clock import ManualClock


class Ringing:
    """A pass that tells when it ran and when it was cut."""

    name = "ringing"

    def __init__(self) -> None:
        self.ran = asyncio.Event()

    async def run_once(self) -> datetime | None:
        self.ran.set()
        return None


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", port=0)


async def test_it_answers_while_its_passes_run(settings: Settings, clock: ManualClock) -> None:
    work = Ringing()
    async with await build(settings, clock) as clarion:
        clarion.parts.add_pass(work)
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        await work.ran.wait()

        async with httpx.AsyncClient() as client:
            answer = await client.get(f"{clarion.url}/health/ready")

        clarion.stop()
        await running
    assert answer.json()["status"] == "ready"


class Dying:
    """Runs beside the passes, and dies of a defect the first time."""

    name = "dying"

    def __init__(self) -> None:
        self.began: asyncio.Queue[int] = asyncio.Queue()
        self._times = 0

    async def run(self) -> None:
        self._times += 1
        self.began.put_nowait(self._times)
        if self._times == 1:
            raise ValueError("task_done() called too many times")
        await asyncio.Event().wait()


async def test_a_part_that_dies_is_begun_again_and_seen_while_all_else_goes_on(
    settings: Settings,
) -> None:
    part = Dying()
    async with await build(settings) as clarion:
        clarion.parts.runners.append(part)
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        assert [await part.began.get(), await part.began.get()] == [1, 2]

        async with httpx.AsyncClient() as client:
            health = await client.get(f"{clarion.url}/health")
        clarion.stop()
        await running
        assert clarion.parts.instruments is not None
        metrics = clarion.parts.instruments.rendered()

    assert (health.status_code, health.json()["status"]) == (200, "degraded")
    assert "dying (ValueError: task_done()" in health.json()["checks"]["parts"]["detail"]
    assert b'clarion_restarts_total{part="dying"} 1.0' in metrics


async def test_stopping_before_it_runs_ends_at_once(settings: Settings) -> None:
    async with await build(settings) as clarion:
        clarion.stop()
        await clarion.run()


async def test_leaving_closes_the_database(settings: Settings) -> None:
    async with await build(settings, listens=False) as clarion:
        database = clarion.parts.database

    with pytest.raises(Unavailable):
        await database.read(lambda conn: None)


async def test_a_taken_port_is_known_before_the_database_is_touched(settings: Settings) -> None:
    with listen_on("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(PortTaken):
            await build(Settings(data_dir=settings.data_dir, port=port))

    assert not settings.data_dir.exists()


async def test_a_failed_build_gives_the_port_back(settings: Settings, postgres_url: str) -> None:
    with listen_on("127.0.0.1", 0) as probe:
        port = probe.getsockname()[1]

    with pytest.raises(StorageOutdated):
        await build(Settings(database_url=postgres_url, port=port))

    listen_on("127.0.0.1", port).close()
