"""Bounds on the head of a request: how large it may be, and how long it may take to come.

The parser takes whatever comes for as long as it comes. Somebody who sends a letter a minute, or a
header without an end, would keep a place and our memory for as long as they like.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from clarion.base.errors import ClarionError
from clarion.doors.http.problems import MEDIA_TYPE, answer

HEAD_BYTES_MAX = 32_768  # the default of CLARION_HEAD_BYTES_MAX
HEAD_SECONDS_MAX = 10.0  # the default of CLARION_HEAD_TIMEOUT


class HeadTooLarge(ClarionError):
    code = "head_too_large"
    status = 431


class HeadTooSlow(ClarionError):
    code = "head_too_slow"
    status = 408


def bounded(bytes_max: int, seconds_max: float) -> type[asyncio.Protocol]:
    """The protocol that uvicorn is to speak, within these bounds."""

    class Bounded(BoundedHeads):
        head_bytes_max = bytes_max
        head_seconds_max = seconds_max

    return Bounded


class BoundedHeads(HttpToolsProtocol):
    head_bytes_max = HEAD_BYTES_MAX
    head_seconds_max = HEAD_SECONDS_MAX

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_open = False
        self._head_bytes = 0
        self._patience: asyncio.TimerHandle | None = None
        self._refusal: ClarionError | None = None
        self._upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._be_patient()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_open = self._head_open
        super().data_received(data)
        if self._upgraded or self.transport.is_closing():
            return
        if not (self._head_open or self._is_idle()):
            return
        # What opened a head in this very piece is no larger than one piece: it counts at its end.
        self._head_bytes += len(data) if was_open else 0
        if self._head_bytes > self.head_bytes_max:
            self._refuse(self._too_large())
        elif self._patience is None:
            self._be_patient()

    def handle_websocket_upgrade(self) -> None:
        """From here on the connection is a socket's, which has bounds of its own."""
        self._upgraded = True
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        self._head_open, self._head_bytes = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Spaces around a value are no part of it (RFC 9110, 5.5); the parser leaves the last."""
        super().on_header(name, value.strip(b" \t"))

    def on_headers_complete(self) -> None:
        self._head_open = False
        self._stop_waiting()
        lines = (len(name) + len(value) + len(": \r\n") for name, value in self.headers)
        if len(self.url) + sum(lines) > self.head_bytes_max:
            # Raised inside the parser it ends the parsing, which asks `send_400_response`.
            self._refusal = self._too_large()
            raise self._refusal
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if self._refusal is not None:
            self._refuse(self._refusal)
        else:
            super().send_400_response(msg)

    def _is_idle(self) -> bool:
        latest: RequestResponseCycle | None = self.cycle  # None before the first request
        return latest is None or latest.response_complete

    def _be_patient(self) -> None:
        self._patience = self.loop.call_later(self.head_seconds_max, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self._head_open:
            self._refuse(HeadTooSlow("The head of the request came too slowly."))
        else:
            self.transport.close()  # Nothing was asked, so there is nothing to answer.

    def _refuse(self, error: ClarionError) -> None:
        self._head_open = False
        self._stop_waiting()
        if self._is_idle():
            self.transport.write(in_full(error))
        self.transport.close()

    def _too_large(self) -> HeadTooLarge:
        return HeadTooLarge(
            "The head of the request is too large.",
            details={"head_bytes_max": self.head_bytes_max},
        )


def in_full(error: ClarionError) -> bytes:
    """A refusal for whoever has not finished asking: no route is known yet, and no request."""
    body = bytes(answer(error, instance="").body)
    head = (
        f"content-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        "x-content-type-options: nosniff\r\nconnection: close\r\n\r\n"
    )
    return STATUS_LINE[error.status] + head.encode() + body
