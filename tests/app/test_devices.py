"""The whole of Clarion with a device: sounds, answers, talk, joining, stock firmware."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, UploadFile
from websockets.exceptions import InvalidStatus

from clarion.access.tokens import TokenKind
from clarion.app.build import build
from clarion.app.running import Clarion
from clarion.base.clock import SystemClock
from clarion.base.ids import DeviceId, UserId
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.settings import Settings
from clarion.voice import opus
from clarion.voice.espeak import Espeak
from clarion.voice.sound import Pcm
from tests.support.http import serving
from tests.support.mqtt import MqttDevice
from tests.support.server import free_port
from tests.support.services import MosquittoServer
from tests.support.stock import MAC, StockDevice

ANA = UserId("ana")

pytestmark = pytest.mark.timeout(120)  # these speak aloud, at the speed of speech


@dataclass(slots=True)
class Home:
    clarion: Clarion
    http: httpx.AsyncClient
    url: str

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = await self.http.post(f"/api/v1{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def get(self, path: str) -> Any:
        return (await self.http.get(f"/api/v1{path}")).raise_for_status().json()

    async def token(self, kind: TokenKind, **more: Any) -> str:
        access = self.clarion.parts.access
        assert access is not None
        return (await access.issue(kind, **more)).text

    async def a_device(self, device_id: str = "dev-kitchen", kind: str = "terminal") -> str:
        """Add it; its token."""
        await self.post("/devices", {"kind": kind, "id": device_id, "user_id": ANA})
        return await self.token(TokenKind.DEVICE, user_id=ANA, device_id=DeviceId(device_id))

    async def remind(self, content: str, **more: Any) -> str:
        at = SystemClock().now() + timedelta(milliseconds=200)
        body = {"user_id": ANA, "content": content, "trigger_at": at.isoformat(), **more}
        return str((await self.post("/reminders", body))["id"])


@asynccontextmanager
async def home(tmp_path: Path, **settings: Any) -> AsyncIterator[Home]:
    port = free_port()
    chosen = Settings(port=port, data_dir=tmp_path / "data", **settings)
    async with await build(chosen) as clarion:
        running = asyncio.create_task(clarion.run())
        await clarion.listening()
        assert clarion.parts.access is not None
        admin = (await clarion.parts.access.issue(TokenKind.ADMIN)).text
        headers = {"Authorization": f"Bearer {admin}"}
        base = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=base, headers=headers) as http:
            at = Home(clarion, http, f"ws://127.0.0.1:{port}/xiaozhi/v1/")
            await at.post("/users", {"id": ANA})
            yield at
        clarion.stop()
        with suppress(asyncio.CancelledError):
            await running


async def test_a_reminder_rings_and_is_confirmed(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        async with SimulatedDevice(at.url, SimulatedIdentity(token=token)) as device:
            reminder = await at.remind("吃药", confirmation={"required": True})
            await device.until(lambda it: it.said != [] and it.state == "idle")
            await device.type("吃过了")
            firmware = await device.until(lambda it: len(it.said) >= 2)

        assert "药" in firmware.said[0]
        assert firmware.complaints == []
        assert (await at.get(f"/reminders/{reminder}"))["status"] == "confirmed"


async def test_a_reminder_is_set_by_saying_so(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        async with SimulatedDevice(at.url, SimulatedIdentity(token=token)) as device:
            await device.type("明天早上8点提醒我给花浇水")
            firmware = await device.until(lambda it: it.said != [])
        listed = await at.get("/reminders?user_id=ana")

        assert "8" in firmware.said[0]
        assert [one["content"] for one in listed["items"]] == ["给花浇水"]
        assert listed["items"][0]["device_id"] == "dev-kitchen"


async def test_a_request_without_a_time_is_asked_back(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        async with SimulatedDevice(at.url, SimulatedIdentity(token=token)) as device:
            await device.type("提醒我给花浇水")
            firmware = await device.until(lambda it: it.said != [])

        assert firmware.said[0]
        assert (await at.get("/reminders?user_id=ana"))["items"] == []


async def test_small_talk_without_a_model_is_no_promise(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        async with SimulatedDevice(at.url, SimulatedIdentity(token=token)) as device:
            await device.type("今天真热啊")
            firmware = await device.until(lambda it: it.said != [])

        assert firmware.said == ["这个我还不会。"]


async def test_presence_is_in_the_devices_record(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        async with SimulatedDevice(at.url, SimulatedIdentity(token=token, mcp=True)) as device:
            await device.until(lambda it: len(it.messages) >= 3)
            await device.type("你好")
            await device.until(lambda it: it.said != [])
            there = await at.get("/devices/dev-kitchen")

        assert there["online"]
        assert there["last_seen"]
        assert "self.get_device_status" in there["facts"]["tools"]


@pytest.mark.parametrize("kind", ["user", "stranger", "revoked"])
async def test_only_its_own_token_opens_a_devices_line(tmp_path: Path, kind: str) -> None:
    async with home(tmp_path) as at:
        token = await at.a_device()
        if kind == "user":
            token = await at.token(TokenKind.USER, user_id=UserId("boris"))
        elif kind == "revoked":
            gone = await at.http.delete(f"/api/v1/tokens/{token.partition('.')[0]}")
            assert gone.is_success
        else:
            token = "tok_nobody.secret"

        with pytest.raises(InvalidStatus) as refused:
            await SimulatedDevice(
                at.url, SimulatedIdentity(token=token, device_id="dev-kitchen")
            ).open()

    assert refused.value.response.status_code == 401


async def test_a_persons_own_token_opens_their_browser_device(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        await at.a_device("dev-browser", "browser")
        token = await at.token(TokenKind.USER, user_id=ANA)
        identity = SimulatedIdentity(token=token, device_id="dev-browser", by_query=True)
        async with SimulatedDevice(at.url, identity) as device:
            await at.remind("喝水")
            await device.until(lambda it: it.said != [])


async def test_a_spoken_answer_is_understood(tmp_path: Path) -> None:
    service = FastAPI()

    @service.post("/v1/audio/transcriptions")
    async def transcriptions(file: UploadFile) -> dict[str, str]:
        return {"text": "我吃过了" if len(await file.read()) > 10_000 else ""}

    with ThreadPoolExecutor(1) as threads:
        spoken = Espeak(threads).say_now("我已经吃过药了", "zh")
    quiet = Pcm(spoken.samples + bytes(spoken.rate * 3), spoken.rate)
    async with (
        serving(service) as url,
        home(tmp_path, transcription_url=f"{url}/v1") as at,
    ):
        token = await at.a_device()
        device = SimulatedDevice(at.url, SimulatedIdentity(token=token), auto_listen=True)
        async with device:
            reminder = await at.remind("吃药", confirmation={"required": True})
            await device.until(lambda it: it.said != [] and it.state == "listening")
            for packet in opus.encode(quiet, 16_000, 60):
                await device.send_sound(packet)
            firmware = await device.until(lambda it: len(it.said) >= 2)

        understood = [one["text"] for one in firmware.messages if one["type"] == "stt"]
        assert understood == ["我吃过了"]
        assert (await at.get(f"/reminders/{reminder}"))["status"] == "confirmed"


async def test_stock_firmware_joins_and_is_alerted_on_time(tmp_path: Path) -> None:
    port = free_port()
    async with home(tmp_path, device_mqtt_port=port, device_udp_port=0) as at:
        headers = {"Device-Id": MAC, "Client-Id": "c1"}
        body = {"application": {"version": "2.4.2"}}
        code = (await at.http.post("/ota/", headers=headers, json=body)).json()["activation"]
        await at.post(f"/devices/activations/{code['code']}", {"user_id": ANA, "name": "客厅"})
        told = (await at.http.post("/ota/", headers=headers, json=body)).json()["mqtt"]

        async with StockDevice(port, told["password"]) as device:
            await at.remind("喝水", confirmation={"required": True})
            alert = await device.idle_messages.get()
            await device.open_session()
            assert device.phone is not None
            device.phone.say(b"\xf8\xff\xfe")
            firmware = await device.until(lambda it: it.said != [] and it.state == "listening")

        assert told["endpoint"] == f"127.0.0.1:{port}"
        assert (alert["type"], "水" in alert["message"]) == ("alert", True)
        assert "水" in firmware.said[0]
        assert device.phone.complaints == []


async def test_a_display_may_answer_long_after_it_took_the_ring(
    tmp_path: Path, mosquitto: MosquittoServer
) -> None:
    async with home(tmp_path, mqtt_url=mosquitto.url) as at:
        await at.a_device("dev-display", "mqtt")
        async with MqttDevice(mosquitto.port, "dev-display") as device:
            reminder = await at.remind("吃药", confirmation={"required": True})
            _, wake = await device.messages.get()
            await device.say("taken", {"ring": wake["ring"]})
            while "ring.heard" not in str(await at.get(f"/reminders/{reminder}/history")):
                await asyncio.to_thread(int)
            await device.say("answer", {"ring": wake["ring"], "text": "吃过了"})
            await device.messages.get()

        assert (await at.get(f"/reminders/{reminder}"))["status"] == "confirmed"


async def test_a_display_on_a_broker_is_told_and_its_button_confirms(
    tmp_path: Path, mosquitto: MosquittoServer
) -> None:
    async with home(tmp_path, mqtt_url=mosquitto.url) as at:
        await at.a_device("dev-display", "mqtt")
        async with MqttDevice(mosquitto.port, "dev-display") as device:
            reminder = await at.remind("吃药", confirmation={"required": True})
            what, wake = await device.messages.get()
            await device.say("taken", {"ring": wake["ring"]})
            await device.say("answer", {"ring": wake["ring"], "button": "confirm"})
            await device.messages.get()

        assert what == "wake"
        assert "药" in wake["text"]
        assert (await at.get(f"/reminders/{reminder}"))["status"] == "confirmed"
