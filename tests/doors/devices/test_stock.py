"""Stock firmware on our own MQTT endpoint: words over MQTT, sound over encrypted UDP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import aiomqtt
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clarion.doors.devices.wire import packets
from clarion.doors.devices.wire.packets import BadPacket, Connect, PingRequest, Publish, Subscribe
from clarion.doors.devices.wire.stock import (
    SoundShelf,
    StockDriver,
    StockEndpoint,
    firmware_of,
    hardware_of,
    mqtt_part,
    sound_routes,
)
from clarion.doors.devices.wire.udp import HEADER, UdpCall
from tests.support.devices import SPEAKER, TOKEN, Door, a_device, a_ring, devices_door
from tests.support.stock import MAC, StockDevice


class Whisper:
    async def ogg(self, text: str, language: str) -> bytes:
        return b"OggS" + text.encode()


@dataclass(slots=True)
class Post:
    door: Door
    endpoint: StockEndpoint
    shelf: SoundShelf


@asynccontextmanager
async def endpoint() -> AsyncIterator[Post]:
    async with devices_door(patience=1.0) as door:
        stock = StockEndpoint(door.reception, "127.0.0.1", 0, 0, "")
        shelf = SoundShelf(Whisper(), "", int(door.url.split(":")[2].partition("/")[0]))
        door.app.include_router(sound_routes(shelf))
        leftovers = door.registry.leftovers
        driver = StockDriver(stock, door.facts, shelf, leftovers, door.wakes.arrived)
        door.wakes.drivers.append(driver)
        running = asyncio.create_task(stock.run())
        await stock.listening.wait()
        try:
            yield Post(door, stock, shelf)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


async def test_a_session_over_mqtt_and_udp_tells_and_takes_the_answer() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        ring = a_ring()
        post.door.facts.waiting[ring.id] = ring
        await device.open_session()
        assert device.phone is not None
        device.phone.say(b"first sound from the microphone")
        await device.until(lambda it: it.said != [] and it.state == "listening")

        await device.send({"type": "listen", "state": "detect", "text": "吃过了"})
        firmware = await device.until(lambda it: "好的，记下了。" in it.said)

        assert [packet[0] for packet in firmware.packets[:3]] == [0, 1, 2]
        assert device.phone.complaints == firmware.complaints == []
        assert post.door.facts.waiting == {}


async def test_no_sound_is_sent_before_the_devices_first_datagram() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        ring = a_ring()
        post.door.facts.waiting[ring.id] = ring
        await device.open_session()
        await device.send({"type": "ping"})
        await device.until(lambda it: it.messages != [])
        assert device.firmware.said == []

        assert device.phone is not None
        device.phone.say(b"now you know where I am")
        firmware = await device.until(lambda it: len(it.packets) == 3)

        assert firmware.dropped == 0


async def test_an_idle_device_is_shown_an_alert_and_its_next_session_is_told() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        await post.door.facts.until(("online", f"{SPEAKER} stock"))

        await post.door.ring(a_ring())
        alert = await device.idle_messages.get()
        await post.door.facts.until(("delivered", "rem_1:1"))
        await device.open_session()
        await device.send({"type": "listen", "state": "detect", "text": "你好小智"})
        assert device.phone is not None
        device.phone.say(b"sound")
        firmware = await device.until(lambda it: it.said != [])

        assert (alert["type"], alert["status"], alert["message"]) == (
            *("alert", "提醒"),
            "该吃第1片药了",
        )
        assert alert["emotion"]
        assert firmware.said == ["该吃第1片药了"]
        assert not [one for one in post.door.facts.happened if one[0] == "unreachable"]


async def test_newer_firmware_fetches_what_it_plays() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        await post.door.facts.until(("online", f"{SPEAKER} stock"))
        newer = a_device(facts={"firmware": "2.5.1"})

        await post.door.ring(a_ring(device=newer))
        notice = await device.idle_messages.get()
        async with httpx.AsyncClient(timeout=30) as http:
            sound = await http.get(notice["audio_url"])
            guessed = await http.get(notice["audio_url"].replace(".ogg", "x.ogg"))

        assert notice["type"] == "notify"
        assert sound.content == b"OggS" + "该吃第1片药了".encode()
        assert guessed.status_code >= 400


async def test_firmware_with_the_tool_is_woken_into_a_session() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        await post.door.facts.until(("online", f"{SPEAKER} stock"))
        patched = a_device(facts={"tools": ["self.remote_wakeup"]})

        await post.door.ring(a_ring(device=patched))
        call = (await device.idle_messages.get())["payload"]
        await device.open_session()
        reason = call["params"]["arguments"]["reason"]
        await device.send({"type": "listen", "state": "detect", "text": reason})
        assert device.phone is not None
        device.phone.say(b"sound")
        firmware = await device.until(lambda it: it.said != [])

        assert (call["params"]["name"], isinstance(call["id"], int)) == (
            "self.remote_wakeup",
            True,
        )
        assert firmware.said == ["该吃第1片药了"]


async def test_a_goodbye_ends_the_session_and_the_device_stays_there() -> None:
    async with endpoint() as post, StockDevice(post.endpoint.port, TOKEN) as device:
        await device.open_session()
        await device.send({"type": "goodbye", "session_id": device.firmware.session_id})
        await device.until(lambda it: it.state == "closed")
        await device.open_session()

        assert post.door.facts.online[SPEAKER]


async def test_presence_follows_the_connection() -> None:
    async with endpoint() as post:
        async with StockDevice(post.endpoint.port, TOKEN):
            await post.door.facts.until(("online", f"{SPEAKER} stock"))
        await post.door.facts.until_offline(SPEAKER)


async def test_a_stranger_is_refused() -> None:
    async with endpoint() as post:
        with pytest.raises(aiomqtt.MqttError):
            await StockDevice(post.endpoint.port, "nonsense").__aenter__()


async def test_noise_on_the_port_harms_nobody() -> None:
    async with endpoint() as post:
        for noise in (b"GET / HTTP/1.1\r\n\r\n", b"\x10\xff\xff\xff\xff\xff", b"\x30\x03\x00\x63a"):
            reader, writer = await asyncio.open_connection("127.0.0.1", post.endpoint.port)
            writer.write(noise)
            with suppress(ConnectionError):
                await reader.read()
            writer.close()

        async with StockDevice(post.endpoint.port, TOKEN) as device:
            await device.open_session()


async def test_old_doubled_and_lying_datagrams_are_dropped() -> None:
    heard: list[bytes] = []
    call = UdpCall(7, lambda _data, _address: None)
    call.heard = heard.append

    def datagram(sequence: int, size: int = 3) -> bytes:
        return HEADER.pack(1, 0, size, 7, 0, sequence) + b"abc"

    for sent in (datagram(2), datagram(2), datagram(1), datagram(3, size=9), datagram(4)):
        call.receive(sent, ("127.0.0.1", 9))

    assert len(heard) == 2


def test_what_a_device_is_told_fits_into_its_flash() -> None:
    part = mqtt_part("home:1883", MAC, "c1", "tok_1.secret")

    assert max(map(len, part)) <= 15
    assert hardware_of(part["client_id"]) == MAC
    assert part["keepalive"] == 60


@pytest.mark.parametrize(
    ("firmware", "read"), [("2.4.2", (2, 4, 2)), ("", (0,)), ("2.5.0-rc1", (2, 5)), (None, (0,))]
)
def test_firmware_versions_are_compared_as_numbers(firmware: Any, read: tuple[int, ...]) -> None:
    assert firmware_of(a_device(facts={"firmware": firmware})) == read


def test_packets_are_read_as_the_standard_writes_them() -> None:
    connect = bytes.fromhex("00044d51545404c2003c") + b"\0\x02id\0\x04user\0\x04word"

    assert packets.read_packet(0x10, connect) == Connect("id", "user", "word", 60)
    assert packets.read_packet(0x30, b"\0\x01thi") == Publish("t", b"hi")
    assert packets.read_packet(0x32, b"\0\x01t\0\x07hi") == Publish("t", b"hi", 7)
    assert packets.read_packet(0x82, b"\0\x09\0\x01t\0") == Subscribe(9, 1)
    assert packets.read_packet(0xC0, b"") == PingRequest()


@pytest.mark.parametrize(
    ("size", "written"), [(0, "00"), (127, "7f"), (128, "8001"), (16_384, "808001")]
)
def test_lengths_are_written_as_the_standard_does(size: int, written: str) -> None:
    assert packets.length(size).hex() == written


@given(st.integers(0, 255), st.binary(max_size=80))
def test_no_bytes_break_the_packet_reader(first: int, body: bytes) -> None:
    with suppress(BadPacket):
        packets.read_packet(first, body)
