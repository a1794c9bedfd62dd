"""A xiaozhi address that somebody pasted: Clarion connects out to it and offers its tools there.

The address is a secret: a person who has it can give tools to that person's device.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType, Protocol
from urllib.parse import urlsplit

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Conflict, NotFound
from clarion.base.ids import UserId, new_id

log = logging.getLogger(__name__)

PointId = NewType("PointId", str)

POINTS_MAX = 5  # of one person; each agent of theirs has one
ADDRESS_LETTERS_MAX = 4_000
SHORTEST_WAIT = timedelta(seconds=1)
LONGEST_WAIT = timedelta(minutes=10)
STEADY = timedelta(minutes=1)  # a line that held so long was no failure
REPLACED = "新连接替换"  # what a self-hosted server says to the older of two


class PointState(StrEnum):
    WAITING = "waiting"
    """Not connected now; the next try is planned."""
    CONNECTED = "connected"
    TAKEN_OVER = "taken_over"
    """Another program uses the same address. Two that come back would fight for ever."""


class LineError(StrEnum):
    """Why a line ended or never began, for programs and for the console's words."""

    NONE = ""
    TAKEN_OVER = "taken_over"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    PRIVATE = "private_address"
    SERVER = "server_error"
    CLOSED = "closed"


SENTENCES = {
    LineError.NONE: "",
    LineError.TAKEN_OVER: "Another program uses this address. Stop it, then connect again here.",
    LineError.REFUSED: "The server does not accept this address. Copy it again from the console.",
    LineError.UNREACHABLE: "The server cannot be reached.",
    LineError.PRIVATE: "The address is in a private network: set CLARION_PRIVATE_TARGETS=yes.",
    LineError.SERVER: "The server reported an error of its own.",
    LineError.CLOSED: "The server closed the line.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPoint:
    id: PointId
    user_id: UserId
    address: str
    state: PointState = PointState.WAITING
    error: LineError = LineError.NONE
    tries: int = 0
    next_at: datetime
    connected_at: datetime | None = None
    held_by: str = ""
    """Which server of ours has the line."""
    created_at: datetime

    @property
    def masked(self) -> str:
        """The address without its secret."""
        parts = urlsplit(self.address)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}{'?…' if parts.query else ''}"


class NoSuchPoint(NotFound):
    code = "no_such_xiaozhi_address"


class SamePoint(Conflict):
    code = "xiaozhi_address_known"


class PointStore(Protocol):
    async def add(self, point: AccessPoint, most: int) -> None:
        """Raises SamePoint for an address that is there, or when the person has too many."""
        ...

    async def points(self, user_id: UserId | None) -> list[AccessPoint]: ...

    async def find(self, point_id: PointId) -> AccessPoint | None: ...

    async def remove(self, point_id: PointId) -> None: ...

    async def opened(self, point_id: PointId, server: str, now: datetime) -> None: ...

    async def ended(
        self,
        point_id: PointId,
        server: str,
        state: PointState,
        error: LineError,
        tries: int,
        next_at: datetime,
    ) -> None:
        """Only while the line is this server's: another one of ours may have it by now."""
        ...

    async def retry(self, point_id: PointId, now: datetime) -> None: ...


def wait_before(tries: int) -> timedelta:
    """1, 2, 4 … seconds, at most ten minutes."""
    return min(LONGEST_WAIT, SHORTEST_WAIT * (1 << min(tries, 20)))


def why_closed(code: int | None, reason: str) -> LineError:
    """What the close code of a server means."""
    if REPLACED in reason:
        return LineError.TAKEN_OVER
    if code == 1008:
        return LineError.REFUSED
    return LineError.SERVER if code in (1011, 4004) else LineError.CLOSED


class AccessPoints:
    """The verbs. `check` refuses a host that may not be called, as far as its spelling tells."""

    def __init__(self, store: PointStore, clock: Clock, check: Callable[[str], None]) -> None:
        self._store = store
        self._clock = clock
        self._check = check

    async def add(self, user_id: UserId, address: str) -> AccessPoint:
        address = address.strip()
        parts = urlsplit(address)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise BadInput(
                "That is no xiaozhi address.",
                hint="It begins with wss:// and is shown in the console of xiaozhi under MCP.",
            )
        if len(address) > ADDRESS_LETTERS_MAX or not address.isascii() or parts.fragment:
            raise BadInput("That address cannot be used.", hint="Copy it again, all of it.")
        self._check(parts.hostname)
        now = self._clock.now()
        point = AccessPoint(
            id=PointId(new_id("xzp", now)),
            user_id=user_id,
            address=address,
            next_at=now,
            created_at=now,
        )
        await self._store.add(point, POINTS_MAX)
        log.info("xiaozhi address added", extra={"id": point.id})
        return point

    async def list(self, user_id: UserId | None) -> list[AccessPoint]:
        return await self._store.points(user_id)

    async def retry(self, user_id: UserId | None, point_id: PointId) -> AccessPoint:
        """Connect again now, also after somebody else took the address over."""
        await self._own(user_id, point_id)
        await self._store.retry(point_id, self._clock.now())
        return await self._own(user_id, point_id)

    async def remove(self, user_id: UserId | None, point_id: PointId) -> None:
        await self._own(user_id, point_id)
        await self._store.remove(point_id)

    async def _own(self, user_id: UserId | None, point_id: PointId) -> AccessPoint:
        found = await self._store.find(point_id)
        if found is None or (user_id is not None and found.user_id != user_id):
            raise NoSuchPoint("There is no such xiaozhi address.")
        return found

    async def ended(self, point: AccessPoint, server: str, error: LineError) -> None:
        """A connection ended: note when to try again, or that another program has it now."""
        now = self._clock.now()
        current = await self._store.find(point.id)
        if current is None:
            return
        if error is LineError.TAKEN_OVER:
            state, tries, next_at = PointState.TAKEN_OVER, 0, now
        else:
            held = current.state is PointState.CONNECTED and current.connected_at is not None
            steady = held and now - (current.connected_at or now) >= STEADY
            tries = 0 if steady else current.tries
            state, next_at = PointState.WAITING, now + wait_before(tries)
            tries += 1
        await self._store.ended(point.id, server, state, error, tries, next_at)
