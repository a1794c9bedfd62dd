"""A dispatcher at the console: report, hear it back, see why, say yes by one key."""

import pytest
from playwright.async_api import expect

from clarion.access.tokens import TokenKind
from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

PLACE = {"latitude": 31.23, "longitude": 121.47}
TEAM = {
    "id": "fire-1",
    "name": "消防一队",
    "place": PLACE,
    "capabilities": {"firefighting": 9, "medical": 9},
}


async def test_a_dispatcher_reports_hears_it_back_and_sends_by_one_key(visitor: Visitor) -> None:
    await visitor.tells(("/ai/teams", TEAM))
    visitor.kind, visitor.quiet_about = TokenKind.DISPATCHER, ("403",)  # people are not theirs
    page = await visitor.opens("dispatch", language="en")
    await expect(page.locator(".map .team")).to_have_count(1, timeout=SECONDS)
    box = await page.locator(".map").bounding_box()
    assert box is not None

    await page.mouse.click(box["x"] + 40, box["y"] + 40)
    await page.get_by_role("button", name="Report an event").click()
    await page.get_by_label("What was said").fill("Fire in the old mill")
    await page.get_by_role("button", name="Read it").click()
    await expect(page.locator(".said")).to_contain_text(
        "Fire, severity medium, needs firefighting × 4"
    )
    await page.get_by_role("button", name="That is right").click()
    await expect(page.locator(".scheme.best")).to_contain_text(
        "消防一队 firefighting", timeout=SECONDS
    )
    await expect(page.locator(".scheme.best")).to_contain_text("estimated", timeout=SECONDS)
    await page.keyboard.press("a")

    await expect(page.locator(".happening .pill", has_text="not all confirmed")).to_be_visible(
        timeout=SECONDS
    )
    await expect(page.locator(".device", has_text="expected in")).to_contain_text(
        "消防一队", timeout=SECONDS
    )
    assert await page.locator("nav a").count() == 1


async def test_who_only_looks_on_is_offered_nothing_to_change(visitor: Visitor) -> None:
    await visitor.tells(("/ai/teams", TEAM))
    visitor.kind, visitor.quiet_about = TokenKind.VIEWER, ("403",)

    page = await visitor.opens("dispatch", language="en")
    await expect(page.locator(".device strong", has_text="消防一队")).to_be_visible(timeout=SECONDS)

    assert await page.get_by_role("button", name="Report an event").count() == 0
    assert await page.get_by_role("button", name="Edit").count() == 0
    assert await page.get_by_role("button", name="What if").count() == 1
