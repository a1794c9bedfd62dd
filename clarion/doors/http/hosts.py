"""Answers only under our own names, and only pages of our own: 421 for a wrong Host, 403 for
a foreign Origin.

A page on the Internet can point a name of its own at 127.0.0.1 and let the visitor's browser
talk to us. It cannot do that with a bare address, so addresses and `localhost` are always fine,
and every other name has to be on the list.
"""

import ipaddress
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from clarion.base.errors import BadInput, ClarionError, Forbidden
from clarion.doors.http.problems import answer

LINKS = ("/c/", "/i/", "/q/")  # the pages behind contacts' links, which use no cookie


class WrongHost(BadInput):
    code = "wrong_host"
    status = 421


class ForeignOrigin(Forbidden):
    code = "foreign_origin"


class Hosts:
    """`guests` are origins of other people's pages that may call with a token, and with nothing
    else: a cookie that comes along with them does not count.
    """

    def __init__(self, app: ASGIApp, allowed: Sequence[str], guests: Sequence[str] = ()) -> None:
        self._app = app
        self._allowed = frozenset(name.lower() for name in allowed)
        self._guests = frozenset(origin.lower().rstrip("/") for origin in guests)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        error = self._wrong_with(headers, scope["path"])
        if headers.get("origin", "").lower() in self._guests:
            plain = [one for one in scope["headers"] if one[0] != b"cookie"]
            scope = {**scope, "headers": plain}
        if error is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})  # before accept: 403
        else:
            await answer(error, instance=scope["path"])(scope, receive, send)

    def _wrong_with(self, headers: Headers, path: str) -> ClarionError | None:
        if len(headers.getlist("host")) > 1:
            # A proxy may have looked at one of them and we at the other.
            return BadInput("A request has one Host.")
        host = headers.get("host", "").lower()
        if not self._is_ours(name_of(host)):
            return WrongHost(
                "Clarion does not answer under this name.",
                hint="Add it to CLARION_ALLOWED_HOSTS.",
                details={"host": host},
            )
        origin = headers.get("origin")
        if origin is None:
            return None
        asking = urlsplit(origin).netloc.lower() if "://" in origin else ""
        if origin == "null" and path.startswith(LINKS):
            return None  # a page that hides its address, which is its key
        # `null` is a sandboxed page or a file: nobody we know.
        if asking == host or name_of(asking) in self._allowed or origin.lower() in self._guests:
            return None
        return ForeignOrigin("Pages of other sites may not talk to Clarion.")

    def _is_ours(self, name: str) -> bool:
        return name == "localhost" or name in self._allowed or is_address(name)


def name_of(host: str) -> str:
    """`[::1]:8520` is `::1`, `clarion.lan:8520` is `clarion.lan`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


@lru_cache(maxsize=256)  # a server has few names, and every request brings one
def is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
