"""A person comes from an assistant's site, looks, allows, and is led back there: in Chromium."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from clarion.base.ids import UserId
from clarion.people.model import CLARION
from clarion.people.service import People
from clarion.store.sql.people.store import SqlPeople
from tests.support.browser import Visitor
from tests.support.http import serving
from tests.support.oauth_hosts import Host

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

NO_ICON = '<link rel="icon" href="data:,">'


@asynccontextmanager
async def an_assistants_site(visitor: Visitor) -> AsyncIterator[tuple[Host, str]]:
    """Another site, so that strict cookies stay behind: `localhost` is not `127.0.0.1`."""
    host = Host(visitor.clarion.url)

    async def start(_: Request) -> HTMLResponse:
        return HTMLResponse(f'{NO_ICON}<a href="{host.link()}">Connect</a>')

    async def callback(_: Request) -> HTMLResponse:
        return HTMLResponse(f"{NO_ICON}<p>Back at the assistant</p>")

    app = Starlette(routes=[Route("/", start), Route("/callback", callback)])
    async with serving(app) as url:
        site = f"http://localhost:{urlsplit(url).port}"
        host.redirect = f"{site}/callback"
        await host.discover()
        await host.register()
        yield host, site
        await host.close()


async def test_ana_allows_claude_from_its_own_site(visitor: Visitor) -> None:
    """Without script, with the session's strict cookie, under the page's own policy."""
    parts = visitor.clarion.parts
    people = People(SqlPeople(parts.database), parts.clock)
    await people.add_user(CLARION, user_id=UserId("ana"), name="Ana", zone="UTC")
    page = await visitor.opens_nothing(language="en", java_script_enabled=False)
    [cookie] = await page.context.cookies()
    strict: Any = {**cookie, "sameSite": "Strict"}
    await page.context.add_cookies([strict])

    async with an_assistants_site(visitor) as (host, site):
        await page.goto(site)
        await page.get_by_text("Connect").click()
        await expect(page.get_by_text("Claude wants to read, set and confirm")).to_be_visible()
        await page.get_by_label("For").select_option("ana")
        await page.get_by_role("button", name="Allow", exact=True).click()
        await page.wait_for_url(f"{site}/callback*")
        fetched = await host.fetch(host.code_from(page.url))

    assert fetched.json()["scope"] == "read set confirm"


async def test_who_is_not_logged_in_comes_back_after_the_login(visitor: Visitor) -> None:
    assert visitor.clarion.parts.access is not None
    code = (await visitor.clarion.parts.access.make_login()).code
    context = await visitor.browser.new_context(locale="zh-CN")
    page = await context.new_page()

    async with an_assistants_site(visitor) as (_, site):
        await page.goto(site)
        await page.get_by_text("Connect").click()
        await page.locator("input[name=code]").fill(code)
        await page.locator("button").click()
        await expect(page.get_by_text("Claude 想查看、设置、确认提醒。")).to_be_visible()
        await page.get_by_role("button", name="不允许").click()
        await page.wait_for_url(f"{site}/callback*")

    assert "error=access_denied" in page.url


async def test_the_page_prints_tests_lists_and_disconnects(visitor: Visitor) -> None:
    """One walk through *Connect an assistant*: a snippet, a green light, a line, an end."""
    parts = visitor.clarion.parts
    people = People(SqlPeople(parts.database), parts.clock)
    await people.add_user(CLARION, user_id=UserId("ana"), name="Ana", zone="UTC")
    visitor.quiet_about = ("401", "403")  # the knock without a token, and the private address
    page = await visitor.opens("assistants", language="en")

    async with an_assistants_site(visitor) as (host, site):
        other = await page.context.new_page()
        await other.goto(site)
        await other.get_by_text("Connect").click()
        await other.get_by_role("button", name="Allow", exact=True).click()
        await other.wait_for_url(f"{site}/callback*")
        await host.fetch(host.code_from(other.url))
        await expect(page.get_by_text("not used yet")).to_be_visible()
        await page.get_by_role("button", name="Disconnect").click()
        await expect(page.get_by_text("Nobody yet.")).to_be_visible()

    await expect(page.get_by_label("Paste this")).to_have_value(f"{visitor.clarion.url}/mcp")
    await page.get_by_label("Which one?").select_option("cursor")
    link = await page.get_by_text("Open it there").get_attribute("href")
    await page.get_by_role("button", name="Try it").click()
    await expect(page.get_by_text("The door is open")).to_be_visible()
    await page.get_by_label("Address (secret)").fill("wss://127.0.0.1:1/mcp/?token=secret")
    await page.get_by_role("button", name="Connect", exact=True).click()
    await expect(page.get_by_text("private network")).to_be_visible()

    assert link is not None
    assert link.startswith("cursor://anysphere.cursor-deeplink/mcp/install?name=clarion&config=")
