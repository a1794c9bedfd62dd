"""`clarion tasks`: how the queue is doing, and what to do with tasks that died."""

import getpass
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import click

from clarion.access.audit import AuditTrail
from clarion.app.storage import open_storage
from clarion.base.clock import SystemClock
from clarion.base.errors import NotFound
from clarion.base.ids import TaskId
from clarion.cli.common import config_option, load_settings, run
from clarion.settings import Settings
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.kinds import KIND, QUEUE
from clarion.tasks.model import Level, Queue
from clarion.tasks.records import Count, Longest, TaskFilter, TaskRecord, TaskStatus

T = TypeVar("T")

AT_ONCE = 500
SHOWN = (TaskStatus.READY, TaskStatus.RUNNING, TaskStatus.SCHEDULED, TaskStatus.DEAD)


@click.group(invoke_without_command=True)
@config_option
@click.pass_context
def tasks(context: click.Context, config: Path | None) -> None:
    """Show how many tasks wait at each level, and for how long; replay or drop dead ones."""
    context.obj = load_settings(config)
    if context.invoked_subcommand is None:
        context.invoke(counts)


@tasks.command()
@click.pass_obj
def counts(settings: Settings) -> None:
    """Count tasks by level, with the oldest that waits (the default)."""
    now = SystemClock().now()

    async def look(store: SqlTasks) -> tuple[list[Count], list[Longest]]:
        return await store.counts(), await store.longest_waiting(now)

    click.echo(table(*_with(settings, look), now))


@tasks.command()
@click.option("--limit", default=20, show_default=True, help="How many to show.")
@click.pass_obj
def oldest(settings: Settings, limit: int) -> None:
    """List what waits to begin, the next one first."""
    now = SystemClock().now()
    for record in _page(settings, TaskStatus.READY, limit):
        task = record.task
        waited = spoken(now - task.due_at)
        click.echo(f"{task.id}  {task.base:>3}  {waited:>8}  {task.kind}  {task.source or ''}")


@tasks.command()
@click.option("--limit", default=20, show_default=True, help="How many to show.")
@click.option("--traceback", is_flag=True, help="Show the whole error, not its last line.")
@click.pass_obj
def dead(settings: Settings, limit: int, traceback: bool) -> None:
    """List tasks that ran out of tries, the newest first, with their errors."""
    records = _page(settings, TaskStatus.DEAD, limit)
    for record in records:
        tries = f"{record.attempt} {'try' if record.attempt == 1 else 'tries'}"
        click.echo(f"{record.task.id}  {record.task.kind}  after {tries}")
        lines = (record.error or "").strip().splitlines() or [""]
        for line in lines if traceback else lines[-1:]:
            click.echo(f"    {line}")
    if not records:
        click.echo("No task is dead.")


@tasks.command()
@click.argument("ids", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Replay every dead task.")
@click.pass_obj
def replay(settings: Settings, ids: tuple[str, ...], everything: bool) -> None:
    """Let dead tasks run again, with all their tries."""

    async def replay_them(store: SqlTasks) -> int:
        now = SystemClock().now()
        return await _each(store, ids, everything, lambda some: _length(store.replay(some, now)))

    _report(_with(settings, replay_them, "tasks replay", ids), "replayed", ids)


@tasks.command()
@click.argument("ids", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Drop every dead task.")
@click.pass_obj
def drop(settings: Settings, ids: tuple[str, ...], everything: bool) -> None:
    """Forget dead tasks."""

    async def forget(store: SqlTasks) -> int:
        return await _each(store, ids, everything, store.drop)

    _report(_with(settings, forget, "tasks drop", ids), "dropped", ids)


@tasks.command()
@click.argument("name")
@click.pass_obj
def pause(settings: Settings, name: str) -> None:
    """Let no task of a queue, or of a kind, begin until it is resumed; what runs goes on."""
    gate, now = _gate(name), SystemClock().now()
    _with(settings, lambda store: store.pause(gate, now), "tasks pause", (name,))
    click.echo(f"{name} is paused. `clarion tasks resume {name}` lets it go on.")


@tasks.command()
@click.argument("name")
@click.pass_obj
def resume(settings: Settings, name: str) -> None:
    """Let tasks of a queue, or of a kind, begin again, in their order."""
    was = _with(settings, lambda store: store.resume(_gate(name)), "tasks resume", (name,))
    click.echo(f"{name} goes on." if was else f"{name} was not paused.")


def _gate(name: str) -> str:
    return (QUEUE if name in {queue.value for queue in Queue} else KIND) + name


async def _each(
    store: SqlTasks,
    ids: tuple[str, ...],
    everything: bool,
    do: Callable[[list[TaskId]], Awaitable[int]],
) -> int:
    if bool(ids) == everything:
        raise click.UsageError("Name the tasks, or say --all.")
    if ids:
        return await do([TaskId(id_) for id_ in ids])
    number, cursor, more = 0, None, True
    while more:
        page = await store.page(TaskFilter(status=TaskStatus.DEAD), AT_ONCE, cursor)
        number += await do([record.task.id for record in page.records])
        cursor, more = page.cursor, page.cursor is not None
    return number


async def _length(answer: Awaitable[list[TaskId]]) -> int:
    return len(await answer)


def _report(number: int, verb: str, ids: tuple[str, ...]) -> None:
    if ids and not number:
        raise NotFound(
            "None of these is a dead task.", hint="`clarion tasks dead` lists those that are."
        )
    click.echo(f"{number} {'task' if number == 1 else 'tasks'} {verb}.")


def _page(settings: Settings, status: TaskStatus, limit: int) -> tuple[TaskRecord, ...]:
    async def look(store: SqlTasks) -> tuple[TaskRecord, ...]:
        return (await store.page(TaskFilter(status=status), limit)).records

    return _with(settings, look)


def _with(
    settings: Settings,
    work: Callable[[SqlTasks], Awaitable[T]],
    action: str = "",
    subjects: tuple[str, ...] = (),
) -> T:
    """`action`: what it changes, for the notes about who did what."""

    async def opened() -> T:
        database = await open_storage(settings)
        try:
            done = await work(SqlTasks(database))
            if action:
                trail = AuditTrail(SqlAudit(database), SystemClock(), settings.audit_kept_for)
                for subject in subjects or ("all",):
                    trail.at_machine(action, subject, getpass.getuser())
                await trail.write()
            return done
        finally:
            await database.close()

    return run(opened())


def table(counts: list[Count], longest: list[Longest], now: datetime) -> str:
    """One line a level, the most urgent first."""
    number = {(count.status, count.level): count.tasks for count in counts}
    since = {one.level: spoken(now - one.due_at) for one in longest}
    head = f"{'level':<10}" + "".join(f"{status:>11}" for status in SHOWN) + f"{'oldest':>11}"
    lines = [head]
    for level in sorted(Level, reverse=True):
        cells = "".join(f"{number.get((status, level), 0):>11}" for status in SHOWN)
        lines.append(f"{level.name.lower():<10}{cells}{since.get(level, '-'):>11}")
    return "\n".join(lines)


def spoken(waited: timedelta) -> str:
    seconds = max(0, int(waited.total_seconds()))
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
