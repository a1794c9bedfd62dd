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
PAINT_MS_MAX = 1_000
SLOW_LOADS = 3
SLOW_LINE = {
    "offline": False,
    "latency": 400,  # milliseconds
    "downloadThroughput": 50 * 1024,
    "uploadThroughput": 50 * 1024,
}
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
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
    await report_slow_line(visitor)
    frames = await scrolled(visitor)
    verdict = "kept" if frames < FRAME_MS_MAX else "MISSED"
    print(f"{MANY:,} reminders, 9 of 10 frames within {frames:.0f} ms  < {FRAME_MS_MAX}: {verdict}")


async def report_slow_line(visitor: Visitor) -> None:
    """A village at the end of a wire: 400 ms, 50 KB/s; the first visit, and the next one."""
    visits = [await slow_visits(visitor) for _ in range(SLOW_LOADS)]
    for at, name in enumerate(("first visit", "next visit, from the worker")):
        paints, readies = (sorted(visit[at][n] for visit in visits) for n in (0, 1))
        verdict = "kept" if statistics.median(paints) < PAINT_MS_MAX else "MISSED"
        print(row(f"slow line, {name}: painted", paints), f"  < {PAINT_MS_MAX} ms: {verdict}")
        print(row(f"slow line, {name}: usable", readies))


async def slow_visits(visitor: Visitor) -> list[tuple[float, float]]:
    page = await visitor.opens_nothing(language="en", service_workers="allow")
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Network.enable")
    await devtools.send("Network.emulateNetworkConditions", SLOW_LINE)
    found = []
    await page.goto(f"{visitor.clarion.url}/")
    for _ in range(2):
        await page.wait_for_function("() => performance.getEntriesByName('ready').length")
        ready = await page.evaluate("performance.getEntriesByName('ready')[0].startTime")
        found.append((float(await page.evaluate(PAINTED)), float(ready)))
        await page.wait_for_function("() => navigator.serviceWorker.controller")
        await page.reload()
    await page.context.close()
    return found


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
