"""The console's files: read once at the start, served under a policy that allows nothing foreign.

The pages are the same for everybody and hold no secrets: whoever is not logged in gets them and
is sent to the login by the first refusal of the API.
"""

import hashlib
import mimetypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request, Response

from clarion.base.errors import NotFound

FILES = Path(__file__).parents[3] / "console"
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
POLICY = {
    # Trusted types without a policy: no script can turn text into markup, ours included.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    # It may be kept, and is asked after each time: a new version shows at once.
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    kind: str
    etag: str


def read_pages(folder: Path = FILES) -> dict[str, StaticFile]:
    return {str(path.relative_to(folder)): read_page(path) for path in files_in(folder)}


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in KINDS)


def read_page(path: Path) -> StaticFile:
    body = path.read_bytes()
    kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
    return StaticFile(body, kind, f'"{hashlib.sha256(body).hexdigest()[:24]}"')


def console_routes(folder: Path = FILES) -> APIRouter:
    pages = read_pages(folder)
    router = APIRouter(include_in_schema=False)

    def answer(request: Request, name: str) -> Response:
        page = pages.get(name)
        if page is None:
            raise NotFound(f"There is nothing at {request.url.path}.")
        headers = {**POLICY, "ETag": page.etag}
        if request.headers.get("if-none-match") == page.etag:
            return Response(status_code=304, headers=headers)
        return Response(page.body, media_type=page.kind, headers=headers)

    @router.get("/")
    async def index(request: Request) -> Response:
        return answer(request, "index.html")

    @router.get("/favicon.ico")
    async def favicon(request: Request) -> Response:
        return answer(request, "icon.svg")

    @router.get("/console/{name:path}")
    async def file(request: Request, name: str) -> Response:
        return answer(request, name)

    return router
