"""The clock is set back or forward under a running server: nothing falls silent for that long."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.reminders.keeper import Keeper
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.fakes.channel import Outside
from tests.support.house import ADMIN, House, at, furnish, open_house

JUMPS = [timedelta(minutes=10), timedelta(hours=2), timedelta(days=3)]
DAYS = JUMPS[-1]
EVERY_DAY = ["30 8 * * *", "every day at 8:30 am", "RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=30"]
ASKS = ConfirmationConfig(required=True, timeout=60, retry_interval=60, max_retries=3)


@pytest.fixture(autouse=True)
async def keeper(house: House) -> None:
    house.driver.add(Keeper(house.store, house.clock, house.patience))
    await house.driver.settle()


async def tea(house: House, pattern: str, **fields: Any) -> None:
    await house.reminders.series.create(
        ADMIN, user_id=ANA, content="tea", pattern=pattern, zone="UTC", **fields
    )


async def live_on(house: House, mornings: int) -> None:
    """Minute by minute around half past eight; at other hours nothing is due."""
    for _ in range(mornings):
        await house.fast_forward(minutes=2)
        now = house.clock.now()
        begins = now.replace(hour=8, minute=20)
        begins += timedelta(days=now > begins + timedelta(minutes=20))
        house.clock.advance(max(begins - now, timedelta()))
        await house.until(8, 40)


def told_at(house: House) -> list[datetime]:
    return [one.at for one in house.outside.spoken if one.ring.content == "tea"]


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_device_that_had_rung_rings_after_the_clock_is_set_back(
    house: House, jump: timedelta
) -> None:
    await house.remind("tea", at=at(8, 30))
    await house.until(8, 31)
    house.clock.jump(-jump)
    now = house.clock.now()

    await house.remind("gas", at=now + timedelta(seconds=30))
    await house.fast_forward(seconds=31)

    assert [one.ring.content for one in house.outside.spoken] == ["tea", "gas"]
    assert house.outside.spoken[-1].at == now + timedelta(seconds=30)


@pytest.mark.parametrize("jump", JUMPS)
async def test_an_unanswered_pill_is_asked_again_after_the_clock_is_set_back(
    house: House, jump: timedelta
) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=ASKS)
    await house.until(8, 30)
    house.clock.jump(-jump)

    await house.fast_forward(minutes=12)

    assert [attempt for _, _, attempt in house.outside.rings] == [1, 2, 3]
    assert (await house.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize("jump", JUMPS)
async def test_what_asks_again_does_not_wait_for_the_old_clock(
    house: House, jump: timedelta
) -> None:
    await house.remind(at=at(8, 30), confirmation=ASKS)
    await house.until(8, 31)
    await house.fast_forward(seconds=30)  # nobody answered: it asks again in half a minute
    house.clock.jump(-jump)
    before = len(house.outside.spoken)

    await house.fast_forward(minutes=3)

    assert len(house.outside.spoken) > before


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_clock_that_was_set_back_while_the_server_was_down_is_noticed(
    tmp_path: Path, clock: ManualClock, jump: timedelta
) -> None:
    (tmp_path / "down").mkdir()
    url, outside = await sqlite_file(tmp_path / "down"), Outside(clock)
    async with open_house(url, clock, outside) as before:
        await furnish(before)
        pill = await before.remind(at=at(8, 30), confirmation=ASKS)
        await tea(before, "30 8 * * *")
        await before.until(8, 30)
    clock.jump(-jump)

    async with open_house(url, clock, outside) as after:
        last_noted = await after.store.last_noted()
        after.driver.add(Keeper(after.store, clock, after.patience, last_noted))
        await after.driver.settle()
        await after.fast_forward(minutes=12)

        asked = [one.ring.attempt for one in outside.spoken if one.ring.content != "tea"]
        assert asked == [1, 2, 3]
        assert (await after.look(pill)).status is ReminderStatus.TIMEOUT


async def test_a_device_that_is_away_is_looked_for_after_a_jump_and_back(house: House) -> None:
    jump = timedelta(minutes=10)
    house.outside.away.add(KITCHEN)
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(8, 35)
    house.clock.jump(jump)
    await house.fast_forward(minutes=2)
    house.clock.jump(-jump)
    await house.fast_forward(minutes=2)
    house.outside.away.clear()

    await house.fast_forward(minutes=2)

    assert house.outside.rings


@pytest.mark.parametrize("jump", [*JUMPS, *(-one for one in JUMPS)])
async def test_nothing_that_was_chosen_by_a_person_moves(house: House, jump: timedelta) -> None:
    chosen = at(8, 0, day=20)
    later = await house.remind(at=chosen)
    snoozed = await house.remind("tea", at=at(8, 30))
    await house.reminders.snooze(ADMIN, snoozed.id, until=chosen)

    house.clock.jump(jump)
    await house.fast_forward(minutes=5)

    assert (await house.look(later)).trigger_at == chosen
    assert (await house.look(snoozed)).trigger_at == chosen


async def test_a_wait_that_began_in_the_future_still_ends(house: House) -> None:
    house.outside.away.add(KITCHEN)
    pill = await house.remind(at=at(8, 30))
    await house.until(8, 35)
    house.clock.jump(-timedelta(hours=2))

    await house.fast_forward(minutes=40)

    assert (await house.look(pill)).status is ReminderStatus.FAILED


@pytest.mark.parametrize("jump", JUMPS)
async def test_the_next_contact_does_not_wait_for_the_old_clock(
    house: House, jump: timedelta
) -> None:
    for order, (name, delay) in enumerate((("Sue", 0), ("Bo", 120))):
        await house.people.add_contact(
            ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", delay=delay, order=order
        )
    await house.remind(at=at(8, 30), confirmation=ASKS)
    await house.until(8, 36)  # three calls of a minute: Sue was told, Bo is next
    told = [name for name, _ in house.outside.told]
    house.clock.jump(-jump)

    await house.fast_forward(minutes=4)

    assert told == ["Sue"]
    assert [name for name, _ in house.outside.told] == ["Sue", "Bo"]


@pytest.mark.parametrize("jump", [timedelta(minutes=10), timedelta(hours=2)])
async def test_what_fell_due_in_a_jump_forward_is_told_at_once(
    house: House, jump: timedelta
) -> None:
    await house.remind("tea", at=house.clock.now() + jump - timedelta(minutes=1))
    house.clock.jump(jump)

    await house.fast_forward(seconds=1)

    assert [one.ring.content for one in house.outside.spoken] == ["tea"]


@pytest.mark.parametrize("jump", JUMPS)
async def test_an_unanswered_pill_is_asked_again_after_a_jump_forward_and_back(
    house: House, jump: timedelta
) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=ASKS)
    await house.until(8, 30)
    house.clock.jump(jump)
    await house.fast_forward(seconds=10)
    house.clock.jump(-jump)

    await house.fast_forward(minutes=12)

    assert [attempt for _, _, attempt in house.outside.rings] == [1, 2, 3]
    assert (await house.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize("jump", [*JUMPS, *(-one for one in JUMPS)])
async def test_a_promise_is_asked_about_whatever_the_clock_does(
    house: House, jump: timedelta
) -> None:
    await house.remind("take the pills", at=at(8, 30), confirmation=ASKS)
    await house.until(8, 30)
    await house.answer("on my way")
    before = len(house.outside.spoken)
    house.clock.jump(jump)

    await house.fast_forward(minutes=7)

    assert len(house.outside.spoken) > before


@pytest.mark.parametrize("jump", [-timedelta(hours=2), timedelta(hours=2), -DAYS, DAYS])
async def test_a_series_goes_on_after_a_jump(house: House, jump: timedelta) -> None:
    await tea(house, "*/30 * * * *")
    await house.until(8, 31)
    house.clock.jump(jump)
    now = house.clock.now()

    await house.fast_forward(hours=2)

    late = [now] if jump == timedelta(hours=2) else []  # passed an hour and a half ago
    full = now.replace(minute=0)
    told = [full + timedelta(minutes=30) * n for n in (2, 3, 4, 5)]
    assert told_at(house) == [at(8, 30), *late, *told]


@pytest.mark.parametrize("pattern", EVERY_DAY)
@pytest.mark.parametrize("times_rung", [0, 1, 4])
async def test_a_series_rings_once_a_day_after_days_back(
    house: House, pattern: str, times_rung: int
) -> None:
    await tea(house, pattern)
    await live_on(house, times_rung)
    house.clock.jump(-DAYS)
    next_ = at(8, 30) - DAYS + timedelta(days=times_rung)

    await live_on(house, 5)

    before = [at(8, 30) + timedelta(days=one) for one in range(times_rung)]
    assert told_at(house) == [*before, *(next_ + timedelta(days=one) for one in range(5))]


@pytest.mark.parametrize("pattern", EVERY_DAY)
@pytest.mark.parametrize("jump", [timedelta(minutes=10), timedelta(hours=2), DAYS])
async def test_a_series_rings_each_day_once_after_a_jump_forward_and_back(
    house: House, jump: timedelta, pattern: str
) -> None:
    await tea(house, pattern)
    house.clock.jump(jump)
    await house.fast_forward(minutes=10)
    early = told_at(house)  # two hours on, today's was told; three days on, it was missed
    house.clock.jump(-jump)

    await live_on(house, 3)

    today = [] if early else [at(8, 30)]
    assert bool(early) is (jump == timedelta(hours=2))
    assert told_at(house) == [*early, *today, at(8, 30, day=8), at(8, 30, day=9)]


@pytest.mark.parametrize("days", [0, 1, 3])
@pytest.mark.parametrize("more", [timedelta(minutes=10), timedelta(hours=2)])
async def test_what_was_just_told_is_not_told_again_when_its_time_comes_again(
    house: House, days: int, more: timedelta
) -> None:
    await tea(house, "30 8 * * *")
    await house.until(8, 31)
    house.clock.jump(-timedelta(days=days) - more)
    again = at(8, 30) - timedelta(days=days)

    await live_on(house, 2)

    assert told_at(house) == [at(8, 30), again + timedelta(days=1)]


async def test_a_series_that_begins_later_still_does(house: House) -> None:
    await tea(house, "DTSTART:20300120T083000Z\nRRULE:FREQ=DAILY")
    house.clock.jump(-DAYS)

    await live_on(house, 7)

    (waits,) = (await house.reminders.series.list(ADMIN)).items
    assert told_at(house) == []
    assert waits.next_at == at(8, 30, day=20)


async def test_a_series_of_three_rings_three_times_though_days_come_again(house: House) -> None:
    await tea(house, "30 8 * * *", count=3)
    await house.until(8, 31)
    house.clock.jump(-DAYS)

    await live_on(house, 7)

    assert told_at(house) == [at(8, 30), at(8, 30, day=5), at(8, 30, day=6)]
