"""Pictures of every view of the console, as a person would see them, and what axe says of each.

make shots        into shots/: empty and full, light and dark, zh and en, 390 and 1440 wide
"""

import asyncio
import itertools
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Dialog, Page, expect
from playwright.async_api import TimeoutError as NothingOpened

from clarion.app.demo.place import demo_settings
from clarion.app.demo.stage import Opening, run_demo
from clarion.app.running import Clarion
from clarion.settings import Settings
from tests.support.axe import findings
from tests.support.browser import SECONDS, Visitor, chromium, running

OUT = Path("shots")
VIEWS = """today wall people ring chat queue dispatch health more sheet all
assistants setup"""
PRESSED = {"month": ("plan", "plan.month"), "week": ("plan", "plan.week")}
"""Views behind a button of a page: the page, and the words on the button."""
DIALOGS = {
    # Name: the view, then what is pressed: a place, and the words on a button in it.
    "reminder": ("today", (".item.open .row-button", "")),
    "reminder-edit": ("today", (".item.open .row-button", ""), ("dialog button", "verb.edit")),
    "series-edit": ("today", (".series button", "edit")),
    "person-new": ("people", ("main button", "people.add")),
    "person-edit": ("people", (".who button", "edit")),
    "absence": ("people", (".who button", "absence.button")),
    "device-new": ("people", ("main button", "devices.add")),
    "device-edit": ("people", (".device button", "edit")),
    "contact-new": ("people", ("main button", "contacts.add")),
    "contact-edit": ("people", (".contact button", "edit")),
    "token-new": ("more", ("main button", "tokens.add")),
    "hook-new": ("more", ("main button", "hooks.add")),
    "calendar-address": ("more", ("main button", "feed.make")),
    "rule-new": ("queue", ("main button", "rules.add")),
    "event-new": ("dispatch", ("main button", "desk.report")),
    "what-if": ("dispatch", ("main button", "desk.if")),
}
WORDS = "(key) => key && import('/console/words.js').then((it) => it.t(key))"
RINGS = """() => {
  for (const [id, content] of [["rem_1", "take the pills"], ["rem_2", "关火"]]) {
    const person = clarion.house.user?.id ?? "me";
    clarion.ringer.rings.put({ id, content, user_id: person, confirmation: { required: true } });
  }
  clarion.ringer.changed();
}"""
DIALOG_MS = 8_000
PAUSE = "new Promise((done) => setTimeout(done, 350))"
AT_REST = "() => !document.getAnimations().some(one => one.playState === 'running')"
KNOWN = "import('/console/pages.js').then((it) => it.PAGES.map((one) => one.name))"
SETTLED = "() => document.querySelector('main .card, main .plan, main .wall, main .empty')"


@asynccontextmanager
async def full(folder: Path) -> AsyncIterator[Clarion]:
    """The house of `make demo`, once everything has been told to it."""
    settings = Settings(port=0, data_dir=folder, log_level="error")
    async with await run_demo(demo_settings(settings)) as clarion:
        run = asyncio.create_task(clarion.run(), name="clarion")
        opening = next(one for one in clarion.parts.runners if isinstance(one, Opening))
        await opening.over.wait()
        yield clarion
        clarion.stop()
        await run


async def shoot(page: Page, name: str, view: str) -> list[str]:
    await page.evaluate(f"location.hash = '#/{view}'")
    await expect(page.locator("main h1")).to_be_visible(timeout=SECONDS)
    await page.wait_for_function(SETTLED)
    await page.evaluate(PAUSE)
    await page.wait_for_function(AT_REST)
    await whole(page, OUT / f"{view}-{name}.png")
    return [f"{view}-{name}: {one}" for one in await findings(page)]


async def shoot_pressed(page: Page, name: str, view: str) -> list[str]:
    """A view that a button of its page leads to; the page remembers it."""
    at, key = PRESSED[view]
    await page.evaluate(f"location.hash = '#/{at}'")
    button = page.get_by_role("button", name=await page.evaluate(WORDS, key), exact=True)
    await button.click()
    await page.evaluate(PAUSE)
    await whole(page, OUT / f"{view}-{name}.png")
    return [f"{view}-{name}: {one}" for one in await findings(page)]


