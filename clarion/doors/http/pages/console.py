"""The console's files: read once at the start, served under a policy that allows nothing foreign.

The pages are the same for everybody and hold no secrets: whoever is not logged in gets them and
is sent to the login by the first refusal of the API.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request, Response

from clarion.base.errors import NotFound
from clarion.doors.http.pages.first_load import joined

FILES = Path(__file__).parents[3] / "console"
KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
PACKED = (".js", ".css", ".html", ".svg", ".webmanifest")
WORKER = "sw.js"
INDEX = "index.html"
STYLES = re.compile(r'(?:<link rel="stylesheet" href="/console/(\S+)">\s*)+')
STYLE = re.compile(r'href="/console/(\S+)"')
POLICY = {
    # Trusted types: no script can turn text into markup, ours included. The one policy there is
    # names the service worker.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'{styles}; img-src 'self';"
        " connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self';"
        " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types clarion"
    ),
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    # Browsers may keep it but check each time: a new version shows at once.
    "Cache-Control": "no-cache",
    "Vary": "Accept-Encoding",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    kind: str
    etag: str
    packed: bytes = b""
    """The same, compressed once; empty where that gains nothing."""


def read_pages(folder: Path = FILES) -> dict[str, StaticFile]:
    bodies = {str(path.relative_to(folder)): path.read_bytes() for path in files_in(folder)}
    if INDEX in bodies:
        bodies[INDEX] = with_styles(bodies[INDEX].decode(), bodies).encode()
    bodies |= joined(bodies)
    if WORKER in bodies:
        bodies[WORKER] = with_shell(bodies)
    return {name: page_of(name, body) for name, body in bodies.items()}


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in KINDS)


def page_of(name: str, body: bytes) -> StaticFile:
    suffix = Path(name).suffix
    packed = gzip.compress(body, mtime=0) if suffix in PACKED else b""
    # Weak: packed or not, it is the same page.
    return StaticFile(body, KINDS[suffix], f'W/"{digest(body)[:24]}"', packed)


def with_styles(page: str, files: Mapping[str, bytes]) -> str:
    """The style sheets inside the page: a slow line paints it after one answer instead of two."""

    def inline(links: re.Match[str]) -> str:
        sheets = [files[name].decode() for name in STYLE.findall(links[0])]
        return f"<style>{''.join(sheets)}</style>\n"

    return STYLES.sub(inline, page)


def with_shell(files: Mapping[str, bytes]) -> bytes:
    """The worker is told which files belong together, and under which name it keeps them."""
    others = {name: body for name, body in files.items() if name != WORKER}
    whole = digest(b"".join(others[name] for name in sorted(others)))
    paths = ["/", *(f"/console/{name}" for name in sorted(others) if name != INDEX)]
    shell = json.dumps({"version": whole[:16], "files": paths})
    return f"self.SHELL = {shell};\n".encode() + files[WORKER]


def digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def policy_for(index: StaticFile | None) -> dict[str, str]:
    found = re.search(r"<style>(.*?)</style>", index.body.decode(), re.DOTALL) if index else None
    allowed = ""
    if found:
        raw = hashlib.sha256(found[1].encode()).digest()
        allowed = f" 'sha256-{base64.b64encode(raw).decode()}'"
    return {name: value.replace("{styles}", allowed) for name, value in POLICY.items()}


def console_routes(folder: Path = FILES) -> APIRouter:
    pages = read_pages(folder)
    policy = policy_for(pages.get(INDEX))
    router = APIRouter(include_in_schema=False)

    def answer(request: Request, name: str) -> Response:
        page = pages.get(name)
        if page is None:
            raise NotFound(f"There is nothing at {request.url.path}.")
        headers = {**policy, "ETag": page.etag}
        if request.headers.get("if-none-match") == page.etag:
            return Response(status_code=304, headers=headers)
        if page.packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(page.packed, media_type=page.kind, headers=headers)
        return Response(page.body, media_type=page.kind, headers=headers)

    @router.get("/")
    async def index(request: Request) -> Response:
        return answer(request, INDEX)

    @router.get(f"/{WORKER}")
    async def worker(request: Request) -> Response:
        """At the root: a worker looks after what lies below its own address."""
        return answer(request, WORKER)

    @router.get("/favicon.ico")
    async def favicon(request: Request) -> Response:
        return answer(request, "icon.svg")

    @router.get("/console/{name:path}")
    async def file(request: Request, name: str) -> Response:
        return answer(request, name)

    return router
