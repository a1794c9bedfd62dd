"""How long requests take, by route, for whoever counts. Pure ASGI."""

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clarion.base.clock import Clock

Note = Callable[[str, str, int, float], None]
"""method, route, status, seconds"""
UNKNOWN = "unknown"  # paths that are no route of ours would make a label each


class Timing:
    def __init__(self, app: ASGIApp, clock: Clock, note: Note) -> None:
        self._app = app
        self._clock = clock
        self._note = note

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = self._clock.monotonic(), 500

        async def watching(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                # A stream is answered when it begins; how long it stays open says nothing.
                self._note(scope["method"], route_of(scope), status, self._took(began))
            await send(message)

        await self._app(scope, receive, watching)

    def _took(self, began: float) -> float:
        return self._clock.monotonic() - began


def route_of(scope: Scope) -> str:
    route = scope.get("route")
    return getattr(route, "path", UNKNOWN)
