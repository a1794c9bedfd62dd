"""The dispatch page with 5 000 teams and 200 events in a real Chromium: can it be worked with?

`python -m benchmarks.dispatch_page [teams] [events]`. Beside it stands the same page with 40 teams
and 5 events, in the same run. A pause is the longest time in which the page does not listen.
"""

import asyncio
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from benchmarks.dispatch_scale import ABLE, CLOCK, fill, somewhere
from clarion.dispatch.model import Need, Severity
from clarion.store.sql.dispatch.store import SqlRecords
from tests.support.browser import SECONDS, Visitor, chromium, running
from tests.support.dispatching import event

SMALL = (40, 5)
PAUSES = """() => {
  window.pauses = [];
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) window.pauses.push(one.duration);
  }).observe({ type: "longtask", buffered: true });
}"""
LONGEST = "() => { const most = Math.max(0, ...window.pauses); window.pauses = []; return most; }"


@dataclass
class Felt:
    shown_ms: float
    first_pause_ms: float
    chosen_ms: float
    """From the click on an event until its plan is on the page."""
    found_ms: float
    """From the last letter until the team is found."""
    again_pause_ms: float
    """While everything is asked for once more."""
    kilobytes: float
    """That asking once more takes."""
    elements: int


async def measured(browser: Browser, teams: int, events: int) -> Felt:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder) / "data") as clarion:
            visitor = Visitor(clarion, browser)
            database, dice = clarion.parts.database, random.Random(6)
            await database.write(fill, teams)
            records = SqlRecords(database)
            for number in range(events):
                needs = tuple(Need(name, dice.randint(1, 3)) for name in dice.sample(ABLE, 2))
                reported = event(
                    f"e{number:03}",
                    now=CLOCK.now(),
                    title=f"event {number}",
                    needs=needs,
                    severity=dice.choice(list(Severity)),
                    place=somewhere(dice),
                )
                await records.add_event(reported, CLOCK.now())
            return await felt(visitor)


async def felt(visitor: Visitor) -> Felt:
    page = await visitor.opens_nothing(language="en")
    await page.add_init_script(f"({PAUSES})()")
    began = CLOCK.monotonic()
    await page.goto(f"{visitor.clarion.url}/#/dispatch")
    await expect(page.locator(".happening").first).to_be_visible(timeout=SECONDS)
    await expect(page.locator(".map .team").first).to_be_attached(timeout=SECONDS)
    await expect(page.locator(".device strong").first).to_be_visible(timeout=SECONDS)
    shown = CLOCK.monotonic() - began
    first = await page.evaluate(LONGEST)
    began = CLOCK.monotonic()
    await page.locator(".happening").nth(3).click()
    await expect(page.locator(".happening").nth(3)).to_have_attribute("aria-pressed", "true")
    name = await page.locator(".happening strong").nth(3).inner_text()
    await expect(page.locator("h2", has_text=name)).to_be_visible()
    chosen = CLOCK.monotonic() - began
    began = CLOCK.monotonic()
    await page.get_by_label("Find a team").fill("t00017")
    await expect(page.locator(".device strong", has_text="t00017")).to_be_visible()
    found = CLOCK.monotonic() - began
    await page.evaluate(LONGEST)
    size = await once_more(page)
    again = await page.evaluate(LONGEST)
    elements = await page.evaluate("() => document.querySelectorAll('*').length")
    await page.context.close()
    return Felt(shown * 1000, first, chosen * 1000, found * 1000, again, size / 1000, elements)


async def once_more(page: Page) -> int:
    """Wait for the page's own next look, and count what it takes."""
    answers = []
    page.on("response", lambda one: answers.append(one))
    await page.wait_for_timeout(11_500)
    sizes = [(await one.request.sizes())["responseBodySize"] for one in answers]
    return sum(sizes)


async def main(teams: int, events: int) -> None:
    async with chromium() as browser:
        for size in (SMALL, (teams, events)):
            found = await measured(browser, *size)
            print(f"{size[0]} teams, {size[1]} events")
            for name, value in vars(found).items():
                print(f"    {name:16}{value:10.0f}")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] or [5000, 200]
    asyncio.run(main(given[0], given[1]))
