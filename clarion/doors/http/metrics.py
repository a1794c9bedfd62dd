"""`/metrics` for Prometheus. Open like `/health`: it tells numbers, never names."""

from collections.abc import Callable

from fastapi import APIRouter, Response


def metrics_routes(rendered: Callable[[], bytes], content_type: str) -> APIRouter:
    router = APIRouter(tags=["health"])

    @router.get("/metrics", summary="For Prometheus", response_class=Response)
    async def metrics() -> Response:
        return Response(rendered(), media_type=content_type)

    return router
