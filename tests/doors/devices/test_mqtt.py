import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from clarion.base.clock import SystemClock
from clarion.base.ids import DeviceId
from clarion.base.loop import Loop
from clarion.base.place import Place, Position
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.devices.wire.mqtt import Broker, BrokerAddress
from clarion.doors.devices.wire.topics import Answered, DeviceStatus, Positioned, RingTaken, Topics
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import RingId
from tests.support.devices import SPEAKER, TOKEN, Door, a_device, a_ring, devices_door
from tests.support.mqtt import MqttDevice
from tests.support.services import MosquittoServer

ONLINE = ("online", f"{SPEAKER} mqtt")


@dataclass(slots=True)
class Post:
    door: Door
    broker: Broker


@asynccontextmanager
async def post_office(
    url: str, patience: float = 8.0, positions: Sequence[Any] = ()
) -> AsyncIterator[Post]:
    async with devices_door(patience=patience) as door:
        address = BrokerAddress(url)
        clock = SystemClock()
        broker = Broker(
            address, door.facts, door.presence, door.directory, clock, positions=positions
        )
        broker.arrived = door.wakes.arrived
        door.wakes.drivers.append(broker)
        running = asyncio.create_task(Loop(broker, SystemClock()).run())
        async with asyncio.timeout(30):
            await broker.connected.wait()
        try:
            yield Post(door, broker)
        finally:
            await broker.close()
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


@pytest.mark.parametrize(
    ("what", "payload", "meant"),
    [
        ("status", b"online", DeviceStatus(SPEAKER, True, {})),
        ("status", b'{"online":false}', DeviceStatus(SPEAKER, False, {})),
        (
            "status",
            b'{"online":true,"firmware":"1.2"}',
            DeviceStatus(SPEAKER, True, {"firmware": "1.2"}),
        ),
        ("status", b'{"online":"maybe"}', None),
        ("taken", b'{"ring":"r:1"}', RingTaken(SPEAKER, RingId("r:1"))),
        ("answer", b'{"ring":"r:1","text":" yes "}', Answered(SPEAKER, RingId("r:1"), "yes")),
        (
            "answer",
            b'{"ring":"r:1","button":"confirm"}',
            Answered(SPEAKER, RingId("r:1"), button="confirm"),
        ),
        ("answer", b'{"ring":"r:1","button":"explode"}', None),
        ("answer", b"[" * 9_000, None),
        ("answer", b"not json", None),
        ("wake", b'{"ring":"r:1"}', None),
        (
            "position",
            b'{"latitude":31.2,"longitude":121.5,"at":"2026-01-01T00:00:00+00:00","accuracy_m":9}',
            Positioned(SPEAKER, Place(31.2, 121.5), datetime(2026, 1, 1, tzinfo=UTC), 9.0),
        ),
        ("position", b'{"latitude":1,"longitude":2}', Positioned(SPEAKER, Place(1, 2), None, None)),
        ("position", b'{"latitude":91,"longitude":2}', None),
        ("position", b'{"latitude":NaN,"longitude":2}', None),
        ("position", b'{"latitude":1,"longitude":2,"at":"2026-01-01T00:00:00"}', None),
        ("position", b'{"latitude":true,"longitude":2}', None),
    ],
)
def test_topics_are_read(what: str, payload: bytes, meant: object) -> None:
    assert Topics().read(f"clarion/devices/{SPEAKER}/{what}", payload) == meant


async def test_presence_comes_and_goes_with_the_last_will(mosquitto: MosquittoServer) -> None:
    async with post_office(mosquitto.url) as post:
        async with MqttDevice(mosquitto.port, SPEAKER, firmware="3.1") as device:
            await post.door.facts.until(ONLINE)
            device.pull_the_plug()
            await post.door.facts.until_offline(SPEAKER)

        assert {"firmware": "3.1"} in post.door.directory.learnt


async def test_a_server_that_starts_later_knows_who_is_there(mosquitto: MosquittoServer) -> None:
    async with MqttDevice(mosquitto.port, SPEAKER), post_office(mosquitto.url) as post:
        await post.door.facts.until(ONLINE)


async def test_a_position_is_told_with_its_time(mosquitto: MosquittoServer) -> None:
    heard: asyncio.Queue[tuple[DeviceId, Position]] = asyncio.Queue()

    async def told(device_id: DeviceId, position: Position) -> None:
        heard.put_nowait((device_id, position))

    async with (
        post_office(mosquitto.url, positions=[told]) as post,
        MqttDevice(mosquitto.port, "dev_stranger") as stranger,
        MqttDevice(mosquitto.port, SPEAKER) as device,
    ):
        await post.door.facts.until(ONLINE)
        await stranger.say("position", {"latitude": 1, "longitude": 1})
        at = "2026-01-01T00:00:00+00:00"
        await device.say("position", {"latitude": 31.2, "longitude": 121.5, "at": at})
        async with asyncio.timeout(30):
            device_id, position = await heard.get()

    assert (device_id, position.place) == (SPEAKER, Place(31.2, 121.5))
    assert position.at.isoformat() == at
    assert heard.empty()


