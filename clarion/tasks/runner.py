"""Carries out one claim within its kind's limit, and says what became of it."""

import asyncio
import json
import logging
import traceback
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.trace import tracing
from clarion.base.urgency import urgency
from clarion.tasks.buffer import SlotLane
from clarion.tasks.kinds import Kind, Kinds, doubling
from clarion.tasks.ports import (
    RESULT_LETTERS_MAX,
    Again,
    Claim,
    Done,
    Elsewhere,
    Failed,
    HandedOver,
    Later,
    Outcome,
    Released,
    Result,
)

log = logging.getLogger(__name__)

ERROR_LETTERS_MAX = 8_000  # enough for a deep traceback, too little to fill a disk


class RunningTask:
    """A claim that this process has, and the time limit of the handler that works on it."""

    __slots__ = ("abandoned", "bound", "claim", "ended", "lane", "why")

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.lane: SlotLane | None = None
        self.bound: asyncio.Timeout | None = None
        self.why = ""
        """Why it was cut before its time; empty when it was not."""
        self.abandoned = False
        self.ended = False
        """True once the handler is through; what became of it may still have to be written."""

    def cut(self, why: str) -> None:
        """End the handler now. Before one has begun, it ends as soon as it begins."""
        self.why = why
        if self.bound is not None and not self.ended and not self.bound.expired():
            self.bound.reschedule(asyncio.get_running_loop().time())

    def is_stuck(self, patience: timedelta) -> bool:
        """True when the handler runs on though its time was over longer ago than `patience`."""
        if self.bound is None or self.ended or self.abandoned:
            return False
        ends_at = self.bound.when()
        return ends_at is not None and (
            asyncio.get_running_loop().time() > ends_at + patience.total_seconds()
        )


class TaskRunner:
    def __init__(self, kinds: Kinds, clock: Clock) -> None:
        self._kinds = kinds
        self._clock = clock

    async def run(self, held: RunningTask) -> Outcome:
        """Raises nothing but the cancellation of the slot that runs it."""
        with tracing(held.claim.task.trace):
            return await self._run(held)

    async def _run(self, held: RunningTask) -> Outcome:
        claim = held.claim
        kind = self._kinds.get(claim.task.kind)
        if kind is None:
            return self._failed(UNKNOWN, claim, f"There is no handler for {claim.task.kind!r}.")
        if claim.attempt > kind.retries + 1:
            # Only a task that takes its worker down with it gets here.
            return Failed(claim, f"Its worker died {claim.attempt - 1} times.", None)
        if held.why:
            return Released(claim)
        held.bound = bound = asyncio.timeout(kind.limit.total_seconds())
        try:
            async with bound:
                with urgency(claim.task.base):
                    answer: object = await kind.handler(claim)
        except Exception as error:  # noqa: BLE001  it belongs to this task alone
            return self._ended_badly(held, kind, error)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return self._ended_badly(held, kind, error)
        finally:
            held.ended = True
        return self._ended_well(claim, kind, answer)

    def _ended_well(self, claim: Claim, kind: Kind, answer: object) -> Outcome:
        match answer:
            case None:
                return Done(claim)
            case Again():
                return Later(claim, answer)
            case Elsewhere():
                return HandedOver(claim, answer)
            case Result(value):
                try:
                    result = json.dumps(value, ensure_ascii=False, allow_nan=False)
                except (TypeError, ValueError) as error:
                    return self._failed(kind, claim, f"Its result cannot be kept: {error}")
                if len(result) <= RESULT_LETTERS_MAX:
                    return Done(claim, result)
                return self._failed(kind, claim, "Its result is too large to be kept.")
            case _:
                why = f"It answered {answer!r}: no Again, Elsewhere, Result or None."
                return self._failed(kind, claim, why)

    def overrun(self, claim: Claim) -> Outcome:
        """For a handler that went on after it was cut."""
        kind = self._kinds.get(claim.task.kind) or UNKNOWN
        return self._failed(kind, claim, "It did not stop when its time was over.")

    def _ended_badly(self, held: RunningTask, kind: Kind, error: BaseException) -> Outcome:
        assert held.bound is not None
        claim = held.claim
        if held.bound.expired():
            if held.why:
                log.warning("task cut: %s", held.why, extra=_fields(claim))
                return Released(claim)
            log.warning("task not done in time", extra=_fields(claim))
            return self._failed(kind, claim, f"Not done within {kind.limit.total_seconds():g} s.")
        defect = None if isinstance(error, ClarionError) else error  # a refusal tells all itself
        log.warning("task failed: %s", error, exc_info=defect, extra=_fields(claim))
        return self._failed(kind, claim, _spelled(error))

    def _failed(self, kind: Kind, claim: Claim, error: str) -> Outcome:
        wait = kind.retries_after(claim.attempt)
        if wait is None:
            log.error("task dead", extra=_fields(claim))
            return Failed(claim, error, None)
        return Failed(claim, error, self._clock.now() + wait)


async def _nothing(claim: Claim) -> None:
    """Stands in for a handler that this server does not have."""


# A server of another version may know it, so it is worth a few tries.
UNKNOWN = Kind("unknown", _nothing, backoff=doubling(timedelta(seconds=30)))


def _spelled(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))[-ERROR_LETTERS_MAX:]


def _fields(claim: Claim) -> dict[str, object]:
    return {"task": claim.task.id, "kind": claim.task.kind, "attempt": claim.attempt}
