"""How long a sleeping device on an MQTT broker waits for its wake-up, and for presence to mend.

`python -m benchmarks.mqtt_wake`. Starts a private mosquitto. The floor is a bare publish from one
client to another on the same broker.
"""

import asyncio
import time
from contextlib import suppress

import aiomqtt

from clarion.base.clock import SystemClock
from clarion.base.loop import Loop
from clarion.doors.devices.wire.mqtt import NODELAY, Broker, BrokerAddress
from tests.support.devices import SPEAKER, a_device, a_ring, devices_door
from tests.support.mqtt import MqttDevice
from tests.support.services import MosquittoServer

ROUNDS = 500


def show(name: str, values: list[float]) -> None:
    ordered = sorted(values)
    p99 = ordered[int(len(ordered) * 0.99)]
    print(f"{name:34}{ordered[len(ordered) // 2]:8.2f}{p99:8.2f}{ordered[-1]:8.2f}  ms")


async def floor(port: int) -> list[float]:
    took = []
    async with (
        aiomqtt.Client("127.0.0.1", port, socket_options=NODELAY) as first,
        aiomqtt.Client("127.0.0.1", port, socket_options=NODELAY) as second,
    ):
        await second.subscribe("floor", qos=1)
        messages = aiter(second.messages)
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            await first.publish("floor", "x", qos=1)
            await anext(messages)
            took.append((time.perf_counter() - begun) * 1000)
    return took


async def measure(mosquitto: MosquittoServer) -> None:
    print(f"{ROUNDS} wake-ups, QoS 1{'':16}{'p50':>8}{'p99':>8}{'max':>8}")
    async with devices_door() as door:
        address = BrokerAddress(mosquitto.url)
        broker = Broker(address, door.facts, door.presence, door.directory, SystemClock())
        door.wakes.drivers.append(broker)
        running = asyncio.create_task(Loop(broker, SystemClock()).run())
        took = []
        async with MqttDevice(mosquitto.port, SPEAKER) as device:
            await door.facts.until(("online", f"{SPEAKER} mqtt"))
            for number in range(ROUNDS):
                begun = time.perf_counter()
                await door.channel.ring(a_ring(number))
                await device.messages.get()
                took.append((time.perf_counter() - begun) * 1000)
                door.wakes.arrived(SPEAKER)
        show("ring to device", took)
        show("floor: bare publish", await floor(mosquitto.port))
        async with MqttDevice(mosquitto.port, SPEAKER):
            await door.facts.until_online(SPEAKER)
            begun = time.perf_counter()
            mosquitto.kill()
            mosquitto.start()
        await door.facts.until_offline(SPEAKER)
        print(f"broker killed, device gone: offline after {time.perf_counter() - begun:.1f} s")
        begun = time.perf_counter()
        async with MqttDevice(mosquitto.port, SPEAKER):
            await door.facts.until_online(SPEAKER)
            print(f"device back: reachable after {time.perf_counter() - begun:.1f} s")
            assert broker.reaches(a_device())
        await broker.close()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


def main() -> None:
    mosquitto = MosquittoServer()
    mosquitto.start()
    try:
        asyncio.run(measure(mosquitto))
    finally:
        mosquitto.remove()


if __name__ == "__main__":
    main()
