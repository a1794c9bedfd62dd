"""Sends sound as fast as it is played: a few frames ahead, then one for each frame of time.

A device holds about twenty packets and silently drops more. The end is told when the last
frame has been played, not when it has been sent.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

AHEAD = 5  # frames; covers 300 ms of a bad network
TOLERANCE = 0.005  # seconds; earlier than this nobody hears
LEAD = 0.15  # seconds; sound that overtakes its `tts start` is dropped by the device
AFTERGLOW = 2  # frames between the last one's end and the stop: the device's own buffer


class Phases:
    """Spreads utterances that begin together, so that not all send at once.

    One alone begins at once. Two hundred would otherwise send in the same millisecond, again
    and again, and the last of them would be late every time. To begin costs more than to go on:
    so only some begin in each frame, the others in the next ones.
    """

    GOLDEN = 0.618  # each next one falls into the widest gap that is left
    PER_FRAME = 30  # two milliseconds for each: two or three times what it takes

    def __init__(self) -> None:
        self._latest = 0.0
        self._together = 0

    def delay(self, now: float, frame: float) -> float:
        self._together = self._together + 1 if now - self._latest < frame else 0
        self._latest = now
        frames, place = divmod(self._together, self.PER_FRAME)
        return (frames + place * self.GOLDEN % 1.0) * frame


class Playback:
    """One utterance on its way. Everything happens in the event loop; `stop` is at once."""

    def __init__(
        self,
        frame: float,
        send: Callable[[bytes, int], None],
        over: Callable[[], None],
        *,
        delay: float = 0.0,
        played: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """`frame` and `delay` in seconds.

        `send` gets a packet and its milliseconds from the beginning. `played` answers when the
        device has played what was really written to it, by the loop's clock: a busy server
        writes later than it meant to, and must not say that it is over before it is.
        """
        self._frame = frame
        self._send = send
        self._over = over
        self._played = played
        self._loop = asyncio.get_running_loop()
        self._items: deque[bytes | Callable[[], None]] = deque()
        self._complete = False
        self._timer: asyncio.TimerHandle | None = None
        self._base = 0.0
        self._since_base = 0
        self._sent = 0
        self._delay = delay

    def add(self, begins: Callable[[], None], packets: Sequence[bytes]) -> None:
        """One more sentence; `begins` is called just before its first frame."""
        self._items.append(begins)
        self._items.extend(packets)
        self._run()

    def finish(self) -> None:
        """Nothing more will be added."""
        self._complete = True
        self._run()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._items.clear()
        self._complete = False

    def _run(self) -> None:
        if self._timer is not None:
            return
        delay, self._delay = self._delay, 0.0
        if delay:
            self._timer = self._loop.call_later(delay, self._go_on)
        else:
            self._go_on()

    def _go_on(self) -> None:
        self._timer = None
        now = self._loop.time()
        if now > self._base + self._since_base * self._frame:
            # The first frame, or the device has played everything: restart the clock.
            self._base, self._since_base = now, 0
        while self._items:
            item = self._items[0]
            if isinstance(item, bytes):
                due = self._base + max(0, self._since_base - AHEAD + 1) * self._frame
                if due > now:
                    self._timer = self._loop.call_at(due, self._go_on)
                    return
                self._since_base += 1
                self._sent += 1
                self._items.popleft()
                self._send(item, round((self._sent - 1) * self._frame * 1000))
            else:
                self._items.popleft()
                item()
        if self._complete:
            ends = self._base + (self._since_base + AFTERGLOW) * self._frame
            self._timer = self._loop.call_at(ends, self._end)

    def _end(self) -> None:
        played = self._played() + AFTERGLOW * self._frame
        if played > self._loop.time() + TOLERANCE:
            self._timer = self._loop.call_at(played, self._end)
            return
        self._timer = None
        self._over()
