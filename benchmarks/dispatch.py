"""What safety costs and how quick the choice is: holds, the guarded update, the optimiser.

Everything is measured in turn within one run, so that the ratios hold on a busy machine:
`python -m benchmarks.dispatch [rounds]`. The peers for holds are the specification's pipeline, ten
`SET NX` in one MULTI and a `DEL` for each that it got when not all were free, and ten locks of
redis-py, taken and given back one after the other.
"""

import asyncio
import random
import statistics
import sys
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

from redis.asyncio import Redis
from redis.asyncio.lock import Lock
from sqlalchemy import Connection, update

from benchmarks.chart import Bars
from clarion.agent.optimiser import solve_exactly, teams_of
from clarion.base.breaker import Breaker
from clarion.base.clock import SystemClock
from clarion.base.ids import TaskId
from clarion.dispatch.holding import CountedHolds, Counts, HoldsWithFallback
from clarion.dispatch.model import EventId, TeamId
from clarion.dispatch.plan.choose import greedy, worth
from clarion.store.redis.holds import RedisHolds, holds_client
from clarion.store.sql.dispatch import teams as dispatch_teams
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.store import SqlRecords
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tables.dispatch import teams
from tests.support.cities import random_problem
from tests.support.dispatching import team
from tests.support.services import PostgresServer, RedisServer

CLOCK = SystemClock()
TTL = timedelta(seconds=300)
TEN = [TeamId(f"t{number:02}") for number in range(10)]
GATES = {"hold 10 teams": 2.5, "hold 10 teams, refused": 2.5}
PIPELINE = "the specification's pipeline"
LOCKS = "redis-py Lock × 10"
BESIDE = {
    "hold 10 teams": (f"{PIPELINE}, 10", LOCKS),
    "hold 10 teams, refused": (f"{PIPELINE}, refused",),
    "hold 10 teams and release": (f"{PIPELINE}, released", f"{LOCKS}, released"),
}
Work = Callable[[], Awaitable[object]]


class Bench:
    """Runs named pieces of work in turn and keeps how long each took."""

    def __init__(self) -> None:
        self._work: dict[str, tuple[Work, Work | None]] = {}
        self.took: dict[str, list[float]] = {}

    def add(self, name: str, work: Work, undo: Work | None = None) -> None:
        self._work[name] = (work, undo)
        self.took[name] = []

    async def run(self, rounds: int) -> None:
        for _ in range(rounds):
            for name, (work, undo) in self._work.items():
                began = CLOCK.monotonic()
                await work()
                self.took[name].append((CLOCK.monotonic() - began) * 1000)
                if undo is not None:
                    await undo()

    def p50(self, name: str) -> float:
        return statistics.median(self.took[name])

    def p99(self, name: str) -> float:
        return statistics.quantiles(self.took[name], n=100)[98]


def add_redis(bench: Bench, redis: RedisHolds, client: "Redis") -> None:
    fences = dict.fromkeys(TEN, 0)
    one = {TEN[0]: 0}
    event = EventId("event")
    bench.add("PING", client.ping)
    bench.add(
        "hold 1 team",
        lambda: redis.acquire("me", event, one, TTL),
        lambda: redis.release("me", TEN[:1]),
    )
    bench.add(
        "hold 10 teams",
        lambda: redis.acquire("me", event, fences, TTL),
        lambda: redis.release("me", TEN),
    )

    async def refused() -> object:
        return await redis.acquire("me", event, {**fences, TeamId("taken"): 0}, TTL)

    bench.add("hold 10 teams, refused", refused)

    async def both() -> None:
        await redis.acquire("me", event, fences, TTL)
        await redis.release("me", TEN)

    bench.add("hold 10 teams and release", both)


def add_pipeline(bench: Bench, client: "Redis") -> None:
    keys = [f"plain:{one}" for one in TEN]

    async def both() -> None:
        await pipeline(client, keys)
        await client.delete(*keys)

    bench.add(f"{PIPELINE}, 10", lambda: pipeline(client, keys), lambda: client.delete(*keys))
    bench.add(f"{PIPELINE}, refused", lambda: pipeline(client, [*keys, "plain:taken"]))
    bench.add(f"{PIPELINE}, released", both)


def add_locks(bench: Bench, client: "Redis") -> None:
    locks = [Lock(client, f"lock:{one}", timeout=300, blocking=False) for one in TEN]

    async def hold() -> None:
        for lock in locks:
            assert await lock.acquire()

    async def release() -> None:
        for lock in locks:
            await lock.release()

    async def both() -> None:
        await hold()
        await release()

    bench.add(LOCKS, hold, release)
    bench.add(f"{LOCKS}, released", both)


async def pipeline(client: "Redis", keys: Sequence[str]) -> bool:
    """As the specification has it."""
    pipe = client.pipeline()
    for key in keys:
        pipe.set(key, "event:0", nx=True, ex=300)
    results = await pipe.execute()
    if all(results):
        return True
    for key, got in zip(keys, results, strict=True):
        if got:
            await client.delete(key)
    return False


