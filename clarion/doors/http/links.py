"""The page behind a confirm link: it shows what is asked and confirms only by its button.

Mail programs and chats fetch links to show a preview. A fetch must not say that somebody's
grandmother has taken her pills, so the link opens a page, and the page has a button.
"""

import html

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse

from clarion.base.errors import ClarionError
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.service import Reminders

PAGE = """<!doctype html>
<html lang="zh"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<style>body{{font:1.2rem system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem}}
button{{font:inherit;padding:.8rem 1.6rem;border:0;border-radius:.5rem;background:#166534;
color:#fff}}
</style></head><body>{body}</body></html>
"""
SAFE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
BUTTON = '<form method="post"><button>确认已完成 · Confirm</button></form>'
WORDS = {
    ReminderStatus.CONFIRMED: "已确认，谢谢 · Confirmed, thank you",
    ReminderStatus.CANCELLED: "已取消 · Cancelled",
    ReminderStatus.COMPLETED: "已完成 · Over",
}


def link_routes(reminders: Reminders) -> APIRouter:
    """Outside of the API: for people with a browser, who have a link and no token."""
    router = APIRouter(include_in_schema=False)

    @router.get("/c/{token}")
    async def look(token: str) -> Response:
        try:
            return page(await reminders.open_link(token))
        except ClarionError as error:
            return refused(error)

    @router.post("/c/{token}")
    async def confirm(token: str) -> Response:
        try:
            return page(await reminders.confirm_by_link(token))
        except ClarionError as error:
            return refused(error)

    return router


def page(reminder: Reminder) -> Response:
    said = WORDS.get(reminder.status)
    below = f"<p>{html.escape(said)}</p>" if said else BUTTON
    body = f"<h1>{html.escape(reminder.content)}</h1>{below}"
    return HTMLResponse(PAGE.format(body=body), headers=SAFE)


def refused(error: ClarionError) -> Response:
    body = f"<p>{html.escape(error.message)}</p>"
    return HTMLResponse(PAGE.format(body=body), status_code=error.status, headers=SAFE)
