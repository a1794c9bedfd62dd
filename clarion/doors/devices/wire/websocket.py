"""The WebSocket at which devices, gateways, browsers and terminals open their sessions."""

import logging
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from fastapi import APIRouter
from starlette.responses import JSONResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from clarion.doors.devices.ports import Visit
from clarion.doors.devices.session import codec
from clarion.doors.devices.wire.pacing import LEAD
from clarion.doors.devices.wire.registry import Reception

log = logging.getLogger(__name__)

PATH = "/xiaozhi/v1/"
FRAMINGS = (1, 2, 3)
GATEWAY_DOOR = "gateway"
COOKIE = "clarion_session"  # the console's; see doors/http/auth


class NoFalseAlarm(logging.Filter):
    """Uvicorn logs every refusal before the upgrade as an error; those lines are left out."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.msg != "ASGI callable returned without completing handshake."


NO_FALSE_ALARM = NoFalseAlarm()  # one object: a logger takes the same filter only once


class WebSocketWire:
    def __init__(self, socket: WebSocket, version: int | None, door: str) -> None:
        """`version` is None when the handshake names no framing: then the hello does."""
        self.lead = LEAD if door == GATEWAY_DOOR else 0.0  # behind it, sound goes over UDP
        self._socket = socket
        self._is_agreed = version is not None
        self.version = version or 1
        self.door = door

    def agree(self, version: int) -> None:
        if not self._is_agreed and version in FRAMINGS:
            self.version = version
        self._is_agreed = True

    async def ready(self) -> bool:
        return True

    async def send(self, message: dict[str, Any]) -> None:
        await self._socket.send_text(codec.write_text(message))

    async def send_audio(self, packet: bytes, at_ms: int) -> None:
        await self._socket.send_bytes(codec.audio_frame(packet, self.version, at_ms))

    async def close(self, code: int, reason: str) -> None:
        if self._socket.application_state is WebSocketState.CONNECTED:
            await self._socket.close(code, reason)

    async def incoming(self) -> AsyncIterator[str | bytes]:
        """Frames as they come; ends when the other side has gone, however it went."""
        message: Any = await self._socket.receive()
        while message["type"] == "websocket.receive":
            frame = message.get("text")
            yield frame if frame is not None else message.get("bytes") or b""
            if self._socket.client_state is not WebSocketState.CONNECTED:
                return
            message = await self._socket.receive()


def websocket_routes(reception: Reception) -> APIRouter:
    router = APIRouter()
    logging.getLogger("uvicorn.error").addFilter(NO_FALSE_ALARM)

    @router.websocket(PATH)
    @router.websocket(PATH.rstrip("/"))
    @router.websocket("/")  # an address that somebody typed without a path
    async def device_line(socket: WebSocket) -> None:
        refused = reception.refusal(caller_of(socket))
        if refused is not None:
            await refuse(socket, refused)
            return
        visit = visit_of(socket)
        guest = await reception.doorman.admit(visit)
        code = await reception.code_for(visit, host_of(socket)) if guest is None else None
        if guest is None and code is None:
            await refuse(socket, HTTPStatus.UNAUTHORIZED)
            return
        await socket.accept()
        wire = WebSocketWire(socket, version_of(socket), door_of(socket))
        try:
            if guest is not None:
                await reception.serve(guest, wire, wire.incoming())
            elif code is not None:
                await reception.tell_code(wire, wire.incoming(), code)
        except (WebSocketDisconnect, RuntimeError):
            log.debug("line closed", extra={"device": visit.hardware})

    return router


async def refuse(socket: WebSocket, status: HTTPStatus) -> None:
    """Refuse before the upgrade: the device shows that it cannot connect, and retries later."""
    log.info("device refused", extra={"status": int(status), "caller": caller_of(socket)})
    code = status.phrase.lower().replace(" ", "_")
    await socket.send_denial_response(JSONResponse({"code": code}, status_code=status))


def visit_of(socket: WebSocket) -> Visit:
    """Headers as devices send them, or a query as browsers must.

    The query wins: a gateway sends a header of its own making and our words in its address.
    """
    return Visit(
        token=bare_token(shown_by(socket, "authorization") or shown_by(socket, "token")),
        is_gateway=is_gateway(socket),
        hardware=shown_by(socket, "device-id").strip()[:128],
        client=shown_by(socket, "client-id").strip()[:100],
        cookie=socket.cookies.get(COOKIE, "") if is_our_page(socket) else "",
    )


def shown_by(socket: WebSocket, name: str) -> str:
    """From the query, where people write `Device-Id` and `device_id` as well; or a header."""
    for key, value in socket.query_params.multi_items():
        if value and key.lower().replace("_", "-") == name:
            return str(value)
    return socket.headers.get(name) or ""


def is_our_page(socket: WebSocket) -> bool:
    """Browsers send the cookie for pages of other sites too; those must not open a session."""
    origin = urlsplit(socket.headers.get("origin", ""))
    return bool(origin.netloc) and origin.netloc == socket.headers.get("host")


def bare_token(text: str) -> str:
    """Firmware writes `Bearer` before a token unless the token has a space in it."""
    scheme, _, rest = text.strip().partition(" ")
    return rest.strip() if scheme.lower() == "bearer" else text.strip()


def version_of(socket: WebSocket) -> int | None:
    """The framing of sound. A gateway has its own, whatever it says."""
    if is_gateway(socket):
        return codec.GATEWAY
    given = shown_by(socket, "protocol-version").strip()
    return int(given) if given in ("1", "2", "3") else None


def door_of(socket: WebSocket) -> str:
    return GATEWAY_DOOR if is_gateway(socket) else "websocket"


def is_gateway(socket: WebSocket) -> bool:
    return socket.query_params.get("from") == "mqtt_gateway"


def host_of(socket: WebSocket) -> str:
    return socket.client.host if socket.client else ""


def caller_of(socket: WebSocket) -> str:
    return f"{host_of(socket)} {shown_by(socket, 'device-id')[:128]}"