def add_database(bench: Bench, name: str, database: Database) -> None:
    def send(conn: Connection) -> None:
        now = CLOCK.now()
        fences = {one.id: one.fence for one in dispatch_teams.listed(conn, (), 10)}
        dispatch_teams.take(conn, "me", fences, TaskId("task"), now)

    def unguarded(conn: Connection) -> None:
        dispatch_teams.listed(conn, (), 10)
        status = {"status": "deployed", "current_task_id": "task", "updated_at": CLOCK.now()}
        conn.execute(update(teams).where(teams.c.id.in_(TEN)).values(**status))

    def home(conn: Connection) -> None:
        conn.execute(update(teams).values(status="standby", current_task_id=None))

    bench.add(
        f"{name}: 10 teams, unguarded", lambda: database.write(unguarded), back(database, home)
    )
    bench.add(f"{name}: 10 teams, guarded", lambda: database.write(send), back(database, home))


def back(database: Database, home: Callable[[Connection], None]) -> Work:
    return lambda: database.write(home)


def add_safety(bench: Bench, both: CountedHolds) -> None:
    async def around() -> None:
        await both.acquire("me", EventId("event"), dict.fromkeys(TEN, 0), TTL)
        await both.release("me", TEN)

    bench.add("holds around one commit", around)


async def prepared(url: str) -> Database:
    database = await open_database(url)
    await migrate(database)
    records = SqlRecords(database)
    for one in TEN:
        await records.add_team(team(one), CLOCK.now())
    return database


async def latencies(rounds: int) -> None:
    postgres, server = PostgresServer(), RedisServer()
    postgres.start()
    server.start()
    client = holds_client(server.url)
    try:
        database = await prepared(postgres.url(postgres.create_database()))
        redis = RedisHolds(client, CLOCK)
        await client.set("ai:team_lock:taken", "stranger:0:300:other")
        await client.set("plain:taken", "stranger")
        fallback = HoldsWithFallback(
            redis, SqlHolds(database, CLOCK), Counts(), Breaker("redis", CLOCK)
        )
        bench = Bench()
        add_redis(bench, redis, client)
        add_pipeline(bench, client)
        add_locks(bench, client)
        add_database(bench, "PostgreSQL", database)
        add_safety(bench, CountedHolds(fallback, Counts()))
        await bench.run(20)
        for times in bench.took.values():
            times.clear()
        await bench.run(rounds)
        report(bench)
        await database.close()
    finally:
        await client.aclose()
        server.remove()
        postgres.remove()


def report(bench: Bench) -> None:
    ping = bench.p50("PING")
    print(f"{'':40}{'p50 ms':>9}{'p99 ms':>9}{'× PING':>9}")
    others = {peer for peers in BESIDE.values() for peer in peers}
    for name in (name for name in bench.took if name not in others):
        ratio = bench.p50(name) / ping
        gate = f"  at most {GATES[name]}" if name in GATES else ""
        print(f"{name:40}{bench.p50(name):9.2f}{bench.p99(name):9.2f}{ratio:9.1f}{gate}")
    guarded, plain_update = "PostgreSQL: 10 teams, guarded", "PostgreSQL: 10 teams, unguarded"
    added = bench.p99("holds around one commit") + max(
        0.0, bench.p99(guarded) - bench.p99(plain_update)
    )
    print(f"\nadded by the safety, p99: {added:.1f} ms (at most 50)\n")
    report_peers(bench)


def report_peers(bench: Bench) -> None:
    print(f"{'ten teams in Redis (p50 ÷ ours)':40}{'p50 ms':>9}{'p99 ms':>9}{'ours ×':>9}")
    bars = []
    for ours, others in BESIDE.items():
        for name in (ours, *others):
            p50 = bench.p50(name)
            print(f"{name:40}{p50:9.2f}{bench.p99(name):9.2f}{p50 / bench.p50(ours):9.2f}")
            bars.append((f"Clarion: {name}" if name == ours else name, p50))
    print(Bars("holds", "Ten teams held in Redis", "milliseconds, p50", bars).line() + "\n")


def choices() -> None:
    print(
        f"{'teams':>6}{'greedy ms':>11}{'exact ×3 ms':>13}{'worst ms':>10}{'greedy dearer by':>18}"
    )
    solve_exactly(random_problem(random.Random(0), 30), 5.0)  # the import is not the choice
    for count, cities in ((50, 8), (500, 8), (5_000, 5)):
        quick, exact, gaps = [], [], []
        for seed in range(cities):
            given = random_problem(random.Random(seed), count)
            began = CLOCK.monotonic()
            first = worth(given, teams_of(given, greedy(given)))
            middle = CLOCK.monotonic()
            best = worth(given, teams_of(given, solve_exactly(given, 30.0).choices[0]))
            exact.append((CLOCK.monotonic() - middle) * 1000)
            quick.append((middle - began) * 1000)
            gaps.append((first.price - best.price) / max(1, best.price))
        gap = f"{statistics.mean(gaps):.1%}, most {max(gaps):.1%}"
        print(
            f"{count:6}{statistics.median(quick):11.1f}{statistics.median(exact):13.0f}"
            f"{max(exact):10.0f}{gap:>18}"
        )


if __name__ == "__main__":
    asyncio.run(latencies(int(sys.argv[1]) if len(sys.argv) > 1 else 300))
    choices()
