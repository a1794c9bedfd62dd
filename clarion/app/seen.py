"""Joins what can be seen: the metrics, the pass that sets the gauges, the console's pages."""

from functools import partial

from starlette.middleware import Middleware

from clarion.access.feed import EventFeed
from clarion.app.parts import Parts
from clarion.doors.http.api.trends import Slots, Trends, trend_routes
from clarion.doors.http.health import Check, metrics_routes
from clarion.doors.http.middleware import Timing
from clarion.doors.http.pages.console import console_routes
from clarion.doors.metrics.census import Census
from clarion.doors.metrics.instruments import CONTENT_TYPE, Instruments
from clarion.doors.metrics.outside import OutsideWatch
from clarion.doors.metrics.window import Window
from clarion.store.sql import events
from clarion.store.sql.chats.lines import SqlTranscript
from clarion.store.sql.engine.sqlite import SqliteDatabase
from clarion.store.sql.reminders.store import SqlReminders
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.ports import Outcome
from clarion.tasks.workers import Workers


def add_instruments(parts: Parts) -> Instruments:
    seen = parts.instruments = Instruments()
    parts.restarts.on_death = lambda part: seen.restarts.labels(part).inc()
    parts.middleware.append(Middleware(Timing, clock=parts.clock, note=seen.timed))
    parts.closing.callback(parts.database.listen(events.HAPPENED, seen.happened))
    if isinstance(parts.database, SqliteDatabase):
        parts.database.on_commit = seen.commits.observe
    parts.routers.append(metrics_routes(seen.rendered, CONTENT_TYPE))
    return seen


def add_outside_watch(parts: Parts, seen: Instruments) -> None:
    """Shows who is away: whatever is set and lies outside, the databases aside."""
    settings = parts.settings
    services = {
        "mqtt": settings.mqtt_url,
        "gateway": settings.gateway_url,
        "llm": settings.llm_url,
        "speech": settings.speech_url,
        "transcription": settings.transcription_url,
    }
    known = {name: url for name, url in services.items() if url}
    transcript = SqlTranscript(parts.database)
    watch = OutsideWatch(known, parts.reaches, transcript.backlog, seen, parts.clock)
    parts.add_pass(watch)
    parts.checks += [Check(name, partial(watch.check, name), required=False) for name in known]


def add_census(parts: Parts, seen: Instruments, feed: EventFeed, workers: Workers) -> None:
    def settled(outcome: Outcome) -> None:
        seen.tasks.labels(outcome.claim.task.kind, type(outcome).__name__.lower()).inc()

    workers.on_settled = settled
    window = Window(parts.clock)
    parts.closing.callback(feed.listen(window.heard))
    census = Census(
        seen,
        window,
        SqlTasks(parts.database),
        SqlReminders(parts.database),
        parts.clock,
        slots=workers.occupied,
        degraded=parts.is_degraded,
    )
    parts.add_pass(census)


def add_console(parts: Parts, feed: EventFeed, workers: Workers) -> None:
    def slots() -> list[Slots]:
        return [Slots(name, total, busy) for name, total, busy in workers.occupied()]

    trends = Trends(SqlTasks(parts.database), parts.clock, slots)
    parts.closing.callback(feed.listen(trends.heard))
    parts.add_pass(trends)
    parts.routers += [console_routes(), trend_routes(trends)]
