"""Plays what a device says on this machine's loudspeaker, and saves it as a WAV file."""

import asyncio
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from pathlib import Path

from clarion.voice import opus
from clarion.voice.sound import Pcm

RATE = 24_000
CARDS = Path("/proc/asound/cards")
PLAYERS = (
    ("aplay", "-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(RATE)),
    ("paplay", "--raw", "--format=s16le", "--channels=1", f"--rate={RATE}"),
)


def player_here() -> tuple[str, ...] | None:
    """The command that plays samples on this machine; None where nothing could be heard."""
    if not CARDS.exists() or "no soundcards" in CARDS.read_text(encoding="utf-8"):
        return None
    return next((command for command in PLAYERS if shutil.which(command[0])), None)


class Loudspeaker:
    """One utterance after the other: `begin`, packets, `end`."""

    def __init__(self, player: tuple[str, ...] | None, save: Path | None) -> None:
        self._player = player
        self._save = save
        self._decoder: opus.Decoder | None = None
        self._samples = bytearray()
        self._process: Process | None = None

    async def begin(self) -> None:
        self._decoder = opus.Decoder(RATE)
        if self._player is not None:
            self._process = await asyncio.create_subprocess_exec(
                *self._player, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
            )

    def feed(self, packet: bytes) -> None:
        if self._decoder is None:
            return
        samples = self._decoder.decode(packet)
        self._samples += samples
        if self._process is not None and self._process.stdin is not None:
            with suppress(ConnectionError):
                self._process.stdin.write(samples)

    async def end(self) -> None:
        """Rewrite the file with everything said so far."""
        self._decoder = None
        if self._save is not None:
            content = opus.wav(Pcm(bytes(self._samples), RATE))
            await asyncio.to_thread(self._save.write_bytes, content)
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()
            await process.wait()
