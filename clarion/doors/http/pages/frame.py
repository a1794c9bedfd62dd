"""The frame of every page behind a link: big, calm, without script, the same headers."""

from collections.abc import Sequence
from html import escape
from urllib.parse import parse_qs

from fastapi import Request, Response
from fastapi.responses import HTMLResponse

from clarion.base.errors import BadInput, ClarionError
from clarion.doors.http.screen_language import in_language, shown_in

FORM_BYTES_MAX = 4_000
LIVE = '<meta http-equiv="refresh" content="15">'
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">{live}
<style>body{{font:1.2rem/1.5 system-ui,sans-serif;max-width:30rem;margin:2rem auto;padding:0 1rem}}
button,select,input{{font:inherit;padding:.9rem 1.2rem;border:0;border-radius:.6rem;width:100%;
margin:.3rem 0;background:#e5e7eb;color:#111}}
a.call{{display:block;text-align:center;padding:.9rem 1.2rem;border-radius:.6rem;
background:#e5e7eb;color:#111;text-decoration:none}}button.good{{background:#166534;color:#fff}}
button.on{{background:#1e3a8a;color:#fff}}.on{{font-weight:bold}}ul{{padding-left:1.2rem}}
small{{color:#555}}</style></head><body><main>{body}</main></body></html>
"""
SAFE = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; form-action 'self';"
        " frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


async def form(request: Request) -> dict[str, str]:
    body = await request.body()
    if len(body) > FORM_BYTES_MAX:
        raise BadInput("That is too long.")
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def browser_language(request: Request, otherwise: str) -> str:
    """The first language of the contact's browser that we speak; else the user's."""
    return shown_in(request.headers.get("accept-language")) or otherwise


def shown(
    parts: Sequence[str], language: str, status: int = 200, *, live: bool = False
) -> Response:
    """`live`: it is loaded again by itself, so that it shows what others did meanwhile."""
    page = PAGE.format(body="".join(parts), language=language, live=LIVE if live else "")
    return HTMLResponse(page, status_code=status, headers=SAFE)


def refused(error: ClarionError, request: Request) -> Response:
    language = browser_language(request, "en")
    message, _ = in_language(error, language)
    return shown([f"<p>{escape(message)}</p>"], language, error.status)
