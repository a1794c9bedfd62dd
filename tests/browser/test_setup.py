"""The first start in five questions: filled in, asked, and tried until it is heard."""

import pytest
from playwright.async_api import expect

from tests.browser.test_first_minute import arrives
from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def test_five_questions_and_it_rings_where_it_is_heard(visitor: Visitor) -> None:
    page = await arrives(visitor, "en")
    await page.get_by_role("link", name="Set up in five questions").click()

    zone = await page.evaluate("() => Intl.DateTimeFormat().resolvedOptions().timeZone")
    await expect(page.get_by_label("2. Your language")).to_have_value("en")
    await expect(page.get_by_label("3. Your time zone")).to_have_value(zone)
    await page.get_by_label("1. Your name").fill("Ana")
    await page.get_by_role("button", name="Next").click()

    await page.get_by_role("button", name="Ring now").click()
    await page.get_by_role("button", name="Done", exact=True).first.click(timeout=SECONDS)
    await expect(page.get_by_text("It works: answered.")).to_be_visible(timeout=SECONDS)

    await expect(page.get_by_role("button", name="Save and send a test")).to_be_visible()
    await page.goto(f"{visitor.clarion.url}/#/people")
    await expect(page.locator(".card .who")).to_contain_text("Ana")
    await expect(page.locator(".device small").first).to_contain_text("worked")
