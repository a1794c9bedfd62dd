"""Every link that Clarion sends outside, as it arrives, opened in a browser without a login."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, expect

from clarion.app.running import Clarion
from tests.support.axe import findings
from tests.support.browser import SECONDS, Visitor, running
from tests.support.fakes.receiver import Receiver, receiving
from tests.support.server import free_port

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ANA = {"id": "ana", "name": "Ana", "zone": "UTC", "language": "zh"}


@pytest_asyncio.fixture(loop_scope="session")
async def phone() -> AsyncIterator[Receiver]:
    """Where Sue is told: a notification service on loopback."""
    async with receiving() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def clarion(tmp_path: Path) -> AsyncIterator[Clarion]:
    port = free_port()
    public = {"public_url": f"http://127.0.0.1:{port}", "port": port}
    async with running(tmp_path / "data", private_targets=True, **public) as built:
        yield built


async def next_link(page: Page, phone: Receiver) -> str:
    """The address in the message that comes next."""
    while not phone.bodies:
        await page.evaluate("new Promise((done) => setTimeout(done, 50))")
    told = json.dumps(json.loads(phone.bodies.pop(0)), ensure_ascii=False)
    found = re.search(r"https?://[^\s\"'\\)]+", told)
    assert found, told
    return found[0]


async def opens(page: Page, link: str) -> None:
    await page.goto(link)
    assert await findings(page) == []


async def test_each_link_opens_and_its_button_is_heard(visitor: Visitor, phone: Receiver) -> None:
    address = phone.url.replace("http://", "json://")
    sue: dict[str, Any] = {"user_id": "ana", "name": "Sue", "address": address, "invite": True}
    bell = {"kind": "notify", "user_id": "ana", "address": address}
    page = await (await visitor.browser.new_context(locale="en-GB", bypass_csp=True)).new_page()
    visitor.listens_to(page)
    body = page.locator("body")
    _, contact = await visitor.tells(("/api/v1/users", ANA), ("/api/v1/contacts", sue))

    await opens(page, await next_link(page, phone))
    await page.get_by_role("button").first.click()
    async with await visitor.api() as api:
        kept = (await api.get(f"/api/v1/contacts/{contact['id']}")).json()
    assert kept["consent"] == "agreed"

    await visitor.tells((f"/api/v1/contacts/{contact['id']}/test", {}))
    await opens(page, await next_link(page, phone))
    await page.get_by_role("button", name="I got it").click()
    await expect(body).to_contain_text("Sue")

    [asked] = await visitor.tells(("/api/v1/questions", {"text": "Home?", "user_id": "ana"}))
    await opens(page, await next_link(page, phone))
    await page.get_by_role("button").first.click()
    await expect(body).to_contain_text("Sue answered")
    async with await visitor.api() as api:
        assert (await api.get(f"/api/v1/questions/{asked['id']}")).json()["answered_by"]

    now = {"user_id": "ana", "text": "in 1 second: take the pills until I confirm"}
    await visitor.tells(("/api/v1/devices", bell), ("/api/v1/reminders/natural", now))
    await opens(page, await next_link(page, phone))
    await expect(page.locator("h1")).to_have_text("take the pills")
    await page.get_by_role("button").first.click()
    async with await visitor.api() as api:
        found = (await api.get("/api/v1/reminders?user_id=ana&status=confirmed")).json()["items"]
    assert "take the pills" in [one["content"] for one in found]

    [login, feed] = await visitor.tells(
        ("/api/v1/login-codes", {"user_id": "ana"}), ("/api/v1/users/ana/calendar", {})
    )
    await page.goto(f"{visitor.clarion.url}{login['path']}")
    await expect(page.locator("main h1")).to_be_visible(timeout=SECONDS)
    async with httpx.AsyncClient() as program:
        calendar = await program.get(f"{visitor.clarion.url}{feed['path']}")
    assert calendar.text.startswith("BEGIN:VCALENDAR")


async def test_a_link_that_has_run_out_says_so_in_the_browsers_language(visitor: Visitor) -> None:
    page = await (await visitor.browser.new_context(locale="zh-CN")).new_page()

    for path in ("/c/", "/q/", "/i/"):
        answer = await page.goto(f"{visitor.clarion.url}{path}nothing")
        assert answer is not None
        assert (answer.status, await page.locator("html").get_attribute("lang")) == (404, "zh")
        await expect(page.locator("body")).to_contain_text("这个链接无效")


CALENDAR = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:a@x\r\n"
    b"DTSTAMP:20260101T000000Z\r\nDTSTART:20350105T080000Z\r\nSUMMARY:dentist\r\nEND:VEVENT\r\n"
    b"END:VCALENDAR\r\n"
)


async def delivered(page: Page, phone: Receiver) -> Locator:
    """The list shows what there was when it was opened: open it until the delivery is noted."""
    row = page.locator("dialog li", has_text="delivered")
    while True:
        await page.get_by_role("button", name=f"Deliveries: {phone.url}").click()
        with suppress(AssertionError):
            await expect(row).to_have_count(1, timeout=2000)
            return row
        await page.keyboard.press("Escape")


async def test_deliveries_are_sent_again_and_a_calendar_goes_in_and_out(
    visitor: Visitor, phone: Receiver
) -> None:
    hook = {"url": phone.url, "kinds": ["webhook.*", "reminder.created"]}
    await visitor.tells(("/api/v1/users", ANA), ("/api/v1/webhooks", hook))
    page = await visitor.opens("more", language="en")

    await page.locator("input[type=file]").set_input_files(
        {"name": "a.ics", "mimeType": "text/calendar", "buffer": CALENDAR}
    )
    await expect(page.locator(".toast.good")).to_contain_text("1 reminders, 0 repeating")
    table = await page.get_by_role("link", name="Table (CSV)").get_attribute("href")
    answer = await page.context.request.get(f"{visitor.clarion.url}{table}")
    assert "dentist" in await answer.text()

    row = await delivered(page, phone)
    await row.get_by_role("button", name="Send again").click()
    await expect(page.locator(".toast")).to_contain_text(["It is on its way again"])
    while len(phone.bodies) < 2:
        await page.evaluate("new Promise(requestAnimationFrame)")
    assert phone.bodies[0] == phone.bodies[1]
    assert b"dentist" in phone.bodies[0]
