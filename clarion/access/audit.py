"""Who changed what, by which token, from where: written for every change, read by admins.

Only what was done is kept, never what was said: no body, no secret, no words of anybody.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from clarion.access.tokens import Identity
from clarion.base.clock import Clock
from clarion.base.loop import Loop

BATCH = 500
WAITING_MAX = 50_000  # during a long outage of the database the oldest are dropped
TIDY_EVERY = timedelta(hours=6)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One change that was done."""

    at: datetime
    door: str
    """`rest`, `mcp`, `cli`, `device`, or the platform of a chat: `telegram`, `matrix`."""
    action: str
    """`POST /api/v1/reminders`, a tool's name, or what was done by talking: `set`, `confirmed`."""
    subject: str = ""
    """What it was done to: an id, as the address named it."""
    token_id: str = ""
    kind: str = ""
    user_id: str | None = None
    name: str = ""
    """What the token's owner calls it."""
    address: str = ""
    sequence: int = 0


class AuditStore(Protocol):
    async def add(self, deeds: Sequence[Deed]) -> None: ...

    async def page(
        self,
        *,
        user_id: str | None,
        token_id: str | None,
        since: datetime | None,
        until: datetime | None,
        before: int | None,
        limit: int,
    ) -> list[Deed]:
        """The newest first; `before` is the sequence where the last page ended."""
        ...

    async def forget(self, before: datetime) -> int: ...


class AuditTrail:
    """A pass: what was noted is written in batches, some moments later.

    A change does not wait for its note. A power cut may lose the notes of the last moment, but not
    the changes.
    """

    name = "audit"

    def __init__(self, store: AuditStore, clock: Clock, kept_for: timedelta) -> None:
        self._store = store
        self._clock = clock
        self._kept_for = kept_for
        self._waiting: deque[Deed] = deque(maxlen=WAITING_MAX)
        self._tidy_at: datetime | None = None
        self._writing = asyncio.Lock()
        self.loop: Loop | None = None
        """Whose `wake` makes the next batch; set when the pass is joined."""

    def note(
        self, door: str, action: str, subject: str, who: Identity | None, address: str
    ) -> None:
        deed = Deed(
            at=self._clock.now(),
            door=door,
            action=action,
            subject=subject,
            token_id=who.token_id if who else "",
            kind=who.kind.value if who else "",
            user_id=who.user_id if who else None,
            name=who.name if who else "",
            address=address,
        )
        self._add(deed)

    def spoken(self, door: str, place: str, user_id: str, verb: str, subject: str) -> None:
        """What was done by talking: on a device, or in the chat of a platform."""
        deed = Deed(
            at=self._clock.now(),
            door=door,
            action=verb,
            subject=subject,
            kind="talk",
            user_id=user_id,
            address=place,
        )
        self._add(deed)

    def at_machine(self, action: str, subject: str, name: str) -> None:
        """What a command did to the database itself, without a server."""
        now = self._clock.now()
        self._add(Deed(at=now, door="cli", action=action, subject=subject, name=name))

    def _add(self, deed: Deed) -> None:
        self._waiting.append(deed)
        if self.loop is not None:
            self.loop.wake()

    async def run_once(self) -> datetime | None:
        await self.write()
        now = self._clock.now()
        if self._tidy_at is None or now >= self._tidy_at:
            await self._store.forget(now - self._kept_for)
            self._tidy_at = now + TIDY_EVERY
        return self._tidy_at

    async def write(self) -> None:
        """Write all waiting notes. Those that could not be written keep waiting."""
        async with self._writing:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
                try:
                    await self._store.add(batch)
                except BaseException:
                    self._waiting.extendleft(reversed(batch))
                    raise
