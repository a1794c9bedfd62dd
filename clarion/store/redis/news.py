"""Tells other servers by Redis that tasks were added or moved: quicker than the database.

Only an extra signal: PostgreSQL sends it too, and workers also look by themselves now and then.
"""

from collections.abc import Callable
from datetime import datetime

from clarion.store.redis.bus import Bus

CHANNEL = "clarion_tasks"


class TaskNews:
    """A pass that is woken by the commits of this server; many commits become one message."""

    name = "redis-news"

    def __init__(self, bus: Bus, server: str, heard: Callable[[str], None]) -> None:
        """`heard` is called with messages of other servers."""
        self._bus = bus
        self._server = server
        self._heard = heard
        self._said: list[str] = []
        bus.listen(CHANNEL, self._hear)

    def say(self, news: str) -> None:
        """Send what `tasks.tell` wrote; an empty message is not sent."""
        if news:
            self._said.append(news)

    async def run_once(self) -> datetime | None:
        said, self._said = self._said, []
        if said:
            # The earliest instant, the best rank, whether one is critical, or a person's own.
            parts = zip(*(news.split() for news in said), strict=True)
            due_at, rank, *flags = (list(map(int, part)) for part in parts)
            news = f"{min(due_at)} {min(rank)} {' '.join(str(max(flag)) for flag in flags)}"
            await self._bus.publish(CHANNEL, f"{self._server} {news}")
        return None

    def _hear(self, text: str) -> None:
        server, _, news = text.partition(" ")
        if server != self._server:
            self._heard(news)
