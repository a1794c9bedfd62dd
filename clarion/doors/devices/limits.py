"""How much one device may ask of us. Pure: seconds come in as numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Times in seconds."""

    hello: float = 10.0  # as long as firmware waits for ours
    keep_alive: float = 60.0  # half of what firmware regards as a dead line
    window: float = 30.0  # how long we listen after having told something
    idle: float = 120.0  # a microphone that is on, and nobody speaks
    session: float = 3_600.0
    messages_per_second: float = 100.0  # 60 ms packets are 17; py-xiaozhi's 20 ms are 50
    burst: float = 400.0
    malformed: int = 20  # a broken device is not an attacker; a fuzzer is


class Bucket:
    """Lets `burst` through at once and `rate` a second after that."""

    __slots__ = ("_burst", "_filled_at", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._filled_at = now

    def take(self, now: float) -> bool:
        self._left = min(self._burst, self._left + (now - self._filled_at) * self._rate)
        self._filled_at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
