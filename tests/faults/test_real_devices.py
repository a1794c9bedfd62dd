"""The whole way in real processes: a server, a device in a terminal, a reminder in two seconds."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.base.clock import SystemClock
from clarion.voice import opus
from tests.support.program import environment, served
from tests.support.sound import first_words, likeness

pytestmark = pytest.mark.timeout(120)  # it speaks in real time


class Api:
    """The first admin of a fresh server."""

    def __init__(self, url: str, token: str) -> None:
        base = url.partition("/login")[0]
        self.base = base
        self.http = httpx.Client(
            base_url=f"{base}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=10
        )

    def post(self, path: str, body: dict[str, Any]) -> Any:
        answer = self.http.post(path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, path: str) -> Any:
        return self.http.get(path).raise_for_status().json()

    def remind(self, content: str) -> str:
        at = SystemClock().now() + timedelta(seconds=2)
        made = self.post(
            "/reminders",
            {
                "user_id": "ana",
                "content": content,
                "trigger_at": at.isoformat(),
                "confirmation": {"required": True},
            },
        )
        return str(made["id"])


@contextmanager
def running(data_dir: Path) -> Iterator[Api]:
    with served(data_dir) as server:
        token = (data_dir / "token").read_text(encoding="utf-8").strip()
        api = Api(server.url, token)
        with api.http:
            api.post("/users", {"id": "ana"})
            yield api


@contextmanager
def terminal(data_dir: Path, *options: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", "clarion", "device", "--mute", *options],
        cwd=data_dir.parent,
        env=environment(data_dir) | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def line_with(process: "subprocess.Popen[str]", sign: str) -> str:
    assert process.stdout is not None
    return next(line.strip() for line in process.stdout if sign in line)


def type_in(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()


def likeness_to(told: str, wav: Path) -> float:
    """How much the recording is what espeak-ng makes of these words."""
    meant = first_words(told, "zh")
    return likeness(meant, opus.read_any(wav.read_bytes(), meant.rate))


def test_a_reminder_is_spoken_in_two_seconds_and_the_answer_confirms_it(tmp_path: Path) -> None:
    data_dir, wav = tmp_path / "data", tmp_path / "heard.wav"
    with running(data_dir) as api:
        api.post("/devices", {"kind": "terminal", "id": "dev-kitchen", "user_id": "ana"})
        made = api.post("/tokens", {"kind": "device", "device_id": "dev-kitchen", "user_id": "ana"})
        options = ("--server", api.base, "--token", made["token"], "--save", str(wav))
        with terminal(data_dir, *options, "--answer", "吃过了") as device:
            line_with(device, "connected")

            reminder = api.remind("吃药")
            told = line_with(device, "🔔").partition(" ")[2]
            line_with(device, "💬")  # it has heard all of it
            thanks = line_with(device, "🔔").partition(" ")[2]
            type_in(device, "/quit")
            device.wait(10)
        status = api.get(f"/reminders/{reminder}")["status"]

    assert "药" in told
    assert thanks
    assert status == "confirmed"
    assert likeness_to(told, wav) > 0.9


def test_a_new_device_joins_by_its_code(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with running(data_dir) as api:
        options = ("--server", api.base, "--state", str(tmp_path / "me.json"))
        with terminal(data_dir, *options) as device:
            code = line_with(device, "code").rstrip(".")[-6:]
            waiting = api.get("/devices/activations")
            api.post(f"/devices/activations/{code}", {"user_id": "ana", "name": "客厅"})
            line_with(device, "connected")

            reminder = api.remind("喝水")
            told = line_with(device, "🔔")
            type_in(device, "喝过了")
            line_with(device, "💬")
            line_with(device, "🔔")
        status = api.get(f"/reminders/{reminder}")["status"]
        devices = api.get("/devices?user_id=ana")["items"]

    assert [one["code"] for one in waiting["items"]] == [code]
    assert ("水" in told, status) == (True, "confirmed")
    assert [one["name"] for one in devices] == ["客厅"]
    assert json.loads((tmp_path / "me.json").read_text(encoding="utf-8"))["mac"]
