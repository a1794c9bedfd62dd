"""Regular expressions that people wrote. One of them may run for ever, and all others with it."""

import logging
import re
import signal
import threading
from types import FrameType

log = logging.getLogger(__name__)

SECONDS_MAX = 0.1  # of the processor; a sane one takes a thousandth of that
REMEMBERED_MAX = 1000
_endless: set[str] = set()
"""Those that took too long: they are not tried again, or a flood would pay for each message."""


def is_found(pattern: str, text: str) -> bool:
    """Whether it is somewhere in the text, in small letters or large.

    True also for one that takes too long: a message is passed on rather than lost.
    """
    if pattern in _endless:
        return True
    if threading.current_thread() is not threading.main_thread():
        return _search(pattern, text)  # no signal arrives here
    before = signal.signal(signal.SIGVTALRM, _give_up)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_MAX)
        try:
            return _search(pattern, text)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except TimeoutError:
        log.warning("a pattern takes too long and is not used", extra={"pattern": pattern})
        if len(_endless) < REMEMBERED_MAX:
            _endless.add(pattern)
        return True
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _search(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    """The engine asks for signals while it searches, and ends with what we raise."""
    raise TimeoutError
