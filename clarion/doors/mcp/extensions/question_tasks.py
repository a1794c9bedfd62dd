"""Questions as tasks, for hosts that know the tasks extension: the host waits, not the model.

There `ask_person` answers with a task. The question in the database is that task: it outlives
restarts, every server knows it, and whoever may read the question may read the task.
"""

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult, RequestParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from clarion.access.audit import AuditTrail
from clarion.access.tokens import InsufficientScope, Scope, check_scope
from clarion.base.errors import NotFound
from clarion.doors.mcp.answers import told_of
from clarion.doors.mcp.identity import actor_of, asking
from clarion.doors.mcp.questions import ASK, QuestionTools
from clarion.questions.model import PutQuestion, QuestionId, QuestionStatus

TASKS = "io.modelcontextprotocol/tasks"
POLL_MS = 5_000  # people take minutes; a host that asks more often learns nothing sooner
MODERN = frozenset(MODERN_PROTOCOL_VERSIONS)
Asking = ServerRequestContext[Any, Any]


class TaskParams(RequestParams):
    task_id: str


class QuestionTasks(Extension):
    identifier = TASKS

    def __init__(self, tools: QuestionTools, trail: AuditTrail) -> None:
        self._tools = tools
        self._questions = tools.questions
        self._trail = trail

    def methods(self) -> list[MethodBinding]:
        verbs = {"get": self._get, "cancel": self._cancel, "update": self._update}
        return [
            MethodBinding(f"tasks/{verb}", TaskParams, handler, MODERN)
            for verb, handler in verbs.items()
        ]

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: Asking, call_next: CallNext
    ) -> HandlerResult:
        result = await call_next(ctx)
        if params.name != ASK or not knows_tasks(ctx) or not isinstance(result, CallToolResult):
            return result
        made = result.structured_content or {}
        if result.is_error or "question_id" not in made:
            return result
        question = await self._found(made["question_id"], Scope.SET)
        return {**task_of(question), "resultType": "task"}

    async def _get(self, ctx: Asking, params: TaskParams) -> HandlerResult:
        require_client_extension(ctx, TASKS)
        question = await self._found(params.task_id, Scope.READ)
        task = task_of(question)
        if task["status"] == "completed":
            result = told_of(await self._tools.ticket(question))
            task["result"] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        return task

    async def _cancel(self, ctx: Asking, params: TaskParams) -> HandlerResult:
        """Twice is harmless, and so is a question that is over."""
        require_client_extension(ctx, TASKS)
        question = await self._found(params.task_id, Scope.SET)
        if question.status is QuestionStatus.OPEN:
            await self._questions.cancel(actor_of(asking()), question.id)
            self._trail.note("mcp", "tasks/cancel", question.id, asking(), "")
        return {}

    async def _update(self, ctx: Asking, params: TaskParams) -> HandlerResult:
        """A question never waits for the host itself: there is nothing to hand in."""
        require_client_extension(ctx, TASKS)
        await self._found(params.task_id, Scope.SET)
        return {}

    async def _found(self, task_id: str, scope: Scope) -> PutQuestion:
        """To others the question does not exist."""
        who = asking()
        try:
            check_scope(who.scopes, scope)
            return await self._questions.get(actor_of(who), QuestionId(task_id))
        except (InsufficientScope, NotFound) as error:
            raise MCPError(INVALID_PARAMS, error.message) from None


def knows_tasks(ctx: Asking) -> bool:
    capabilities = ctx.session.client_capabilities
    declared = capabilities.extensions if capabilities else None
    return ctx.protocol_version in MODERN and bool(declared) and TASKS in (declared or {})


STATUSES = {
    QuestionStatus.OPEN: "working",
    QuestionStatus.ANSWERED: "completed",
    QuestionStatus.EXPIRED: "completed",  # that nobody answered is an answer too
    QuestionStatus.CANCELLED: "cancelled",
}


def task_of(question: PutQuestion) -> dict[str, Any]:
    return {
        "taskId": question.id,
        "status": STATUSES[question.status],
        "createdAt": question.created_at.isoformat(),
        "lastUpdatedAt": (question.answered_at or question.created_at).isoformat(),
        "ttlMs": None,
        "pollIntervalMs": POLL_MS,
    }
