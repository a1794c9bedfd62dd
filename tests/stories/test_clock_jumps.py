"""The clock is set back or forward under a running server: nothing falls silent for that long."""

from datetime import timedelta

import pytest

from clarion.reminders.keeper import Keeper
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import CONFIRM, KITCHEN
from tests.support.house import ADMIN, House, at

JUMPS = [timedelta(minutes=10), timedelta(hours=2), timedelta(days=3)]
ASKS = ConfirmationConfig(required=True, timeout=60, retry_interval=60, max_retries=3)


@pytest.fixture(autouse=True)
async def keeper(house: House) -> None:
    house.driver.add(Keeper(house.store, house.clock, house.patience))
    await house.driver.settle()


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
