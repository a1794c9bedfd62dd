"""The bridge to BullMQ. No task of ours ever waits for it.

Outwards, `Showcase` copies the queue into BullMQ's keys, for bull-board and Node to look at.
Inwards, `Intake` makes a task of each job that another service adds, and gives that job the
result or the failure when the task has ended. When Redis is down, slow or empty, tasks go on as
usual, and the bridge catches up later.
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from redis.asyncio import Redis

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, Unavailable
from clarion.base.ids import TaskId, new_id
from clarion.store.redis import jobs
from clarion.store.redis.client import REDIS_ERRORS, RedisAway
from clarion.store.redis.jobs import ForeignJob, Job
from clarion.tasks.records import ShownTask, TaskStatus

if TYPE_CHECKING:
    from bullmq.scripts import Scripts

log = logging.getLogger(__name__)

SHOWN_MAX = 300  # of each state: more than a person reads, a few milliseconds to compare
WRITTEN_AT_ONCE = 25  # keeps the event loop for less than a millisecond
QUIET = timedelta(seconds=5)
BUSY = timedelta(seconds=1)
REREAD_EVERY = timedelta(minutes=1)  # corrects what other programs changed
SHARE = 20  # use at most a twentieth of the processor's time
TURN = "clarion:bridge"
"""Names the showcase that wrote last. Another one, or none, means that ours knows nothing."""

TAKEN_MAX = 100
RESULT_FIRST = timedelta(milliseconds=100)
RESULT_MOST = timedelta(seconds=1)
BELL_SECONDS = 5.0
RETRY = timedelta(seconds=1)

# Each job leaves one list and enters another, as far as these are named; without fields it is gone.
SHOW_SCRIPT = """
for _, one in ipairs(cjson.decode(ARGV[1])) do
  local at, id, left, entered, score, fields = unpack(one)
  if left == 'active' then
    redis.call('LREM', at .. left, 0, id)
  elseif left ~= '' then
    redis.call('ZREM', at .. left, id)
  end
  redis.call('DEL', at .. id)
  if #fields > 0 then
    redis.call('HSET', at .. id, unpack(fields))
  end
  if entered == 'active' then
    redis.call('LPUSH', at .. entered, id)
  elseif entered ~= '' then
    redis.call('ZADD', at .. entered, score, id)
  end
