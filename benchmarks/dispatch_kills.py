"""Real workers that plan are killed in the middle: nobody is sent twice and no event forgotten.

`python -m benchmarks.dispatch_kills [kills] [events]`, by default 30 and 60. Three workers share
PostgreSQL and Redis; one after the other dies by `kill -9` while events come in, and another takes
its place. Redis dies in between. Then the database is asked: is a team in two places, does a plan
hang, does an event lack somebody while a team that fits stands idle? PostgreSQL's own log is
asked for deadlocks, and the workers' for tracebacks.
"""

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sqlalchemy import Connection, func, select

from clarion.base.clock import SystemClock
from clarion.base.ids import new_id
from clarion.dispatch.model import EventId, Need, TeamStatus
from clarion.dispatch.ports import Ending
from clarion.store.sql.engine.database import Database
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tables.dispatch import assignments, dispatch_events, runs, teams
from tests.support.dispatching import Desk, event, team
from tests.support.services import PostgresServer, RedisServer

CLOCK = SystemClock()
WORKERS = 3
TEAMS = 24
DONE = Ending(outcome="completed", team_status=TeamStatus.STANDBY)
SETTLES_WITHIN = 300.0  # seconds after the last kill: leases, backoff, and cores that others share


async def pause(seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()


class Workers:
    def __init__(self, url: str, redis_url: str, log: IO[str], folder: Path) -> None:
        self._environ = {
            **os.environ,
            "CLARION_DATABASE_URL": url,
            "CLARION_REDIS_URL": redis_url,
            "CLARION_DATA_DIR": str(folder),
            "CLARION_LOG_LEVEL": "warning",
        }
        self._log = log
        self._running = [self._start() for _ in range(WORKERS)]

    def _start(self) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "clarion", "worker"]
        return subprocess.Popen(
            command, env=self._environ, stdout=self._log, stderr=self._log, text=True
        )

    def kill_one(self, dice: random.Random) -> None:
        place = dice.randrange(WORKERS)
        self._running[place].send_signal(signal.SIGKILL)
        self._running[place].wait()
        self._running[place] = self._start()

    def stop(self) -> None:
        for one in self._running:
            one.send_signal(signal.SIGKILL)
            one.wait()


async def report(desk: Desk, dice: random.Random) -> None:
    name = new_id("evt", CLOCK.now())
    needs = (Need("medical", dice.randint(1, 3)),)
    await desk.add(event(name, now=CLOCK.now(), needs=needs))
    await desk.service.request(EventId(name))


async def send_home(desk: Desk, dice: random.Random, most: int) -> None:
    away = [one for one in await desk.store.assignments() if one.closed_at is None]
    for part in dice.sample(away, min(most, len(away))):
        await desk.store.end(part.id, DONE, CLOCK.now())


def unfinished(conn: Connection) -> int:
    query = select(func.count()).select_from(runs).where(runs.c.finished_at.is_(None))
    return int(conn.execute(query).scalar_one())


def forgotten(conn: Connection) -> list[str]:
    """Events that lack somebody while a team stands idle."""
    idle = conn.execute(
        select(func.count()).select_from(teams).where(teams.c.status == "standby")
    ).scalar_one()
    lacking = conn.execute(
        select(dispatch_events.c.id).where(dispatch_events.c.status.in_(("open", "short")))
    )
    return [str(one) for one in lacking.scalars()] if idle else []


def twice(conn: Connection) -> int:
    found, before = 0, None
    query = select(assignments).order_by(assignments.c.team_id, assignments.c.fence)
    for row in conn.execute(query):
        if before is not None and before.team_id == row.team_id:
            found += before.closed_at is None or before.closed_at > row.opened_at
        before = row
    return found


async def settled(database: Database, desk: Desk, dice: random.Random) -> float:
    """Seconds until nothing is under way and nobody waits; teams come home meanwhile."""
    began = CLOCK.monotonic()
    while CLOCK.monotonic() - began < SETTLES_WITHIN:
        if not await database.read(unfinished) and not await database.read(forgotten):
            lacking = await database.read(_lacking)
            if not lacking:
                break
        await send_home(desk, dice, 3)
        await pause(1.0)
    return CLOCK.monotonic() - began


def _lacking(conn: Connection) -> int:
    query = select(func.count()).select_from(dispatch_events)
    waiting = dispatch_events.c.status.in_(("open", "short"))
    return int(conn.execute(query.where(waiting)).scalar_one())


@dataclass
class Judged:
    doubles: int
    hanging: int
    forgotten: int
    lacking: int
    seconds: float


async def lived(
    url: str, redis: RedisServer, log: IO[str], folder: Path, size: tuple[int, int]
) -> Judged:
    """Events come in while one worker after the other dies, and Redis in the middle third."""
    (kills, events), dice = size, random.Random(24)
    database = await open_database(url)
    await migrate(database)
    desk = Desk(database, CLOCK)
    await desk.add(*(team(f"t{n:02}", km=1 + n) for n in range(TEAMS)))
    workers = Workers(url, redis.url, log, folder)
    for number in range(kills):
        for _ in range(events * (number + 1) // kills - events * number // kills):
            await report(desk, dice)
        await pause(dice.uniform(0.5, 3.0))
        workers.kill_one(dice)
        await send_home(desk, dice, 2)
        if number == kills // 3:
            redis.kill()
        if number == 2 * kills // 3:
            redis.start()
    seconds = await settled(database, desk, dice)
    workers.stop()
    found = Judged(
        await database.read(twice),
        await database.read(unfinished),
        len(await database.read(forgotten)),
        await database.read(_lacking),
        seconds,
    )
    await database.close()
    return found


async def main(kills: int, events: int) -> bool:
    postgres, redis = PostgresServer(), RedisServer()
    postgres.start()
    redis.start()
    folder = Path(tempfile.mkdtemp(prefix="clarion-kills-"))
    with (folder / "workers.log").open("w+") as log:
        try:
            url = postgres.url(postgres.create_database())
            found = await lived(url, redis, log, folder, (kills, events))
        finally:
            deadlocks = postgres.deadlocks()
            redis.remove()
            postgres.remove()
        log.seek(0)
        lines = log.read().splitlines()
    tracebacks = sum(line.startswith("Traceback") for line in lines)
    print(f"{kills} kills, {events} events, {TEAMS} teams, {WORKERS} workers")
    print(f"sent twice {found.doubles}, plans that hang {found.hanging}, deadlocks {deadlocks}")
    print(f"forgotten while a team stands idle {found.forgotten}, lacking {found.lacking}")
    print(f"settled {found.seconds:.0f} s after the last kill")
    print(f"lines in the workers' log {len(lines)}, tracebacks {tracebacks}")
    return not (found.doubles or found.hanging or deadlocks or found.forgotten)


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]] or [30, 60]
    sys.exit(0 if asyncio.run(main(given[0], given[1])) else 1)
