"""An evening with the double of Telegram, on SQLite."""

from collections.abc import AsyncIterator

import pytest

from clarion.store.sql.engine.database import Database
from tests.support.clock import ManualClock
from tests.support.telegram_evening import TelegramEvening, telegram_evening


@pytest.fixture
async def evening(sqlite: Database, clock: ManualClock) -> AsyncIterator[TelegramEvening]:
    async with telegram_evening(sqlite, clock) as made:
        yield made
