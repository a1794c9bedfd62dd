"""The short film of README, and the pictures of docs/console.md, taken from the real thing.

make film        writes docs/pictures/; needs Pillow, which nothing else does
"""

import asyncio
import importlib.util
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Page, expect

from scripts.shots import full
from tests.support.browser import SECONDS, Visitor, chromium, running

OUT = Path("docs/pictures")
SENTENCE = "In 5 seconds remind me to take my pills until I confirm"
LETTERS_A_FRAME = 6
COLOURS = 64  # a calm page has few, and the file stays small


@dataclass
class Film:
    """Frames with how long each is seen, in hundredths of a second."""

    folder: Path
    frames: list[tuple[Path, int]] = field(default_factory=list)

    async def take(self, page: Page, seen: int) -> None:
        path = self.folder / f"{len(self.frames):03}.png"
        await page.screenshot(path=path)
        self.frames.append((path, seen))

    def develop(self, to: Path) -> None:
        picture = importlib.import_module("PIL.Image")
        first, *others = [
            picture.open(path).convert("RGB").quantize(COLOURS, dither=picture.Dither.NONE)
            for path, _ in self.frames
        ]
        lives = [seen * 10 for _, seen in self.frames]
        first.save(to, save_all=True, append_images=others, duration=lives, loop=0, optimize=True)


async def the_first_minute(film: Film, visitor: Visitor) -> None:
    page = await visitor.opens(language="en", width=860)
    await page.set_viewport_size({"width": 860, "height": 540})
    line = page.get_by_label("What to remember")
    for end in range(LETTERS_A_FRAME, len(SENTENCE) + LETTERS_A_FRAME, LETTERS_A_FRAME):
        await line.fill(SENTENCE[:end])
        await film.take(page, 14)
    await expect(page.locator(".readback.good")).to_be_visible()
    await film.take(page, 160)
    await page.keyboard.press("Enter")
    await expect(page.locator(".item")).to_be_visible(timeout=SECONDS)
    await film.take(page, 160)
    await expect(page.locator(".alarm .spoken")).to_be_visible(timeout=SECONDS)
    for _ in range(6):
        await page.evaluate("new Promise((done) => setTimeout(done, 180))")
        await film.take(page, 35)
    await page.screenshot(path=OUT / "console-ring.png")
    await page.keyboard.press("Enter")
    await expect(page.locator(".item.good")).to_be_visible(timeout=SECONDS)
    await film.take(page, 120)
    await page.locator(".item .row-button").click()
    await expect(page.locator("dialog .facts")).to_contain_text("Confirmed by")
    await film.take(page, 320)


async def pictures(visitor: Visitor) -> None:
    page = await visitor.opens(language="en", width=1200)
    await page.set_viewport_size({"width": 1200, "height": 800})
    for view in ("today", "queue"):
        await page.evaluate(f"location.hash = '#/{view}'")
        await expect(page.locator("main .card").first).to_be_visible()
        await page.evaluate("new Promise((done) => setTimeout(done, 1500))")
        await page.screenshot(path=OUT / f"console-{view}.png")


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        film = Film(Path(folder))
        async with chromium() as browser:
            async with running(Path(folder) / "empty") as clarion:
                await the_first_minute(film, Visitor(clarion, browser))
            async with full(Path(folder) / "full") as clarion:
                await pictures(Visitor(clarion, browser))
        film.develop(OUT / "first-minute.gif")


if __name__ == "__main__":
    if importlib.util.find_spec("PIL") is None:
        sys.exit("Needs Pillow: run `make film`, which installs it.")
    asyncio.run(main())
