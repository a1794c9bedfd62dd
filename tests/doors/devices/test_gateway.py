import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi import FastAPI, Request, Response

from clarion.base.clock import ManualClock, SystemClock
from clarion.doors.devices.session.limits import SessionLimits
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wire.gateway import Gateway, GatewayAddress, client_id, mqtt_part
from clarion.doors.devices.wire.pacing import LEAD
from clarion.reminders.errors import Unreachable
from tests.support.clock import START
from tests.support.devices import SPEAKER, TOKEN, Door, a_device, a_ring, devices_door
from tests.support.http import serving

KEY = "signature key"
CLIENT = client_id("aa:bb:cc:dd:ee:ff", "c1")
BEHIND = a_device(facts={"mqtt_client": CLIENT})


@dataclass(slots=True)
class FakeGateway:
    """Speaks the gateway's management interface, and opens the socket for its device."""

    door: Door
    device_is_there: bool = True
    commands: list[dict[str, Any]] = field(default_factory=list)
    refused: int = 0
    lines: list[SimulatedDevice] = field(default_factory=list)

    def app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/api/commands/{client}")
        async def command(client: str, request: Request) -> Response:
            good = "Bearer " + GatewayAddress("", KEY).bearer(ManualClock(START))
            if request.headers["authorization"] != good:
                self.refused += 1
                return Response(status_code=401)
            if client != CLIENT or not self.device_is_there:
                return Response(status_code=404)
            message = await request.json()
            self.commands.append(message)
            await self.open_line(message["payload"]["params"]["arguments"]["reason"])
            return Response('{"success":true}')

        return app

    async def open_line(self, reason: str) -> None:
        identity = SimulatedIdentity(
            token="nonsense",
            version=2,
            query=f"from=mqtt_gateway&authorization={TOKEN}",
            persistent=False,
        )
        line = SimulatedDevice(self.door.url, identity)
        self.lines.append(line)
        await line.open()
        await line.type(reason)


@asynccontextmanager
async def gateway(key: str = KEY) -> AsyncIterator[FakeGateway]:
    async with devices_door(patience=0.5, limits=SessionLimits(window=1.0)) as door:
        fake = FakeGateway(door)
        async with serving(fake.app()) as url:
            driver = Gateway(GatewayAddress(url, key), ManualClock(START))
            door.wakes.drivers.append(driver)
            try:
                yield fake
            finally:
                await driver.close()
                for line in fake.lines:
                    await line.close()


async def test_a_device_behind_the_gateway_is_woken_and_told() -> None:
    async with gateway() as fake:
        await fake.door.ring(a_ring(device=BEHIND))
        await fake.door.facts.until(("delivered", "rem_1:1"))
        firmware = await fake.lines[0].until(lambda it: it.said != [] and it.state == "idle")

        payload = fake.commands[0]["payload"]
        assert payload["params"] == {
            "name": "self.remote_wakeup",
            "arguments": {"reason": "clarion rem_1:1"},
        }
        assert isinstance(payload["id"], int)
        assert firmware.said == ["该吃第1片药了"]
        assert ("online", f"{SPEAKER} gateway") in fake.door.facts.happened
        assert not [one for one in fake.door.facts.happened if one[0] == "answered"]


async def test_words_are_ahead_of_sound_that_goes_another_way() -> None:
    """Behind the gateway words go over MQTT and sound over UDP, which is faster: firmware drops
    every packet that comes before its `tts start`.
    """
    started: list[float] = []
    clock = SystemClock()

    def note(message: dict[str, Any]) -> None:
        if message.get("state") == "start":
            started.append(clock.monotonic())

    identity = SimulatedIdentity(
        token="nonsense", version=2, query=f"from=mqtt_gateway&authorization={TOKEN}"
    )
    async with (
        devices_door() as door,
        SimulatedDevice(door.url, identity, clock=clock, on_message=note) as device,
    ):
        await door.ring(a_ring())
        firmware = await device.until(lambda it: it.said != [] and it.state == "idle")

    assert firmware.arrivals[0] - started[0] > LEAD * 0.8
    assert firmware.dropped == 0


async def test_a_session_that_we_opened_is_closed_when_all_is_said() -> None:
    async with gateway() as fake:
        await fake.door.ring(a_ring(device=BEHIND))
        await fake.door.facts.until(("heard", "rem_1:1"))
        await fake.lines[0].type("吃过了")
        async with asyncio.timeout(30):
            await fake.lines[0].closed.wait()

        assert fake.lines[0].close_reason == "nothing more to say"


@pytest.mark.parametrize(("key", "there"), [(KEY, False), ("wrong key", True)])
async def test_a_device_that_the_gateway_does_not_reach_is_reported(key: str, there: bool) -> None:
    async with gateway(key) as fake:
        fake.device_is_there = there

        await fake.door.ring(a_ring(device=BEHIND))

        await fake.door.facts.until(("unreachable", "rem_1:1 not_woken"))


@pytest.mark.parametrize(
    "facts",
    [{}, {"mqtt_client": CLIENT, "tools": ["self.reboot"]}],
    ids=["not behind it", "firmware that cannot be woken"],
)
async def test_the_gateway_is_asked_only_for_devices_it_can_wake(facts: dict[str, Any]) -> None:
    async with gateway() as fake:
        with pytest.raises(Unreachable):
            await fake.door.ring(a_ring(device=a_device(facts=facts)))

        assert fake.commands == []


def test_a_device_gets_what_the_gateway_checks() -> None:
    part = mqtt_part(GatewayAddress("", KEY, "home:1883"), "aa:bb:cc:dd:ee:ff", "c1")

    assert part["client_id"] == "GID_clarion@@@aa_bb_cc_dd_ee_ff@@@c1"
    assert part["endpoint"] == "home:1883"
    assert part["subscribe_topic"] == "devices/p2p/aa_bb_cc_dd_ee_ff"
    assert len(part["password"]) == 44
    assert max(map(len, part)) <= 15
