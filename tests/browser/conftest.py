"""A whole Clarion on a free port and a real Chromium in front of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser

from clarion.app.running import Clarion
from tests.support.browser import Visitor, chromium, running


@pytest_asyncio.fixture(loop_scope="session")
async def clarion(tmp_path: Path) -> AsyncIterator[Clarion]:
    async with running(tmp_path / "data") as built:
        yield built


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests: each of them opens a context of its own, and knows nobody else's."""
    async with chromium() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(clarion: Clarion, browser: Browser) -> AsyncIterator[Visitor]:
    visitor = Visitor(clarion, browser)
    yield visitor
    for context in browser.contexts:
        await context.close()
    assert visitor.complaints == []
