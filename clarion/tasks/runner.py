"""Carries out one claim within its kind's limit, and says what became of it. Never raises."""

import asyncio
import logging
import traceback
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.tasks.kinds import Kind, Kinds, doubling
from clarion.tasks.ports import Again, Claim, Done, Failed, Later, Outcome, Released

log = logging.getLogger(__name__)

ERROR_LETTERS_MAX = 8_000  # enough for a deep traceback, too little to fill a disk


class Held:
    """A claim that this process holds. `cut` ends the handler that works on it, if one does."""

    __slots__ = ("_bound", "_why", "claim", "overrun_at")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.overrun_at: float | None = None
        """In the loop's time: when a handler that obeys its limit is surely gone."""
        self._bound: asyncio.Timeout | None = None
        self._why = ""

    def begin(self, bound: asyncio.Timeout, overrun_at: float) -> None:
        self._bound = bound
        self.overrun_at = overrun_at

    def cut(self, why: str) -> None:
        self._why = why
        if self._bound is not None and not self._bound.expired():
            self._bound.reschedule(asyncio.get_running_loop().time())

    @property
    def why(self) -> str:
        """Why it was cut before its limit; empty when it was not."""
        return self._why


class Runner:
    def __init__(self, kinds: Kinds, clock: Clock, *, patience: timedelta) -> None:
        self._kinds = kinds
        self._clock = clock
        self._patience = patience.total_seconds()

    async def run(self, held: Held) -> Outcome:
        """Raises only when this slot itself is cancelled, and then the claim is to be released."""
        claim = held.claim
        kind = self._kinds.get(claim.task.kind)
        if kind is None:
            return self._failed(_UNKNOWN, claim, f"There is no handler for {claim.task.kind!r}.")
        if claim.attempt > kind.retries + 1:
            # Only a task that takes its worker down with it gets here.
            return Failed(claim, f"Its worker died {claim.attempt - 1} times.", None)
        loop_time = asyncio.get_running_loop().time()
        limit = kind.limit.total_seconds()
        bound = asyncio.timeout_at(loop_time + limit)
        held.begin(bound, loop_time + limit + self._patience)
        try:
            async with bound:
                again = await kind.handler(claim)
        except Exception as error:
            if held.why:
                return self._cut(held)
            if bound.expired():
                return self._failed(kind, claim, f"Not done within {limit:g} seconds.")
            log.exception("task failed", extra=_fields(claim))
            return self._failed(kind, claim, _spelled(error))
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            return self._failed(kind, claim, _spelled(error))
        return Done(claim) if again is None else self._later(kind, claim, again)

    def overrun(self, claim: Claim) -> Outcome:
        """For a handler that went on after it was cut."""
        kind = self._kinds.get(claim.task.kind) or _UNKNOWN
        return self._failed(kind, claim, "It did not stop when its time was over.")

    def _cut(self, held: Held) -> Outcome:
        log.warning("task cut: %s", held.why, extra=_fields(held.claim))
        return Released(held.claim)

    def _later(self, kind: Kind, claim: Claim, again: Again) -> Outcome:
        assert isinstance(again, Again), f"{kind.name} must answer Again or None"
        return Later(claim, again)

    def _failed(self, kind: Kind, claim: Claim, error: str) -> Outcome:
        wait = kind.retries_after(claim.attempt)
        if wait is None:
            log.error("task dead", extra=_fields(claim))
            return Failed(claim, error, None)
        return Failed(claim, error, self._clock.now() + wait)


async def _nothing(claim: Claim) -> None:
    """Stands in for a handler that this server does not have."""


# A server of another version may know it, so it is worth a few tries.
_UNKNOWN = Kind("unknown", _nothing, backoff=doubling(timedelta(seconds=30)))


def _spelled(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-ERROR_LETTERS_MAX:]


def _fields(claim: Claim) -> dict[str, object]:
    return {"task": claim.task.id, "kind": claim.task.kind, "attempt": claim.attempt}
