"""What axe-core, which others wrote, finds wrong with a page."""

from importlib.resources import files
from typing import Any

from playwright.async_api import Page

SCRIPT = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
AT_REST = "() => !document.getAnimations().some((one) => one.playState === 'running')"
GRAVE = ("critical", "serious", "moderate")


async def findings(page: Page) -> list[str]:
    """Every finding that is moderate or worse, with the first element that has it."""
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(SCRIPT)
    # What glides in is half transparent for a moment.
    await page.wait_for_function(AT_REST)
    found: dict[str, Any] = await page.evaluate("() => axe.run({ resultTypes: ['violations'] })")
    return [
        f"{one['id']} ({one['impact']}, {len(one['nodes'])}): {one['nodes'][0]['html'][:160]}"
        for one in found["violations"]
        if one["impact"] in GRAVE
    ]
