"""How every session of a server behaves: limits, sound, and how first words are read."""

from collections.abc import Callable
from dataclasses import dataclass

from clarion.doors.devices.codec import AudioFormat
from clarion.doors.devices.limits import Limits
from clarion.reminders.ports import Ring

LIMITS = Limits()
DOWNLINK = AudioFormat(rate=24_000, frame_ms=60)


@dataclass(frozen=True, slots=True)
class Manner:
    limits: Limits = LIMITS
    audio: AudioFormat = DOWNLINK
    version: str = "1"
    is_answer: Callable[[str, Ring], bool] = lambda _text, _ring: True
    """Whether the first words of a session can be meant for this ring."""
    is_wake_word: Callable[[str], bool] = lambda _text: False
