"""Somebody with a browser: logs in, looks, and notes every complaint of the page."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.app.running import Clarion
from clarion.settings import Settings

CHROMIUM = "/usr/bin/chromium"
SECONDS = 45_000  # milliseconds; a test waits for facts, and this bounds the wait
PATIENCE = timedelta(minutes=2)  # as long as a test may take
EXPECTED_OFFLINE = ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "WebSocket connection")


class Visitor:
    """`complaints` are errors in the page's console; `quiet_about` lists those that are due."""

    def __init__(self, clarion: Clarion, browser: Browser) -> None:
        self.clarion = clarion
        self.browser = browser
        self.complaints: list[str] = []
        self.quiet_about: tuple[str, ...] = ()
        self.kind = TokenKind.ADMIN
        """Whose token the browser has."""

    async def token(self, kind: TokenKind = TokenKind.ADMIN) -> str:
        assert self.clarion.parts.access is not None
        made = await self.clarion.parts.access.issue(kind, name="console")
        return made.text

    async def opens(
        self, page: str = "today", *, language: str = "zh", width: int = 1400, **options: Any
    ) -> Page:
        """A fresh browser that is logged in already, at one of the pages."""
        opened = await self.opens_nothing(language=language, width=width, **options)
        await opened.goto(f"{self.clarion.url}/#/{page}")
        await expect(opened.locator("main h1")).to_be_visible(timeout=SECONDS)
        return opened

    async def opens_nothing(
        self, *, language: str = "zh", width: int = 1400, **options: Any
    ) -> Page:
        """A fresh browser with the session's cookie in an empty tab."""
        context = await self.browser.new_context(
            viewport={"width": width, "height": 860},
            **{
                "locale": "zh-CN" if language == "zh" else "en-GB",
                # The worker would fetch every file in every test; those about it ask for it.
                "service_workers": "block",
                **options,
            },
        )
        cookie = {
            "name": "clarion_session",
            "value": await self.token(self.kind),
            "url": self.clarion.url,
            "httpOnly": True,
        }
        await context.add_cookies([cookie])  # type: ignore[list-item]  # a plain dict is one
        opened = await context.new_page()
        self.listens_to(opened)
        return opened

    def listens_to(self, page: Page) -> None:
        page.set_default_timeout(SECONDS)
        page.on("pageerror", lambda error: self._note(str(error)))
        page.on("console", self._heard)

    def _heard(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self._note(said.text)

    def _note(self, text: str) -> None:
        if not any(word in text for word in self.quiet_about):
            self.complaints.append(text)

    async def api(self) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {await self.token()}"}
        return httpx.AsyncClient(base_url=self.clarion.url, headers=headers, timeout=45)

    async def tells(self, *requests: tuple[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Posts one after the other; answers what came back."""
        async with await self.api() as api:
            answers = [await api.post(path, json=body) for path, body in requests]
        for answer in answers:
            answer.raise_for_status()
        return [answer.json() if answer.content else {} for answer in answers]


@asynccontextmanager
async def running(data_dir: Path, **settings_: Any) -> AsyncIterator[Clarion]:
    """A whole Clarion on a free port, empty, as `make run` starts it on a new machine."""
    # We ask in the server's own event loop: when that stalls, we are late, and not slow of purpose.
    own = {"port": 0, "data_dir": data_dir, "log_level": "error", "head_timeout": PATIENCE}
    settings = Settings(**{**own, **settings_})
    async with await build(settings) as built:
        run = asyncio.create_task(built.run(), name="clarion")
        await built.listening()
        try:
            yield built
        finally:
            built.stop()
            await run


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    assert shutil.which(CHROMIUM), "chromium is not installed; `make test` installs it"
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-dev-shm-usage"],
            env={**os.environ, "TZ": "UTC"},  # another place than the server's
        )
        yield opened
        await opened.close()