async def test_nobodys_device_is_not_ours(mosquitto: MosquittoServer) -> None:
    async with (
        post_office(mosquitto.url) as post,
        MqttDevice(mosquitto.port, "dev_stranger"),
        MqttDevice(mosquitto.port, SPEAKER),
    ):
        await post.door.facts.until(ONLINE)

        assert DeviceId("dev_stranger") not in post.door.facts.online


async def test_a_woken_device_opens_a_session_and_is_told(mosquitto: MosquittoServer) -> None:
    async with post_office(mosquitto.url) as post, MqttDevice(mosquitto.port, SPEAKER) as device:
        await post.door.facts.until(ONLINE)

        await post.door.ring(a_ring())
        what, message = await device.messages.get()
        async with SimulatedDevice(post.door.url, SimulatedIdentity(token=TOKEN)) as line:
            firmware = await line.until(lambda it: it.said != [] and it.state == "idle")

        assert (what, message["ring"], message["confirm"]) == ("wake", "rem_1:1", True)
        assert firmware.said == ["该吃第1片药了"]
        assert len(post.door.wakes) == 0
        assert not [one for one in post.door.facts.happened if one[0] == "unreachable"]


async def test_a_display_shows_it_and_its_button_confirms(mosquitto: MosquittoServer) -> None:
    async with post_office(mosquitto.url) as post, MqttDevice(mosquitto.port, SPEAKER) as device:
        await post.door.facts.until(ONLINE)

        await post.door.ring(a_ring())
        await device.messages.get()
        await device.say("taken", {"ring": "rem_1:1"})
        await post.door.facts.until(("delivered", "rem_1:1"), ("heard", "rem_1:1"))
        await device.say("answer", {"ring": "rem_1:1", "text": "吃过了"})

        assert await device.messages.get() == ("say", {"text": "好的，记下了。"})
        assert post.door.facts.waiting == {}


async def test_nobody_answers_for_another_device(mosquitto: MosquittoServer) -> None:
    async with (
        post_office(mosquitto.url) as post,
        MqttDevice(mosquitto.port, SPEAKER),
        MqttDevice(mosquitto.port, "dev_2") as other,
    ):
        post.door.directory.devices[DeviceId("dev_2")] = a_device("dev_2")
        await post.door.facts.until(ONLINE)
        await post.door.ring(a_ring())

        await other.say("answer", {"ring": "rem_1:1", "text": "吃过了"})
        await other.say("status", {"online": False})
        await other.say("status", {"online": True})
        await post.door.facts.until(("online", "dev_2 mqtt"))

        assert list(post.door.facts.waiting) == ["rem_1:1"]


async def test_a_device_that_opens_no_session_was_not_reached(mosquitto: MosquittoServer) -> None:
    async with (
        post_office(mosquitto.url, patience=0.2) as post,
        MqttDevice(mosquitto.port, SPEAKER) as device,
    ):
        await post.door.facts.until(ONLINE)

        await post.door.ring(a_ring())
        await device.messages.get()

        await post.door.facts.until(("unreachable", "rem_1:1 not_woken"))


async def test_a_device_that_is_not_there_is_unreachable_at_once(
    mosquitto: MosquittoServer,
) -> None:
    async with post_office(mosquitto.url) as post:
        with pytest.raises(Unreachable):
            await post.door.ring(a_ring())


async def test_a_settled_ring_is_hushed(mosquitto: MosquittoServer) -> None:
    async with post_office(mosquitto.url) as post, MqttDevice(mosquitto.port, SPEAKER) as device:
        await post.door.facts.until(ONLINE)
        await post.door.ring(a_ring())
        await device.messages.get()

        await post.door.channel.hush(a_device(), RingId("rem_1:1"))

        assert await device.messages.get() == ("hush", {"ring": "rem_1:1"})
        assert len(post.door.wakes) == 0


@pytest.mark.timeout(120)
async def test_presence_is_right_ten_seconds_after_the_broker_was_killed(
    mosquitto: MosquittoServer,
) -> None:
    async with post_office(mosquitto.url) as post:
        post.door.directory.devices[DeviceId("dev_2")] = a_device("dev_2")
        async with MqttDevice(mosquitto.port, SPEAKER), MqttDevice(mosquitto.port, "dev_2"):
            await post.door.facts.until(ONLINE, ("online", "dev_2 mqtt"))

            mosquitto.kill()
            mosquitto.start()

        async with asyncio.timeout(10), MqttDevice(mosquitto.port, SPEAKER):
            await post.door.facts.until_offline(DeviceId("dev_2"))
            await post.broker.connected.wait()

            assert post.door.facts.online == {SPEAKER: True, DeviceId("dev_2"): False}
            assert post.broker.reaches(a_device())
