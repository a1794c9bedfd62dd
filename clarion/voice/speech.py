"""Sentences as Opus packets, made once and kept. The event loop never waits for sound."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor

from clarion.voice import opus
from clarion.voice.sound import NoVoice, Pcm, Synthesiser
from clarion.voice.spelling import spell, voice_of

log = logging.getLogger(__name__)

KEPT_BYTES_MAX = 16_777_216  # an hour and a half of speech
SAY_SECONDS_MAX = 15.0


class Speech:
    """The first synthesiser that can, speaks. Asking for the same words at once makes them once."""

    def __init__(
        self,
        synthesisers: Sequence[Synthesiser],
        executor: Executor,
        *,
        rate: int = 24_000,
        frame_ms: int = 60,
        kept_bytes_max: int = KEPT_BYTES_MAX,
    ) -> None:
        self._synthesisers = tuple(synthesisers)
        self._executor = executor
        self._rate = rate
        self._frame_ms = frame_ms
        self._kept_bytes_max = kept_bytes_max
        self._kept: OrderedDict[tuple[str, str], list[bytes]] = OrderedDict()
        self._kept_bytes = 0
        self._making: dict[tuple[str, str], asyncio.Task[list[bytes]]] = {}

    async def packets(self, text: str, language: str) -> list[bytes]:
        """Opus packets of these words. Raises NoVoice."""
        spoken = spell(text, language)
        key = (spoken, voice_of(spoken, language))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(self._make(key), name="speech")
            making.add_done_callback(lambda _done: self._making.pop(key, None))
        # A caller that is cancelled must not cancel it for the others.
        return await asyncio.shield(making)

    async def ogg(self, text: str, language: str) -> bytes:
        """The same as a file, for devices that fetch what they play."""
        packets = await self.packets(text, language)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._executor, opus.ogg, packets, self._rate, self._frame_ms
        )

    async def _make(self, key: tuple[str, str]) -> list[bytes]:
        sound = await self._say(*key)
        loop = asyncio.get_running_loop()
        packets = await loop.run_in_executor(
            self._executor, opus.encode, sound, self._rate, self._frame_ms
        )
        self._keep(key, packets)
        return packets

    async def _say(self, text: str, language: str) -> Pcm:
        for synthesiser in self._synthesisers:
            try:
                async with asyncio.timeout(SAY_SECONDS_MAX):
                    return await synthesiser.say(text, language)
            except (NoVoice, TimeoutError) as error:
                log.warning("%s cannot speak: %s", synthesiser.name, str(error) or "too slow")
        raise NoVoice("Nothing can turn words into sound.", retry_after=30)

    def _keep(self, key: tuple[str, str], packets: list[bytes]) -> None:
        self._kept[key] = packets
        self._kept_bytes += sum(map(len, packets))
        while self._kept_bytes > self._kept_bytes_max and len(self._kept) > 1:
            _, gone = self._kept.popitem(last=False)
            self._kept_bytes -= sum(map(len, gone))
