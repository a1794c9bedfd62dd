"""Speech from espeak-ng inside this process: no service, no model, a few milliseconds a sentence.

The library has one global state, so one thread speaks at a time.
"""

import asyncio
import ctypes
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from clarion.voice.sound import NoVoice, Pcm

SYNCHRONOUS = 2  # AUDIO_OUTPUT_SYNCHRONOUS: the samples come to our callback
UTF8 = 1  # espeakCHARS_UTF8
SPEED, PITCH_RANGE = 1, 4  # espeak_PARAMETER
WORDS_A_MINUTE = 165
RANGE = 85  # flat by default; with this the four tones are told apart
VOICES = {"zh": b"cmn+f3", "en": b"en+f3"}
TEXT_MAX = 2_000

Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


class Espeak:
    name = "espeak"

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._lock = threading.Lock()
        self._library: Any = None
        self._rate = 0
        self._samples = bytearray()
        self._callback: Callable[..., int] | None = None  # kept: C calls it later

    async def say(self, text: str, language: str) -> Pcm:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self.say_now, text, language)

    def say_now(self, text: str, language: str) -> Pcm:
        """The same in this thread: for threads that may wait."""
        words = text[:TEXT_MAX].encode().replace(b"\0", b" ") + b"\0"
        with self._lock:
            library = self._library or self._load()
            self._samples.clear()
            voice = VOICES.get(language, VOICES["en"])
            if library.espeak_SetVoiceByName(voice) != 0:
                raise NoVoice(f"espeak-ng has no voice {voice.decode()!r}.")
            library.espeak_SetParameter(PITCH_RANGE, RANGE, 0)
            library.espeak_SetParameter(SPEED, WORDS_A_MINUTE, 0)
            if library.espeak_Synth(words, len(words), 0, 0, 0, UTF8, None, None) != 0:
                raise NoVoice("espeak-ng could not speak.")
            library.espeak_Synchronize()
            return Pcm(bytes(self._samples), self._rate)

    def _load(self) -> Any:
        try:
            import espeakng_loader

            library = ctypes.CDLL(espeakng_loader.get_library_path())
            data = espeakng_loader.get_data_path().encode()
        except (ImportError, OSError, RuntimeError) as error:
            raise NoVoice(
                "espeak-ng is not installed.", hint='Install Clarion with "clarion[voice]".'
            ) from error
        self._rate = library.espeak_Initialize(SYNCHRONOUS, 0, data, 0)
        if self._rate <= 0:
            raise NoVoice("espeak-ng does not start.")
        self._callback = Callback(self._collect)
        library.espeak_SetSynthCallback(self._callback)
        self._library = library
        return library

    def _collect(self, samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            self._samples += ctypes.string_at(samples, count * 2)
        return 0
