"""A device that connects before it has an owner: it gets its code and is disconnected."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from clarion.base.errors import ClarionError
from clarion.doors.devices.ports import Voice, Wire
from clarion.doors.devices.session import codec, messages, words
from clarion.doors.devices.session.actions import NORMAL, PROTOCOL_ERROR
from clarion.doors.devices.session.limits import SessionSettings
from clarion.doors.devices.wire.pacing import Playback


@dataclass(frozen=True, slots=True)
class NewcomerLine:
    voice: Voice
    settings: SessionSettings
    language: str
    session_id: str

    async def serve(self, wire: Wire, incoming: AsyncIterator[str | bytes], code: str) -> None:
        """The code is shown and spoken once; the device comes back when somebody said yes."""
        try:
            async with asyncio.timeout(self.settings.limits.hello):
                hello = await self._hello(incoming)
        except TimeoutError:
            hello = None
        if hello is None:
            await wire.close(PROTOCOL_ERROR, "no hello")
            return
        wire.agree(hello.version)
        await self._send(wire, messages.hello(hello.transport, self.settings.audio))
        await self._send(wire, messages.alert("Clarion", code))
        await self._speak(wire, words.new_device(self.language, code))
        await wire.close(NORMAL, "not activated")

    async def _hello(self, incoming: AsyncIterator[str | bytes]) -> codec.Hello | None:
        async for frame in incoming:
            if not isinstance(frame, str):
                continue
            try:
                heard = codec.read_text(frame)
            except codec.BadMessage:
                return None
            if isinstance(heard, codec.Hello):
                return heard
        return None

    async def _speak(self, wire: Wire, text: str) -> None:
        try:
            packets = await self.voice.packets(text, self.language)
        except ClarionError:
            packets = ()  # it is on the screen
        await self._send(wire, messages.tts_start())
        await self._send(wire, messages.sentence_start(text))
        waiting: asyncio.Queue[tuple[bytes, int] | None] = asyncio.Queue()
        playback = Playback(
            self.settings.audio.frame_ms / 1000,
            lambda packet, at_ms: waiting.put_nowait((packet, at_ms)),
            lambda: waiting.put_nowait(None),
        )
        playback.add(lambda: None, packets)
        playback.finish()
        try:
            while (frame := await waiting.get()) is not None:
                await wire.send_audio(*frame)
        finally:
            playback.stop()
        await self._send(wire, messages.tts_stop())

    async def _send(self, wire: Wire, message: messages.Message) -> None:
        await wire.send({**message, "session_id": self.session_id})
