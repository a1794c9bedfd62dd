"""The calendar: what comes is shown, and what is dragged to another hour or day is moved."""

import re
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.async_api import Locator, Page, expect

from tests.support.axe import findings
from tests.support.browser import SECONDS, Visitor

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

ZONE = ZoneInfo("Asia/Shanghai")
ANA = {"id": "ana", "name": "Ana", "zone": ZONE.key, "language": "en"}


async def planned(visitor: Visitor, at: datetime, **options: object) -> Page:
    """Ana's calendar, with one reminder that is due then."""
    call = {"user_id": "ana", "content": "call Sue", "trigger_at": at.isoformat()}
    await visitor.tells(("/api/v1/users", ANA), ("/api/v1/reminders", call))
    return await visitor.opens("plan", language="en", timezone_id=ZONE.key, **options)  # type: ignore[arg-type]


def next_wednesday(visitor: Visitor) -> datetime:
    today = visitor.clarion.parts.clock.now().astimezone(ZONE).date()
    day = today + timedelta(days=9 - today.weekday())
    return datetime.combine(day, time(10, 15), ZONE)


def hour(page: Page, at: datetime) -> Locator:
    return page.locator(f".hour[data-day='{at:%Y-%m-%d}'][data-hour='{at:%H}']")


async def middle(place: Locator) -> dict[str, float]:
    box = await place.bounding_box()
    assert box is not None
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


async def due(visitor: Visitor) -> datetime:
    async with await visitor.api() as api:
        [found] = (await api.get("/api/v1/reminders?user_id=ana&text=Sue")).json()["items"]
    return datetime.fromisoformat(found["trigger_at"])


async def test_what_is_dragged_to_another_day_of_a_month_is_moved(visitor: Visitor) -> None:
    today = visitor.clarion.parts.clock.now().astimezone(ZONE)
    at = (today.replace(day=1) + timedelta(days=32)).replace(day=10)
    page = await planned(visitor, at)
    await page.get_by_role("button", name="Month").click()
    await page.get_by_role("button", name="Next", exact=True).click()
    entry = page.locator(".plan.month .entry", has_text="call Sue")
    there = page.locator(f".day[data-day='{at:%Y-%m}-20']")

    await entry.drag_to(there)

    await expect(page.locator(".toast.good")).to_contain_text("Moved: call Sue")
    await expect(there.locator(".entry")).to_contain_text("call Sue")
    assert await findings(page) == []


async def test_in_a_week_what_is_dragged_goes_to_that_hour_and_back(visitor: Visitor) -> None:
    at = next_wednesday(visitor)
    page = await planned(visitor, at)
    await page.get_by_role("button", name="Next", exact=True).click()
    later = at + timedelta(days=1, hours=5)

    await page.locator(".entry", has_text="call Sue").drag_to(hour(page, later))

    await expect(hour(page, later).locator(".entry")).to_contain_text("call Sue")
    assert await due(visitor) == later
    assert await findings(page) == []
    await page.locator(".toast.good").get_by_role("button", name="Undo").click()
    await expect(hour(page, at).locator(".entry")).to_contain_text("call Sue")
    assert await due(visitor) == at


async def test_a_finger_that_stays_a_moment_moves_a_reminder_and_a_quick_one_scrolls(
    visitor: Visitor,
) -> None:
    at = next_wednesday(visitor)
    page = await planned(visitor, at, width=390, has_touch=True)
    await page.get_by_role("button", name="Next", exact=True).click()
    entry = page.locator(".entry.moves", has_text="call Sue")
    await expect(entry).to_be_visible(timeout=SECONDS)
    there = hour(page, at + timedelta(hours=3))
    await expect(there).to_be_hidden()  # free hours show themselves while something is lifted
    start = await middle(entry)
    finger = await page.context.new_cdp_session(page)

    async def touch(kind: str, *points: dict[str, float]) -> None:
        await finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    await touch("touchStart", start)
    await touch("touchMove", {**start, "y": start["y"] + 90})
    await touch("touchEnd")
    await expect(there).to_be_hidden()

    await page.evaluate("scrollTo(0, 0)")
    start = await middle(entry)
    await touch("touchStart", start)
    await expect(entry).to_have_class(re.compile("lifted"))
    await expect(there).to_be_visible()
    assert await middle(entry) == start  # what is held does not jump away
    await touch("touchMove", await middle(there))
    await expect(there).to_have_class(re.compile("over"))
    await touch("touchEnd")

    await expect(page.locator(".toast.good")).to_contain_text("Moved: call Sue")
    await expect(there.locator(".entry")).to_contain_text("call Sue")
    assert await due(visitor) == at + timedelta(hours=3)
    await expect(page.locator("dialog[open]")).to_have_count(0)


async def test_what_a_series_will_make_is_shown_and_opens_the_series(visitor: Visitor) -> None:
    daily = {"user_id": "ana", "content": "take the pills", "pattern": "30 8 * * *"}
    page = await planned(visitor, next_wednesday(visitor))
    await visitor.tells(("/api/v1/series", daily))
    await page.get_by_role("button", name="Next", exact=True).click()
    coming = page.locator(".entry.later", has_text="take the pills")
    await expect(coming).to_have_count(7)

    await coming.nth(3).click()

    await expect(page.locator("dialog").get_by_label("Repeats")).to_have_value("30 8 * * *")
    await page.go_back()
    await expect(page.locator("dialog")).to_have_count(0)
