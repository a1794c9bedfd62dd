"""What a person can do by the API they can do here: change, search, take back, hand out, look."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Page, expect

from clarion.reminders.events import RingAnswered
from clarion.store.sql import events
from tests.support.axe import findings
from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

QUIET = {"begins": "22:00", "ends": "23:00"}
ANA = {"id": "ana", "name": "Ana", "zone": "Asia/Shanghai", "language": "en", "quiet": QUIET}
LATER = {"user_id": "ana", "content": "water the plants", "trigger_at": "2035-03-05T08:00:00Z"}
NAMES = ("Sue", "Tom")
MOMENT = timedelta(minutes=1)
AGAIN = {"user_id": "ana", "content": "take the pills", "pattern": "0 8 * * *"}


SLOW = """() => {
  const back = history.back.bind(history);
  history.back = () => setTimeout(back, 400);
  addEventListener("popstate", () => { window.went = true; });
}"""


async def furnished(visitor: Visitor, page: str, **options: object) -> Page:
    await visitor.tells(
        ("/api/v1/users", ANA),
        ("/api/v1/users", {"id": "bo", "name": "Bo", "zone": "UTC", "language": "en"}),
        ("/api/v1/reminders", LATER),
        ("/api/v1/series", AGAIN),
    )
    return await visitor.opens(page, language="en", **options)  # type: ignore[arg-type]


async def test_a_reminder_is_found_changed_in_full_cancelled_and_taken_back(
    visitor: Visitor,
) -> None:
    page = await furnished(visitor, "all")
    rows = page.locator(".long li")
    await expect(rows).to_have_count(2)

    await page.get_by_label("Search reminders").fill("PLANTS")
    await expect(rows).to_have_count(1)
    await rows.get_by_role("button").click()
    await page.locator("dialog").get_by_role("button", name="Edit").click()
    form = page.locator("dialog form")
    await form.get_by_label("What", exact=True).fill("water the roses")
    await form.get_by_label("Ask until someone confirms").check()
    await form.get_by_text("How patiently it asks").click()
    await form.get_by_label("Calls before a contact is told").fill("5")
    await form.get_by_label("Which yes counts").select_option("done")
    await form.get_by_role("button", name="Save").click()
    await expect(page.locator(".toast.good")).to_contain_text("Saved")
    await expect(page.locator(".toast").get_by_role("button", name="Undo")).to_be_visible()
    async with await visitor.api() as api:
        found = (await api.get("/api/v1/reminders?user_id=ana&text=roses")).json()["items"]
    config = found[0]["confirmation"]
    assert (config["required"], config["max_retries"], config["needs"]) == (True, 5, "done")

    await page.evaluate(f"location.hash = '#/all?reminder={found[0]['id']}'")
    await page.locator("dialog").get_by_role("button", name="Cancel it").click()
    await page.locator(".toast", has_text="Cancelled").get_by_role("button", name="Undo").click()
    await expect(page.locator(".toast", has_text="Undone")).to_be_visible()
    async with await visitor.api() as api:
        found = (await api.get("/api/v1/reminders?user_id=ana&text=roses")).json()["items"]
    assert sorted(one["status"] for one in found) == ["cancelled", "pending"]


async def test_a_reminder_has_contacts_of_its_own(visitor: Visitor) -> None:
    page = await furnished(visitor, "all")
    contacts = [{"user_id": "ana", "name": name, "address": "chat:console:main"} for name in NAMES]
    sue, _ = await visitor.tells(*(("/api/v1/contacts", one) for one in contacts))
    await page.locator(".long li", has_text="plants").get_by_role("button").click()
    await page.locator("dialog").get_by_role("button", name="Edit").click()
    form = page.locator("dialog form")

    await form.get_by_text("Who is told when nobody answers").click()
    await form.get_by_label("otherwise than usual").check()
    await form.get_by_label("Rounds", exact=True).fill("4")
    await form.get_by_label("Tom").uncheck()
    assert await findings(page) == []
    await form.get_by_role("button", name="Save").click()
    await expect(form).to_have_count(0)

    async with await visitor.api() as api:
        [found] = (await api.get("/api/v1/reminders?user_id=ana&text=plants")).json()["items"]
    own = {"rounds": 4, "pause": 600, "all_must": [], "only": [sue["id"]]}
    assert found["confirmation"]["escalation"] == own


async def test_a_series_is_changed_in_full_and_its_end_taken_back(visitor: Visitor) -> None:
    page = await furnished(visitor, "today")

    await page.get_by_role("button", name="Edit: take the pills").click()
    await page.locator("dialog").get_by_label("Repeats").fill("every day at 9 am")
    await page.locator("dialog").get_by_label("Ends after so many times").fill("10")
    await page.locator("dialog").get_by_role("button", name="Save").click()
    await expect(page.locator(".series")).to_contain_text("every day at 9 am")
    await page.locator(".toast", has_text="Saved").get_by_role("button", name="Undo").click()
    await expect(page.locator(".series")).to_contain_text("0 8 * * *")
    await page.get_by_role("button", name="End: take the pills").click()
    await expect(page.locator("li.series")).to_have_count(0)
    await page.locator(".toast", has_text="Ended").get_by_role("button", name="Undo").click()

    await expect(page.locator("li.series")).to_have_count(1)


async def test_dialogs_have_addresses_and_go_back(visitor: Visitor) -> None:
    page = await furnished(visitor, "all")
    dialog = page.locator("dialog")
    await page.locator(".long li", has_text="plants").get_by_role("button").click()
    await expect(dialog).to_be_visible()
    assert "?reminder=rem_" in page.url

    await page.reload()
    await expect(dialog.locator("h2")).to_have_text("water the plants")
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    assert page.url.endswith("#/all")
    await page.locator(".long li", has_text="plants").get_by_role("button").click()
    await expect(dialog).to_be_visible()
    await page.go_back()

    await expect(dialog).to_have_count(0)
    await expect(page.locator("h1")).to_have_text("All reminders")

    await page.goto(f"{visitor.clarion.url}/#/people?open=person:bo")
    await expect(dialog.get_by_label("Name")).to_have_value("Bo")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Add a person").click()
    assert page.url.endswith("#/people?open=person-new")
    await page.go_back()
    await expect(dialog).to_have_count(0)
    await page.evaluate("location.hash = '#/people?open=absence:ana'")
    await expect(dialog.locator("h2")).to_have_text("Ana is away")
    await page.go_back()
    await expect(dialog).to_have_count(0)


async def test_what_follows_a_dialog_outlives_a_slow_way_back(visitor: Visitor) -> None:
    page = await furnished(visitor, "all")
    dialog = page.locator("dialog")
    await page.evaluate(SLOW)
    await page.locator(".long li", has_text="plants").get_by_role("button").click()
    await dialog.get_by_role("button", name="Edit").click()
    await page.wait_for_function("() => window.went")

    await expect(dialog.get_by_label("What", exact=True)).to_have_value("water the plants")
    assert "?edit=rem_" in page.url
    await page.evaluate("location.hash = '#/more'; window.went = false")
    await page.get_by_role("button", name="Make a token").click()
    await dialog.get_by_label("Name").fill("Claude")
    await dialog.get_by_role("button", name="Make a token").click()
    await page.wait_for_function("() => window.went")

    await expect(dialog.locator("pre")).to_contain_text("tok_")  # it is shown this once


async def test_typing_leaves_no_error_behind_and_a_foreign_zone_is_marked(visitor: Visitor) -> None:
    page = await furnished(visitor, "today", timezone_id="America/New_York", locale="en-US")
    await page.get_by_label("What to remember").press_sequentially("remind me to", delay=60)
    await expect(page.locator(".readback")).to_contain_text("When?")

    await expect(page.locator(".page-head")).to_contain_text("Shanghai time")
    await page.evaluate("location.hash = '#/people'")
    await expect(page.locator(".who").first).to_contain_text(re.compile("quiet 10:00\\sPM"))
    await page.evaluate("location.hash = '#/all'")
    await expect(page.locator(".long time").last).to_contain_text(re.compile("4:00\\sPM"))


async def test_tokens_webhooks_and_the_way_out(visitor: Visitor) -> None:
    page = await furnished(visitor, "more")
    await page.get_by_role("button", name="Make a token").click()
    await page.locator("dialog").get_by_label("Name").fill("Claude on the laptop")
    await page.locator("dialog").get_by_label("Speaks for").select_option("ana")
    await page.locator("dialog").get_by_role("button", name="Make a token").click()
    await expect(page.locator("dialog pre")).to_contain_text("tok_")
    await page.keyboard.press("Escape")
    row = page.locator("li.series", has_text="Claude on the laptop")
    await expect(row).to_contain_text("Ana · never used")
    page.on("dialog", lambda asked: asked.accept())
    await row.get_by_role("button", name="End").click()
    await expect(row).to_have_count(0)

    await page.get_by_role("button", name="Add a webhook").click()
    await page.locator("dialog").get_by_label("Address").fill("https://example.com/hook")
    await page.locator("dialog").get_by_role("button", name="Save").click()
    await expect(page.locator("dialog pre")).to_contain_text("whsec_")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Deliveries: https://example.com/hook").click()
    await expect(page.locator("dialog")).to_contain_text("No deliveries yet.")
    await page.keyboard.press("Escape")

    beside = await page.context.new_page()
    await beside.goto(f"{visitor.clarion.url}/#/today")
    await expect(beside.locator("main h1")).to_be_visible()
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_label("Code")).to_be_visible()
    await expect(beside.get_by_label("Code")).to_be_visible()
    assert (await page.context.request.get(f"{visitor.clarion.url}/api/v1/me")).status == 401


async def test_everybody_is_seen_at_once_and_a_day_is_one_tap_away(visitor: Visitor) -> None:
    page = await furnished(visitor, "wall")

    cards = page.locator(".ward")
    await expect(cards).to_have_count(2, timeout=SECONDS)
    await cards.filter(has_text="Bo").get_by_role("link").click()

    await expect(page.locator("h1")).to_contain_text("Bo's day")


async def test_a_wall_without_people_says_what_to_do(visitor: Visitor) -> None:
    page = await visitor.opens("wall", language="en")

    await expect(page.locator(".empty")).to_contain_text("Nobody is here yet")


async def test_the_sheet_counts_says_what_was_measured_and_prints(visitor: Visitor) -> None:
    parts = visitor.clarion.parts
    now = parts.clock.now()
    page = await furnished(visitor, "today")
    measure = {"user_id": "ana", "content": "blood pressure", "trigger_at": str(now + MOMENT)}
    [made] = await visitor.tells(("/api/v1/reminders", measure))
    await visitor.tells((f"/api/v1/reminders/{made['id']}/cancel", {}))
    said = RingAnswered(
        subject=made["id"], user="ana", ring="r", device="d", label="DENIED", reason="",
        text="128/84, no tablet today",
    )  # fmt: skip
    await parts.database.write(events.append, [said], now)
    await page.clock.install(time=now + 2 * MOMENT)  # when it was due is past then
    await page.evaluate("location.hash = '#/sheet'")
    tables = page.locator(".sheet table")
    await expect(tables).to_have_count(3)
    await expect(tables.nth(1)).to_contain_text("blood pressure128/84")
    await expect(tables.nth(2)).to_contain_text("skippedcancelled · “128/84, no tablet today”")

    await page.emulate_media(media="print")

    await expect(page.locator("nav")).to_be_hidden()
    assert (await page.pdf()).startswith(b"%PDF")
