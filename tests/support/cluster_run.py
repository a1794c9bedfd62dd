"""A small Clarion cluster of real processes, load on it, accidents that befall it, and the truth.

Two servers that only open doors, two workers, a PostgreSQL and a Redis of their own. Reminders
are set over HTTP while things are killed, stopped and emptied at random from a seed. At the end
every reminder whose setting was answered must have rung exactly once, in effect: one ring in
the log, one message in the chat.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx

from clarion.base.clock import SystemClock
from tests.support.program import ROOT, environment
from tests.support.server import Server
from tests.support.services import PostgresServer, RedisServer

CLOCK = SystemClock()
PEOPLE_AT_ONCE = 20
PATIENCE = 20.0  # seconds for which a client tries again after the last one began
SETTLED = "（已处理）"  # ends the message when it is edited later on
START_LINE = re.compile("Clarion is at|Clarion works here")


async def pause(seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()
    except TimeoutError:
        pass


class Process(Server):
    """One `clarion` process, which may be killed and started again at the same port."""

    ready = START_LINE

    def __init__(self, *arguments: str, **settings: str) -> None:
        self.name = arguments[0]
        super().__init__()
        self._arguments = arguments
        self._settings = {"port": str(self.port), "requests_per_second": "0"} | settings

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        given = environment(self.directory / "data", **self._settings)
        ours = [f"{name}={value}" for name, value in given.items() if name[:3] in ("CLA", "PYT")]
        return ["env", *ours, sys.executable, "-m", "clarion", *self._arguments]

    def run_command(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "clarion", *arguments],
            env=environment(self.directory / "data", **self._settings),
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
            timeout=30,
        )
        return done.stdout.strip()


@dataclass(slots=True)
class Load:
    """What was asked for, and what was answered."""

    answered: dict[str, str] = field(default_factory=dict)
    """The reminder's id by its content."""
    refused: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0


class Cluster:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.postgres = PostgresServer()
        self.redis = RedisServer()
        self.load = Load()
        self.accidents: list[str] = []
        self._token = ""
        shared = {
            "database_url": self.postgres.url(),
            "redis_url": self.redis.url,
            "task_lease": "5s",
            "log_level": "warning",
        }
        self.servers = [Process("serve", "--no-worker", **shared) for _ in range(2)]
        self.workers = [Process("worker", **shared) for _ in range(2)]

    @property
    def all(self) -> list[Server]:
        return [self.postgres, self.redis, *self.servers, *self.workers]

    def start(self) -> None:
        self.postgres.start()
        self.redis.start()
        self.servers[0].run_command("migrate")
        for process in [*self.servers, *self.workers]:
            process.start()
        self._token = self.servers[0].run_command("token", "create", "--kind", "admin")

    def remove(self) -> None:
        for server in reversed(self.all):
            server.remove()

    def client(self, server: Process) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=f"{server.url}/api/v1",
            headers={"Authorization": f"Bearer {self._token}"},
            timeout=5,
        )

    async def move_in(self, people: int) -> None:
        """One person and one chat for each reminder: nobody has to wait for another's ring."""
        async with self.client(self.servers[0]) as client:
            for start in range(0, people, PEOPLE_AT_ONCE):
                async with asyncio.TaskGroup() as group:
                    for number in range(start, start + PEOPLE_AT_ONCE):
                        group.create_task(_move_in(client, number))

    async def set_reminders(self, number: int, per_second: float) -> None:
        gives_up_at = CLOCK.monotonic() + number / per_second + PATIENCE
        async with asyncio.TaskGroup() as group:
            for one in range(number):
                group.create_task(self._set(one, gives_up_at))
                await pause(1 / per_second)

    async def _set(self, number: int, gives_up_at: float) -> None:
        """As a careful client does: again with the same key, at the other server, until told."""
        content = f"job-{number}-"
        at = CLOCK.now() + timedelta(seconds=self.random.uniform(0.5, 4))
        body = {
            "user_id": f"usr_{number}",
            "content": content,
            "trigger_at": at.isoformat(),
        }
        servers = self.random.sample(self.servers, 2)
        while CLOCK.monotonic() < gives_up_at:
            servers.reverse()
            began = CLOCK.monotonic()
            try:
                async with self.client(servers[0]) as client:
                    answer = await client.post(
                        "/reminders", json=body, headers={"Idempotency-Key": content}
                    )
            except httpx.HTTPError as error:
                self.load.refused[type(error).__name__] += 1
            else:
                self.load.slowest = max(self.load.slowest, CLOCK.monotonic() - began)
                if answer.is_success:
                    self.load.answered[content] = answer.json()["id"]
                    return
                self.load.refused[str(answer.json().get("code", answer.status_code))] += 1
            await pause(0.3)

    async def hurt(self, accidents: Sequence[Callable[["Cluster"], Awaitable[None]]]) -> None:
        for accident in accidents:
            self.accidents.append(accident.__name__)
            await accident(self)

    async def heal(self) -> None:
        for server in self.all:
            await asyncio.to_thread(server.ensure_running)

    async def settled(self, within: float) -> "Verdict":
        """Wait until every answered reminder has rung, or the time is over."""
        ends_at = CLOCK.monotonic() + within
        verdict = self.verdict()
        while CLOCK.monotonic() < ends_at and verdict.silent:
            await pause(0.5)
            verdict = self.verdict()
        return verdict

    def verdict(self) -> "Verdict":
        rung = self._rows(
            "SELECT subject, (data::jsonb ->> 'late')::float FROM events"
            " WHERE kind = 'reminder.triggered'"
        )
        said = self._rows(
            "SELECT data::jsonb ->> 'text' FROM events WHERE kind = 'chat.message_sent'"
        )
        rings = Counter(row[0] for row in rung)
        told = (re.search(r"job-\d+-", row[0]) for row in said if not row[0].endswith(SETTLED))
        messages = Counter(found[0] for found in told if found)
        answered = self.load.answered
        return Verdict(
            silent=[c for c, id_ in answered.items() if not rings[id_] or not messages[c]],
            twice=[c for c, id_ in answered.items() if rings[id_] > 1 or messages[c] > 1],
            late=sorted(float(row[1] or 0) for row in rung),
        )

    def life_of(self, content: str) -> list[str]:
        """What the event log has of a reminder and of the words about it, to explain a verdict."""
        rows = self._rows(
            "SELECT at, kind, data FROM events"  # noqa: S608  ours
            f" WHERE subject = '{self.load.answered[content]}' OR data::text LIKE '%{content}%'"
            " ORDER BY sequence"
        )
        return ["  ".join(str(part) for part in row) for row in rows]

    def taken_back(self) -> int:
        """How many tasks had to be taken from a worker that ended without a word."""
        return len(self._rows("SELECT id FROM tasks WHERE error LIKE 'Its worker stopped%'"))

    def _rows(self, sql: str) -> list[list[Any]]:
        asked = f"SELECT json_agg(json_build_array(a)) FROM ({sql}) AS a"  # noqa: S608  ours
        answer = self.postgres.run_sql(asked)
        return [list(row[0].values()) for row in json.loads(answer or "null") or []]


