"""`clarion device`: a device in the terminal, with the firmware's strict rules."""

import asyncio
import json
import os
import stat
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TextIO

import click
import httpx
from websockets.exceptions import WebSocketException

from clarion.base.clock import Clock, SystemClock
from clarion.base.loop import Loop
from clarion.cli.client import address
from clarion.cli.common import config_option, load_settings, run
from clarion.doors.devices.simulator import (
    FirmwareCrash,
    NoChannel,
    SimulatedDevice,
    SimulatedIdentity,
)
from clarion.voice.loudspeaker import Loudspeaker, player_here

ASK_AGAIN_AFTER = timedelta(seconds=3)  # as firmware does while nobody has confirmed its code
COME_BACK_AFTER = timedelta(seconds=2)
HELP = "Type an answer and press Enter. /abort stops the voice, /quit leaves."


@click.command()
@click.option("--server", help="Address of Clarion; by default the one on this data directory.")
@click.option("--token", default="", envvar="CLARION_DEVICE_TOKEN", help="A device token.")
@click.option(
    "--state",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("data/terminal-device.json"),
    show_default=True,
    help="Where a device without a token keeps its identity.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the sound it receives to a WAV file.",
)
@click.option("--mute", is_flag=True, help="Play no sound.")
@click.option("--answer", default="", help="Answer the first reminder with this text.")
@click.option("--microphone", is_flag=True, help="Listen after each sentence, as a speaker does.")
@config_option
def device(
    server: str | None,
    token: str,
    state: Path,
    save: Path | None,
    mute: bool,
    answer: str,
    microphone: bool,
    config: Path | None,
) -> None:
    """A device in this terminal: it rings, speaks, and takes your answers from the keyboard.

    Without a token it joins like a new device: it shows a code, you confirm that code in the
    console.
    """
    speaker = Loudspeaker(None if mute else player_here(), save)
    found = server or address(load_settings(config))
    run(_live(Terminal(found.rstrip("/"), token, state, speaker, answer, microphone)))


@dataclass(slots=True)
class Terminal:
    """A `Pass`: one life of the line, and when to try again."""

    server: str
    token: str
    state: Path
    speaker: Loudspeaker
    answer: str
    microphone: bool
    clock: Clock = field(default_factory=SystemClock)
    name: str = "terminal device"
    line: SimulatedDevice | None = None
    _shown_code: str = ""

    async def run_once(self) -> datetime | None:
        try:
            identity, url = await self._who_am_i()
        except httpx.HTTPError as error:
            click.echo(f"cannot reach {self.server}: {error}")
            return self.clock.now() + COME_BACK_AFTER
        if not identity.token:
            return self.clock.now() + ASK_AGAIN_AFTER
        heard: asyncio.Queue[dict[str, Any] | bytes] = asyncio.Queue()
        self.line = SimulatedDevice(
            url,
            identity,
            auto_listen=self.microphone,
            on_message=heard.put_nowait,
            on_packet=heard.put_nowait,
        )
        try:
            await self.line.open()
        except (FirmwareCrash, NoChannel, OSError, WebSocketException) as error:
            click.echo(f"cannot connect: {error}")
            return self.clock.now() + COME_BACK_AFTER
        click.echo(f"connected to {self.server}. {HELP}")
        showing = asyncio.create_task(self._show(heard), name="device-show")
        await self.line.closed.wait()
        showing.cancel()
        click.echo(f"line closed {self.line.close_reason}".rstrip())
        return self.clock.now() + COME_BACK_AFTER

    async def _who_am_i(self) -> tuple[SimulatedIdentity, str]:
        if self.token:
            url = f"ws{self.server.removeprefix('http')}/xiaozhi/v1/"
            return SimulatedIdentity(token=self.token, device_id=_machine(self.token)), url
        kept = await asyncio.to_thread(_kept_self, self.state)
        headers = {
            "Device-Id": kept["mac"],
            "Client-Id": kept["client"],
            "User-Agent": "clarion-terminal/1.0.0",
        }
        async with httpx.AsyncClient(timeout=10) as http:
            reply = await http.post(f"{self.server}/ota/", headers=headers, json={})
            reply.raise_for_status()
        answer = reply.json()
        waits = "activation" in answer
        if waits:
            self._show_code(answer["activation"]["code"])
        token = "" if waits else answer["websocket"]["token"]
        identity = SimulatedIdentity(token=token, device_id=kept["mac"], client_id=kept["client"])
        return identity, answer["websocket"]["url"]

    def _show_code(self, code: str) -> None:
        if code != self._shown_code:
            click.echo(f"This device is new. Confirm it in the console with the code {code}.")
            self._shown_code = code

    async def _show(self, heard: "asyncio.Queue[dict[str, Any] | bytes]") -> None:
        one = await heard.get()
        while self.line is not None and one is not None:
            if isinstance(one, bytes):
                self.speaker.feed(one)
            else:
                await self._show_message(one)
            one = await heard.get()

    async def _show_message(self, message: dict[str, Any]) -> None:
        match message:
            case {"type": "tts", "state": "start"}:
                await self.speaker.begin()
            case {"type": "tts", "state": "sentence_start", "text": text}:
                click.echo(f"🔔 {text}")
            case {"type": "tts", "state": "stop"}:
                await self.speaker.end()
                await self._answer_by_itself()
            case {"type": "stt", "text": text}:
                click.echo(f"💬 {text}")
            case {"type": "alert", "status": status, "message": text}:
                click.echo(f"❗ {status}: {text}")
            case _:
                pass

    async def _answer_by_itself(self) -> None:
        answer, self.answer = self.answer, ""
        if answer and self.line is not None:
            await self.line.type(answer)


async def _live(terminal: Terminal) -> None:
    done = asyncio.Event()
    loop = Loop(terminal, terminal.clock)
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(loop.run(), name="device"),
            group.create_task(_keyboard(terminal, done.set), name="keyboard"),
        ]
        await done.wait()
        if terminal.line is not None:
            await terminal.line.close()
        for task in tasks:
            task.cancel()


async def _keyboard(terminal: Terminal, leave: Callable[[], None]) -> None:
    """Each line that is typed is an answer. An end of input changes nothing: nobody types."""
    async for text in _typed_lines():
        line = terminal.line
        if text == "/quit":
            leave()
        elif line is None or line.closed.is_set():
            click.echo("not connected")
        elif text == "/abort":
            await line.abort()
        elif text:
            await line.type(text)


def _can_be_typed_into(source: TextIO | None) -> bool:
    """A terminal or a pipe. The event loop would die of a device such as /dev/null."""
    if source is None or source.closed:
        return False
    mode = os.fstat(source.fileno()).st_mode
    return source.isatty() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


async def _typed_lines() -> AsyncIterator[str]:
    if not _can_be_typed_into(sys.stdin):
        return
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    try:
        await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    except (OSError, ValueError):
        return  # standard input is closed or a plain file
    async for line in reader:
        yield line.decode(errors="replace").strip()


def _machine(token: str) -> str:
    """An address that stays the same for the same token, as a MAC does for a device."""
    digits = uuid.uuid5(uuid.NAMESPACE_OID, token.partition(".")[0]).hex[:10]
    return ":".join(["02", *(digits[place : place + 2] for place in range(0, 10, 2))])


def _kept_self(path: Path) -> dict[str, str]:
    if path.exists():
        kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    made = {"mac": _machine(uuid.uuid4().hex), "client": str(uuid.uuid4())}
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(made, file)
    return made
