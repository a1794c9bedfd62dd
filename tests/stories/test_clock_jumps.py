"""The clock is set back or forward under a running server: nothing falls silent for that long."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.reminders.keeper import Keeper
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at, introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.fakes.channel import Outside

JUMPS = [timedelta(minutes=10), timedelta(hours=2), timedelta(days=3)]
DAYS = JUMPS[-1]
EVERY_DAY = ["30 8 * * *", "every day at 8:30 am", "RRULE:FREQ=DAILY;BYHOUR=8;BYMINUTE=30"]
ASKS = ConfirmationConfig(required=True, timeout=60, retry_interval=60, max_retries=3)


@pytest.fixture(autouse=True)
async def keeper(clarion: ClarionByHand) -> None:
    clarion.driver.add(Keeper(clarion.store, clarion.clock, clarion.patience))
    await clarion.driver.settle()


async def tea(clarion: ClarionByHand, pattern: str, **fields: Any) -> None:
    await clarion.reminders.series.create(
        ADMIN, user_id=ANA, content="tea", pattern=pattern, zone="UTC", **fields
    )


async def live_on(clarion: ClarionByHand, mornings: int) -> None:
    """Minute by minute around half past eight; at other hours nothing is due."""
    for _ in range(mornings):
        await clarion.fast_forward(minutes=2)
        now = clarion.clock.now()
        begins = now.replace(hour=8, minute=20)
        begins += timedelta(days=now > begins + timedelta(minutes=20))
        clarion.clock.advance(max(begins - now, timedelta()))
        await clarion.until(8, 40)


def told_at(clarion: ClarionByHand) -> list[datetime]:
    return [one.at for one in clarion.outside.spoken if one.ring.content == "tea"]


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_device_that_had_rung_rings_after_the_clock_is_set_back(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    await clarion.remind("tea", at=at(8, 30))
    await clarion.until(8, 31)
    clarion.clock.jump(-jump)
    now = clarion.clock.now()

    await clarion.remind("gas", at=now + timedelta(seconds=30))
    await clarion.fast_forward(seconds=31)

    assert [one.ring.content for one in clarion.outside.spoken] == ["tea", "gas"]
    assert clarion.outside.spoken[-1].at == now + timedelta(seconds=30)


@pytest.mark.parametrize("jump", JUMPS)
async def test_an_unanswered_pill_is_asked_again_after_the_clock_is_set_back(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=ASKS)
    await clarion.until(8, 30)
    clarion.clock.jump(-jump)

    await clarion.fast_forward(minutes=12)

    assert [attempt for _, _, attempt in clarion.outside.rings] == [1, 2, 3]
    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize("jump", JUMPS)
async def test_what_asks_again_does_not_wait_for_the_old_clock(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    await clarion.remind(at=at(8, 30), confirmation=ASKS)
    await clarion.until(8, 31)
    await clarion.fast_forward(seconds=30)  # nobody answered: it asks again in half a minute
    clarion.clock.jump(-jump)
    before = len(clarion.outside.spoken)

    await clarion.fast_forward(minutes=3)

    assert len(clarion.outside.spoken) > before


@pytest.mark.parametrize("jump", JUMPS)
async def test_a_clock_that_was_set_back_while_the_server_was_down_is_noticed(
    tmp_path: Path, clock: ManualClock, jump: timedelta
) -> None:
    (tmp_path / "down").mkdir()
    url, outside = await sqlite_file(tmp_path / "down"), Outside(clock)
    async with open_by_hand(url, clock, outside) as before:
        await introduce_ana(before)
        pill = await before.remind(at=at(8, 30), confirmation=ASKS)
        await tea(before, "30 8 * * *")
        await before.until(8, 30)
    clock.jump(-jump)

    async with open_by_hand(url, clock, outside) as after:
        last_noted = await after.store.last_noted()
        after.driver.add(Keeper(after.store, clock, after.patience, last_noted))
        await after.driver.settle()
        await after.fast_forward(minutes=12)

        asked = [one.ring.attempt for one in outside.spoken if one.ring.content != "tea"]
        assert asked == [1, 2, 3]
        assert (await after.look(pill)).status is ReminderStatus.TIMEOUT


async def test_a_device_that_is_away_is_looked_for_after_a_jump_and_back(
    clarion: ClarionByHand,
) -> None:
    jump = timedelta(minutes=10)
    clarion.outside.away.add(KITCHEN)
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 35)
    clarion.clock.jump(jump)
    await clarion.fast_forward(minutes=2)
    clarion.clock.jump(-jump)
    await clarion.fast_forward(minutes=2)
    clarion.outside.away.clear()

    await clarion.fast_forward(minutes=2)

    assert clarion.outside.rings


@pytest.mark.parametrize("jump", [*JUMPS, *(-one for one in JUMPS)])
async def test_nothing_that_was_chosen_by_a_person_moves(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    chosen = at(8, 0, day=20)
    later = await clarion.remind(at=chosen)
    snoozed = await clarion.remind("tea", at=at(8, 30))
    await clarion.reminders.snooze(ADMIN, snoozed.id, until=chosen)

    clarion.clock.jump(jump)
    await clarion.fast_forward(minutes=5)

    assert (await clarion.look(later)).trigger_at == chosen
    assert (await clarion.look(snoozed)).trigger_at == chosen


async def test_a_wait_that_began_in_the_future_still_ends(clarion: ClarionByHand) -> None:
    clarion.outside.away.add(KITCHEN)
    pill = await clarion.remind(at=at(8, 30))
    await clarion.until(8, 35)
    clarion.clock.jump(-timedelta(hours=2))

    await clarion.fast_forward(minutes=40)

    assert (await clarion.look(pill)).status is ReminderStatus.FAILED


@pytest.mark.parametrize("jump", JUMPS)
async def test_the_next_contact_does_not_wait_for_the_old_clock(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    for order, (name, delay) in enumerate((("Sue", 0), ("Bo", 120))):
        await clarion.people.add_contact(
            ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", delay=delay, order=order
        )
    await clarion.remind(at=at(8, 30), confirmation=ASKS)
    await clarion.until(8, 36)  # three calls of a minute: Sue was told, Bo is next
    told = [name for name, _ in clarion.outside.told]
    clarion.clock.jump(-jump)

    await clarion.fast_forward(minutes=4)

    assert told == ["Sue"]
    assert [name for name, _ in clarion.outside.told] == ["Sue", "Bo"]


@pytest.mark.parametrize("jump", [timedelta(minutes=10), timedelta(hours=2)])
async def test_what_fell_due_in_a_jump_forward_is_told_at_once(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    await clarion.remind("tea", at=clarion.clock.now() + jump - timedelta(minutes=1))
    clarion.clock.jump(jump)

    await clarion.fast_forward(seconds=1)

    assert [one.ring.content for one in clarion.outside.spoken] == ["tea"]


@pytest.mark.parametrize("jump", JUMPS)
async def test_an_unanswered_pill_is_asked_again_after_a_jump_forward_and_back(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=ASKS)
    await clarion.until(8, 30)
    clarion.clock.jump(jump)
    await clarion.fast_forward(seconds=10)
    clarion.clock.jump(-jump)

    await clarion.fast_forward(minutes=12)

    assert [attempt for _, _, attempt in clarion.outside.rings] == [1, 2, 3]
    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize("jump", [*JUMPS, *(-one for one in JUMPS)])
async def test_a_promise_is_asked_about_whatever_the_clock_does(
    clarion: ClarionByHand, jump: timedelta
) -> None:
    await clarion.remind("take the pills", at=at(8, 30), confirmation=ASKS)
    await clarion.until(8, 30)
    await clarion.answer("on my way")
    before = len(clarion.outside.spoken)
    clarion.clock.jump(jump)

    await clarion.fast_forward(minutes=7)

    assert len(clarion.outside.spoken) > before


@pytest.mark.parametrize("jump", [-timedelta(hours=2), timedelta(hours=2), -DAYS, DAYS])
async def test_a_series_goes_on_after_a_jump(clarion: ClarionByHand, jump: timedelta) -> None:
    await tea(clarion, "*/30 * * * *")
    await clarion.until(8, 31)
    clarion.clock.jump(jump)
    now = clarion.clock.now()

    await clarion.fast_forward(hours=2)

    late = [now] if jump == timedelta(hours=2) else []  # passed an hour and a half ago
    full = now.replace(minute=0)
    told = [full + timedelta(minutes=30) * n for n in (2, 3, 4, 5)]
    assert told_at(clarion) == [at(8, 30), *late, *told]


@pytest.mark.parametrize("pattern", EVERY_DAY)
@pytest.mark.parametrize("times_rung", [0, 1, 4])
async def test_a_series_rings_once_a_day_after_days_back(
    clarion: ClarionByHand, pattern: str, times_rung: int
) -> None:
    await tea(clarion, pattern)
    await live_on(clarion, times_rung)
    clarion.clock.jump(-DAYS)
    next_ = at(8, 30) - DAYS + timedelta(days=times_rung)

    await live_on(clarion, 5)

    before = [at(8, 30) + timedelta(days=one) for one in range(times_rung)]
    assert told_at(clarion) == [*before, *(next_ + timedelta(days=one) for one in range(5))]


@pytest.mark.parametrize("pattern", EVERY_DAY)
@pytest.mark.parametrize("jump", [timedelta(minutes=10), timedelta(hours=2), DAYS])
async def test_a_series_rings_each_day_once_after_a_jump_forward_and_back(
    clarion: ClarionByHand, jump: timedelta, pattern: str
) -> None:
    await tea(clarion, pattern)
    clarion.clock.jump(jump)
    await clarion.fast_forward(minutes=10)
    early = told_at(clarion)  # two hours on, today's was told; three days on, it was missed
    clarion.clock.jump(-jump)

    await live_on(clarion, 3)

    today = [] if early else [at(8, 30)]
    assert bool(early) is (jump == timedelta(hours=2))
    assert told_at(clarion) == [*early, *today, at(8, 30, day=8), at(8, 30, day=9)]


@pytest.mark.parametrize("days", [0, 1, 3])
@pytest.mark.parametrize("more", [timedelta(minutes=10), timedelta(hours=2)])
async def test_what_was_just_told_is_not_told_again_when_its_time_comes_again(
    clarion: ClarionByHand, days: int, more: timedelta
) -> None:
    await tea(clarion, "30 8 * * *")
    await clarion.until(8, 31)
    clarion.clock.jump(-timedelta(days=days) - more)
    again = at(8, 30) - timedelta(days=days)

    await live_on(clarion, 2)

    assert told_at(clarion) == [at(8, 30), again + timedelta(days=1)]


async def test_a_series_that_begins_later_still_does(clarion: ClarionByHand) -> None:
    await tea(clarion, "DTSTART:20300120T083000Z\nRRULE:FREQ=DAILY")
    clarion.clock.jump(-DAYS)

    await live_on(clarion, 7)

    (waits,) = (await clarion.reminders.series.list(ADMIN)).items
    assert told_at(clarion) == []
    assert waits.next_at == at(8, 30, day=20)


async def test_a_series_of_three_rings_three_times_though_days_come_again(
    clarion: ClarionByHand,
) -> None:
    await tea(clarion, "30 8 * * *", count=3)
    await clarion.until(8, 31)
    clarion.clock.jump(-DAYS)

    await live_on(clarion, 7)

    assert told_at(clarion) == [at(8, 30), at(8, 30, day=5), at(8, 30, day=6)]
