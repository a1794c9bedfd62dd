"""What only one server may do, on every database."""

from datetime import datetime, timedelta

from clarion.store.sql.duties import SqlDuties
from clarion.store.sql.engine.database import Database
from clarion.tasks.duties import LIFE, Duties, OnDuty
from tests.support.clock import ManualClock


class Chore:
    name = "chore"

    def __init__(self) -> None:
        self.runs = 0

    async def run_once(self) -> datetime | None:
        self.runs += 1
        return None


def server(database: Database, clock: ManualClock, name: str) -> Duties:
    duties = Duties(SqlDuties(database), clock, name)
    duties.want("chore")
    return duties


async def test_one_of_two_servers_is_on_duty(database: Database, clock: ManualClock) -> None:
    one, two = server(database, clock, "one"), server(database, clock, "two")
    chores = Chore(), Chore()

    await one.run_once()
    await two.run_once()
    await OnDuty(chores[0], one, clock).run_once()
    await OnDuty(chores[1], two, clock).run_once()

    assert [chore.runs for chore in chores] == [1, 0]


async def test_a_duty_is_renewed_for_as_long_as_its_server_lives(
    database: Database, clock: ManualClock
) -> None:
    one, two = server(database, clock, "one"), server(database, clock, "two")

    for _ in range(10):
        await one.run_once()
        await two.run_once()
        clock.advance(timedelta(seconds=3))

    assert one.holds("chore")
    assert not two.holds("chore")


async def test_a_duty_moves_within_ten_seconds_of_a_death(
    database: Database, clock: ManualClock
) -> None:
    one, two = server(database, clock, "one"), server(database, clock, "two")
    await one.run_once()

    clock.advance(timedelta(seconds=10))
    await two.run_once()

    assert two.holds("chore")
    assert not one.holds("chore")


async def test_a_server_that_is_cut_off_stops_before_another_begins(
    database: Database, clock: ManualClock
) -> None:
    one = server(database, clock, "one")
    await one.run_once()

    clock.advance(LIFE - timedelta(milliseconds=1))

    assert not one.holds("chore")


async def test_a_clean_stop_hands_the_duty_on_at_once(
    database: Database, clock: ManualClock
) -> None:
    one, two = server(database, clock, "one"), server(database, clock, "two")
    await one.run_once()

    await one.resign()
    await two.run_once()

    assert two.holds("chore")


async def test_a_new_duty_wakes_its_pass(database: Database, clock: ManualClock) -> None:
    woken: list[str] = []
    duties = Duties(SqlDuties(database), clock, "one")
    duties.want("chore", lambda: woken.append("chore"))

    await duties.run_once()
    await duties.run_once()

    assert woken == ["chore"]
