"""Many processes that plan at once on overlapping teams, and the questions asked afterwards.

Each process is `python -m tests.support.racing …`: it plans, checks that nobody touched its holds,
sends the teams, and brings some of them home again.
"""

import asyncio
import json
import logging
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, select

from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.errors import TimedOut, Unavailable
from clarion.base.ids import new_id
from clarion.dispatch.desk import Desk as Records
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.holding import CountedHolds, Counts, HoldsWithFallback
from clarion.dispatch.model import EventId, Hold, Need, RunStatus, TeamId
from clarion.dispatch.ports import ACQUIRED, EXPIRED, FAILED, FALLBACK, HeldTeams, Holds, Refused
from clarion.store.redis.holds import RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.store import SqlRecords
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import open_database
from clarion.store.sql.tables.dispatch import assignments, schemes, teams
from clarion.store.sql.tables.events import events
from tests.support.dispatching import Desk, event, team

T = TypeVar("T")

TEAMS = 20
TRIES_MAX = 100  # twenty seconds and more: a disk that hangs longer is another test's matter
COUNTED = (ACQUIRED, FAILED, EXPIRED, FALLBACK)


@dataclass
class Result:
    rounds: int = 0
    sent: int = 0
    refused: int = 0
    robbed: int = 0
    """How often a hold of ours was gone before we let go of it."""
    tried_again: int = 0
    """How often the database did not answer in time."""
    failed: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


class Watched:
    """Looks, just before letting go, whether the holds are still there."""

    def __init__(self, inner: Holds, redis: RedisHolds | None, result: Result) -> None:
        self._inner = inner
        self._redis = redis
        self._result = result
        self._in_redis = False

    async def acquire(
        self, owner: str, event_id: EventId, fences: Mapping[TeamId, int], ttl: timedelta
    ) -> HeldTeams | Refused:
        outcome = await self._inner.acquire(owner, event_id, fences, ttl)
        self._in_redis = isinstance(outcome, HeldTeams) and outcome.where == "redis"
        return outcome

    async def release(self, owner: str, teams: Sequence[TeamId]) -> int:
        if self._in_redis and self._redis is not None:
            self._result.robbed += await robbed(self._redis, owner, teams)
        return await self._inner.release(owner, teams)

    async def extend(self, owner: str, teams: Sequence[TeamId], ttl: timedelta) -> int:
        return await self._inner.extend(owner, teams, ttl)

    async def all(self) -> list[Hold]:
        return await self._inner.all()


async def robbed(redis: RedisHolds, owner: str, wanted: Sequence[TeamId]) -> int:
    try:
        ours = {hold.team_id for hold in await redis.all() if hold.owner == owner}
    except Exception:  # noqa: BLE001  a Redis that dies forgets holds, which is no robbery
        return 0
    return len(set(wanted) - ours)


async def race(url: str, redis_url: str, seed: int, rounds: int) -> Result:
    clock, dice, result, meter = SystemClock(), random.Random(seed), Result(), Counts()
    database = await open_database(url, connections_max=2)
    record = SqlHolds(database, clock)
    inner: Holds = record
    client = holds_client(redis_url) if redis_url else None
    redis = RedisHolds(client, clock) if client is not None else None
    if redis is not None:
        breaker = Breaker("redis", clock, failures_max=3, rest=0.2)
        inner = HoldsWithFallback(redis, record, meter, breaker)
    holds = Watched(CountedHolds(inner, meter), redis, result)
    desk = Desk(database, clock, holds=holds)
    guard = DispatchGuard(Breaker("database", clock), timedelta(seconds=10))
    home = Records(desk.records, desk.store, clock, guard)
    for _ in range(rounds):
        await one_round(desk, home, dice, result)
    if isinstance(inner, HoldsWithFallback):
        await let_go_of_the_rest(inner)
    result.counts = {name: meter[name] for name in COUNTED}
    if client is not None:
        await client.aclose()
    await database.close()
    return result


async def let_go_of_the_rest(holds: HoldsWithFallback) -> None:
    """What the pass would do within half a minute, as soon as the breaker lets it."""
    for _ in range(50):
        await holds.run_once()
        if not holds.orphans:
            return
        await pause(0.1)


