"""Live events for all open streams, with one reader of the log.

However many streams are open, each event is read once. A stream that resumes reads the log from
where it stopped, and joins the others when it has caught up.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from clarion.access.tokens import Identity, TokenKind
from clarion.base.clock import Clock
from clarion.base.events import StoredEvent

log = logging.getLogger(__name__)

BATCH = 200
BATCHES_IN_A_RUN = 50
# PostgreSQL shows an event only when no older transaction can still commit before it.
SETTLES_WITHIN = 2.0  # seconds
SETTLED_CHECK_EVERY = timedelta(milliseconds=50)


class EventLog(Protocol):
    async def after(
        self, sequence: int, *, user: str | None = None, limit: int = BATCH
    ) -> list[StoredEvent]:
        """The oldest first; only `user`'s when one is named."""
        ...

    async def search(
        self,
        *,
        after: int,
        user: str | None,
        subject: str | None,
        kinds: Sequence[str],
        words: str,
        newest_first: bool,
        limit: int,
    ) -> list[StoredEvent]:
        """Beyond `after` in the order asked for; 0 starts at the beginning or at the end.

        No `kinds` are all kinds. `words` are looked for in everything an event says, among the
        newest events only: a search must not read a year.
        """
        ...

    async def latest(self) -> int: ...

    async def oldest(self) -> int:
        """The first number still kept; 0 when there is none."""
        ...


def may_see(who: Identity, event: StoredEvent) -> bool:
    if who.kind is TokenKind.ADMIN:
        return True
    return who.kind is TokenKind.USER and event.user is not None and event.user == who.user_id


class EventFeed:
    """A pass: run it when the store says that something was written, and now and then."""

    name = "feed"

    def __init__(self, log_: EventLog, clock: Clock) -> None:
        self._log = log_
        self._clock = clock
        self._seen: int | None = None
        self._expects_until = 0.0
        self._listeners: dict[object, Callable[[StoredEvent], None]] = {}

    def listen(self, listener: Callable[[StoredEvent], None]) -> Callable[[], None]:
        """Receive every event from now on; call the returned function to stop."""
        name = object()
        self._listeners[name] = listener

        def stop() -> None:
            self._listeners.pop(name, None)

        return stop

    def expect(self, _signal: str = "") -> None:
        """Something was written, though it may not be visible yet."""
        self._expects_until = self._clock.monotonic() + SETTLES_WITHIN

    async def run_once(self) -> datetime | None:
        if self._seen is None:
            self._seen = await self._log.latest()
        for _ in range(BATCHES_IN_A_RUN):
            batch = await self._log.after(self._seen, limit=BATCH)
            for event in batch:
                self._tell(event)
                self._seen = event.sequence
            if batch:
                self._expects_until = 0.0
            if len(batch) < BATCH:
                break
        if self._clock.monotonic() < self._expects_until:
            return self._clock.now() + SETTLED_CHECK_EVERY
        return None

    def _tell(self, event: StoredEvent) -> None:
        for listener in tuple(self._listeners.values()):
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed", extra={"event": event.sequence})
