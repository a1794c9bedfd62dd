"""A real HTTP server on a free loopback port, in the test's own event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from tests.support.server import free_port


class Listening(uvicorn.Server):
    """Uvicorn that tells when it listens, so that a test waits for a fact."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets=sockets)
        self.listens.set()


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[str]:
    """Serve any ASGI application; yields its base address, such as `http://127.0.0.1:40123`."""
    port = free_port()
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=port,
        log_config=None,
        lifespan="on" if hasattr(app, "router") else "auto",
        timeout_graceful_shutdown=1,
    )
    server = Listening(config)
    running = asyncio.create_task(server._serve(), name="test server")  # signals stay pytest's
    listens = asyncio.create_task(server.listens.wait())
    await asyncio.wait({running, listens}, return_when=asyncio.FIRST_COMPLETED)
    listens.cancel()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await running
