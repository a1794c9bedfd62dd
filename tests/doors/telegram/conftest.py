"""An evening with the double of Telegram, on SQLite."""

from collections.abc import AsyncIterator

import pytest

from clarion.store.sql.engine.database import Database
from tests.support.clock import ManualClock
from tests.support.telegram_evening import PATIENCE, TelegramEvening, telegram_evening


@pytest.fixture
async def evening(
    request: pytest.FixtureRequest, sqlite: Database, clock: ManualClock
) -> AsyncIterator[TelegramEvening]:
    """Its parameter, where a test gives one: how long a call may take."""
    patience = getattr(request, "param", PATIENCE)
    async with telegram_evening(sqlite, clock, patience) as made:
        yield made
