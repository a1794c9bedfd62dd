"""Ana's house: one server on SQLite, a device in the kitchen, and time that is moved by hand."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.house import House, furnish, open_house


@pytest.fixture
async def house(tmp_path: Path, clock: ManualClock) -> AsyncIterator[House]:
    async with open_house(await sqlite_file(tmp_path), clock) as made:
        await furnish(made)
        yield made
