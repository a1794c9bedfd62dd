"""A real server whose machine's clock is set back and forward under it, by libfaketime."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from tests.support.program import served

pytestmark = pytest.mark.timeout(180)  # it speaks in real time

LIBRARIES = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
HOUR = 3_600


class Machine:
    """Its clock is this machine's, so many seconds off."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.is_off_by(0)

    @property
    def environ(self) -> dict[str, str]:
        assert LIBRARIES, "scripts/services.sh installs faketime"
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            # A clock that is set wrong is the wall's; what the kernel counts goes on.
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def is_off_by(self, seconds: int) -> None:
        self._file.write_text(f"{seconds:+d}\n", encoding="utf-8")


@contextmanager
def wrong_clocks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Machine, httpx.Client]]:
    machine = Machine(folder)
    for name, value in machine.environ.items():
        monkeypatch.setenv(name, value)
    with served(folder / "data") as server:
        for name in machine.environ:
            monkeypatch.delenv(name)
        token = (folder / "data" / "token").read_text(encoding="utf-8").strip()
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=f"{server.url}/api/v1", headers=headers, timeout=20) as http:
            yield machine, http


def post(http: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = http.post(path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


async def test_a_clock_that_jumps_back_and_forward_silences_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with wrong_clocks(tmp_path, monkeypatch) as (machine, http):
        post(http, "/users", {"id": "ana", "language": "en", "zone": "UTC"})
        post(http, "/devices", {"id": "desk", "kind": "terminal", "user_id": "ana"})
        made = post(http, "/tokens", {"kind": "device", "device_id": "desk", "user_id": "ana"})
        url = str(http.base_url).replace("http://", "ws://").removesuffix("/api/v1/")
        identity = SimulatedIdentity(token=made["token"])
        async with SimulatedDevice(f"{url}/xiaozhi/v1/", identity) as device:

            async def rings(content: str, when: str) -> None:
                text = f"remind me {when} to {content}"
                await asyncio.to_thread(
                    post, http, "/reminders/natural", {"text": text, "user_id": "ana"}
                )

            async def told(content: str) -> None:
                await device.until(
                    lambda it: any(content in one for one in it.said) and it.state == "idle"
                )

            await rings("drink tea", "in 1 second")
            await told("drink tea")
            machine.is_off_by(-600)  # ten minutes back
            await rings("turn off the gas", "in 1 second")
            await told("turn off the gas")
            await rings("call the doctor", "in 1 hour")
            machine.is_off_by(2 * HOUR)  # forward: what was due meanwhile is told
            await told("call the doctor")
            machine.is_off_by(0)  # and back
            await rings("lock the door", "in 1 second")
            await told("lock the door")
