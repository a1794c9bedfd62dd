"""Compares sounds: how alike two recordings are, wherever the second one begins."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt

from clarion.voice.espeak import library
from clarion.voice.sound import Pcm
from clarion.voice.spelling import spell


def samples(sound: Pcm) -> npt.NDArray[np.float64]:
    return np.frombuffer(sound.samples, dtype=np.int16).astype(np.float64)


def likeness(sent: Pcm, heard: Pcm) -> float:
    """The best correlation over all delays: 1.0 is the same, 0.0 has nothing to do with it."""
    assert sent.rate == heard.rate, "resample one of them first"
    first, second = samples(sent), samples(heard)
    size = 1 << (len(first) + len(second)).bit_length()
    crossed = np.fft.irfft(np.fft.rfft(second, size) * np.conj(np.fft.rfft(first, size)), size)
    delay = int(np.argmax(crossed[: len(second)]))
    aligned = second[delay : delay + len(first)]
    aligned = np.pad(aligned, (0, len(first) - len(aligned)))
    return float(np.corrcoef(first, aligned)[0, 1])


def first_words(text: str, language: str) -> Pcm:
    """What espeak-ng makes of them in a process that has not spoken yet.

    The library remembers where its voice was: after any other words the same ones sound alike to
    an ear, and quite different to `likeness`.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(_say, spell(text, language), language).result()


def _say(text: str, language: str) -> Pcm:
    return library().say(text, language)
