"""Two tabs, a closed browser and a killed server, all of them real processes."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, BrowserContext, Page, expect

from tests.support.browser import SECONDS
from tests.support.program import Running, served
from tests.support.server import free_port

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ANA = {"id": "ana", "name": "Ana", "zone": "UTC", "language": "en"}


class Admin:
    """The first one, who has the token in the data directory."""

    def __init__(self, server: Running, token: str, http: httpx.AsyncClient) -> None:
        self.server = server
        self._token = token
        self._http = http

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = await self._http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def remind(self, what: str) -> Any:
        text = f"in 1 second: {what} until I confirm"
        return await self.post("/reminders/natural", {"user_id": "ana", "text": text})

    async def until(self, path: str, fits: Callable[[Any], bool]) -> Any:
        """Asked until it is so; the test's time is the bound."""
        while not fits(found := (await self._http.get(path)).raise_for_status().json()):
            pass
        return found

    async def tab(self, context: BrowserContext) -> Page:
        cookie: Any = {"name": "clarion_session", "value": self._token, "url": self.server.url}
        await context.add_cookies([cookie])
        page = await context.new_page()
        await page.goto(f"{self.server.url}/#/ring")
        return page


@asynccontextmanager
async def begun(data: Path, port: int) -> AsyncIterator[Admin]:
    with served(data, port=str(port), wake_timeout="1") as server:
        token = (data / "token").read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(
            base_url=f"{server.url}/api/v1", headers=headers, timeout=30
        ) as http:
            yield Admin(server, token, http)


async def test_two_tabs_a_closed_browser_and_a_killed_server(
    browser: Browser, tmp_path: Path
) -> None:
    data, port = tmp_path / "data", free_port()
    async with begun(data, port) as admin:
        await admin.post("/users", ANA)
        window = await browser.new_context(locale="en-GB", service_workers="block")
        first = await admin.tab(window)
        await first.get_by_role("button", name="Ring me here").click()
        await expect(first.locator(".lamp.ready")).to_be_visible(timeout=SECONDS)
        second = await admin.tab(window)
        await admin.remind("drink water")
        for tab in (first, second):
            await expect(tab.locator(".alarm h2")).to_have_text("drink water", timeout=SECONDS)
        await second.locator(".alarm").get_by_role("button", name="Done").click()
        await expect(first.locator(".alarm")).to_be_hidden(timeout=SECONDS)

        known = await window.storage_state()
        await window.close()
        await admin.until("/devices?user_id=ana", lambda all_: not all_["items"][0]["online"])
        made = await admin.remind("take the pills")
        pill = f"/reminders/{made['reminder']['id']}"
        waits = await admin.until(pill, lambda one: one["unreached_since"])
        facts = await admin.until(f"{pill}/history", lambda all_: all_["items"])
        admin.server.kill()

    assert waits["guarantee"]["level"] == "nobody"
    assert not {"ring.sent", "ring.delivered", "ring.heard"} & {
        one["kind"] for one in facts["items"]
    }
    async with begun(data, port) as again:
        window = await browser.new_context(
            storage_state=known, locale="en-GB", service_workers="block"
        )
        back = await again.tab(window)
        await expect(back.locator(".alarm h2")).to_have_text("take the pills", timeout=SECONDS)
        await back.locator(".alarm").get_by_role("button", name="Done").click()
        await again.until(pill, lambda one: one["status"] == "confirmed")
        await window.close()
