"""The examples of docs/queue.md with Node's own BullMQ, against a whole Clarion; accidents too.

Run it with `python -m benchmarks.cluster_node`, with node and the peers of `_queue.peers`
installed. It is a script and not a test, because the npm package is none of our dependencies:
`tests/store/redis/test_handover.py` has the same with BullMQ for Python.
"""

import asyncio
import json
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from benchmarks._queue import peers
from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.settings import Settings
from clarion.tasks.kinds import Kind
from clarion.tasks.ports import Claim, Result
from tests.support.databases import postgres_database
from tests.support.services import PostgresServer, RedisServer

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
SECONDS_MAX = 120


class Neighbourhood:
    """A Clarion with PostgreSQL and Redis, and Node beside it."""

    def __init__(self, admin: httpx.AsyncClient, redis: RedisServer, folder: Path) -> None:
        self.admin = admin
        self.redis = redis
        self._folder = folder
        self._running: list[asyncio.subprocess.Process] = []
        (folder / "node_modules").symlink_to(peers().resolve() / "node_modules")

    async def node(self, example: str, *arguments: str) -> asyncio.subprocess.Process:
        # Node looks for packages beside the script.
        script = self._folder / example
        script.write_text((EXAMPLES / example).read_text("utf-8"), "utf-8")
        process = await asyncio.create_subprocess_exec(
            *("node", str(script), self.redis.url, *arguments), stdout=asyncio.subprocess.PIPE
        )
        self._running.append(process)
        return process

    async def produce(self, kind: str, article: str) -> Any:
        process = await self.node("order_producer.mjs", kind, article)
        said, _ = await process.communicate()
        return json.loads(said)

    async def order(self, article: str) -> str:
        body = {"kind": "shop.order", "payload": {"article": article}}
        made = await self.admin.post("/tasks", json=body)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def ended(self, id_: str) -> dict[str, Any]:
        task: dict[str, Any] = {"status": "ready"}
        while task["status"] not in ("done", "dead"):
            task = (await self.admin.get(f"/tasks/{id_}")).json()
        return task

    def close(self) -> None:
        for process in self._running:
            if process.returncode is None:
                process.send_signal(signal.SIGKILL)


async def brew(claim: Claim) -> Result:
    if claim.task.payload["article"] != "tea":
        raise ValueError("only tea is brewed here")
    return Result({"brewed": claim.task.payload["article"]})


@asynccontextmanager
async def a_neighbourhood(
    postgres: PostgresServer, redis: RedisServer, folder: Path
) -> AsyncIterator[Neighbourhood]:
    url = postgres.url(await postgres_database(postgres))
    settings = Settings(
        data_dir=folder / "data",
        port=0,
        database_url=url,
        redis_url=redis.url,
        requests_per_second=10_000,  # a quick machine asks that often how a task is doing
    )
    async with await build(settings) as clarion:
        clarion.parts.kinds.add(Kind("tea.brew", brew, retries=0, open=True))
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        assert clarion.parts.access is not None
        token = (await clarion.parts.access.issue(TokenKind.ADMIN)).text
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=f"{clarion.url}/api/v1", headers=headers) as admin:
            made = Neighbourhood(admin, redis, folder)
            try:
                yield made
            finally:
                made.close()
        clarion.stop()
        await running


async def register(neighbourhood: Neighbourhood, **more: Any) -> None:
    body = {"bullmq": "shop", "retries": 1, **more}
    made = await neighbourhood.admin.put("/kinds/shop.order", json=body)
    assert made.status_code == 201, made.text


async def results_go_back(here: Neighbourhood) -> None:
    """A job from Node gets its result, or its failure."""
    good, bad = await here.produce("tea.brew", "tea"), await here.produce("tea.brew", "coffee")
    assert good == {"result": {"brewed": "tea"}}, good
    assert bad == {"error": "ValueError: only tea is brewed here"}, bad


async def node_works(here: Neighbourhood) -> None:
    """A Node worker carries out tasks, and what it throws is a failed try."""
    await register(here)
    await here.node("order_worker.mjs")
    bad = await here.order("nothing")
    many = [await here.order(f"tea {number}") for number in range(50)]
    results = [(await here.ended(id_))["result"]["ordered"] for id_ in many]
    assert results == [f"tea {number}" for number in range(50)], results
    refused = await here.ended(bad)
    assert (refused["status"], refused["error"]) == ("dead", "there is no such article"), refused


async def nothing_is_lost(here: Neighbourhood) -> None:
    """Tasks outlive a killed Node worker and a Redis that lost everything."""
    await register(here)
    first = await here.node("order_worker.mjs")
    assert (await here.ended(await here.order("tea")))["status"] == "done"
    first.send_signal(signal.SIGKILL)
    late = [await here.order(f"tea {number}") for number in range(5)]
    while not await _handed_over(here, late):
        pass
    here.redis.empty()
    await here.node("order_worker.mjs")
    found = [(await here.ended(id_))["status"] for id_ in late]
    assert found == ["done"] * 5, found


async def _handed_over(here: Neighbourhood, ids: list[str]) -> bool:
    found = [(await here.admin.get(f"/tasks/{id_}")).json() for id_ in ids]
    return all((one["worker"] or "").startswith("bullmq:") for one in found)


async def a_dead_redis_is_not_noticed(here: Neighbourhood) -> None:
    """Redis is dead from the start: tasks run as ever, and lent ones wait without losing a try."""
    await register(here)
    lent = await here.order("tea")
    body = {"kind": "tea.brew", "payload": {"article": "tea"}}
    ids = [(await here.admin.post("/tasks", json=body)).json()["id"] for _ in range(50)]
    ended = [(await here.ended(id_))["status"] for id_ in ids]
    waiting = (await here.admin.get(f"/tasks/{lent}")).json()
    assert set(ended) == {"done"}, ended
    assert (waiting["attempt"] <= 1, waiting["error"]) == (True, None), waiting
    here.redis.start()
    await here.node("order_worker.mjs")
    assert (await here.ended(lent))["result"] == {"ordered": "tea"}


async def tried(check: Callable[[Neighbourhood], Awaitable[None]], *, dead: bool = False) -> bool:
    postgres, redis = PostgresServer(), RedisServer()
    began = time.perf_counter()
    try:
        postgres.start()
        redis.start()
        if dead:
            redis.kill()
        with tempfile.TemporaryDirectory() as folder:
            async with a_neighbourhood(postgres, redis, Path(folder)) as here:
                async with asyncio.timeout(SECONDS_MAX):
                    await check(here)
    except (AssertionError, TimeoutError) as error:
        print(f"FAILED  {check.__doc__} {error!r}")
        return False
    finally:
        postgres.remove()
        redis.remove()
    print(f"ok {time.perf_counter() - began:5.1f} s  {check.__doc__}")
    return True


async def main() -> int:
    good = [await tried(check) for check in (results_go_back, node_works, nothing_is_lost)]
    good.append(await tried(a_dead_redis_is_not_noticed, dead=True))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
