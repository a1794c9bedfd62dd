"""A receiver outside, and a way to it."""

from collections.abc import AsyncIterator

import pytest

from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import Reach
from tests.support.fakes.receiver import Receiver, receiving


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        yield opened


@pytest.fixture
async def sender() -> AsyncIterator[HttpSender]:
    """It may call loopback: that is where the receiver is."""
    made = HttpSender(Reach(private_allowed=True))
    yield made
    await made.close()
