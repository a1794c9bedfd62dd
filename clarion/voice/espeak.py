"""Speech from espeak-ng inside this process: no service, no model, a few milliseconds a sentence.

The library has one global state, so one thread speaks at a time.
"""

import asyncio
import ctypes
import threading
from concurrent.futures import Executor
from functools import cache
from typing import Any

from clarion.voice.sound import NoVoice, Pcm
from clarion.voice.spelling import voices

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


class Library:
    """The loaded library. It has one global state: one for the whole process, for ever."""

    def __init__(self) -> None:
        try:
            import espeakng_loader

            self._c = ctypes.CDLL(espeakng_loader.get_library_path())
            data = espeakng_loader.get_data_path().encode()
        except (ImportError, OSError, RuntimeError) as error:
            raise NoVoice(
                "espeak-ng is not installed.", hint='Install Clarion with "clarion[voice]".'
            ) from error
        self._c.espeak_TextToPhonemes.restype = ctypes.c_char_p
        self.rate = self._c.espeak_Initialize(SYNCHRONOUS, 0, data, 0)
        if self.rate <= 0:
            raise NoVoice("espeak-ng does not start.")
        self._samples = bytearray()
        self._callback = Callback(self._collect)  # kept: C calls it later
        self._c.espeak_SetSynthCallback(self._callback)

    def say(self, text: str, language: str) -> Pcm:
        """One thread at a time."""
        words = text[:TEXT_MAX].encode().replace(b"\0", b" ") + b"\0"
        self._samples.clear()
        self._choose(language)
        self._c.espeak_SetParameter(PITCH_RANGE, RANGE, 0)
        self._c.espeak_SetParameter(SPEED, WORDS_A_MINUTE, 0)
        if self._c.espeak_Synth(words, len(words), 0, 0, 0, UTF8, None, None) != 0:
            raise NoVoice("espeak-ng could not speak.")
        self._c.espeak_Synchronize()
        return Pcm(bytes(self._samples), self.rate)

    def phonemes(self, text: str, language: str) -> str:
        """How it would be spoken, in espeak-ng's own letters. One thread at a time."""
        self._choose(language)
        rest = ctypes.c_char_p(text[:TEXT_MAX].encode().replace(b"\0", b" "))
        said = []
        while rest.value is not None:  # a clause at a time; the library moves the pointer on
            part = self._c.espeak_TextToPhonemes(ctypes.byref(rest), UTF8, 0)
            said.append((part or b"").decode())
        return " ".join(said)

    def _choose(self, language: str) -> None:
        voice = VOICES.get(language, VOICES["en"])
        if self._c.espeak_SetVoiceByName(voice) != 0:
            raise NoVoice(f"espeak-ng has no voice {voice.decode()!r}.")

    def _collect(self, samples: Any, count: int, _events: Any) -> int:
        if samples and count > 0:
            self._samples += ctypes.string_at(samples, count * 2)
        return 0


LOCK = threading.Lock()


@cache
def library() -> Library:
    return Library()


class Espeak:
    name = "espeak"

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    async def say(self, text: str, language: str) -> Pcm:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, self.say_now, text, language)

    def say_now(self, text: str, language: str) -> Pcm:
        """The same in this thread: for threads that may wait. Each script by its own voice."""
        with LOCK:
            said = [library().say(*part) for part in voices(text, language)]
        if not said:
            return Pcm(b"", library().rate)
        return Pcm(b"".join(sound.samples for sound in said), said[0].rate)
