"""A receiver outside, and a way to it."""

from collections.abc import AsyncIterator

import pytest

from clarion.doors.notify.post import HttpSender
from clarion.doors.notify.safety import Guard
from tests.support.fakes.receiver import Receiver, receiving


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        yield opened


@pytest.fixture
async def sender() -> AsyncIterator[HttpSender]:
    """It may call loopback: that is where the receiver is."""
    made = HttpSender(Guard(private_allowed=True))
    yield made
    await made.close()
