"""Server-sent events: what happens, as it happens, to those who may see it; and the log itself.

A stream resumes after `Last-Event-ID`. When what was missed is no longer kept, or the number is
none of ours, the first thing sent is `event: reset`: read everything again.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from clarion.access.feed import EventFeed, EventLog, may_see
from clarion.access.tokens import Access, Identity
from clarion.base.errors import TooMany
from clarion.base.events import StoredEvent
from clarion.base.paging import unwrap_cursor, wrap_cursor
from clarion.doors.http.auth import Asking, Who, presented
from clarion.doors.http.conventions import (
    PREFIX,
    Cursor,
    Limit,
    Shape,
    answer_json,
    shaped,
)

log = logging.getLogger(__name__)

COMMENT_EVERY = 15.0  # seconds; proxies cut what is silent for a minute, some for half of one
RETRY = b"retry: 2000\n\n"
STREAMS_MAX = 2_000
WAITING_MAX = 1_000  # events a slow reader may be behind before it has to resume
BATCH = 200
NUMBER_MAX = 2**62


class EventOut(Shape):
    id: int = Field(description="Rises in the order in which things happened.")
    at: str
    kind: str = Field(examples=["reminder.confirmed"])
    version: int
    subject: str
    user_id: str | None
    data: dict[str, Any]


class EventPage(Shape):
    items: list[EventOut]
    next_cursor: str | None


class Streams:
    """All open streams. Each event is written as text once, for all of them."""

    def __init__(self, feed: EventFeed, log: EventLog, stopping: asyncio.Event) -> None:
        self._log = log
        self._stopping = stopping
        self._open: set[EventStream] = set()
        feed.listen(self._tell)

    @property
    def count(self) -> int:
        return len(self._open)

    def _tell(self, event: StoredEvent) -> None:
        if not self._open:
            return
        text = spoken(event)
        for stream in tuple(self._open):
            stream.offer(event, text)

    async def run(
        self, who: Identity, last_seen: int | None, still_good: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[bytes]:
        if len(self._open) >= STREAMS_MAX:
            raise TooMany("Too many event streams are open.", retry_after=5)
        stream = EventStream(who)
        self._open.add(stream)  # before the log is read: what happens meanwhile is kept
        try:
            yield RETRY
            async for text in self._missed(stream, last_seen):
                yield text
            async for text in stream.texts(self._stopping, still_good):
                yield text
        finally:
            self._open.discard(stream)

    async def _missed(self, stream: "EventStream", last_seen: int | None) -> AsyncIterator[bytes]:
        if last_seen is None:
            return
        latest, oldest = await self._log.latest(), await self._log.oldest()
        if last_seen > latest or (oldest and last_seen < oldest - 1):
            stream.seen = latest
            yield reset(latest)
            return
        user = None if stream.who.is_admin else stream.who.user_id
        stream.seen = last_seen
        more = True
        while more and not self._stopping.is_set():
            batch = await self._log.after(stream.seen, user=user, limit=BATCH)
            for event in batch:
                stream.seen = event.sequence
                yield spoken(event)
            more = len(batch) == BATCH


class EventStream:
    def __init__(self, who: Identity) -> None:
        self.who = who
        self.seen = 0
        self._waiting: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue(WAITING_MAX)
        self._too_slow = False

    def offer(self, event: StoredEvent, text: bytes) -> None:
        if self._too_slow or not may_see(self.who, event):
            return
        try:
            self._waiting.put_nowait((event.sequence, text))
        except asyncio.QueueFull:
            self._too_slow = (
                True  # the rest is in the log: the stream ends here, and the reader resumes
            )

    async def texts(
        self, stopping: asyncio.Event, still_good: Callable[[], Awaitable[bool]]
    ) -> AsyncIterator[bytes]:
        stop = asyncio.create_task(stopping.wait())
        try:
            while not stop.done():
                text = await self._next(stop)
                if text:
                    yield text
                elif self._too_slow or stop.done() or not await still_good():
                    return
                else:
                    yield b": still here\n\n"
        finally:
            stop.cancel()

    async def _next(self, stop: asyncio.Task[bool]) -> bytes:
        """All that waits, as one piece; nothing after a while of silence or at the end."""
        if self._waiting.empty() and not self._too_slow:
            get = asyncio.create_task(self._waiting.get())
            try:
                await asyncio.wait(
                    {get, stop}, timeout=COMMENT_EVERY, return_when=asyncio.FIRST_COMPLETED
                )
                if not get.done():
                    return b""
                first = [get.result()]
            finally:
                get.cancel()  # also when the reader goes away while we wait
        else:
            first = []
        waiting = first + [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]
        return b"".join(text for sequence, text in waiting if sequence > self.seen)


def spoken(event: StoredEvent) -> bytes:
    data = json.dumps(shown(event), ensure_ascii=False, separators=(",", ":"))
    return f"id: {event.sequence}\nevent: {event.kind}\ndata: {data}\n\n".encode()


def reset(latest: int) -> bytes:
    return f"id: {latest}\nevent: reset\ndata: {{}}\n\n".encode()


def shown(event: StoredEvent) -> dict[str, Any]:
    return shaped(EventOut, event, id=event.sequence, user_id=event.user)


LastEventId = Annotated[
    str | None,
    Header(alias="Last-Event-ID", description="The `id` of the last event you saw."),
]


def event_routes(streams: Streams, log: EventLog, access: Access) -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["events"])

    @router.get(
        "/events",
        summary="What happens, as it happens",
        response_class=StreamingResponse,
        responses={
            200: {
                "description": "A stream that ends only when you or the server go away.",
                "content": {"text/event-stream": {"schema": {"type": "string"}}},
            }
        },
    )
    async def follow(
        request: Request, who: Who, _: Asking, last_event_id: LastEventId = None
    ) -> Response:
        text = presented(request)

        async def still_good() -> bool:
            return await access.is_good(text)

        return StreamingResponse(
            streams.run(who, number(last_event_id), still_good),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )

    add_log(router, log)
    return router


def add_log(router: APIRouter, log: EventLog) -> None:
    @router.get("/events/log", response_model=EventPage, summary="What happened")
    async def read_log(
        actor: Asking,
        subject: Annotated[str | None, Query(max_length=200)] = None,
        kind: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006  FastAPI copies it
        words: Annotated[str, Query(max_length=100, description="Anywhere in the event.")] = "",
        newest_first: bool = True,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        after = unwrap_cursor(cursor, int)[0] if cursor else 0
        found = await log.search(
            after=after,
            user=None if actor.admin else actor.user_id,
            subject=subject,
            kinds=kind,
            words=words.strip(),
            newest_first=newest_first,
            limit=limit + 1,
        )
        more = wrap_cursor(found[limit - 1].sequence) if len(found) > limit else None
        items = [shown(event) for event in found[:limit]]
        return answer_json({"items": items, "next_cursor": more})


def number(text: str | None) -> int | None:
    """A number that cannot be read counts as unknown, which leads to a reset."""
    if text is None or text == "":
        return None
    good = text.isascii() and text.isdecimal() and len(text) < 19
    return int(text) if good else NUMBER_MAX
