"""A few hours of the long simulation, and proof that its judge would notice a broken promise."""

import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from clarion.base.ids import ReminderId
from clarion.reminders.events import ReminderConfirmed, ReminderTriggered
from clarion.settings import Settings
from clarion.store.sql import events
from tests.soak.judge import judge
from tests.soak.life import a_chat_asks, everybody_is_called_at_once
from tests.soak.run import soak
from tests.soak.world import QUIET, Answer, World
from tests.support.clock import START, ManualClock
from tests.support.databases import sqlite_file
from tests.support.services import PostgresServer, RedisServer

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize("seed", [4, 11])
async def test_a_day_of_crashes_on_one_server_keeps_every_promise(
    seed: int, redis_server: RedisServer
) -> None:
    world, verdict = await soak(seed, days=0.15, redis=redis_server)

    assert not verdict.wrong, f"python -m tests.soak --seed {seed} --days 0.15 --database sqlite"
    assert verdict.rings > len(world.made) / 2


async def test_a_day_of_crashes_on_two_servers_keeps_every_promise(
    postgres: PostgresServer,
) -> None:
    _, verdict = await soak(5, days=0.05, server=postgres)

    assert not verdict.wrong, "python -m tests.soak --seed 5 --days 0.05 --database postgresql"
    assert verdict.rings


@pytest.fixture
async def quiet_world() -> AsyncIterator[World]:
    """An hour without any fault: six reminders at one instant, and one from a chat."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world = World(
            settings=Settings(data_dir=folder, port=0),
            url=await sqlite_file(folder),
            clock=ManualClock(START),
            random=Random(1),
            size=1,
            together=False,
        )
        await world.begin()
        await everybody_is_called_at_once(world)
        await a_chat_asks(world)
        await world.live(timedelta(hours=2))
        yield world
        await world.close()


async def test_the_judge_has_nothing_to_say_about_a_quiet_hour(quiet_world: World) -> None:
    verdict = await judge(quiet_world)

    assert not verdict.wrong
    assert not verdict.explained
    assert verdict.rings == 7


async def test_the_judge_notices_a_reminder_that_is_gone(quiet_world: World) -> None:
    quiet_world.made.add(ReminderId("rem_lost"))

    verdict = await judge(quiet_world)

    assert verdict.wrong == ["rem_lost: nothing is known of it"]


async def test_the_judge_notices_a_late_second_ring(quiet_world: World) -> None:
    told = quiet_world.outside.spoken[0].ring
    ring = ReminderTriggered(
        subject=told.reminder_id,
        user=told.user_id,
        ring=told.id,
        attempt=1,
        device="user-9-hall",
        late=0.0,
        planned_at=START,
    )
    await quiet_world.nodes[0].plug.write(events.append, [ring], quiet_world.clock.now())

    wrong = " ".join((await judge(quiet_world)).wrong)

    assert "it rang after its end" in wrong
    assert "one ring began twice" in wrong
    assert "promised for" in wrong


async def test_the_judge_notices_a_ring_in_quiet_hours(quiet_world: World) -> None:
    sleeper = next(one.ring for one in quiet_world.outside.spoken if one.ring.user_id in QUIET)
    at_night = START.replace(hour=23)
    ring = ReminderTriggered(
        subject=sleeper.reminder_id,
        user=sleeper.user_id,
        ring="ring-at-night",
        attempt=1,
        device="user-9-hall",
        late=0.0,
        planned_at=at_night,
    )
    await quiet_world.nodes[0].plug.write(events.append, [ring], at_night)

    wrong = " ".join((await judge(quiet_world)).wrong)

    assert "in quiet hours" in wrong


async def test_the_judge_notices_words_that_were_said_twice(quiet_world: World) -> None:
    first = quiet_world.outside.spoken[0]
    quiet_world.outside.spoken.append(replace(first, at=quiet_world.clock.now()))

    verdict = await judge(quiet_world)

    assert "was spoken twice" in verdict.wrong[0]


async def test_the_judge_notices_a_wrong_order(quiet_world: World) -> None:
    low, high = min(quiet_world.burst.values()), max(quiet_world.burst.values())
    swapped = {low: high, high: low}
    quiet_world.burst = {name: swapped.get(b, b) for name, b in quiet_world.burst.items()}

    verdict = await judge(quiet_world)

    assert "they rang in the order" in verdict.wrong[0]


async def test_the_judge_notices_who_was_told_set_for_nothing(quiet_world: World) -> None:
    told = quiet_world.outside.spoken[0].ring.reminder_id
    quiet_world.answers.append(Answer(told, START, "sure", "Will ring on hall.", reachable=False))

    verdict = await judge(quiet_world)

    assert "with nobody to hear it, and told: Will ring on hall." in verdict.wrong[0]


async def test_the_judge_notices_a_metric_that_is_not_what_happened(quiet_world: World) -> None:
    """A yes that no reminder knows of, and a call that no ring answers."""
    told = quiet_world.outside.spoken[0].ring
    yes = ReminderConfirmed(
        subject=ReminderId("rem_nobody"), user=told.user_id, by="x", attempt=9, late=False
    )
    await quiet_world.nodes[0].plug.write(events.append, [yes], quiet_world.clock.now())

    wrong = " ".join((await judge(quiet_world)).wrong)

    assert "confirm_rate shows 1.0, the log says None" in wrong
    assert "retry_count shows 9.0" in wrong


async def test_the_judge_notices_a_request_that_was_never_set(quiet_world: World) -> None:
    quiet_world.chatted.add("浇树")

    verdict = await judge(quiet_world)

    assert verdict.wrong == ["'浇树' was set 0 times"]
