"""A Clarion by hand: one server on SQLite, Ana, and a device in her kitchen."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.clarion_by_hand import ClarionByHand, introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock) -> AsyncIterator[ClarionByHand]:
    async with open_by_hand(await sqlite_file(tmp_path), clock) as made:
        await introduce_ana(made)
        yield made
