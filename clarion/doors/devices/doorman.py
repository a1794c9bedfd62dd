"""Decides who may connect at the devices' door, and as which device."""

import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from clarion.access.tokens import Access
from clarion.base.errors import Unauthorised
from clarion.base.ids import DeviceId
from clarion.doors.devices.ports import Guest, Visit
from clarion.doors.devices.session.tools import VOLUME
from clarion.people.model import Device
from clarion.people.ports import PeopleStore


@dataclass(frozen=True, slots=True)
class TokenDoorman:
    """Admits a device with its token, a person's own device in the console, and our gateway."""

    access: Access
    people: PeopleStore
    device_of_hardware: Callable[[str], Awaitable[Device | None]]
    gateway_token: str
    """Empty: we have no gateway."""

    async def admit(self, visit: Visit) -> Guest | None:
        device = await self._device_of(visit)
        if device is None or not device.enabled or device.user_id is None:
            return None
        owner = await self.people.user(device.user_id)
        if owner is None:
            return None
        tools, volume = device.facts.get("tools"), device.facts.get(VOLUME)
        return Guest(
            device.id,
            device.user_id,
            owner.language,
            frozenset(tools if isinstance(tools, list) else ()),
            volume if isinstance(volume, int) else None,
        )

    async def _device_of(self, visit: Visit) -> Device | None:
        if visit.is_gateway and self._is_our_gateway(visit.token):
            return await self.device_of_hardware(visit.hardware.lower())
        try:
            who = await self.access.recognise(visit.token or visit.cookie)
        except Unauthorised:
            return None
        if who.client_id is not None:
            return None  # an assistant is no device
        if who.device_id is not None:
            return await self.people.device(who.device_id)
        device = await self.people.device(DeviceId(visit.hardware))
        if device is None or not (who.is_admin or device.user_id == who.user_id):
            return None
        return device

    def _is_our_gateway(self, token: str) -> bool:
        secret = self.gateway_token
        return bool(secret) and hmac.compare_digest(token.encode(), secret.encode())
