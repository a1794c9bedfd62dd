"""How soon the console can be used, and how smoothly ten thousand reminders scroll, in Chromium.

    python -m benchmarks.console

Beside it the floor: the same browser opening an empty page from the same server.
"""

import asyncio
import statistics
import tempfile
from pathlib import Path

from playwright.async_api import Browser, expect

from clarion.app.running import Clarion
from tests.support.browser import SECONDS, Visitor, chromium, running
from tests.support.console_load import MANY, add_many, first_load

LOADS = 8
READY_MS_MAX = 1_000
FRAME_MS_MAX = 100
FRAMES = """async () => {
  const gaps = [];
  let last = performance.now();
  for (let step = 0; step < 60; step += 1) {
    scrollBy(0, 700);
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    gaps.push(now - last);
    last = now;
  }
  return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.9)];
}"""


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with running(Path(folder) / "data") as clarion, chromium() as browser:
            await report(clarion, browser)


async def report(clarion: Clarion, browser: Browser) -> None:
    visitor = Visitor(clarion, browser)
    floors = [await empty_page(visitor) for _ in range(LOADS)]
    loads = [await first_load(visitor) for _ in range(LOADS)]
    ready = sorted(load.ready_ms for load in loads)
    print(f"first load: {max(load.bytes for load in loads) / 1000:.0f} kB")
    print(f"{'milliseconds':<44} {'best':>7} {'median':>7} {'worst':>7}")
    print(row("floor: an empty page of the same server", sorted(floors)))
    verdict = "kept" if statistics.median(ready) < READY_MS_MAX else "MISSED"
    print(row("until it can be used", ready), f"  median < {READY_MS_MAX} ms: {verdict}")
    frames = await scrolled(visitor)
    verdict = "kept" if frames < FRAME_MS_MAX else "MISSED"
    print(f"{MANY:,} reminders, 9 of 10 frames within {frames:.0f} ms  < {FRAME_MS_MAX}: {verdict}")


def row(name: str, times: list[float]) -> str:
    return f"{name:<44} {times[0]:>7.0f} {statistics.median(times):>7.0f} {times[-1]:>7.0f}"


async def empty_page(visitor: Visitor) -> float:
    page = await visitor.opens_nothing()
    await page.goto(f"{visitor.clarion.url}/health/live")
    took = await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    return float(took)


async def scrolled(visitor: Visitor) -> float:
    """The ninth of ten frames while somebody scrolls through all of them."""
    await visitor.tells(("/api/v1/users", {"id": "ana", "name": "Ana"}))
    await visitor.clarion.parts.database.write(add_many)
    page = await visitor.opens("all", language="en")
    await expect(page.locator(".long li").first).to_contain_text("reminder 0", timeout=SECONDS)
    return float(await page.evaluate(FRAMES))


if __name__ == "__main__":
    asyncio.run(main())
