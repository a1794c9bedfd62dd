"""A large city: 5 000 teams and 200 open events on PostgreSQL. How soon accepted, how soon planned?

`python -m benchmarks.dispatch_scale [teams] [events] [plans]`, by default 5000, 200 and 20. A plan
is asked for every event; so many plans are then carried out one after the other, each beside all
the others that still wait. In the same run stands a plain SELECT 1, as a measure of the machine.
"""

import asyncio
import logging
import random
import statistics
import sys
from datetime import timedelta

from sqlalchemy import Connection, insert, text

from clarion.agent.choosers import ChooserWithFallback, ExactChooser, GreedyChooser
from clarion.base.clock import SystemClock
from clarion.dispatch.model import EventId, Need, Place, Run, Severity, TeamId
from clarion.store.sql.dispatch import rows
from clarion.store.sql.opening import migrate, open_database
from clarion.store.sql.tables.dispatch import teams as team_table
from tests.support.dispatching import Desk, event, planner, team
from tests.support.services import PostgresServer

CLOCK = SystemClock()
ABLE = ("medical", "search", "firefighting", "water_rescue")


def somewhere(dice: random.Random) -> Place:
    return Place(31.23 + dice.uniform(-0.3, 0.3), 121.47 + dice.uniform(-0.3, 0.3))


def fill(conn: Connection, count: int) -> None:
    dice = random.Random(5)
    made = []
    for number in range(count):
        can = {name: dice.randint(1, 2) for name in dice.sample(ABLE, 2)}
        one = team(TeamId(f"t{number:05}"), place=somewhere(dice), capabilities=can)
        facts = rows.team_facts(one)
        made.append({"id": one.id, "status": "standby", "updated_at": CLOCK.now(), **facts})
    conn.execute(insert(team_table), made)


def one(conn: Connection) -> None:
    conn.execute(text("SELECT 1"))


async def ask(desk: Desk, events: int) -> tuple[list[Run], list[float], list[float]]:
    """The plans, how long each took to be accepted, and a plain question beside it, in ms."""
    dice, asked, accepted, floor = random.Random(6), [], [], []
    for number in range(events):
        reported = event(
            f"e{number:03}",
            now=CLOCK.now(),
            needs=tuple(Need(name, dice.randint(1, 3)) for name in dice.sample(ABLE, 2)),
            severity=dice.choice(list(Severity)),
            place=somewhere(dice),
        )
        await desk.add(reported)
        began = CLOCK.monotonic()
        asked.append(await desk.service.request(EventId(reported.id)))
        middle = CLOCK.monotonic()
        await desk.database.read(one)
        accepted.append((middle - began) * 1000)
        floor.append((CLOCK.monotonic() - middle) * 1000)
    return asked, accepted, floor


async def carry_out(desk: Desk, asked: list[Run]) -> list[float]:
    took = []
    for run in asked:
        began = CLOCK.monotonic()
        done = await desk.service.run(run.id)
        took.append(CLOCK.monotonic() - began)
        assert done is not None
    return took


async def main(teams: int, events: int, plans: int) -> None:
    postgres = PostgresServer()
    postgres.start()
    exact = ExactChooser(timedelta(seconds=2))
    try:
        database = await open_database(postgres.url(postgres.create_database()))
        await migrate(database)
        await database.write(fill, teams)
        chooser = ChooserWithFallback(exact, GreedyChooser())
        desk = Desk(database, CLOCK, agent=planner(chooser=chooser))
        await exact.warm_up()
        asked, accepted, floor = await ask(desk, events)
        took = await carry_out(desk, asked[:plans])
        await database.close()
    finally:
        exact.close()
        postgres.remove()
    last = statistics.quantiles(accepted, n=100)[98]
    print(f"{teams} teams, {events} open events")
    print(f"SELECT 1: p50 {statistics.median(floor):.1f} ms")
    print(f"accepted: p50 {statistics.median(accepted):.1f} ms, p99 {last:.1f} ms (aim 100)")
    print(f"planned:  p50 {statistics.median(took):.2f} s, most {max(took):.2f} s (aim 5)")


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    given = [int(word) for word in sys.argv[1:]] or [5000, 200, 20]
    asyncio.run(main(given[0], given[1], given[2]))
