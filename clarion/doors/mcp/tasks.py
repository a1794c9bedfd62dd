"""Tools about the queue, for admin tokens. Their docstrings are read by assistants."""

from datetime import datetime
from typing import Annotated, Protocol

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from clarion.base.clock import Clock
from clarion.base.errors import Conflict, Forbidden, NotFound
from clarion.base.ids import TaskId
from clarion.doors.mcp.answers import answer, changes, reads
from clarion.doors.mcp.identity import asking
from clarion.tasks.records import TaskFilter, TaskPage, TaskRecord, TaskStatus


class ToolTaskStore(Protocol):
    """What these tools need from the store of tasks."""

    async def get(self, id_: TaskId) -> TaskRecord | None: ...
    async def page(
        self, wanted: TaskFilter, limit: int = 50, cursor: str | None = None
    ) -> TaskPage: ...
    async def replay(self, ids: list[TaskId], now: datetime) -> list[TaskId]: ...


class ToolTask(BaseModel):
    id: str
    kind: str
    status: TaskStatus
    base: int
    due_at: str
    attempt: int
    error: str | None


class TasksOut(BaseModel):
    items: list[ToolTask]
    next_cursor: str | None


class ReplayOut(BaseModel):
    said: str
    task: ToolTask


def only_admins() -> None:
    if not asking().is_admin:
        raise Forbidden("Only an admin token may do this.")


def add_task_tools(mcp: MCPServer, tasks: ToolTaskStore, clock: Clock) -> None:
    @mcp.tool(name="task_list", title="Look into the queue", annotations=reads())
    async def list_tasks(
        status: Annotated[
            TaskStatus, Field(description="dead ones need somebody; scheduled and ready ones wait.")
        ] = TaskStatus.DEAD,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Annotated[str, Field(description="next_cursor of the page before.")] = "",
    ) -> Annotated[CallToolResult, TasksOut]:
        """List tasks of the queue. By default the dead ones: work that failed every try.

        For operators who ask whether something is stuck. `error` says why a task failed last.
        """

        async def work() -> TasksOut:
            only_admins()
            page = await tasks.page(TaskFilter(status=status), limit, cursor or None)
            return TasksOut(
                items=[shown(record) for record in page.records], next_cursor=page.cursor
            )

        return await answer(work())

    @mcp.tool(name="task_replay", title="Try a dead task again", annotations=changes())
    async def replay_task(
        task_id: Annotated[str, Field(description="tsk_… of task_list.")],
    ) -> Annotated[CallToolResult, ReplayOut]:
        """Let a dead task run again, with all its tries. Do it once its cause is mended."""

        async def work() -> ReplayOut:
            only_admins()
            if await tasks.get(TaskId(task_id)) is None:
                raise NotFound(f"There is no task {task_id!r}.", hint="See task_list.")
            if not await tasks.replay([TaskId(task_id)], clock.now()):
                raise Conflict(f"Task {task_id!r} is not dead.", hint="Nothing to replay.")
            record = await tasks.get(TaskId(task_id))
            assert record is not None, "what was just replayed is there"
            return ReplayOut(said=f"{task_id} waits again.", task=shown(record))

        return await answer(work())


def shown(record: TaskRecord) -> ToolTask:
    return ToolTask(
        id=record.task.id,
        kind=record.task.kind,
        status=record.status,
        base=int(record.task.base),
        due_at=record.task.due_at.isoformat(),
        attempt=record.attempt,
        error=record.error,
    )
