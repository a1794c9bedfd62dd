"""What one person does, others see at once; a lost line is told and mended."""

import pytest
from playwright.async_api import expect

from tests.support.browser import EXPECTED_OFFLINE, SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ME = {"id": "me", "name": "Ana", "zone": "UTC", "language": "en"}


async def remind(visitor: Visitor, text: str) -> None:
    await visitor.tells(("/api/v1/reminders/natural", {"user_id": "me", "text": text}))


async def test_two_browsers_see_the_same_change(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ME))
    await remind(visitor, "in 30 minutes: water the plants until I confirm")
    first, second = await visitor.opens(language="en"), await visitor.opens(language="en")
    await expect(second.locator(".item")).to_contain_text("water the plants")

    await first.locator(".item .row-button").click()
    await first.locator("dialog").get_by_role("button", name="Done").click()

    await expect(second.locator(".item.good")).to_contain_text("confirmed")


async def test_a_lost_line_is_told_and_what_was_missed_comes_after(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ME))
    visitor.quiet_about = EXPECTED_OFFLINE
    page = await visitor.opens(language="en")
    await page.wait_for_function("() => window.clarion.live.state === 'up'")

    await page.context.set_offline(True)
    await expect(page.locator(".lost")).to_contain_text("connection is lost")
    await remind(visitor, "in 20 minutes: call grandma")
    await page.context.set_offline(False)

    await expect(page.locator(".item")).to_contain_text("call grandma", timeout=SECONDS)
    await expect(page.locator(".lost")).to_be_hidden()


async def test_a_request_without_an_answer_ends_in_words(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ME))
    visitor.quiet_about = EXPECTED_OFFLINE
    page = await visitor.opens(language="en")

    await page.context.set_offline(True)
    await page.get_by_label("What to remember").fill("in ten minutes: tea")
    await page.keyboard.press("Enter")

    await expect(page.locator(".toast.bad")).to_contain_text("does not answer")
    await expect(page.get_by_role("button", name="Remind me", exact=True)).to_be_enabled()
    await expect(page.get_by_label("What to remember")).to_have_value("in ten minutes: tea")


async def test_script_in_a_reminder_stays_text(visitor: Visitor) -> None:
    evil = "<img src=x onerror=alert(1)><script>document.title='evil'</script>"
    await visitor.tells(
        ("/api/v1/users", ME | {"name": evil}),
        (
            "/api/v1/reminders",
            {"user_id": "me", "content": evil, "trigger_at": "2035-01-01T00:00:00Z"},
        ),
        ("/api/v1/chat/messages", {"text": evil}),
    )
    page = await visitor.opens("all", language="en")

    await expect(page.locator(".long strong").first).to_have_text(evil)
    await page.locator(".long .row-button").first.click()
    await expect(page.locator("dialog h2")).to_have_text(evil)
    await page.keyboard.press("Escape")
    for name in ("people", "chat"):
        await page.evaluate(f"location.hash = '#/{name}'")
        await expect(page.locator("main").get_by_text("<script>").first).to_be_visible()

    assert await page.title() != "evil"
    assert await page.locator("img, body script").count() == 0


async def test_whoever_is_not_logged_in_is_asked_for_a_code(visitor: Visitor) -> None:
    visitor.quiet_about = ("401",)
    page = await (await visitor.browser.new_context()).new_page()
    visitor.listens_to(page)

    await page.goto(visitor.clarion.url)

    await expect(page.get_by_label("Code")).to_be_visible()
