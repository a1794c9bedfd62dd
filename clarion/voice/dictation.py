"""Turns a recording of a browser or phone into words."""

import asyncio
from concurrent.futures import Executor

from clarion.base.errors import BadInput
from clarion.voice import opus
from clarion.voice.sound import NotHeard, NoVoice, Transcriber
from clarion.voice.turn import RATE

SECONDS_MAX = 120  # a report; a longer one is refused with the advice to begin with the place
UNDERSTAND_SECONDS_MAX = 30.0


class Dictation:
    def __init__(self, transcriber: Transcriber, executor: Executor) -> None:
        self._transcriber = transcriber
        self._executor = executor

    async def words(self, sound: bytes) -> str:
        loop = asyncio.get_running_loop()
        try:
            heard = await loop.run_in_executor(self._executor, opus.read_any, sound, RATE)
        except NoVoice as error:
            raise BadInput("This is no sound that can be read.") from error
        if heard.seconds > SECONDS_MAX:
            raise BadInput(f"A recording has at most {SECONDS_MAX} seconds.")
        try:
            async with asyncio.timeout(UNDERSTAND_SECONDS_MAX):
                return await self._transcriber.understand(heard)
        except TimeoutError as error:
            raise NotHeard("The transcription service is too slow.", retry_after=10) from error
