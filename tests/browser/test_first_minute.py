"""The newcomer's first minute: open the address, type, hear it ring, answer, see it confirmed."""

import pytest
from playwright.async_api import Locator, Page, expect

from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


TABS_MAX = 12  # from the line to the first reminder
SLOW_LOCKS = """() => {
  const request = navigator.locks.request.bind(navigator.locks);
  navigator.locks.request = async (...asked) => {
    await new Promise((done) => setTimeout(done, 500));
    return request(...asked);
  };
}"""
"""Gives another tab every chance to be first."""
FOCUSED = "(element) => element === document.activeElement"


async def tabs_to(page: Page, wanted: Locator) -> int:
    """Presses Tab until it is there, as somebody without a mouse; says how often."""
    await expect(wanted).to_be_visible(timeout=SECONDS)
    for pressed in range(TABS_MAX + 1):
        if await wanted.evaluate(FOCUSED):
            return pressed
        await page.keyboard.press("Tab")
    return TABS_MAX + 1


async def arrives(visitor: Visitor, language: str) -> Page:
    """By the address that the first start prints, on a machine where nothing is set up."""
    path = await visitor.clarion.first_login()
    locale = "zh-CN" if language == "zh" else "en-GB"
    page = await (await visitor.browser.new_context(locale=locale)).new_page()
    visitor.listens_to(page)
    await page.goto(f"{visitor.clarion.url}{path}")
    await page.wait_for_url(lambda url: "/login" not in url)  # that page has a heading too
    await expect(page.locator("main h1")).to_be_visible(timeout=SECONDS)
    return page


async def test_an_empty_house_rings_and_hears_a_yes_in_chinese(visitor: Visitor) -> None:
    page = await arrives(visitor, "zh")

    await page.get_by_label("要记住什么").fill("2秒后提醒我喝水，要确认")
    await expect(page.locator(".readback")).to_contain_text("会一直问到有人确认")
    await page.get_by_role("button", name="提醒我", exact=True).click()
    alarm = page.locator(".alarm")
    await expect(alarm).to_contain_text("喝水", timeout=SECONDS)
    await alarm.get_by_label("输入回答").fill("喝过了")
    await alarm.get_by_role("button", name="发送").click()

    await expect(alarm).to_be_hidden()
    await expect(page.locator(".item.good")).to_contain_text("已确认")
    await page.goto(f"{visitor.clarion.url}/#/ring")
    await expect(page.locator(".talk")).to_contain_text("喝过了")
    await expect(page.locator(".talk .note")).to_contain_text("已确认")


async def test_a_second_tab_does_not_take_the_line_that_is_just_being_opened(
    visitor: Visitor,
) -> None:
    await visitor.tells(("/api/v1/users", {"id": "me", "zone": "UTC", "language": "en"}))
    page = await arrives(visitor, "en")
    second = await page.context.new_page()
    await second.route_web_socket("**/xiaozhi/**", lambda _: None)  # its line would never open
    await second.goto(visitor.clarion.url)
    await expect(second.locator("main h1")).to_be_visible(timeout=SECONDS)

    await page.evaluate(SLOW_LOCKS)

    await page.get_by_label("What to remember").fill("in 10 minutes: water the plants")
    await page.keyboard.press("Enter")

    await expect(page.locator(".toast.good").last).to_contain_text("Will ring on Browser")
    await expect(page.locator(".toast.bad")).to_have_count(0)


async def test_the_keyboard_is_enough_and_the_life_is_told_as_facts(visitor: Visitor) -> None:
    page = await arrives(visitor, "en")

    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the page")).to_be_focused()
    await page.keyboard.press("Enter")
    assert await tabs_to(page, page.get_by_label("What to remember")) == 1
    await page.keyboard.type("in 1 second: water the plants until I confirm")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast.good")).to_contain_text("Will ring on Browser")
    await expect(page.locator(".alarm .spoken")).to_contain_text("water", timeout=SECONDS)
    await page.keyboard.press("Enter")
    await expect(page.locator(".item.good")).to_contain_text("confirmed")
    assert await tabs_to(page, page.locator(".item .row-button")) <= TABS_MAX
    await page.keyboard.press("Enter")

    facts = page.locator("dialog .facts")
    await expect(page.locator("dialog")).not_to_contain_text("null")
    for fact in ("Set by the console", "Calls Browser", "Reached Browser", "Confirmed by"):
        await expect(facts).to_contain_text(fact)
    await page.keyboard.press("Escape")
    await expect(page.locator(".item .row-button")).to_be_focused()


async def test_the_server_speaks_and_the_browser_plays_its_opus(visitor: Visitor) -> None:
    page = await visitor.opens("ring", language="en")
    await page.get_by_role("button", name="Ring me here").click()
    await expect(page.locator(".lamp.ready")).to_be_visible()

    await visitor.tells(
        ("/api/v1/reminders/natural", {"text": "in 1 second: drink some water", "user_id": "me"})
    )

    await expect(page.locator(".talk .clarion").first).to_contain_text("water", timeout=SECONDS)
    await page.wait_for_function("() => window.clarion.ringer.sound.heard > 0.3", timeout=SECONDS)
