"""Routes about the queue: how much waits, what it is, and what to do with the dead. Admins only."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field, model_validator

from clarion.base.clock import Clock
from clarion.base.errors import Conflict, NotFound
from clarion.base.ids import TaskId, new_id
from clarion.doors.http.auth import Admin
from clarion.doors.http.conventions import (
    PREFIX,
    Cursor,
    Instant,
    Key,
    Limit,
    OnceOnly,
    Shape,
    answer_json,
    nothing,
    refusals,
    removes,
    said,
)
from clarion.tasks.kinds import Kinds
from clarion.tasks.model import Level, Queue, Task
from clarion.tasks.records import (
    Count,
    Longest,
    Reasons,
    TaskFilter,
    TaskPage,
    TaskRecord,
    TaskStatus,
    level_of,
)

LEVELS = {level.name.lower(): level for level in Level}
LevelName = Annotated[
    str | None, Query(pattern="^(critical|high|normal|bulk)$", description="A named level.")
]
TaskName = Annotated[str, Path(max_length=128)]


class NoSuchTask(NotFound):
    code = "no_such_task"


class NotDead(Conflict):
    code = "task_not_dead"


class TaskKnown(Conflict):
    code = "task_known"


class NoSuchKind(NotFound):
    code = "no_such_kind"


class TaskBook(Protocol):
    """What these routes need from the store of tasks."""

    async def add(self, new: Sequence[Task], now: datetime) -> list[TaskId]: ...

    async def get(self, id_: TaskId) -> TaskRecord | None: ...
    async def why(self, id_: TaskId, now: datetime) -> Reasons | None: ...
    async def page(
        self, wanted: TaskFilter, limit: int = 50, cursor: str | None = None
    ) -> TaskPage: ...
    async def counts(self) -> list[Count]: ...
    async def longest_waiting(self, now: datetime) -> list[Longest]: ...
    async def replay(self, ids: list[TaskId], now: datetime) -> list[TaskId]: ...
    async def drop(self, ids: list[TaskId]) -> int: ...


class TaskIn(Shape):
    kind: str = Field(max_length=100, examples=["shop.order"])
    payload: dict[str, Any] = Field(default_factory=dict)
    due_at: Instant | None = Field(None, description="Now, when it is not said.")
    base: int = Field(Level.NORMAL, ge=0, le=Level.CRITICAL, description="Its priority.")
    key: str | None = Field(
        None, max_length=200, description="While one with this key waits, another changes nothing."
    )
    source: str | None = Field(None, max_length=200, description="Who shares the queue by it.")
    unique_seconds: float | None = Field(
        None,
        gt=0,
        le=2_592_000,
        description="So long after one with this key was added, another changes nothing.",
    )

    @model_validator(mode="after")
    def _key_for_a_window(self) -> "TaskIn":
        if self.unique_seconds is not None and self.key is None:
            raise ValueError("unique_seconds needs a key.")
        return self


class TaskOut(Shape):
    id: str
    kind: str = Field(examples=["reminder.ring"])
    queue: Queue
    status: TaskStatus
    base: int
    due_at: str
    attempt: int
    key: str | None
    source: str | None
    payload: dict[str, Any]
    worker: str | None
    error: str | None
    result: Any = Field(description="What its handler returned.")
    control: bool
    trace: str | None = Field(description="The W3C `traceparent` that it was added with.")
    created_at: str
    started_at: str | None
    ended_at: str | None


class ShareOut(Shape):
    source: str | None
    waiting: int = Field(description="Tasks of this source that are ready.")
    behind_seconds: float = Field(description="How far its source's own backlog put it back.")


class SourceOut(Shape):
    source: str | None
    tasks: int


class AheadOut(Shape):
    tasks: int = Field(description="How many begin before it; 10000 stands for more.")
    sources: list[SourceOut] = Field(description="Whose they are, those with the most first.")


class WhyOut(Shape):
    """Why a task has not begun yet."""

    id: str
    status: TaskStatus
    level: str
    base: int
    control: bool
    held: bool = Field(description="Its queue or kind is paused, or as many of it run as may.")
    due_at: str
    rank: str = Field(description="The earlier, the sooner: its start less two minutes a point.")
    share: ShareOut
    ahead: AheadOut
    per_second: float = Field(description="Tasks done a second in the last minute.")
    expected_at: str | None = Field(description="When it may begin; null when nothing tells.")


class TaskPageOut(Shape):
    items: list[TaskOut]
    next_cursor: str | None


class CountOut(Shape):
    status: TaskStatus
    level: str
    tasks: int


class WaitingOut(Shape):
    level: str
    due_at: str


class CountsOut(Shape):
    counts: list[CountOut]
    longest_waiting: list[WaitingOut]


def task_routes(tasks: TaskBook, clock: Clock, kinds: Kinds, once: OnceOnly) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/tasks", tags=["tasks"])

    @router.get("/counts", response_model=CountsOut, summary="How much waits, by level")
    async def counts(_: Admin) -> Response:
        found = await tasks.counts()
        waiting = await tasks.longest_waiting(clock.now())
        return answer_json(
            {
                "counts": [
                    {"status": one.status, "level": one.level.name.lower(), "tasks": one.tasks}
                    for one in found
                ],
                "longest_waiting": [
                    {"level": one.level.name.lower(), "due_at": said(one.due_at)} for one in waiting
                ],
            }
        )

    @router.get(
        "",
        response_model=TaskPageOut,
        summary="Tasks: waiting ones in the order they will begin, others the newest first",
    )
    async def find(
        _: Admin,
        status: TaskStatus | None = None,
        level: LevelName = None,
        queue: Queue | None = None,
        kind: Annotated[str | None, Query(max_length=100)] = None,
        source: Annotated[str | None, Query(max_length=200)] = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        wanted = TaskFilter(
            status=status,
            level=LEVELS[level] if level else None,
            kind=kind,
            source=source,
            queue=queue,
        )
        page = await tasks.page(wanted, limit, cursor)
        items = [shown(record) for record in page.records]
        return answer_json({"items": items, "next_cursor": page.cursor})

    add_adding(router, tasks, clock, kinds, once)
    add_one(router, tasks, clock)
    return router


def add_adding(
    router: APIRouter, tasks: TaskBook, clock: Clock, kinds: Kinds, once: OnceOnly
) -> None:
    @router.post(
        "",
        response_model=TaskOut,
        status_code=HTTPStatus.CREATED,
        summary="Add a task of a kind of your own; its result is read from it later",
        responses=refusals(404, 409, 422),
    )
    async def add(request: Request, who: Admin, body: TaskIn, key: Key = None) -> Response:
        async def work() -> Response:
            now = clock.now()
            # The id is the same when a server died before it could answer: so it is added once.
            id_ = new_id("tsk", now) if key is None else named_by(who.user_id or "admin", key)
            task = wanted_task(body, TaskId(id_), now, kinds)
            added = await tasks.add([task], now)
            record = await tasks.get(task.id)
            if record is None:
                words = f"A task with the key {task.key!r} waits already, or was added lately."
                raise TaskKnown(words)
            if not added and record.task.payload != task.payload:
                raise TaskKnown("Another task was added with this idempotency key.")
            return answer_json(shown(record), status=HTTPStatus.CREATED)

        return await once.do(request, who.user_id, key, work)


def named_by(holder: str, key: str) -> str:
    return f"tsk_{hashlib.sha256(f'{holder} {key}'.encode()).hexdigest()[:26]}"


def wanted_task(body: TaskIn, id_: TaskId, now: datetime, kinds: Kinds) -> Task:
    kind = kinds.get(body.kind)
    if kind is None or not kind.open:
        raise NoSuchKind(
            f"No kind {body.kind!r} is open to you.",
            hint="GET /api/v1/kinds lists those that are; docs/queue.md says how to add one.",
        )
    return Task(
        *(id_, body.kind, body.due_at or now, body.payload, body.base),
        *(Queue.CHORES, body.key, body.source),
        unique_for=timedelta(seconds=body.unique_seconds) if body.unique_seconds else None,
    )


def add_one(router: APIRouter, tasks: TaskBook, clock: Clock) -> None:
    @router.get("/{task_id}", response_model=TaskOut, summary="One task", responses=refusals(404))
    async def get(_: Admin, task_id: TaskName) -> Response:
        return answer_json(shown(await known(tasks, task_id)))

    @router.get(
        "/{task_id}/why",
        response_model=WhyOut,
        summary="Why it has not begun: its rank, its share, who is before it, when it may begin",
        responses=refusals(404),
    )
    async def why(_: Admin, task_id: TaskName) -> Response:
        now = clock.now()
        reasons = await tasks.why(TaskId(task_id), now)
        if reasons is None:
            raise no_such(task_id)
        return answer_json(explained(reasons, now))

    @router.post(
        "/{task_id}/replay",
        response_model=TaskOut,
        summary="Let a dead task wait again, with all its attempts",
        responses=refusals(404, 409),
    )
    async def replay(_: Admin, task_id: TaskName) -> Response:
        record = await known(tasks, task_id)
        if not await tasks.replay([record.task.id], clock.now()):
            raise not_dead(record)
        return answer_json(shown(await known(tasks, task_id)))

    @router.delete(
        "/{task_id}",
        summary="Forget a dead task",
        **removes(409),
    )
    async def drop(_: Admin, task_id: TaskName) -> Response:
        record = await known(tasks, task_id)
        if not await tasks.drop([record.task.id]):
            raise not_dead(record)
        return nothing()


async def known(tasks: TaskBook, task_id: str) -> TaskRecord:
    record = await tasks.get(TaskId(task_id))
    if record is None:
        raise no_such(task_id)
    return record


def no_such(task_id: str) -> NoSuchTask:
    return NoSuchTask(f"There is no task {task_id!r}.")


def explained(reasons: Reasons, now: datetime) -> dict[str, Any]:
    record, task = reasons.record, reasons.record.task
    return {
        "id": task.id,
        "status": record.status,
        "level": level_of(task.base).name.lower(),
        "base": int(task.base),
        "control": task.control,
        "held": reasons.held,
        "due_at": said(task.due_at),
        "rank": said(reasons.rank),
        "share": {
            "source": task.source,
            "waiting": reasons.same_source,
            "behind_seconds": reasons.behind.total_seconds(),
        },
        "ahead": {
            "tasks": reasons.ahead,
            "sources": [{"source": source, "tasks": n} for source, n in reasons.ahead_of],
        },
        "per_second": round(reasons.per_second, 2),
        "expected_at": said(reasons.expected_at(now)),
    }


def not_dead(record: TaskRecord) -> NotDead:
    return NotDead(
        f"Task {record.task.id!r} is {record.status}, or its successor waits already.",
        hint="Only dead tasks are replayed or dropped.",
        details={"status": record.status.value},
    )


def shown(record: TaskRecord) -> dict[str, Any]:
    task = record.task
    return {
        "id": task.id,
        "kind": task.kind,
        "queue": task.queue,
        "status": record.status,
        "base": int(task.base),
        "due_at": said(task.due_at),
        "attempt": record.attempt,
        "key": task.key,
        "source": task.source,
        "payload": dict(task.payload),
        "worker": record.worker,
        "error": record.error,
        "result": None if record.result is None else json.loads(record.result),
        "control": task.control,
        "trace": task.trace,
        "created_at": said(record.created_at),
        "started_at": said(record.started_at),
        "ended_at": said(record.ended_at),
    }
