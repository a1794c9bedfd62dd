"""The first load is small, and of ten thousand reminders only those in sight are drawn.

How quick that is in milliseconds is measured by benchmarks/console.py.
"""

import pytest
from playwright.async_api import expect

from tests.support.browser import SECONDS, Visitor
from tests.support.console_load import add_many, first_load

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]

BYTES_MAX = 60_000


async def test_the_first_load_is_small(visitor: Visitor) -> None:
    load = await first_load(visitor)

    assert 25_000 < load.bytes < BYTES_MAX


async def test_of_ten_thousand_reminders_only_those_in_sight_are_drawn(visitor: Visitor) -> None:
    await visitor.tells(("/api/v1/users", {"id": "ana", "name": "Ana"}))
    await visitor.clarion.parts.database.write(add_many)
    page = await visitor.opens("all", language="en")
    await expect(page.locator(".long li").first).to_contain_text("reminder 0", timeout=SECONDS)

    for _ in range(60):
        await page.evaluate("scrollBy(0, 700)")
    rows = await page.locator(".long li").count()
    await page.wait_for_function("() => document.querySelector('.long').offsetHeight > 10_000")

    assert rows < 60
