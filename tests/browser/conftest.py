"""A whole Clarion on a free port and a real Chromium in front of it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from clarion.app import Clarion, build
from clarion.settings import Settings
from tests.support.browser import Visitor, stop

CHROMIUM = "/usr/bin/chromium"


@pytest_asyncio.fixture(loop_scope="session")
async def clarion(tmp_path: Path) -> AsyncIterator[Clarion]:
    """An empty one, as `make run` starts it on a new machine."""
    settings = Settings(port=0, data_dir=tmp_path / "data", log_level="error")
    async with await build(settings) as built:
        running = asyncio.create_task(built.run(), name="clarion")
        await built.listening()
        try:
            yield built
        finally:
            await stop(built, running)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests: each of them opens a context of its own, and knows nobody else's."""
    assert shutil.which(CHROMIUM), "chromium is not installed; `make test` installs it"
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield opened
        await opened.close()


@pytest_asyncio.fixture(loop_scope="session")
async def visitor(clarion: Clarion, browser: Browser) -> AsyncIterator[Visitor]:
    visitor = Visitor(clarion, browser)
    yield visitor
    for context in browser.contexts:
        await context.close()
    assert visitor.complaints == []