async def _move_in(client: httpx.AsyncClient, number: int) -> None:
    user = {"id": f"usr_{number}", "name": f"User {number}"}
    (await client.post("/users", json=user)).raise_for_status()
    chat = {"kind": "chat", "user_id": user["id"], "address": f"console:{number}"}
    (await client.post("/devices", json=chat)).raise_for_status()


@contextmanager
def cluster_of(seed: int) -> Iterator[Cluster]:
    made = Cluster(seed)
    try:
        made.start()
        yield made
    finally:
        made.remove()


@dataclass(frozen=True, slots=True)
class Verdict:
    silent: list[str]
    twice: list[str]
    late: list[float]


async def kill_a_worker(cluster: Cluster) -> None:
    worker = cluster.random.choice(cluster.workers)
    await asyncio.to_thread(worker.kill)
    await pause(cluster.random.uniform(0.2, 2))
    await asyncio.to_thread(worker.start)


async def kill_a_server(cluster: Cluster) -> None:
    server = cluster.random.choice(cluster.servers)
    await asyncio.to_thread(server.kill)
    await pause(cluster.random.uniform(0.2, 2))
    await asyncio.to_thread(server.start)


async def empty_redis(cluster: Cluster) -> None:
    await asyncio.to_thread(cluster.redis.kill)
    await pause(cluster.random.uniform(0.2, 3))
    await asyncio.to_thread(cluster.redis.start)


async def stop_redis_a_moment(cluster: Cluster) -> None:
    cluster.redis.pause()
    await pause(cluster.random.uniform(3, 6))
    cluster.redis.resume()


async def restart_postgres(cluster: Cluster) -> None:
    await asyncio.to_thread(cluster.postgres.stop)
    await asyncio.to_thread(cluster.postgres.start)


async def restart_one_after_another(cluster: Cluster) -> None:
    """As an operator does who brings a new version: each is asked to end, and started again."""
    for process in [*cluster.workers, *cluster.servers]:
        await asyncio.to_thread(process.restart)
        await pause(1)


ACCIDENTS = (kill_a_worker, kill_a_server, empty_redis, stop_redis_a_moment, restart_postgres)
