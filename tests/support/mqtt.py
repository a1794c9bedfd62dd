"""A device on an MQTT broker that keeps to our topics: a display with a button."""

import asyncio
import json
import socket
from contextlib import AsyncExitStack, suppress
from typing import Any

import aiomqtt

from clarion.doors.devices.wire.mqtt import NODELAY


class MqttDevice:
    """`async with MqttDevice(port, "dev_x") as device`. `pull_the_plug` dies without goodbye."""

    def __init__(self, port: int, device_id: str, *, firmware: str = "") -> None:
        self._port = port
        self._base = f"clarion/devices/{device_id}"
        self._firmware = firmware
        self._stack = AsyncExitStack()
        self._plugged = True
        self._client: aiomqtt.Client | None = None
        self._reading: asyncio.Task[None] | None = None
        self.messages: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    async def __aenter__(self) -> "MqttDevice":
        will = aiomqtt.Will(f"{self._base}/status", '{"online":false}', qos=1, retain=True)
        self._client = await self._stack.enter_async_context(
            aiomqtt.Client("127.0.0.1", self._port, will=will, socket_options=NODELAY)
        )
        for what in ("wake", "hush", "say"):
            await self._client.subscribe(f"{self._base}/{what}", qos=1)
        status = {"online": True, "firmware": self._firmware}
        await self._client.publish(f"{self._base}/status", json.dumps(status), qos=1, retain=True)
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait([self._reading])
        with suppress(aiomqtt.MqttError):  # the broker is gone, or we pulled the plug ourselves
            if self._plugged and self._client is not None:
                # The broker forgets it: the next test begins with nobody there.
                await self._client.publish(f"{self._base}/status", b"", qos=1, retain=True)
            await self._stack.aclose()

    async def say(self, what: str, message: dict[str, Any]) -> None:
        assert self._client is not None
        await self._client.publish(f"{self._base}/{what}", json.dumps(message), qos=1)

    def pull_the_plug(self) -> None:
        assert self._client is not None
        found = self._client._client.socket()
        assert isinstance(found, socket.socket)
        self._plugged = False
        found.shutdown(socket.SHUT_RDWR)

    async def _read(self) -> None:
        assert self._client is not None
        try:
            async for message in self._client.messages:
                assert isinstance(message.payload, bytes)
                what = str(message.topic).rpartition("/")[2]
                self.messages.put_nowait((what, json.loads(message.payload)))
        except aiomqtt.MqttError:
            return
