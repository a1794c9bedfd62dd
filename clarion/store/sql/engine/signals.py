"""Words between servers about committed changes: nobody hears of what was rolled back.

A query function calls `send(conn, channel, payload)` inside its transaction. On PostgreSQL that
becomes a NOTIFY at its end; on SQLite the database hands the words to its listeners after the
commit. A signal may be lost (a listener was away), so whoever listens also looks by itself now
and then.
"""

import json
import logging
from collections.abc import Callable, Iterable
from typing import TypeAlias

from sqlalchemy import Connection, text

log = logging.getLogger(__name__)

Listener: TypeAlias = Callable[[str], None]
Signal: TypeAlias = tuple[str, str]
Then: TypeAlias = Callable[[], None]
JoinedWrite: TypeAlias = Callable[[Connection, str], Then | None]
"""Does its part inside the transaction that sends, before the commit, and is given the payload.

What it returns is called in the event loop after the commit, in place of the listeners. None:
it had nothing to do, and they hear as usual. It runs in another thread than the event loop.
"""

OUTBOX = "clarion_signals"  # where a transaction collects them, in Connection.info
NOTICES = "clarion_notices"  # the same for what PostgreSQL is to say
PAYLOAD_BYTES_MAX = 7_900  # PostgreSQL refuses 8000


def send(conn: Connection, channel: str, payload: str = "") -> None:
    """Tell every listener of `channel`, once this transaction is committed."""
    assert len(payload.encode()) <= PAYLOAD_BYTES_MAX, "signals carry names, not contents"
    to_others = conn.dialect.name == "postgresql"
    outbox: list[Signal] = conn.info.setdefault(NOTICES if to_others else OUTBOX, [])
    if (channel, payload) not in outbox[-8:]:  # many writers in one commit say the same thing
        outbox.append((channel, payload))


def here(conn: Connection, channel: str, payload: str) -> None:
    """Tell the listeners of this process alone, once this transaction is committed."""
    conn.info.setdefault(OUTBOX, []).append((channel, payload))


def notify(conn: Connection) -> None:
    """Hand what was sent to PostgreSQL, in one statement at the end of the transaction."""
    if notices := conn.info.pop(NOTICES, None):
        conn.execute(NOTIFY, {"notices": json.dumps(notices)})


NOTIFY = text(
    "SELECT pg_notify(value ->> 0, value ->> 1) FROM jsonb_array_elements(CAST(:notices AS jsonb))"
)


class Switchboard:
    """Who listens to what, inside this process. A listener that raises harms no other."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = {}

    @property
    def channels(self) -> Iterable[str]:
        return tuple(self._listeners)

    def listen(self, channel: str, listener: Listener) -> Callable[[], None]:
        """Start listening; call what is returned to stop."""
        self._listeners.setdefault(channel, []).append(listener)

        def stop() -> None:
            if listener in self._listeners[channel]:
                self._listeners[channel].remove(listener)

        return stop

    def tell(self, channel: str, payload: str) -> None:
        for listener in tuple(self._listeners.get(channel, ())):
            try:
                listener(payload)
            except Exception:
                log.exception("a listener failed", extra={"channel": channel})