end
"""

# Only jobs of other services are taken: ours wait in the same `prioritized` and `delayed`.
TAKE_SCRIPT = """
local taken, most, now, ours = {}, tonumber(ARGV[3]), tonumber(ARGV[2]), ARGV[4]
local function take(id)
  redis.call('LPUSH', KEYS[4], id)
  redis.call('HSET', ARGV[1] .. id, 'processedOn', ARGV[2])
  redis.call('HINCRBY', ARGV[1] .. id, 'ats', 1)
  redis.call('XADD', KEYS[5], 'MAXLEN', '~', 10000, '*',
             'event', 'active', 'jobId', id, 'prev', 'waiting')
  taken[#taken + 1] = id
end
while #taken < most do
  local id = redis.call('RPOP', KEYS[1])
  if not id then break end
  take(id)
end
local next = ''
for _, key in ipairs({KEYS[2], KEYS[3]}) do
  local found = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  for i = 1, #found, 2 do
    local id, due = found[i], math.floor(tonumber(found[i + 1]) / 4096)
    if string.sub(id, 1, #ours) ~= ours and #taken < most then
      if key == KEYS[3] and due > now then
        next = tostring(due)
        break
      end
      redis.call('ZREM', key, id)
      take(id)
    end
  end
end
return {taken, next}
"""


Change: TypeAlias = tuple[str, str, str, str, str, Sequence[str]]
"""A job for `SHOW_SCRIPT`: where its keys begin, its id, left, entered, score, fields."""


class Board(Protocol):
    """Reads the queue in order to show it."""

    async def shown(self, most: int, completed: int, failed: int) -> list[ShownTask]:
        """Waiting tasks, the next first, running ones, and those that ended last.

        At most `most` of each state, `completed` and `failed` of each queue.
        """
        ...


class Adopter(Protocol):
    """Turns jobs of other services into tasks."""

    async def adopt(self, job: ForeignJob) -> None:
        """Make one task of it, however often it is called. What it raises is told to the sender."""
        ...

    async def known(self, ids: Sequence[TaskId]) -> Mapping[TaskId, ShownTask]:
        """Those of these tasks that are known."""
        ...


def queue_key(queue: str, name: str) -> str:
    return f"bull:{queue}:{name}"


class Showcase:
    """A pass of one server at a time."""

    name = "bridge-out"

    def __init__(self, client: Redis, board: Board, clock: Clock) -> None:
        self._client = client
        self._board = board
        self._clock = clock
        self._script = client.register_script(SHOW_SCRIPT)
        self._turn = new_id("srv", clock.now())
        self._known: dict[tuple[str, str], Job] = {}
        self._seen: dict[TaskId, tuple[ShownTask, list[Job]]] = {}
        """What each task looked like last time: most have not changed since."""
        self._reread_at: datetime | None = None
        self._rests_until = clock.now()

    async def run_once(self) -> datetime | None:
        began, now = self._clock.monotonic(), self._clock.now()
        if now < self._rests_until:
            return self._rests_until  # woken by news: what is new is seen soon enough
        tasks = await self._board.shown(SHOWN_MAX, jobs.COMPLETED_KEPT, jobs.FAILED_KEPT)
        try:
            if await self._client.get(TURN) != self._turn or self._is_time(now):
                await self._reread(now)
            changed = await self._show(tasks, now)
        except REDIS_ERRORS as error:
            self._known, self._reread_at = {}, None
            raise RedisAway(f"The bridge waits: {error}", retry_after=5) from error
        took = timedelta(seconds=self._clock.monotonic() - began)
        now = self._clock.now()
        self._rests_until = now + max(BUSY, took * SHARE)
        return self._rests_until if changed else now + max(QUIET, took * SHARE)

    async def _show(self, tasks: Sequence[ShownTask], now: datetime) -> bool:
        """Make Redis show exactly these tasks of ours; True when something had changed.

        Few at a time: there is one event loop, and an urgent task must not wait for all of them.
        """
        wanted: set[tuple[str, str]] = set()
        seen: dict[TaskId, tuple[ShownTask, list[Job]]] = {}
        changed = False
        for start in range(0, len(tasks), WRITTEN_AT_ONCE):
            some = self._jobs(tasks[start : start + WRITTEN_AT_ONCE], now)
            seen |= some
            made = [job for _, each in some.values() for job in each]
            wanted.update(job.place for job in made)
            changed = await self._write(made) or changed
        self._seen = seen
        gone = [job for place, job in self._known.items() if place not in wanted]
        for start in range(0, len(gone), WRITTEN_AT_ONCE):
            await self._remove(gone[start : start + WRITTEN_AT_ONCE])
        return changed or bool(gone)

    def _jobs(
        self, tasks: Sequence[ShownTask], now: datetime
    ) -> dict[TaskId, tuple[ShownTask, list[Job]]]:
        seen = {}
        for task in tasks:
            known = self._seen.get(task.id)
            if known is not None and known[0] == task:
                seen[task.id] = known
            elif jobs.is_shown(task.id):
                seen[task.id] = task, list(jobs.shown([task], now).values())
        return seen

    def _is_time(self, now: datetime) -> bool:
        return self._reread_at is None or now >= self._reread_at

    async def _reread(self, now: datetime) -> None:
        """Read what Redis contains now: it may be empty, old, or changed by another program."""
        async with self._client.pipeline(transaction=False) as pipe:
            for queue in jobs.QUEUES:
                pipe.lrange(queue_key(queue, "active"), 0, -1)
                for state in jobs.SORTED:
                    pipe.zrange(queue_key(queue, state), 0, -1)
            answers = iter(await pipe.execute())
        found: dict[tuple[str, str], Job] = {}
        for queue in jobs.QUEUES:
            for state in ("active", *jobs.SORTED):
                ours = (id_ for id_ in next(answers) if id_.startswith(jobs.OURS))
                for id_ in ours:
                    known = self._known.get((queue, id_))
                    same = known is not None and known.state == state
                    found[queue, id_] = known if known and same else Job(queue, id_, state, 0.0, ())
        self._known = found
        self._reread_at = now + REREAD_EVERY
        await self._client.set(TURN, self._turn)

    async def _write(self, wanted: Sequence[Job]) -> bool:
        new = [job for job in wanted if self._known.get(job.place) != job]
        if new:
            await self._change(_shown(self._known.get(job.place), job) for job in new)
            self._known.update((job.place, job) for job in new)
        return bool(new)

    async def _remove(self, gone: Sequence[Job]) -> None:
        await self._change(
            (queue_key(job.queue, ""), job.id, job.state, "", "", ()) for job in gone
        )
        for job in gone:
            del self._known[job.place]

    async def _change(self, changes: Iterable[Change]) -> None:
        """In one command: a pipeline of them would keep the event loop eight times as long."""
        await self._script(args=[json.dumps(list(changes))])


def _shown(former: Job | None, job: Job) -> Change:
    left = former.state if former is not None else ""
    moves = left != job.state
    entered = job.state if moves or job.state != "active" else ""
    fields = [text for pair in job.fields for text in pair]
    at = queue_key(job.queue, "")
    return at, job.id, left if moves else "", entered, repr(job.score), fields


class Intake:
    """A pass of one server at a time: takes jobs of others in, and gives results back.

    Jobs being worked on are in BullMQ's `active` list and nowhere else, so after a crash at any
    point the next server starts from the same list.
    """

    name = "bridge-in"

    def __init__(self, client: Redis, adopter: Adopter, clock: Clock) -> None:
        self._client = client
        self._adopter = adopter
        self._clock = clock
        self._take = client.register_script(TAKE_SCRIPT)
        self._wait = RESULT_FIRST

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        moved, open_, looks = False, 0, [now + QUIET]
        try:
            for queue in jobs.QUEUES:
                next_at = await self._take_from(queue, now)
                looks += [next_at] if next_at is not None else []
                under_way = await self._under_way(queue)
                ended = await self._settle(under_way)
                moved, open_ = moved or ended > 0, open_ + len(under_way) - ended
        except REDIS_ERRORS as error:
            raise RedisAway(f"The bridge waits: {error}", retry_after=5) from error
        if open_:
            self._wait = RESULT_FIRST if moved else min(RESULT_MOST, self._wait * 2)
            looks.append(now + self._wait)
        else:
            self._wait = RESULT_FIRST
        return min(looks)

    async def _take_from(self, queue: str, now: datetime) -> datetime | None:
        """Returns when their next job is due."""
        states = ("wait", "prioritized", "delayed", "active", "events")
        keys = [queue_key(queue, state) for state in states]
        args: list[str | int] = [queue_key(queue, ""), jobs.millis(now), TAKEN_MAX, jobs.OURS]
        _, next_at = await self._take(keys, args)
        return jobs.BEGINNING + jobs.MILLISECOND * int(next_at) if next_at else None

    async def _under_way(self, queue: str) -> list[ForeignJob]:
        active = map(str, await self._client.lrange(queue_key(queue, "active"), 0, -1))
        theirs = [id_ for id_ in active if not id_.startswith(jobs.OURS)]
        if not theirs:
            return []
        async with self._client.pipeline(transaction=False) as pipe:
            for id_ in theirs:
                pipe.hgetall(queue_key(queue, id_))
            said = await pipe.execute()
        return [jobs.read(queue, id_, one) for id_, one in zip(theirs, said, strict=True)]

    async def _settle(self, under_way: Sequence[ForeignJob]) -> int:
        """Returns how many of them have ended."""
        if not under_way:
            return 0
        known = await self._adopter.known([TaskId(job.task_id) for job in under_way])
        ended = 0
        for job in under_way:
            task = known.get(TaskId(job.task_id))
            if task is None and job.adopted:
                # It ended so long ago that the database has deleted it.
                ended += await self._finish(job, None)
            elif task is None:
                ended += await self._adopt(job)
            elif task.status is TaskStatus.DONE:
                ended += await self._finish(job, json.loads(task.result or "null"))
            elif task.status in (TaskStatus.DEAD, TaskStatus.CANCELLED):
                why = task.error or f"The task was {task.status}."
                ended += await self._fail(job, why)
        return ended

    async def _adopt(self, job: ForeignJob) -> int:
        try:
            await self._adopter.adopt(job)
        except Unavailable:
            raise  # the database cannot be reached: the job waits in `active` until it can
        except ClarionError as error:
            return await self._fail(job, str(error))
        await self._client.hset(queue_key(job.queue, job.id), "clarion", job.task_id)
        return 0

    async def _finish(self, job: ForeignJob, result: Any) -> int:
        keep = job.opts.get("removeOnComplete", jobs.COMPLETED_KEPT)
        scripts = self._scripts(job.queue)
        keys, args = scripts.moveToCompletedArgs(_as_asked(job), result, keep, "0", False)
        await scripts.commands["moveToFinished"](keys=keys, args=args)
        return 1

    async def _fail(self, job: ForeignJob, why: str) -> int:
        keep = job.opts.get("removeOnFail", jobs.FAILED_KEPT)
        reason = why.strip().rpartition("\n")[2]
        fields = {"failedReason": reason, "stacktrace": json.dumps([why])}
        scripts = self._scripts(job.queue)
        keys, args = scripts.moveToFailedArgs(_as_asked(job), reason, keep, "0", False, fields)
        await scripts.commands["moveToFinished"](keys=keys, args=args)
        return 1

    def _scripts(self, queue: str) -> "Scripts":
        """The scripts of the bullmq package, so that its events, parents and limits work too."""
        from bullmq.backends import RedisBackend
        from bullmq.redis_connection import RedisConnection

        return RedisBackend(queue, RedisConnection(self._client)).scripts


def _as_asked(job: ForeignJob) -> SimpleNamespace:
    """By the names that the package's scripts ask for. Nobody else has it, so no lock is shown."""
    queue = SimpleNamespace(opts={})
    return SimpleNamespace(id=job.id, opts=job.opts, attempts=1, attemptsMade=0, queue=queue)


class Bell:
    """A pass that blocks on Redis until another service has added a job."""

    name = "bridge-bell"

    def __init__(self, client: Redis, ring: Callable[[], None], clock: Clock) -> None:
        self._client = client
        self._ring = ring
        self._clock = clock

    async def run_once(self) -> datetime | None:
        markers = [queue_key(queue, "marker") for queue in jobs.QUEUES]
        try:
            marker = await self._client.bzpopmin(markers, BELL_SECONDS)
        except REDIS_ERRORS as error:
            log.debug("the bell is silent: %s", error)
            return self._clock.now() + RETRY
        if marker is not None:
            self._ring()
        return self._clock.now()
