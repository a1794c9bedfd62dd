"""Every page, in both languages, on a phone and on a desk, by day and by night."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from tests.support.axe import findings
from tests.support.browser import Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

PAGES = (
    "today", "wall", "plan", "people", "ring", "chat", "queue", "dispatch", "health", "more",
    "sheet", "all",
)  # fmt: skip
INSPECT = (Path(__file__).parent / "inspect_page.js").read_text(encoding="utf-8")
WORDS = (Path(__file__).parents[2] / "clarion/console/i18n").glob("en*.js")
KEYS = "".join(path.read_text(encoding="utf-8") for path in WORDS)
NAMES = re.findall(r'"([a-z]+\.[\w.]+)":', KEYS)
UNTRANSLATED = re.compile("|".join(map(re.escape, NAMES)))
AT_REST = "() => !document.getAnimations().some(one => one.playState === 'running')"


async def furnish(visitor: Visitor) -> None:
    """Something on every page: people, what comes again, a rule, teams, an event, a scheme."""
    place = {"latitude": 30.66, "longitude": 104.06}
    team = {"id": "fire-1", "name": "消防一队", "place": place, "capabilities": {"firefighting": 4}}
    event = {"title": "东门起火", "type": "fire", "place": {"latitude": 30.67, "longitude": 104.09}}
    bo = {"id": "bo", "name": "Bo", "zone": "UTC", "language": "en"}
    ana = {"id": "ana", "name": "Ana", "zone": "Asia/Shanghai", "language": "zh"}
    await visitor.tells(
        ("/api/v1/users", ana),
        ("/api/v1/users", bo),
        ("/api/v1/devices", {"kind": "terminal", "user_id": "ana", "name": "kitchen"}),
        ("/api/v1/contacts", {"user_id": "ana", "name": "Boris", "address": "chat:console:main"}),
        ("/api/v1/reminders/natural", {"user_id": "ana", "text": "每天早上8点提醒我吃药，要确认"}),
        ("/api/v1/reminders/natural", {"user_id": "ana", "text": "1秒后提醒我关火，要确认"}),
        ("/api/v1/rules", {"chat_id": "console:main", "priority": "vip"}),
        ("/api/v1/chat/messages", {"text": "/queue"}),
        ("/ai/teams", team),
        ("/ai/generate-scheme", {"event": event, "approval": True}),
    )


async def goes_to(page: Page, name: str) -> None:
    await page.evaluate(f"location.hash = '#/{name}'")
    if name not in ("all", "sheet"):
        await expect(page.locator(f"nav a[href='#/{name}']")).to_have_attribute(
            "aria-current", "page"
        )
    await expect(page.locator("main h1")).to_be_visible()
    await page.wait_for_function("() => document.querySelector('main .card, main .plan')")


@pytest.mark.parametrize("width", [360, 1400], ids=["on a phone", "on a desk"])
@pytest.mark.parametrize("language", ["zh", "en"])
async def test_every_page_is_whole_readable_and_fits(
    visitor: Visitor, language: str, width: int
) -> None:
    await furnish(visitor)
    night = width == 360
    page = await visitor.opens(
        language=language, width=width, color_scheme="dark" if night else "light", bypass_csp=True
    )

    found: dict[str, list[str]] = {}
    for name in PAGES:
        await goes_to(page, name)
        await page.wait_for_function(AT_REST)
        found[name] = await page.evaluate(INSPECT)
        if (language == "zh") == night:  # axe takes its time, and words change nothing for it
            found[name] += await findings(page)
        found[name] += UNTRANSLATED.findall(await page.locator("body").inner_text())

    assert found == {name: [] for name in PAGES}


async def test_a_keyboard_is_enough_to_open_and_confirm(visitor: Visitor) -> None:
    await furnish(visitor)
    page = await visitor.opens(language="en")
    await expect(page.locator(".item").first).to_be_visible()

    await page.locator(".item .row-button").first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("dialog")).to_be_visible()
    await page.locator("dialog .primary").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("dialog .facts")).to_contain_text("Confirmed by")
    await page.keyboard.press("Escape")

    await expect(page.locator("dialog")).to_have_count(0)


async def test_news_between_two_keys_leave_the_focus_where_it_was(visitor: Visitor) -> None:
    await furnish(visitor)
    page = await visitor.opens(language="en")
    await page.locator(".item .row-button", has_text="关火").first.click()
    await page.locator("dialog .primary").focus()
    async with await visitor.api() as api:
        reminders = (await api.get("/api/v1/reminders?user_id=ana&text=关火")).json()["items"]
        await api.post(f"/api/v1/reminders/{reminders[0]['id']}/snooze", json={"duration": 600})
    await expect(page.locator("dialog .facts")).to_contain_text("Snoozed until")

    await page.keyboard.press("Enter")

    await expect(page.locator("dialog .facts")).to_contain_text("Confirmed by")


async def test_language_and_light_are_chosen_and_kept(visitor: Visitor) -> None:
    page = await visitor.opens(language="zh")

    await page.get_by_role("button", name="English").click()
    await page.get_by_role("button", name="Light or dark").click()
    await page.reload()

    await expect(page.get_by_role("link", name="Today")).to_be_visible()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
