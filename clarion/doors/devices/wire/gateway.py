"""Wakes stock devices behind a xiaozhi-mqtt-gateway by its HTTP command.

The gateway forwards only tool calls, so the device needs the tool `self.remote_wakeup`. Its
reason comes back as the first words of the session that the device then opens.
"""

import base64
import hashlib
import hmac
import itertools
import json
import logging
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.doors.devices.session import messages
from clarion.doors.devices.session.words import wake_reason
from clarion.people.model import Device
from clarion.reminders.ports import Ring, RingId

log = logging.getLogger(__name__)

TOOL = "self.remote_wakeup"
GROUP = "GID_clarion"
COMMAND_SECONDS_MAX = 5.0


@dataclass(frozen=True, slots=True)
class GatewayAddress:
    url: str
    """Its management interface, `http://127.0.0.1:8007`."""
    key: str
    """Its MQTT_SIGNATURE_KEY."""
    mqtt: str = ""
    """What devices connect to, `host:1883`; empty when we do not send devices there."""

    def bearer(self, clock: Clock, zone: ZoneInfo | None = None) -> str:
        """Changes every day, by the gateway's local date."""
        day = clock.now().astimezone(zone).date().isoformat()
        return hashlib.sha256(f"{day}{self.key}".encode()).hexdigest()


def client_id(hardware: str, client: str) -> str:
    return f"{GROUP}@@@{hardware.replace(':', '_')}@@@{client}"


def mqtt_part(address: GatewayAddress, hardware: str, client: str) -> dict[str, Any]:
    """The part of the OTA answer for a device that should use the gateway."""
    name = client_id(hardware, client)
    username = base64.b64encode(json.dumps({"ip": "0.0.0.0"}).encode()).decode()  # noqa: S104  a field of the gateway's own
    signed = hmac.new(address.key.encode(), f"{name}|{username}".encode(), hashlib.sha256)
    return {
        "endpoint": address.mqtt,
        "client_id": name,
        "username": username,
        "password": base64.b64encode(signed.digest()).decode(),
        "publish_topic": "device-server",
        "subscribe_topic": f"devices/p2p/{hardware.replace(':', '_')}",
        "keepalive": 60,
    }


class Gateway:
    name = "gateway"

    def __init__(self, address: GatewayAddress, clock: Clock, zone: ZoneInfo | None = None) -> None:
        self._address = address
        self._clock = clock
        self._zone = zone
        import httpx

        self._numbers = itertools.count(1)
        self._http = httpx.AsyncClient(
            base_url=address.url.rstrip("/"), timeout=COMMAND_SECONDS_MAX, trust_env=False
        )

    def reaches(self, device: Device) -> bool:
        """A device that told its tools needs the right one; of others we only know the name."""
        tools = device.facts.get("tools")
        return bool(device.facts.get("mqtt_client")) and (not tools or TOOL in tools)

    async def wake(self, ring: Ring) -> bool:
        call = messages.mcp_call(next(self._numbers), TOOL, {"reason": wake_reason(ring.id)})
        return await self._command(ring.device, call)

    async def tell(self, device: Device, text: str) -> bool:
        return False  # the gateway forwards tool calls alone

    async def hush(self, device: Device, ring_id: RingId) -> None:
        return None

    async def close(self) -> None:
        await self._http.aclose()

    async def _command(self, device: Device, message: dict[str, Any]) -> bool:
        import httpx

        headers = {"Authorization": f"Bearer {self._address.bearer(self._clock, self._zone)}"}
        path = f"/api/commands/{device.facts['mqtt_client']}"
        try:
            answer = await self._http.post(path, json=message, headers=headers)
        except httpx.HTTPError as error:
            raise Unavailable("Cannot reach the gateway.", retry_after=10) from error
        if answer.is_success:
            return True
        log.info("gateway refused", extra={"device": device.id, "status": answer.status_code})
        return False
