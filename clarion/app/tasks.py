"""Joins the queue: its store, the workers that carry it out, and the clean-up."""

from clarion.app.parts import Parts
from clarion.base.ids import new_id
from clarion.settings import Settings
from clarion.store.sql.duties import SqlDuties
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.cleaner import Cleaner
from clarion.tasks.duties import Duties
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
        buffered_max=settings.task_buffer_max,
        lease=settings.task_lease,
        patience=settings.task_patience,
        restarts=parts.restarts,
        # One server to a SQLite file: what was running when it starts belongs to nobody.
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
