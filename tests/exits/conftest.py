"""A way out that may call loopback: that is where the servers of these tests are."""

from collections.abc import AsyncIterator

import pytest

from clarion.exits.http import GuardedHttp
from clarion.exits.reach import Reach


@pytest.fixture
async def http() -> AsyncIterator[GuardedHttp]:
    made = GuardedHttp(Reach(private_allowed=True))
    yield made
    made.close()
