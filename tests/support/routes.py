"""Every route that an application answers."""

from collections.abc import Iterator
from typing import Any


def every_route(routes: Any) -> Iterator[tuple[str, str]]:
    """Also those of routers that were included, sockets, and what is not described."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from every_route(included.routes)
        else:
            for method in getattr(route, "methods", None) or {"ANY"}:
                yield method, route.path
