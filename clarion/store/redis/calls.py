"""What a worker of one BullMQ queue asks of Redis: the package's own scripts, many in one trip.

The package's `Worker` makes two calls of its own for each job and a task for each call; a
trip of ours gives back all jobs that have ended and takes the next ones. The scripts are the
same, so that workers on Node, the stock Python worker and bull-board see no difference.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgpack
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, RedisError

from clarion.store.redis.jobs import BEGINNING, COMPLETED_KEPT, FAILED_KEPT, MILLISECOND, Lane

if TYPE_CHECKING:
    from bullmq.backends import RedisBackend

LOCK_MS = 10_000  # a job of a worker that died is given to another by then
STALLED_MS = 5_000
STALLED_MAX = 1_000  # a job may stall as often as it likes: the database counts the tries
# As `moveToActive-11.lua` takes them.
ACTIVATING = "wait active prioritized events stalled limiter delayed paused meta pc marker"


@dataclass(frozen=True, slots=True)
class Held:
    """A job that BullMQ has given to us, with the names by which the package asks for them."""

    id: str
    token: str
    opts: Mapping[str, Any] = field(default_factory=dict)
    attempts: int = 1
    attemptsMade: int = 0  # noqa: N815  the package calls it so

    @property
    def queue(self) -> "Held":
        return self


@dataclass(frozen=True, slots=True)
class Given:
    """A held job and what it says."""

    held: Held
    name: str
    stamp: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    held: Held
    how: str
    failed: bool


@dataclass(frozen=True, slots=True)
class Trip:
    given: list[Given]
    left: list[Ended]
    """Not written, to be taken along on the next trip."""
    next_at: datetime | None
    """When the next job of the queue falls due, as far as that was heard."""
    is_empty: bool
    """Whether nothing was left to take in the end."""


class Calls:
    """Of one queue. `worker` names us in the locks."""

    def __init__(self, lane: Lane, backend: "RedisBackend", worker: str) -> None:
        self.lane = lane
        self._backend = backend
        self._scripts = backend.scripts
        self._client: Redis = backend.conn
        self._worker = worker
        self._trips = 0

    @property
    def marker(self) -> str:
        """The key at which workers wait."""
        return str(self._scripts.keys["marker"])

    @property
    def client_name(self) -> str:
        """By which people see in Redis that a worker waits at this queue."""
        return str(self._backend.clientName())

    @cached_property
    def _activating(self) -> list[str]:
        return [str(key) for key in self._scripts.getKeys(ACTIVATING.split())]

    async def load(self) -> None:
        """Make the scripts known to Redis, which forgets them when it starts anew."""
        for name in ("moveToActive", "moveToFinished"):
            await self._client.script_load(self._scripts.commands[name].script)

    async def exchange(self, ended: Sequence[Ended], most: int, now: datetime) -> Trip:
        """Give back what has ended, and take up to `most`. Raises when Redis does not answer."""
        self._trips += 1
        token = f"{self._worker}:{self._trips}"
        async with self._client.pipeline(transaction=False) as pipe:
            for one in ended:
                pipe.execute_command("EVALSHA", *self._finishing(one))
            if most:
                take = self._taking(token, now)
                for _ in range(most):
                    pipe.execute_command("EVALSHA", *take)
            answers = await pipe.execute(raise_on_error=False)
        errors = [answer for answer in answers if isinstance(answer, Exception)]
        if any(isinstance(error, NoScriptError) for error in errors):
            await self.load()
        elif errors and len(errors) == len(answers):
            raise errors[0]
        written = zip(ended, answers, strict=False)
        left = [one for one, answer in written if isinstance(answer, RedisError)]
        return _trip(answers[len(ended) :], left, token)

    async def renew(self, held: Iterable[Held]) -> None:
        """Keep the locks of what is held."""
        ids, tokens = [], []
        for one in held:
            ids.append(one.id)
            tokens.append(one.token)
        if ids:
            await self._scripts.extendJobLocks(ids, tokens, LOCK_MS)

    async def free_stalled(self) -> None:
        """What a dead worker had taken waits again."""
        await self._scripts.moveStalledJobsToWait(STALLED_MAX, STALLED_MS)

    def _taking(self, token: str, now: datetime) -> list[Any]:
        options = msgpack.packb({"token": token, "lockDuration": LOCK_MS, "limiter": None})
        keys, stamp = self._activating, (now - BEGINNING) // MILLISECOND
        sha = self._scripts.commands["moveToActive"].sha
        return [sha, len(keys), *keys, self._scripts.keys[""], stamp, options]

    def _finishing(self, ended: Ended) -> list[Any]:
        held, scripts = ended.held, self._scripts
        if ended.failed:
            fields = {"failedReason": ended.how, "stacktrace": "[]"}
            keep = held.opts.get("removeOnFail", FAILED_KEPT)
            keys, args = scripts.moveToFailedArgs(held, ended.how, keep, held.token, False, fields)
        else:
            keep = held.opts.get("removeOnComplete", COMPLETED_KEPT)
            keys, args = scripts.moveToCompletedArgs(held, ended.how, keep, held.token, False)
        return [scripts.commands["moveToFinished"].sha, len(keys), *keys, *args]


def _trip(answers: Sequence[Any], left: list[Ended], token: str) -> Trip:
    given: list[Given] = []
    next_at: datetime | None = None
    is_empty = False
    for answer in answers:
        if isinstance(answer, Exception):
            # Asked again at once only when it was the script that was missing.
            is_empty = not isinstance(answer, NoScriptError)
            continue
        fields, job_id, _, delayed_until = answer
        is_empty = not fields
        if fields:
            given.append(_given(fields, job_id, token))
        elif delayed_until:
            next_at = BEGINNING + MILLISECOND * int(delayed_until)
    return Trip(given, left, next_at, is_empty)


def _given(fields: Sequence[str], job_id: str, token: str) -> Given:
    pairs = iter(fields)
    said = dict(zip(pairs, pairs, strict=True))
    data = json.loads(said.get("data", "{}"))
    if isinstance(data, dict) and "task_id" in data:
        held = Held(job_id, token)
    else:
        held = Held(job_id, token, json.loads(said.get("opts", "{}")))
    return Given(held, said.get("name", ""), said.get("timestamp", ""), data)
