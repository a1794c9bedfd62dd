"""How much one device may ask of us. Pure: seconds come in as numbers."""

from collections import OrderedDict
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


CALLERS_REMEMBERED = 10_000
CALLS_PER_SECOND, CALLS_AT_ONCE = 2.0, 60.0  # a device that reconnects in a loop is slowed down


class Callers:
    """How often one caller may ring the bell; the ones longest silent are forgotten."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def may_call(self, caller: str, now: float) -> bool:
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = Bucket(CALLS_PER_SECOND, CALLS_AT_ONCE, now)
            if len(self._buckets) > CALLERS_REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(caller)
        return bucket.take(now)
