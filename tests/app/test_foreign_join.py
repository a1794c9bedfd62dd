"""A client that nobody here wrote joins a whole Clarion, is rung and says yes."""

import hashlib
import hmac
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from tests.app.test_devices import ANA, Home, home
from tests.support.foreign import MINIMAL, foreign

pytestmark = pytest.mark.timeout(90)

MAC = "24:0a:c4:1d:9e:f0"
UUID = "6a0c4a44-6f5c-4d35-9f0c-3b7f2a1b0c9d"
SHOWN = {"Device-Id": MAC, "Client-Id": UUID, "Accept-Language": "zh-CN"}
OLD = {
    "flash_size": 16777216,
    "minimum_free_heap_size": 8318916,
    "mac_address": MAC,
    "chip_model_name": "esp32s3",
    "application": {"name": "xiaozhi", "version": "0.9.9"},
    "partition_table": [],
    "ota": {"label": "factory"},
}
NEW = {
    **OLD,
    "version": 2,
    "language": "zh-CN",
    "uuid": UUID,
    "chip_info": {"model": 9, "cores": 2},
    "application": {"name": "xiaozhi", "version": "2.4.2", "idf_version": "v5.4"},
    "board": {"type": "bread-compact-wifi", "ssid": "home", "rssi": -58, "mac": MAC},
}


async def boot(at: Home, body: Any, headers: dict[str, str], path: str = "/ota/") -> Any:
    async with httpx.AsyncClient(base_url=at.http.base_url) as outside:
        outside.headers["User-Agent"] = "esp-box/1.2.3"
        answer = await outside.post(path, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def activated(at: Home, challenge: str, headers: dict[str, str]) -> int:
    """As a device with a serial number proves itself; ours needs no such proof."""
    proof = hmac.new(b"its own key", challenge.encode(), hashlib.sha256).hexdigest()
    body = {
        "algorithm": "hmac-sha256",
        "serial_number": "SN1",
        "challenge": challenge,
        "hmac": proof,
    }
    async with httpx.AsyncClient(base_url=at.http.base_url) as outside:
        answer = await outside.post(
            "/ota/activate", json=body, headers={**headers, "Activation-Version": "2"}
        )
    return answer.status_code


@pytest.mark.parametrize(
    ("body", "headers", "path"),
    [
        (NEW, {**SHOWN, "User-Agent": "bread-compact-wifi/2.4.2"}, "/ota/"),
        (OLD, {"device-id": MAC.upper(), "client-id": UUID}, "/xiaozhi/ota/"),
        ({"mac_address": MAC, "uuid": UUID}, {}, "/ota"),
        ({}, {**SHOWN, "Activation-Version": "1"}, "/xiaozhi/ota"),
    ],
    ids=["new firmware", "old firmware", "no headers", "empty body"],
)
async def test_a_foreign_client_joins_is_rung_and_confirms(
    tmp_path: Path, body: Any, headers: dict[str, str], path: str
) -> None:
    async with home(tmp_path) as at:
        asked = await boot(at, body, headers, path)
        shown = headers or SHOWN
        waits = await activated(at, asked["activation"]["challenge"], shown)
        await at.post(f"/devices/activations/{asked['activation']['code']}", {"user_id": ANA})
        done = await activated(at, asked["activation"]["challenge"], shown)
        told = await boot(at, body, headers, path)
        url, token = told["websocket"]["url"], told["websocket"]["token"]
        async with foreign(url, MINIMAL, Authorization=f"Bearer {token}", Device_Id=MAC) as client:
            reminder = await at.remind("吃药", confirmation={"required": True})
            said = (await client.a("tts", "sentence_start"))["text"]
            await client.a("tts", "stop")
            await client.say(type="listen", state="detect", text="吃过了")
            await client.a("tts", "sentence_start")

        assert (waits, done) == (202, 200)
        assert "activation" not in told
        assert told["firmware"]["version"] == body.get("application", {}).get("version", "1.2.3")
        assert "药" in said
        assert (await at.get(f"/reminders/{reminder}"))["status"] == "confirmed"


async def test_the_first_token_is_good_once_somebody_said_yes(tmp_path: Path) -> None:
    async with home(tmp_path) as at:
        asked = await boot(at, NEW, SHOWN)
        url, bearer = asked["websocket"]["url"], f"Bearer {asked['websocket']['token']}"
        with pytest.raises(InvalidStatus) as refused:
            async with foreign(url, MINIMAL, Authorization=bearer):
                pass
        await at.post(f"/devices/activations/{asked['activation']['code']}", {"user_id": ANA})

        async with foreign(url, MINIMAL, Authorization=bearer) as client:
            assert client.messages[0]["transport"] == "websocket"

    assert refused.value.response.status_code == 401


async def test_a_page_of_another_site_that_we_know_may_be_a_device(tmp_path: Path) -> None:
    asks = {"Origin": "http://elsewhere.test", "Access-Control-Request-Method": "POST"}
    async with home(tmp_path, allowed_hosts=("elsewhere.test",)) as at:
        allowed = await at.http.request("OPTIONS", "/ota/", headers=asks)
        answer = await at.http.post("/ota/", json=NEW, headers={**SHOWN, **asks})

    assert allowed.is_success
    assert answer.headers["access-control-allow-origin"] == "*"
