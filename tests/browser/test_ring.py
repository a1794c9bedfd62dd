"""The ring: over everything, by keyboard at once, in every tab, after a reload and a restart."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser import EXPECTED_OFFLINE, SECONDS, Visitor, running
from tests.support.server import free_port

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ANA = {"id": "ana", "name": "Ana", "zone": "UTC", "language": "en"}
RINGS_HERE = "() => localStorage.getItem('clarion.ringing') === 'ana'"


async def remind(visitor: Visitor, what: str, seconds: int = 1) -> None:
    text = f"in {seconds} second: {what} until I confirm"
    await visitor.tells(("/api/v1/reminders/natural", {"user_id": "ana", "text": text}))


async def ringing(visitor: Visitor, page: str = "today", **options: object) -> Page:
    """Ana's browser, which rings for her."""
    opened = await visitor.opens("ring", language="en", **options)  # type: ignore[arg-type]
    await opened.get_by_role("button", name="Ring me here").click()
    await expect(opened.locator(".lamp.ready")).to_be_visible()
    await opened.evaluate(f"location.hash = '#/{page}'")
    await expect(opened.locator("main h1")).to_be_visible()
    return opened


async def test_it_covers_every_view_and_enter_space_and_s_answer_at_once(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    page = await ringing(visitor, "people")
    alarm = page.locator(".alarm")

    for key, left in (("Enter", "confirmed"), ("Space", "confirmed"), ("s", "pending")):
        await remind(visitor, f"water {key}")
        await expect(alarm.locator("h2")).to_have_text(f"water {key}", timeout=SECONDS)
        await expect(alarm.get_by_role("button", name="Done")).to_be_focused()
        await page.wait_for_function("() => window.clarion.ringer.sound.chimed > 0")
        await page.keyboard.press(key)
        await expect(alarm).to_be_hidden()
        async with await visitor.api() as api:
            found = (await api.get("/api/v1/reminders?user_id=ana")).json()["items"]
        assert [one["status"] for one in found if one["content"] == f"water {key}"] == [left]


async def test_it_fills_a_phone_and_chimes_until_it_is_touched(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    page = await ringing(visitor, width=390)
    await remind(visitor, "take the pills")

    await expect(page.locator(".alarm h2")).to_have_text("take the pills", timeout=SECONDS)
    box = await page.locator(".alarm").bounding_box()
    await page.wait_for_function("() => window.clarion.ringer.sound.chimed > 1")
    await page.locator(".alarm h2").click()
    chimes = "() => window.clarion.ringer.chime.isOn"

    assert box == {"x": 0, "y": 0, "width": 390, "height": 860}
    assert await page.evaluate(chimes) is False
    await page.keyboard.press("Escape")
    await expect(page.locator(".alarm")).to_be_visible()  # only an answer ends it


async def test_somebody_who_is_typing_does_not_answer_by_accident(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    page = await ringing(visitor)
    line = page.get_by_label("What to remember")
    await line.press_sequentially("call the")
    ring = "() => window.clarion.ringer.rings.put({id: 'rem_x', content: 'pills', user_id: 'ana', "
    ring += "confirmation: {required: true}}) ?? window.clarion.ringer.changed()"

    await page.evaluate(ring)
    await page.keyboard.press(" ")
    await page.keyboard.press("Enter")

    await expect(page.locator(".alarm")).to_be_visible()
    await expect(page.locator(".toast")).to_have_count(0)


async def test_several_rings_are_a_list_and_each_has_its_answer(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    page = await ringing(visitor)
    for what in ("take the pills", "feed the cat"):
        await remind(visitor, what)

    rows = page.locator(".rings > li")
    await expect(rows).to_have_count(2, timeout=SECONDS)
    await rows.filter(has_text="feed the cat").get_by_role("button", name="Done").click()

    await expect(rows).to_have_count(1)
    await expect(rows.locator("h2")).to_have_text("take the pills")


async def test_one_browser_is_one_device_and_the_next_tab_takes_over(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    first = await ringing(visitor)
    second = await first.context.new_page()
    visitor.listens_to(second)
    await second.goto(f"{visitor.clarion.url}/#/ring")
    await expect(second.get_by_text("another tab of this browser keeps the line")).to_be_visible()

    await remind(visitor, "drink water")
    await expect(first.locator(".alarm h2")).to_have_text("drink water", timeout=SECONDS)
    await expect(second.locator(".alarm h2")).to_have_text("drink water")
    await second.locator(".alarm").get_by_label("Type your answer").fill("yes, done")
    await second.keyboard.press("Enter")
    await expect(first.locator(".alarm")).to_be_hidden()
    await first.close()

    await expect(second.locator(".lamp.ready")).to_be_visible()
    async with await visitor.api() as api:
        devices = (await api.get("/api/v1/devices?user_id=ana")).json()["items"]
    assert [one["kind"] for one in devices] == ["browser"]
    await remind(visitor, "buy milk")
    await expect(second.locator(".alarm h2")).to_have_text("buy milk", timeout=SECONDS)


async def test_a_second_browser_offers_itself_though_one_rings_already(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    await ringing(visitor)
    other = await visitor.opens(language="en")

    await other.locator(".offer").get_by_role("button", name="Not here").click()
    await other.reload()
    await expect(other.locator("main h1")).to_be_visible()
    await expect(other.locator(".offer")).to_be_hidden()

    async with await visitor.api() as api:
        devices = (await api.get("/api/v1/devices?user_id=ana")).json()["items"]
    assert len(devices) == 1


async def test_of_two_browsers_one_rings_and_either_answers(visitor: Visitor) -> None:
    """The other one lists it, silences the first, and rings itself when that one is gone."""
    await visitor.tells(("/api/v1/users", ANA))
    first, second = await ringing(visitor), await ringing(visitor)
    async with await visitor.api() as api:
        found = (await api.get("/api/v1/devices?user_id=ana")).json()["items"]
    assert [one["online"] for one in found] == [True, True]

    await remind(visitor, "take the pills")
    alarms = [page.locator(".alarm h2") for page in (first, second)]
    while not (shown := [await one.count() for one in alarms]).count(1):
        await second.evaluate("new Promise(requestAnimationFrame)")
    first, second = (first, second) if shown[0] else (second, first)
    await expect(first.locator(".alarm h2")).to_have_text("take the pills")
    await expect(second.locator(".item")).to_contain_text("ringing")
    assert not await second.evaluate("window.clarion.ringer.chime.isOn")
    await second.get_by_role("button", name="Done", exact=True).click()
    await expect(first.locator(".alarm")).to_be_hidden()
    for page in (first, second):
        await expect(page.locator(".item.good")).to_contain_text("confirmed")

    await first.context.close()
    await remind(visitor, "feed the cat")
    await expect(second.locator(".alarm h2")).to_have_text("feed the cat", timeout=SECONDS)
    await second.wait_for_function("() => window.clarion.ringer.sound.chimed > 0")


async def test_after_a_reload_it_still_rings_and_asks_for_sound_there(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", ANA))
    page = await ringing(visitor)
    await remind(visitor, "take the pills")
    await expect(page.locator(".alarm")).to_be_visible(timeout=SECONDS)

    await page.reload()

    alarm = page.locator(".alarm")
    await expect(alarm.locator("h2")).to_have_text("take the pills", timeout=SECONDS)
    await page.wait_for_function("() => window.clarion.ringer.state === 'ready'")
    await alarm.locator("h2").click()
    await page.wait_for_function("() => !window.clarion.ringer.sound.isMuted")
    await expect(alarm.get_by_role("button", name="Turn sound on")).to_be_hidden()
    await alarm.get_by_role("button", name="Done").click()
    await expect(alarm).to_be_hidden()


async def test_a_restart_of_the_server_during_a_ring_loses_nothing(
    browser: Browser, tmp_path: Path
) -> None:
    port = free_port()
    async with running(tmp_path / "house", port=port) as clarion:
        visitor = Visitor(clarion, browser)
        visitor.quiet_about = (*EXPECTED_OFFLINE, "Failed to load resource", "ERR_")
        await visitor.tells(("/api/v1/users", ANA))
        page = await ringing(visitor)
        await remind(visitor, "take the pills")
        await expect(page.locator(".alarm")).to_be_visible(timeout=SECONDS)
    await expect(page.locator(".lost")).to_contain_text("connection is lost")
    await expect(page.locator(".alarm")).to_be_visible()

    async with running(tmp_path / "house", port=port):
        await page.wait_for_function("() => window.clarion.ringer.state === 'ready'")
        await expect(page.locator(".alarm h2")).to_have_text("take the pills")
        await page.keyboard.press("Enter")
        await expect(page.locator(".alarm")).to_be_hidden()
        await expect(page.locator(".item.good")).to_contain_text("confirmed")
        await page.context.close()


async def test_after_five_minutes_without_a_line_it_rings_what_was_due(visitor: Visitor) -> None:
    """The page's clock is moved: its tries to come back grow as far as they do in five minutes."""
    await visitor.tells(("/api/v1/users", ANA))
    visitor.quiet_about = (*EXPECTED_OFFLINE, "Failed to load resource")
    page = await visitor.opens_nothing(language="en")
    await page.clock.install()
    await page.goto(f"{visitor.clarion.url}/#/ring")
    await page.get_by_role("button", name="Ring me here").click()
    await expect(page.locator(".lamp.ready")).to_be_visible()

    await page.context.set_offline(True)
    await page.clock.run_for(5 * 60_000)
    await expect(page.locator(".lost")).to_contain_text("connection is lost")
    await page.evaluate("() => window.clarion.ringer.socket?.close()")
    await remind(visitor, "take the pills")
    await page.context.set_offline(False)
    await page.clock.run_for(60_000)

    await expect(page.locator(".alarm h2")).to_have_text("take the pills", timeout=SECONDS)
    await expect(page.locator(".lost")).to_be_hidden()
    await page.keyboard.press("Enter")
    await expect(page.locator(".alarm")).to_be_hidden()
