"""Joins the console: its files, and the numbers that its charts are made from."""

from clarion.access.feed import EventFeed
from clarion.app.parts import Parts
from clarion.doors.http.api.trends import Slots, Trends, trend_routes
from clarion.doors.http.pages.console import console_routes
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.workers import Workers


def add_console(parts: Parts, feed: EventFeed, workers: Workers) -> None:
    def slots() -> list[Slots]:
        return [Slots(name, total, busy) for name, total, busy in workers.occupied()]

    trends = Trends(SqlTasks(parts.database), parts.clock, slots)
    parts.closing.callback(feed.listen(trends.heard))
    parts.add_pass(trends)
    parts.routers += [console_routes(), trend_routes(trends)]
