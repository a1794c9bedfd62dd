"""What the features hand in while Clarion is being built."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from clarion.base.clock import Clock
from clarion.base.loop import Pass
from clarion.doors.http.health import Check
from clarion.settings import Settings
from clarion.store.sql.database import Database

if TYPE_CHECKING:
    from fastapi import APIRouter
    from starlette.middleware import Middleware


@dataclass(slots=True, kw_only=True)
class Parts:
    """Filled by one `add(parts)` after another, in the order of `build`.

    What is opened is closed by `closing`, the last one first, also when a later part fails.
    """

    settings: Settings
    clock: Clock
    database: Database
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)
    passes: list[Pass] = field(default_factory=list)
    routers: "list[APIRouter]" = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    middleware: "list[Middleware]" = field(default_factory=list)
    """Around every request, the outermost first."""
    lifespans: list[Callable[[], AbstractAsyncContextManager[object]]] = field(
        default_factory=list
    )
    """Entered when the HTTP door opens, left when it has closed."""