async def whole(page: Page, path: Path) -> None:
    """On a screen as high as the page: the menu at its foot hides nothing."""
    size = page.viewport_size
    assert size is not None
    height = await page.evaluate("document.documentElement.scrollHeight")
    await page.set_viewport_size({**size, "height": max(size["height"], height)})
    await page.screenshot(path=path)
    await page.set_viewport_size(size)


async def shoot_dialog(page: Page, name: str, dialog: str) -> list[str]:
    """The dialog in front of its page; nothing where there is nothing to press."""
    view, *presses = DIALOGS[dialog]
    await page.evaluate(f"location.hash = '#/{view}'")
    await expect(page.locator("main h1")).to_be_visible(timeout=SECONDS)
    await page.wait_for_function(SETTLED)
    await page.evaluate(PAUSE)
    for place, key in presses:
        words = await page.evaluate(WORDS, key)
        wanted = page.locator(place).filter(has_text=words) if words else page.locator(place)
        if not await wanted.count():
            return []
        await wanted.first.click()
        try:
            await page.locator("dialog[open]").wait_for(timeout=DIALOG_MS)
        except NothingOpened:  # an empty house says that there is nothing to ask about
            return []
        await page.evaluate(PAUSE)
    await page.wait_for_function(AT_REST)
    await page.screenshot(path=OUT / f"dialog-{dialog}-{name}.png")
    found = [f"{dialog}-{name}: {one}" for one in await findings(page)]
    await page.keyboard.press("Escape")
    await page.evaluate(PAUSE)
    return found


async def shoot_alarm(page: Page, name: str) -> list[str]:
    """The ring over the page, as two reminders at once would bring it."""
    await page.evaluate("location.hash = '#/today'")
    await page.emulate_media(reduced_motion="reduce")  # the bell swings for ever
    await page.evaluate(RINGS)
    await expect(page.locator(".alarm")).to_be_visible()
    await page.evaluate(PAUSE)
    await page.screenshot(path=OUT / f"alarm-{name}.png")
    found = [f"alarm-{name}: {one}" for one in await findings(page)]
    await page.evaluate("clarion.ringer.rings.now = []; clarion.ringer.changed()")
    return found


async def agree(asked: Dialog) -> None:
    await asked.accept()


async def look(clarion: Clarion, browser: Browser, state: str, wanted: set[str]) -> list[str]:
    visitor = Visitor(clarion, browser)
    found: list[str] = []
    ways: Any = itertools.product(("zh", "en"), (390, 1440), ("light", "dark"))
    for language, width, light in ways:
        page = await visitor.opens(
            language=language, width=width, color_scheme=light, bypass_csp=True
        )
        page.on("dialog", agree)
        name = f"{state}-{language}-{width}-{light}"
        known = await page.evaluate(KNOWN)
        for view in VIEWS.split():
            if view in known and (not wanted or view in wanted):
                found += await shoot(page, name, view)
        for view in PRESSED:
            if not wanted or view in wanted:
                found += await shoot_pressed(page, name, view)
        for dialog, (view, *_) in DIALOGS.items():
            if view in known and (not wanted or dialog in wanted):
                found += await shoot_dialog(page, name, dialog)
        if not wanted or "alarm" in wanted:
            found += await shoot_alarm(page, name)
        await page.context.close()
    return found + [f"{state}: {one}" for one in visitor.complaints]


async def main(wanted: set[str]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        async with chromium() as browser:
            async with running(Path(folder) / "empty") as clarion:
                found = await look(clarion, browser, "empty", wanted)
            async with full(Path(folder) / "full") as clarion:
                found += await look(clarion, browser, "full", wanted)
    sys.stdout.write("\n".join(found) + f"\n{len(found)} findings, pictures in {OUT}/\n")
    return 1 if found else 0


if __name__ == "__main__":
    OUT.mkdir(exist_ok=True)
    sys.exit(asyncio.run(main(set(sys.argv[1:]))))
