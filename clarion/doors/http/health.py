"""Health: is the server alive, ready, or degraded? For load balancers and people."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Response
from starlette.responses import JSONResponse

from clarion import __version__

log = logging.getLogger(__name__)

ANSWER_SECONDS_MAX = 2.0  # load balancers commonly give up after five


@dataclass(frozen=True, slots=True)
class Check:
    """Checks one service; `probe` raises when it is down. `required` ones decide readiness.

    The others only make us degraded: work goes on without them.
    """

    name: str
    probe: Callable[[], Awaitable[object]]
    required: bool = True
    about: Callable[[], Awaitable[Mapping[str, Any]]] | None = None
    """More facts about it, shown whether it is up or down."""


@dataclass(frozen=True, slots=True)
class HealthFinding:
    name: str
    ok: bool
    required: bool
    detail: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)


def health_routes(checks: Sequence[Check], stopping: asyncio.Event) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/health/live", summary="Is the process answering?")
    async def live() -> dict[str, str]:
        return {"status": "live", "version": __version__}

    @router.get("/health/ready", summary="May it be sent work?")
    @router.get("/health", name="everything", summary="Everything known about its health")
    async def ready() -> JSONResponse:
        findings = await examine(checks)
        return JSONResponse(*report(findings, stopping=stopping.is_set()))

    return router


async def examine(checks: Sequence[Check]) -> list[HealthFinding]:
    return list(await asyncio.gather(*(ask(check) for check in checks)))


async def ask(check: Check) -> HealthFinding:
    finding = await _probe(check)
    if check.about is None:
        return finding
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            return replace(finding, about=await check.about())
    except Exception:
        # It says more about the database, which has a check of its own.
        log.debug("nothing known", extra={"check": check.name}, exc_info=True)
        return finding


async def _probe(check: Check) -> HealthFinding:
    try:
        async with asyncio.timeout(ANSWER_SECONDS_MAX):
            await check.probe()
    except TimeoutError:
        return HealthFinding(
            check.name, ok=False, required=check.required, detail="no answer in time"
        )
    except Exception as error:
        log.debug("health check failed", extra={"check": check.name}, exc_info=True)
        return HealthFinding(check.name, ok=False, required=check.required, detail=str(error))
    return HealthFinding(check.name, ok=True, required=check.required)


def report(
    findings: Sequence[HealthFinding], *, stopping: bool = False
) -> tuple[dict[str, Any], int]:
    """The body and the status: 503 while stopping or when something required is down."""
    ready = not stopping and all(one.ok for one in findings if one.required)
    degraded = any(not one.ok for one in findings)
    word = "stopping" if stopping else "unready" if not ready else "ready"
    body = {
        "status": "degraded" if ready and degraded else word,
        "ready": ready,
        "degraded": degraded,
        "version": __version__,
        "checks": {
            one.name: {"ok": one.ok, **({"detail": one.detail} if one.detail else {}), **one.about}
            for one in findings
        },
    }
    return body, HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE


def metrics_routes(rendered: Callable[[], bytes], content_type: str) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/metrics", summary="For Prometheus", response_class=Response)
    async def metrics() -> Response:
        return Response(rendered(), media_type=content_type)

    return router
