"""The ten numbered refusals of the dispatch interface, and three that it was missing.

Messages are Chinese, as clients of the interface know them; the hint is for operators.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from clarion.base.errors import (
    BadInput,
    CircuitOpen,
    ClarionError,
    Conflict,
    NotFound,
    TimedOut,
    Unavailable,
    Unprocessable,
)
from clarion.dispatch.model import Blocker

RETRY_AFTER = timedelta(seconds=30)  # the default that the interface promises


class TaskNotFound(NotFound):
    code = "ai_task_not_found"
    error_code = "AI4001"

    def __init__(self, task_id: str) -> None:
        super().__init__(f"任务不存在: {task_id}", details={"task_id": task_id})


class SchemeNotFound(NotFound):
    code = "ai_scheme_not_found"
    error_code = "AI4002"

    def __init__(self, scheme_id: str) -> None:
        super().__init__(f"方案不存在: {scheme_id}", details={"scheme_id": scheme_id})


class ResourceLocked(Conflict):
    """Other events have these teams. `locked_by` is the holder of the first one."""

    code = "ai_resource_locked"
    error_code = "AI4003"

    def __init__(self, blockers: Iterable[Blocker]) -> None:
        found = sorted(blockers, key=lambda one: one.team_id)
        teams = [str(one.team_id) for one in found]
        wait = max((one.retry_after for one in found), default=RETRY_AFTER)
        seconds = max(1, round(wait.total_seconds()))
        super().__init__(
            f"资源已被锁定: {', '.join(teams)}",
            details={
                "locked_resources": teams,
                "locked_by": found[0].locked_by if found else "",
                "retry_after_seconds": seconds,
                "holders": {str(one.team_id): one.locked_by for one in found},
            },
            retry_after=seconds,
        )


class InvalidInput(BadInput):
    code = "ai_invalid_input"
    error_code = "AI4004"

    def __init__(self, what: str, **details: Any) -> None:
        super().__init__(f"输入参数无效: {what}", details=details)


class EventNotFound(NotFound):
    code = "ai_event_not_found"
    error_code = "AI4005"

    def __init__(self, event_id: str) -> None:
        super().__init__(f"事件不存在: {event_id}", details={"event_id": event_id})


class RuleLoadFailed(ClarionError):
    code = "ai_rule_load_failed"
    status = 500
    error_code = "AI5001"

    def __init__(self, why: str, problems: Sequence[str] = ()) -> None:
        super().__init__(
            f"规则加载失败: {why}",
            hint="Mend the rules file; it is read again as soon as it changes.",
            details={"problems": list(problems)} if problems else {},
        )


class BreakerOpen(CircuitOpen):
    code = "ai_circuit_breaker_open"
    error_code = "AI5002"

    def __init__(self, what: str, retry_after: float) -> None:
        seconds = max(1, round(retry_after))
        super().__init__(
            f"熔断器已打开: {what}",
            details={"service": what, "retry_after_seconds": seconds},
            retry_after=seconds,
        )


class DatabaseSlow(TimedOut):
    code = "ai_database_timeout"
    error_code = "AI5003"

    def __init__(self, what: str, retry_after: float = 5.0) -> None:
        super().__init__(
            f"数据库查询超时: {what}",
            details={"query": what, "retry_after_seconds": round(retry_after)},
            retry_after=retry_after,
        )


class RedisGone(Unavailable):
    """A client sees it only when the fallback to the database is switched off."""

    code = "ai_redis_unavailable"
    error_code = "AI5004"

    def __init__(self, why: str, retry_after: float = 5.0) -> None:
        super().__init__(
            f"Redis不可用: {why}",
            details={"retry_after_seconds": round(retry_after)},
            retry_after=retry_after,
        )


class AlgorithmFailed(ClarionError):
    code = "ai_algorithm_failed"
    status = 500
    error_code = "AI5005"

    def __init__(self, node: str, why: str) -> None:
        super().__init__(f"算法执行失败: {node}: {why}", details={"node": node, "reason": why})


class TeamNotFound(NotFound):
    code = "ai_team_not_found"

    def __init__(self, team_id: str) -> None:
        super().__init__(f"队伍不存在: {team_id}", details={"team_id": team_id})


class DispatchIdTaken(Conflict):
    """There is a team or an event of that id."""

    code = "ai_id_taken"

    def __init__(self, what: str, own_id: str) -> None:
        named = {"team": "队伍", "event": "事件"}[what]
        super().__init__(f"{named}已存在: {own_id}", details={f"{what}_id": own_id})


class MoveRefused(Conflict):
    """Not allowed in this status; the details list the allowed moves."""

    code = "ai_move_refused"

    def __init__(self, what: str, now: str, wanted: str, allowed: Iterable[str] = ()) -> None:
        super().__init__(
            f"状态不允许: {what} {now} → {wanted}",
            details={"status": now, "wanted": wanted, "allowed": sorted(allowed)},
        )


class DispatchKeyReused(Unprocessable):
    """The same idempotency key with another request: one of them is a mistake."""

    code = "ai_key_reused"

    def __init__(self, key: str) -> None:
        super().__init__(f"Idempotency-Key 已用于另一请求: {key}")


def to_record(error: ClarionError) -> dict[str, Any]:
    """What a failed run stores of its error; `from_record` restores it."""
    return {
        "code": error.code,
        "error_code": error.error_code or error.code,
        "status": error.status,
        "message": error.message,
        "details": error.details,
        "retry_after": error.retry_after,
    }


class RunFailed(ClarionError):
    """The stored error of a run: the same status, codes, message and details."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(
            str(record["message"]),
            details=record["details"],
            retry_after=record["retry_after"],
        )


def from_record(record: Mapping[str, Any]) -> ClarionError:
    kind = type(
        "RunFailed",
        (RunFailed,),
        {key: record[key] for key in ("code", "error_code", "status")},
    )
    made: ClarionError = kind(record)
    return made
