"""Joins the queue: its store, the workers that carry it out, the clean-up, and kinds of task of
one's own: in Python, by a signed POST, for a BullMQ worker.
"""

import logging
from importlib.metadata import entry_points

from clarion.app.cluster import is_cluster
from clarion.app.parts import Parts
from clarion.base.errors import Unavailable
from clarion.base.ids import new_id
from clarion.doors.http.api.queue.kinds import kind_routes, queue_routes
from clarion.doors.http.health import Check
from clarion.doors.notify.post import HttpSender
from clarion.doors.notify.remote_tasks import RemoteTasks
from clarion.settings import Settings
from clarion.store.sql.duties import SqlDuties
from clarion.store.sql.tasks.gates import CHANNEL
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.cleaner import Cleaner
from clarion.tasks.duties import Duties
from clarion.tasks.kinds import Kind, KindRegistry, Target
from clarion.tasks.records import KeepEnded
from clarion.tasks.workers import DueTasks, Workers


def add_tasks(parts: Parts) -> Workers:
    """Carries out what is in `parts.kinds`; features may add to it until Clarion runs."""
    settings = parts.settings
    store = SqlTasks(parts.database)
    workers = Workers(
        store,
        parts.kinds,
        parts.clock,
        slots=settings.task_slots,
        reserved=settings.task_reserved_slots,
        control=settings.task_control_slots,
        urgent=settings.task_urgent_slots,
        outside=settings.task_outside_slots,
        buffered_max=settings.task_buffer_max,
        lease=settings.task_lease,
        patience=settings.task_patience,
        restarts=parts.restarts,
        # A SQLite file has one server: tasks that were running before its start are free.
        alone=parts.database.dialect == "sqlite",
    )
    if parts.works:
        parts.runners.append(workers)
    parts.passes.append(DueTasks(workers))
    parts.add_duty(Cleaner(store, parts.clock, kept(settings)))
    return workers


def kept(settings: Settings) -> KeepEnded:
    return KeepEnded(
        completed=settings.completed_tasks_kept,
        completed_for=settings.completed_tasks_kept_for,
        failed=settings.failed_tasks_kept,
        failed_for=settings.failed_tasks_kept_for,
    )


def add_duties(parts: Parts) -> Duties:
    duties = Duties(SqlDuties(parts.database), parts.clock, new_id("srv", parts.clock.now()))
    parts.duties = duties
    parts.add_pass(duties)
    parts.closing.push_async_callback(duties.resign)
    return duties


log = logging.getLogger(__name__)

ENTRY_POINTS = "clarion.tasks"


async def add_open_kinds(parts: Parts, sender: HttpSender) -> None:
    """Joined last, so that none takes the place of ours."""
    add_installed_kinds(parts)
    store = SqlTasks(parts.database)
    registry = KindRegistry(store, parts.kinds, parts.clock)
    registry.makers[Target.HTTP] = RemoteTasks(sender, parts.clock).handler
    if is_cluster(parts):
        add_handover(parts, registry, store)
    await registry.refresh()
    loop = parts.add_pass(registry)
    parts.on_signal(CHANNEL, loop.wake)

    async def check() -> None:
        if paused := registry.paused():
            raise Unavailable(f"Paused: {paused}.")

    parts.checks.append(Check("queues", check, required=False))
    parts.routers += [
        kind_routes(store, registry, parts.kinds, parts.clock, sender),
        queue_routes(store, registry, parts.clock),
    ]


def add_installed_kinds(parts: Parts) -> None:
    """From packages installed beside Clarion: see `clarion.tasks.kinds.task`.

    One that cannot be loaded is left out and shown.
    """
    for entry in entry_points(group=ENTRY_POINTS):
        try:
            kind = entry.load()
            assert isinstance(kind, Kind), f"{entry.value} is no Kind"
            assert parts.kinds.get(kind.name) is None, f"{kind.name!r} is taken"
        except Exception as error:
            log.exception("a kind of task is left out", extra={"entry": entry.value})
            parts.restarts.died(f"kind {entry.name}", f"{type(error).__name__}: {error}")
        else:
            parts.kinds.add(kind)


def add_handover(parts: Parts, registry: KindRegistry, store: SqlTasks) -> None:
    """Every server hands tasks over; one server at a time collects the results."""
    from clarion.store.redis.client import patient_client, quick_client
    from clarion.store.redis.handover import Handover, WorkBell

    url, clock = parts.settings.redis_url, parts.clock
    quick, patient = quick_client(url), patient_client(url)
    parts.closing.push_async_callback(quick.aclose)
    parts.closing.push_async_callback(patient.aclose)
    handover = Handover(quick, store, parts.kinds, clock, parts.is_degraded)
    registry.makers[Target.BULLMQ] = handover.handler
    looking = parts.add_duty(handover)

    def queues() -> set[str]:
        kinds = registry.remote.values()
        return {kind.address for kind in kinds if kind.target is Target.BULLMQ}

    parts.add_duty(WorkBell(patient, queues, looking.wake, clock))
