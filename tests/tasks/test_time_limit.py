import asyncio
from contextlib import closing
from datetime import timedelta

import pytest

from clarion.tasks.time_limit import TimeLimit

SOON, HOUR = timedelta(milliseconds=10), timedelta(hours=1)


async def hang() -> None:
    await asyncio.Event().wait()


async def test_what_takes_longer_is_cut() -> None:
    with closing(TimeLimit()) as limit, pytest.raises(TimeoutError), limit.within(SOON):
        await hang()

    assert limit.expired


@pytest.mark.parametrize("before", [SOON, HOUR], ids=["a shorter one", "a longer one"])
async def test_each_run_has_its_own_limit(before: timedelta) -> None:
    with closing(TimeLimit()) as limit:
        with limit.within(before):
            assert not limit.expired

        began = asyncio.get_running_loop().time()
        with pytest.raises(TimeoutError), limit.within(2 * SOON):
            await hang()

        assert asyncio.get_running_loop().time() - began >= 2 * SOON.total_seconds()


async def test_it_serves_again_after_it_cut() -> None:
    with closing(TimeLimit()) as limit:
        with pytest.raises(TimeoutError), limit.within(SOON):
            await hang()

        with limit.within(HOUR):
            await asyncio.wait([asyncio.create_task(asyncio.Event().wait())], timeout=0)

        assert not limit.expired


async def test_what_is_over_is_not_cut_any_more() -> None:
    with closing(TimeLimit()) as limit:
        with limit.within(HOUR):
            pass
        limit.cut()

        await asyncio.wait([asyncio.create_task(hang())], timeout=SOON.total_seconds())

    task = asyncio.current_task()
    assert task is not None
    assert not task.cancelling()


async def test_an_end_that_others_want_is_no_timeout() -> None:
    async def run() -> None:
        with closing(TimeLimit()) as limit, limit.within(HOUR):
            await hang()

    running = asyncio.create_task(run())
    await asyncio.wait([running], timeout=0)

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