async def pause(seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()


async def one_round(desk: Desk, home: Records, dice: random.Random, result: Result) -> None:
    now = desk.clock.now()
    name = new_id("evt", now)
    wanted = [TeamId(f"t{dice.randrange(TEAMS):02}") for _ in range(6)]
    await desk.add(event(name, now=now, needs=(Need("medical", dice.randint(1, 3)),)))
    asked = await patiently(
        lambda: desk.service.request(EventId(name), key=name, team_ids=wanted), result
    )
    await patiently(lambda: desk.service.run(asked.id), result)
    run = await patiently(lambda: desk.service.task(asked.id), result)
    result.rounds += 1
    if run.status is RunStatus.FAILED:
        assert run.error is not None
        result.refused += run.error["error_code"] == "AI4003"
        if run.error["error_code"] != "AI4003":
            result.failed.append(str(run.error))
    mine = await patiently(lambda: desk.store.assignments(event_id=EventId(name)), result)
    result.sent += len(mine)
    for part in mine:
        await patiently(partial(home.complete, part.team_id), result)


async def patiently(work: Callable[[], Awaitable[T]], result: Result) -> T:
    """As the queue and every client do it: what may pass is tried again."""
    for _ in range(TRIES_MAX - 1):
        try:
            return await work()
        except (Unavailable, TimedOut):
            result.tried_again += 1
            await pause(0.2)
    return await work()


def start(url: str, redis_url: str, seed: int, rounds: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", __name__, url, redis_url, str(seed), str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(racers: Sequence["subprocess.Popen[str]"], seconds: float) -> Result:
    total = Result()
    answers = [racer.communicate(timeout=seconds)[0] for racer in racers]
    for racer, said in zip(racers, answers, strict=True):
        assert racer.returncode == 0, "a racer died"
        one = Result(**json.loads(said.splitlines()[-1]))
        total.rounds += one.rounds
        total.sent += one.sent
        total.refused += one.refused
        total.robbed += one.robbed
        total.tried_again += one.tried_again
        total.failed += one.failed
        for name, amount in one.counts.items():
            total.counts[name] = total.counts.get(name, 0) + amount
    return total


async def prepare(url: str) -> None:
    database = await open_database(url)
    records = SqlRecords(database)
    for number in range(TEAMS):
        await records.add_team(team(f"t{number:02}", km=1 + number), SystemClock().now())
    await database.close()


async def wrongs(database: Database) -> list[str]:
    """Everything that must never be: empty when all is well."""
    return await database.read(_wrongs)


def _wrongs(conn: Connection) -> list[str]:
    found = [
        f"{row.id} is {row.status}, held by {row.held_by}"
        for row in conn.execute(select(teams))
        if row.status == "deployed" or row.held_by is not None
    ]
    return found + _overlaps(conn) + _out_of_turn(conn) + _without_a_scheme(conn)


def _overlaps(conn: Connection) -> list[str]:
    """A team in two places at once, by the times and by the fences."""
    query = select(assignments).order_by(assignments.c.team_id, assignments.c.fence)
    found, before = [], None
    for row in conn.execute(query):
        if before is not None and before.team_id == row.team_id:
            if before.closed_at is None or before.closed_at > row.opened_at:
                found.append(f"{row.team_id} was in two places: {before.id}, {row.id}")
            if before.fence >= row.fence:
                found.append(f"{row.team_id}: fence {row.fence} came twice")
        before = row
    return found


def _out_of_turn(conn: Connection) -> list[str]:
    """The log itself: a team is sent and comes home by turns."""
    query = select(events).where(events.c.kind.in_(("team.deployed", "team.returned")))
    away: dict[str, bool] = {}
    found = []
    for row in conn.execute(query.order_by(events.c.sequence)):
        goes = row.kind == "team.deployed"
        if away.get(row.subject, False) is goes:
            found.append(f"{row.subject}: {row.kind} twice in a row at {row.sequence}")
        away[row.subject] = goes
    return found


def _without_a_scheme(conn: Connection) -> list[str]:
    known = {row.id: row.status for row in conn.execute(select(schemes))}
    return [
        f"{row.team_id} was sent without a scheme"
        for row in conn.execute(select(assignments))
        if known.get(row.scheme_id) != "committed"
    ]


def main(arguments: Sequence[str]) -> None:
    url, redis_url, seed, rounds = arguments
    logging.disable(logging.WARNING)
    result = asyncio.run(race(url, redis_url, int(seed), int(rounds)))
    said: dict[str, Any] = {name: getattr(result, name) for name in Result.__dataclass_fields__}
    sys.stdout.write(json.dumps(said) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
