"""What a device asks first at every boot: where its server is, and whether it has an owner.

Keys under `websocket` and `mqtt` are written to the device's flash unchanged: a key longer than
fifteen letters crashes it, so we add none of our own.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse, PlainTextResponse

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, TooMany
from clarion.doors.devices.ports import Directory, Visit
from clarion.doors.devices.session.limits import Callers, Strangers, network_of
from clarion.doors.devices.wire.websocket import PATH as SOCKET_PATH
from clarion.people.activation import Activation, Activations, Machine, Promise
from clarion.people.model import Device

PATHS = ("/ota", "/ota/", "/xiaozhi/ota", "/xiaozhi/ota/")
ACTIVATION_WAIT_MS = 30_000
MAC = re.compile(r"[0-9a-f]{2}([:-][0-9a-f]{2}){5}")
ANY_PAGE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Allow-Methods": "GET, POST",
}
"""Devices that are pages of another site, of those that CLARION_ALLOWED_HOSTS lets through."""


class Keys(Protocol):
    async def issue(self, device: Device) -> str:
        """A new token for this device; only it and the one before stay valid."""
        ...

    def promise(self) -> tuple[Promise, str]:
        """A token for a device without an owner, and its text for the device."""
        ...


@dataclass(frozen=True, slots=True)
class OtaDesk:
    activations: Activations
    keys: Keys
    directory: Directory
    clock: Clock
    zone: ZoneInfo
    public_url: str = ""
    """How devices reach us, `https://home.example`; empty: as they reached us now."""
    mqtt: Callable[[str, str, str, str], dict[str, Any]] | None = None
    """Machine, client, token and host to the `mqtt` part, when we have an MQTT endpoint."""

    strangers: Strangers = field(default_factory=Strangers)

    async def answer(
        self, machine: Machine, host: str, scheme: str, address: str = ""
    ) -> dict[str, Any]:
        device = await self.activations.recognise(machine)
        if device is None:
            self._let_ask(machine, address)
            promise, token = self.keys.promise()
            asked = await self.activations.ask(machine, promise)
            return {**self._common(machine, token, host, scheme), "activation": shown(asked)}
        token = await self.keys.issue(device)
        answer = self._common(machine, token, host, scheme)
        facts = dict(machine.facts)
        if self.mqtt is not None:
            answer["mqtt"] = self.mqtt(machine.hardware, machine.client, token, host)
            facts["mqtt_client"] = answer["mqtt"]["client_id"]
        await self.directory.learn(device.id, facts)
        return answer

    async def code(self, visit: Visit, address: str) -> str | None:
        """Implements `Newcomers`: some clients open their line before they show the code."""
        machine = Machine(hardware=visit.hardware.lower(), client=visit.client)
        is_machine = MAC.fullmatch(machine.hardware) and not visit.is_gateway and not visit.cookie
        if not is_machine or await self.activations.recognise(machine) is not None:
            return None
        try:
            self._let_ask(machine, address)
            asked = await self.activations.asked(machine)
            asked = asked or await self.activations.ask(machine, self.keys.promise()[0])
        except (BadInput, TooMany):
            return None
        return asked.code

    def _let_ask(self, machine: Machine, address: str) -> None:
        now = self.clock.monotonic()
        if not self.strangers.may_ask(network_of(address), machine.hardware, now):
            raise TooMany("Too many new devices ask from your network.", retry_after=60)

    async def is_active(self, machine: Machine) -> bool:
        return await self.activations.recognise(machine) is not None

    def _common(self, machine: Machine, token: str, host: str, scheme: str) -> dict[str, Any]:
        now = self.clock.now()
        return {
            "server_time": {
                "timestamp": int(now.timestamp() * 1000),
                "timezone_offset": offset_minutes(now, self.zone),
            },
            # Its own version back: a higher one would start an upgrade.
            "firmware": {"version": machine.facts.get("firmware") or "1.0.0", "url": ""},
            "websocket": {
                "url": socket_url(self.public_url or f"{scheme}://{host}"),
                "token": token,
                "version": 1,
            },
        }


def ota_routes(desk: OtaDesk) -> APIRouter:
    router = APIRouter(tags=["devices"], include_in_schema=False)
    callers = Callers()

    async def boot(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(headers=ANY_PAGE, status_code=HTTPStatus.NO_CONTENT)
        machine = await machine_of(request)
        if not machine.hardware and request.method == "GET":
            return PlainTextResponse(WELCOME.format(url=request.url))
        address = request.client.host if request.client else ""
        caller = f"{address} {machine.hardware}"
        if not callers.may_call(caller, desk.clock.monotonic()):
            raise TooMany("This device asks too often.", retry_after=10)
        host = request.headers.get("host", "")
        answer = await desk.answer(machine, host, request.url.scheme, address)
        return JSONResponse(answer, headers=ANY_PAGE)

    async def activate(request: Request) -> Response:
        """200 when somebody has confirmed the code, 202 while the device has to wait."""
        if request.method == "OPTIONS":
            return Response(headers=ANY_PAGE, status_code=HTTPStatus.NO_CONTENT)
        done = await desk.is_active(await machine_of(request))
        status = HTTPStatus.OK if done else HTTPStatus.ACCEPTED
        return JSONResponse({"activated": done}, status_code=status, headers=ANY_PAGE)

    for path in PATHS:
        router.add_api_route(path, boot, methods=["GET", "POST", "OPTIONS"])
        if path.endswith("/"):
            router.add_api_route(f"{path}activate", activate, methods=["POST", "OPTIONS"])
    return router


async def machine_of(request: Request) -> Machine:
    """From the headers first; the rest from the body, if it can be read."""
    body = read_body(await request.body()) if request.method == "POST" else {}
    hardware = request.headers.get("device-id") or str(body.get("mac_address") or "")
    client = request.headers.get("client-id") or str(body.get("uuid") or "")
    if request.method == "POST" and not hardware:
        raise BadInput("A device has to say who it is.", hint="Send its MAC as Device-Id.")
    agent = request.headers.get("user-agent", "")
    return Machine(
        hardware=hardware.strip().lower()[:64],
        client=client.strip()[:100],
        facts=facts_of(body, agent),
    )


def read_body(content: bytes) -> dict[str, Any]:
    try:
        body = json.loads(content or b"{}")
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def facts_of(body: dict[str, Any], agent: str) -> dict[str, Any]:
    """Firmware, board and chip, as far as the device tells."""
    board_of_agent, _, version_of_agent = agent.partition("/")
    application, board = body.get("application"), body.get("board")
    found = {
        "firmware": inside(application, "version") or version_of_agent,
        "board": inside(board, "type") or inside(board, "name") or board_of_agent,
        "chip": str(body.get("chip_model_name") or ""),
    }
    return {name: text[:64] for name, text in found.items() if text}


def inside(value: Any, name: str) -> str:
    return str(value.get(name) or "") if isinstance(value, dict) else ""


def shown(asked: Activation) -> dict[str, Any]:
    return {
        "code": asked.code,
        "message": f"Clarion\n{asked.code}",
        "challenge": asked.challenge,
        "timeout_ms": ACTIVATION_WAIT_MS,
    }


def offset_minutes(now: datetime, zone: ZoneInfo) -> int:
    offset = now.astimezone(zone).utcoffset()
    assert offset is not None, "a zone always knows its offset"
    return int(offset.total_seconds() // 60)


def socket_url(base: str) -> str:
    return "ws" + base.rstrip("/").removeprefix("http") + SOCKET_PATH


WELCOME = """\
Clarion's address for devices.

Enter {url} as OTA address in the device's Wi-Fi set-up page.
At its next start the device shows a code; confirm it in the console.
"""
