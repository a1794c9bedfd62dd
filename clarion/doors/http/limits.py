"""How much one caller may ask: requests a second for each token, failed tries for each address.

Both live in this process: a limit is there to keep us answering, not to bill anybody.
"""

from dataclasses import dataclass

from clarion.base.clock import Clock
from clarion.base.errors import TooMany

BURST_SECONDS = 10  # a page of the console asks for much at once and then for nothing
KEPT_MAX = 20_000  # callers remembered; more of them than this are an attack, not a household
FAILURES_MAX = 20  # the default of CLARION_FAILED_TRIES
FAILURES_WINDOW = 60.0  # seconds


@dataclass(slots=True)
class CallerBucket:
    level: float
    at: float


class RateLimit:
    """`per_second` requests for each key over time, ten seconds' worth at once; 0 is no limit."""

    def __init__(self, per_second: float, clock: Clock) -> None:
        self._per_second = per_second
        self._most = per_second * BURST_SECONDS
        self._clock = clock
        self._buckets: dict[str, CallerBucket] = {}

    @property
    def policy(self) -> str:
        """As the `RateLimit-Policy` header has it: how many at once, in how many seconds."""
        return f'"token";q={int(self._most)};w={BURST_SECONDS}' if self._per_second else ""

    def take(self, key: str) -> int:
        """How many are left at once. Raises TooMany, with the seconds until one more is free."""
        if not self._per_second:
            return 0
        now = self._clock.monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= KEPT_MAX:
                self._buckets.clear()
            bucket = self._buckets[key] = CallerBucket(self._most, now)
        bucket.level = min(self._most, bucket.level + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.level < 1:
            wait = (1 - bucket.level) / self._per_second
            raise TooMany("Too many requests with this token.", retry_after=max(1.0, wait))
        bucket.level -= 1
        return int(bucket.level)


class FailedTries:
    """So many wrong tokens a minute from one address, then none is looked at; codes likewise.

    0 is no limit. `what` is the name of what was tried, for the sentence.
    """

    def __init__(
        self,
        clock: Clock,
        most: int = FAILURES_MAX,
        *,
        window: float = FAILURES_WINDOW,
        what: str = "wrong tokens from this address",
    ) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._what = what
        self._seen: dict[str, list[float]] = {}

    def note(self, address: str) -> None:
        if len(self._seen) >= KEPT_MAX:
            self._seen.clear()
        self._seen.setdefault(address, []).append(self._clock.monotonic())

    def is_over(self, address: str) -> bool:
        return bool(self._most) and len(self._recent(address)) >= self._most

    def check(self, address: str) -> None:
        if self.is_over(address):
            wait = self._window - (self._clock.monotonic() - self._recent(address)[0])
            raise TooMany(f"Too many {self._what}.", retry_after=max(1.0, wait))

    def _recent(self, address: str) -> list[float]:
        since = self._clock.monotonic() - self._window
        recent = [at for at in self._seen.get(address, ())[-max(self._most, 1) :] if at > since]
        if recent:
            self._seen[address] = recent
        else:
            self._seen.pop(address, None)
        return recent
