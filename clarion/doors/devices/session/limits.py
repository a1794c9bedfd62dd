"""Limits for devices: how many messages they may send and how long they may take."""

import ipaddress
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from clarion.doors.devices.session.codec import AudioFormat
from clarion.reminders.ports import Ring


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """Times in seconds."""

    hello: float = 10.0  # as long as firmware waits for ours
    counted: float = 2.0  # for which our hello waits until the device counts as present
    keep_alive: float = 60.0  # half of what firmware regards as a dead line
    window: float = 30.0  # how long we listen after having told something
    idle: float = 120.0  # a microphone that is on, and nobody speaks
    session: float = 3_600.0
    messages_per_second: float = 100.0  # 60 ms packets are 17; py-xiaozhi's 20 ms are 50
    burst: float = 400.0
    malformed: int = 20  # a broken device is not an attacker; a fuzzer is


class MessageBucket:
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
    """How often one caller may connect; the callers that were silent longest are dropped."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, MessageBucket] = OrderedDict()

    def may_call(self, caller: str, now: float) -> bool:
        bucket = self._buckets.get(caller)
        if bucket is None:
            bucket = self._buckets[caller] = MessageBucket(CALLS_PER_SECOND, CALLS_AT_ONCE, now)
            if len(self._buckets) > CALLERS_REMEMBERED:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(caller)
        return bucket.take(now)


STRANGERS_MAX = 50  # of one network; four networks would be needed to fill the list of codes
STRANGERS_SECONDS = 1_800.0  # as long as a code is good


class Strangers:
    """How many devices without an owner may ask for a code from one network."""

    def __init__(self) -> None:
        self._seen: OrderedDict[str, OrderedDict[str, float]] = OrderedDict()

    def may_ask(self, network: str, hardware: str, now: float) -> bool:
        """Asking again is free: firmware asks every half minute until somebody says yes."""
        seen = self._seen.setdefault(network, OrderedDict())
        self._seen.move_to_end(network)
        if len(self._seen) > CALLERS_REMEMBERED:
            self._seen.popitem(last=False)
        while seen and next(iter(seen.values())) < now - STRANGERS_SECONDS:
            seen.popitem(last=False)
        if hardware not in seen and len(seen) >= STRANGERS_MAX:
            return False
        seen.setdefault(hardware, now)
        return True


def network_of(address: str) -> str:
    """The addresses that one attacker controls: an IPv4 address, or a whole /64 of IPv6."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


LIMITS = SessionLimits()
DOWNLINK = AudioFormat(rate=24_000, frame_ms=60)


@dataclass(frozen=True, slots=True)
class SessionSettings:
    limits: SessionLimits = LIMITS
    audio: AudioFormat = DOWNLINK
    version: str = "1"
    is_answer: Callable[[str, Ring], bool] = lambda _text, _ring: True
    """Whether the first words of a session can be meant for this ring."""
    is_wake_word: Callable[[str], bool] = lambda _text: False
