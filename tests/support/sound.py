"""Compares sounds: how alike two recordings are, wherever the second one begins."""

import numpy as np
import numpy.typing as npt

from clarion.voice.sound import Pcm


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
