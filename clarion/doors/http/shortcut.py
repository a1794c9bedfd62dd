"""A short way for what is asked most: a few plain reads that skip the router.

To find a route and its arguments costs several times what a reminder costs to read. A request
that can be read at sight (GET, a known path, a query of well-formed names we know) goes straight
to the function behind the route; everything else falls through to the routes, which know every
refusal. A test asks each question both ways and compares the answers.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from clarion.access.model import Identity
from clarion.base.errors import ClarionError
from clarion.doors.http.auth import identity
from clarion.doors.http.conventions import PREFIX
from clarion.doors.http.problems import refused

Asked = Mapping[str, Any]
QUERY_BYTES_MAX = 500  # longer ones are rare: the routes read them


@dataclass(frozen=True, slots=True)
class Way:
    """`path` is the route it stands for. `read` makes arguments of the query, or None when the
    routes have to look at it. `{id}` is filled by one step of the path.
    """

    path: str
    answer: Callable[[Identity, HTTPConnection, str, Asked], Awaitable[Response]]
    read: Callable[[list[tuple[str, str]]], Asked | None] = lambda pairs: None if pairs else {}


class Shortcut:
    def __init__(self, app: ASGIApp, ways: Mapping[str, Way]) -> None:
        """`ways` by the path below the prefix: `/reminders/{id}/history`."""
        self._app = app
        self._ways = {tuple(path.split("/")[1:]): way for path, way in ways.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._find(scope)
        if found is None:
            await self._app(scope, receive, send)
            return
        way, name, asked = found
        scope["route"] = way  # its path is what measurements go by
        connection = HTTPConnection(scope)
        try:
            response = await way.answer(await identity(connection), connection, name, asked)
        except ClarionError as error:
            response = refused(error, scope["path"])
        await response(scope, receive, send)

    def _find(self, scope: Scope) -> tuple[Way, str, Asked] | None:
        if scope["type"] != "http" or scope["method"] != "GET":
            return None
        path: str = scope["path"]
        if not path.startswith(PREFIX + "/") or scope["root_path"]:
            return None
        steps = path[len(PREFIX) + 1 :].split("/")
        name = ""
        if len(steps) > 1:
            name, steps[1] = steps[1], "{id}"
            if not name:
                return None
        way = self._ways.get(tuple(steps))
        asked = None if way is None else way.read(query_of(scope))
        return None if way is None or asked is None else (way, name, asked)


def query_of(scope: Scope) -> list[tuple[str, str]]:
    query: bytes = scope["query_string"]
    if not query:
        return []
    if len(query) > QUERY_BYTES_MAX:
        return [("", "")]
    return parse_qsl(query.decode("latin-1"), keep_blank_values=True)
