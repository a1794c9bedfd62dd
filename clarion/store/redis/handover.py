"""Hands tasks to BullMQ workers elsewhere, and collects their results.

Each such kind has a BullMQ queue of its own. In our database the task is running, and its lease is
renewed while the job is alive. When a job is lost, stalls or takes too long, the lease ends and the
task is tried again; a late result of the old job is used if there is no other yet, and is otherwise
ignored because its fence is old. While Redis is down the lease is renewed: an outage is a pause.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from typing import Any, Protocol

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.store.redis import jobs
from clarion.store.redis.bridge import RETRY, queue_key
from clarion.store.redis.client import REDIS_ERRORS
from clarion.tasks.kinds import Kinds, RemoteKind
from clarion.tasks.ports import (
    RESULT_LETTERS_MAX,
    Again,
    Claim,
    Done,
    Elsewhere,
    Failed,
    HandedOver,
    Handler,
    Lent,
    Outcome,
    Released,
    Result,
    Ticket,
)

log = logging.getLogger(__name__)

BY = "bullmq:"
"""So begins the worker of a task that was handed over; then its queue, a colon, and the job."""
LEASE = timedelta(minutes=1)
LOOK_EVERY = timedelta(seconds=2)  # `WorkBell` is quicker; this is for when its signal was lost
QUIET = timedelta(seconds=5)
BELL_SECONDS = 1.0  # and then the bell asks whether there is a new queue
SETTLES_IN = timedelta(seconds=5)  # a job that is not there yet may be on its way
AWAY = timedelta(seconds=5)
AT_ONCE_MAX = 1_000
KEPT = {"age": 3_600, "count": 10_000}  # seconds, jobs: kept long enough for us to read them


class JobState(Enum):
    MISSING = auto()
    WAITING = auto()
    WORKING = auto()
    STALLED = auto()
    OVERDUE = auto()
    COMPLETED = auto()
    FAILED = auto()


ALIVE = frozenset({JobState.WAITING, JobState.WORKING})


@dataclass(frozen=True, slots=True)
class LentJob:
    """One job of a task, as it stands in Redis."""

    state: JobState
    said: str = ""
    """JSON that came back, or why it failed."""


class LentTasks(Protocol):
    """What the handover needs from the store of tasks."""

    async def handed_over(self, prefix: str, most: int) -> list[Lent]: ...

    async def renew(
        self, claims: Sequence[Claim], lease: timedelta, now: datetime
    ) -> set[Ticket]: ...

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None: ...


class Handover:
    """Handlers of these kinds on every server, and a pass that runs on one server at a time."""

    name = "bridge-work"

    def __init__(
        self,
        client: Redis,
        store: LentTasks,
        kinds: Kinds,
        clock: Clock,
        is_away: Callable[[], Awaitable[bool]] | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._kinds = kinds
        self._clock = clock
        self._is_away = is_away
        self._queues: dict[str, Any] = {}

    def handler(self, kind: RemoteKind) -> Handler:
        async def hand_over(claim: Claim) -> Elsewhere | Result | Again:
            return await self.hand_over(kind, claim)

        return hand_over

    async def hand_over(self, kind: RemoteKind, claim: Claim) -> Elsewhere | Result | Again:
        """Add the job, unless the job of the claim before still lives or has a result."""
        now = self._clock.now()
        if self._is_away is not None and await self._is_away():
            return Again(now + AWAY)
        before, mine = (f"{claim.task.id}-{claim.fence - n}" for n in (1, 0))
        try:
            (old,) = await self._look([((kind.address, before), kind.limit)])
            if old.state is JobState.COMPLETED:
                return Result(json.loads(old.said))
            if old.state in ALIVE:
                return Elsewhere(f"{BY}{kind.address}:{before}", now + LEASE)
            to = Elsewhere(f"{BY}{kind.address}:{mine}", now + LEASE)
            # Written first: a quick worker must not end a job that we do not know yet.
            await self._store.settle([HandedOver(claim, to)], now)
            await self._add(kind, claim, mine, now)
        except REDIS_ERRORS as error:
            log.info("handed over later: %s", error, extra={"task": claim.task.id})
            return Again(now + AWAY)
        return to

    async def _add(self, kind: RemoteKind, claim: Claim, id_: str, now: datetime) -> None:
        from bullmq import Queue

        task = claim.task
        if kind.address not in self._queues:
            self._queues[kind.address] = Queue(kind.address, {"connection": self._client})
        data = {
            "task_id": task.id,
            "payload": dict(task.payload),
            "attempt": claim.attempt,
            "due_at": task.due_at.isoformat(),
        }
        options = {
            "jobId": id_,
            "attempts": 1,
            "priority": jobs.priority(claim.rank, now),
            "removeOnComplete": KEPT,
            "removeOnFail": KEPT,
        }
        traced = {"traceparent": task.trace} if task.trace else {}
        await self._queues[kind.address].add(task.kind, data | traced, options)

    async def run_once(self) -> datetime | None:
        out = await self._store.handed_over(BY, AT_ONCE_MAX)
        now = self._clock.now()
        if not out:
            return now + QUIET
        try:
            found = await self._look(
                [(_place(lent.worker), self._limit(lent.claim)) for lent in out]
            )
        except REDIS_ERRORS as error:
            log.debug("nobody can say what became of them: %s", error)
            await self._store.renew([lent.claim for lent in out], LEASE, now)
            return now + AWAY
        await self._take_over(list(zip(out, found, strict=True)), now)
        return now + LOOK_EVERY

    async def _take_over(self, pairs: Sequence[tuple[Lent, LentJob]], now: datetime) -> None:
        outcomes = [one for lent, job in pairs for one in self._outcome(lent, job, now)]
        if outcomes:
            await self._store.settle(outcomes, now)
        alive = [lent.claim for lent, job in pairs if job.state in ALIVE]
        if alive:
            await self._store.renew(alive, LEASE, now)

    def _outcome(self, lent: Lent, job: LentJob, now: datetime) -> list[Outcome]:
        claim = lent.claim
        match job.state:
            case JobState.COMPLETED:
                if len(job.said) > RESULT_LETTERS_MAX:
                    return [self._failed(claim, "Its result is too large to be kept.", now)]
                return [Done(claim, job.said)]
            case JobState.FAILED:
                return [self._failed(claim, job.said, now)]
            case JobState.OVERDUE:
                limit = self._limit(claim).total_seconds()
                return [self._failed(claim, f"Not done within {limit:g} s.", now)]
            case JobState.MISSING:
                is_new = lent.leased_until > now + LEASE - SETTLES_IN
                return [] if is_new else [Released(claim)]  # Redis lost it: handed over again
            case JobState.STALLED | JobState.WAITING | JobState.WORKING:
                return []  # BullMQ puts stalled jobs back, or the lease runs out

    def _failed(self, claim: Claim, why: str, now: datetime) -> Failed:
        kind = self._kinds.get(claim.task.kind)
        wait = None if kind is None else kind.retries_after(claim.attempt)
        return Failed(claim, why, None if wait is None else now + wait)

    def _limit(self, claim: Claim) -> timedelta:
        kind = self._kinds.get(claim.task.kind)
        return LEASE if kind is None else kind.limit

    async def _look(self, wanted: Sequence[tuple[tuple[str, str], timedelta]]) -> list[LentJob]:
        """Read jobs by queue and id, each with its time limit."""
        async with self._client.pipeline(transaction=True) as pipe:
            for (queue, id_), _ in wanted:
                pipe.hgetall(queue_key(queue, id_))
                pipe.exists(queue_key(queue, f"{id_}:lock"))
                pipe.lpos(queue_key(queue, "active"), id_)
            answers = iter(await pipe.execute())
        now = self._clock.now()
        return [
            _job(next(answers), next(answers), next(answers), jobs.millis(now - limit))
            for _, limit in wanted
        ]


def _place(worker: str) -> tuple[str, str]:
    queue, _, id_ = worker.removeprefix(BY).partition(":")
    return queue, id_


def _job(said: dict[str, str], locked: int, active: int | None, overdue: int) -> LentJob:
    if not said:
        return LentJob(JobState.MISSING)
    if "finishedOn" in said:
        if "failedReason" in said:
            return LentJob(JobState.FAILED, said["failedReason"])
        return LentJob(JobState.COMPLETED, said.get("returnvalue") or "null")
    if active is None:
        return LentJob(JobState.WAITING)
    if int(said.get("processedOn", 0)) < overdue:
        return LentJob(JobState.OVERDUE)
    return LentJob(JobState.WORKING if locked else JobState.STALLED)


class WorkBell:
    """A pass that blocks on Redis until a worker elsewhere has ended a job."""

    name = "bridge-work-bell"

    def __init__(
        self,
        client: Redis,
        queues: Callable[[], set[str]],
        ring: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._client = client
        self._queues = queues
        self._ring = ring
        self._clock = clock
        self._seen: dict[str, str] = {}

    async def run_once(self) -> datetime | None:
        keys = [queue_key(queue, "events") for queue in sorted(self._queues())]
        if not keys:
            return self._clock.now() + QUIET
        try:
            await self._notice(key for key in keys if key not in self._seen)
            streams: dict[Any, Any] = {key: self._seen[key] for key in keys}
            found: Any = await self._client.xread(
                streams, block=int(BELL_SECONDS * 1000), count=1_000
            )
        except REDIS_ERRORS as error:
            log.debug("the bell is silent: %s", error)
            return self._clock.now() + RETRY
        for key, events in dict(found or ()).items():
            self._seen[key] = events[-1][0]
            if any(fields.get("event") in ("completed", "failed") for _, fields in events):
                self._ring()
        return self._clock.now()

    async def _notice(self, keys: Iterable[str]) -> None:
        """Of a new queue everything is heard from now on, and what ended before is looked for."""
        for key in keys:
            last: Any = await self._client.xrevrange(key, count=1)
            self._seen[key] = last[0][0] if last else "0-0"
            self._ring()
