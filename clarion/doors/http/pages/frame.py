"""The frame of every page behind a link: big, calm, the same headers, no script needed."""

from collections.abc import Awaitable, Callable, Sequence
from html import escape
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from clarion.base.errors import BadInput, ClarionError
from clarion.doors.http.conventions import shown_in
from clarion.doors.http.pages import live
from clarion.doors.http.problems import in_language

FORM_BYTES_MAX = 4_000
STYLE = """
:root { color-scheme: light dark; --soft: #eef1f5; --ink: #16202e; --dim: #55606f; --line: #dde2e9 }
@media (prefers-color-scheme: dark) {
:root { --soft: #232b36; --ink: #eef2f7; --dim: #a5b0bf; --line: #37424f } }
* { box-sizing: border-box }
body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 0 auto;
padding: 1.25rem 1rem 3rem; color: var(--ink) }
h1 { font-size: 1.75rem; line-height: 1.25; margin: .1rem 0 .4rem; overflow-wrap: anywhere }
h2 { font-size: 1rem; color: var(--dim); margin: 0 0 .4rem; font-weight: 600 }
p { margin: .4rem 0 }
button, select, input, a.call { font: inherit; display: block; width: 100%; min-height: 3.4rem;
padding: .8rem 1rem; border: 0; border-radius: .8rem; margin: .6rem 0;
background: var(--soft); color: var(--ink) }
button, a.call { font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
:focus-visible { outline: 3px solid #d97706; outline-offset: 2px }
button.on { background: #1d4ed8; color: #fff }
button.good { background: #15803d; color: #fff }
.state { padding: .9rem 1rem; border-radius: .8rem; margin: .8rem 0; font-weight: 600;
background: #dbeafe; color: #172554 }
section { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 1.4rem }
ul { list-style: none; padding: 0; margin: 0 }
li { padding: .35rem 0 }
li time { color: var(--dim); margin-right: .6rem; font-variant-numeric: tabular-nums }
small { color: var(--dim) }
img.dot { position: absolute; width: 1px; height: 1px }
form { margin: 0 }
"""
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">{head}
<style>{style}</style></head><body><main>{body}</main>{foot}</body></html>
"""
SAFE = {
    "Content-Security-Policy": (
        f"default-src 'none';{live.POLICY} img-src 'self'; style-src 'unsafe-inline';"
        " form-action 'self'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def linked_page(
    path: str,
    look: Callable[[Request, str], Awaitable[Response]],
    answer: Callable[[Request, str, dict[str, str]], Awaitable[Response]],
) -> APIRouter:
    """A page for people with a browser, who have a link and no token: outside of the API.

    Both are handed the link's token, `answer` also the form that was sent.
    """
    router = APIRouter(include_in_schema=False)

    @router.get(path + "{token}")
    async def get(request: Request, token: str) -> Response:
        try:
            return await look(request, token)
        except ClarionError as error:
            return refused(error, request)

    @router.post(path + "{token}")
    async def post(request: Request, token: str) -> Response:
        try:
            return await answer(request, token, await form(request))
        except ClarionError as error:
            return refused(error, request)

    return router


async def form(request: Request) -> dict[str, str]:
    body = await request.body()
    if len(body) > FORM_BYTES_MAX:
        raise BadInput("That is too long.")
    return {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}


def browser_language(request: Request, otherwise: str) -> str:
    """The first language of the contact's browser that we speak; else the user's."""
    return shown_in(request.headers.get("accept-language")) or otherwise


def shown(
    parts: Sequence[str], language: str, status: int = 200, *, stays_live: bool = False
) -> Response:
    """`stays_live`: the page updates itself when others answer."""
    page = PAGE.format(
        body="".join(parts),
        language=language,
        head=live.HEAD if stays_live else "",
        foot=live.foot(language) if stays_live else "",
        style=STYLE,
    )
    return HTMLResponse(page, status_code=status, headers=SAFE)


def refused(error: ClarionError, request: Request) -> Response:
    language = browser_language(request, "en")
    message, _ = in_language(error, language)
    return shown([f"<p>{escape(message)}</p>"], language, error.status)
