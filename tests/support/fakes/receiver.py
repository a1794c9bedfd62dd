"""A receiver of webhooks on loopback: keeps what came, answers what it was told to."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.support.http import serving


@dataclass
class Receiver:
    url: str = ""
    status: int = 204
    location: str = ""
    answer: bytes = b""
    media: str = "application/json"
    retry_after: str = ""
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    came: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)
    answers: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared: it takes its time."""

    def __post_init__(self) -> None:
        self.answers.set()

    async def take(self, request: Request) -> Response:
        self.bodies.append(await request.body())
        self.headers.append(dict(request.headers))
        self.came.put_nowait(self.bodies[-1])
        await self.answers.wait()
        headers = {"Location": self.location} if self.location else {}
        headers |= {"Retry-After": self.retry_after} if self.retry_after else {}
        media = self.media if self.answer else None
        return Response(self.answer, self.status, headers=headers, media_type=media)


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver = Receiver()
    app = Starlette(routes=[Route("/{path:path}", receiver.take, methods=["POST", "GET"])])
    async with serving(app) as url:
        receiver.url = url
        yield receiver
