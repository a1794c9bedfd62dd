"""The queue as simply as it can be said: a dictionary, a loop and a sort."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from clarion.base.ids import TaskId
from clarion.tasks.model import A_POINT, Shares, Task
from clarion.tasks.ports import Claim, Done, Failed, HandedOver, Later, Outcome, Released
from clarion.tasks.records import TaskStatus

WAITING = {TaskStatus.SCHEDULED, TaskStatus.READY}


@dataclass
class Entry:
    task: Task
    sequence: int
    base: int
    due_at: datetime
    status: TaskStatus
    attempt: int = 0
    fence: int = 0
    start_at: datetime | None = None
    """What its rank counts from; None until it is ready."""
    leased_until: datetime | None = None
    finished: int = 0
    """How often somebody's word that it is done was accepted."""

    @property
    def place(self) -> tuple[datetime, int]:
        return (self.start_at or self.due_at) - self.base * A_POINT, self.sequence


class TaskModel:
    def __init__(self, shares: Shares) -> None:
        self._shares = shares
        self.entries: dict[TaskId, Entry] = {}

    def waiting_with(self, key: str | None) -> Entry | None:
        found = (
            entry
            for entry in self.entries.values()
            if key is not None and entry.task.key == key and entry.status in WAITING
        )
        return next(found, None)

    def add(self, tasks: Iterable[Task], now: datetime) -> list[TaskId]:
        added: list[TaskId] = []
        for task in tasks:
            if not self.waiting_with(task.key) and task.id not in self.entries:
                status = TaskStatus.READY if task.due_at <= now else TaskStatus.SCHEDULED
                entry = Entry(task, len(self.entries), task.base, task.due_at, status)
                self.entries[task.id] = entry
                added.append(task.id)
        self._place_fresh()
        return added

    def _promote(self, now: datetime) -> None:
        for entry in self.entries.values():
            if entry.status is TaskStatus.SCHEDULED and entry.due_at <= now:
                entry.status = TaskStatus.READY
        self._place_fresh()

    def _place_fresh(self) -> None:
        """One after the other, as they fell due: each behind the last of its source that waits."""
        fresh = [
            entry
            for entry in self.entries.values()
            if entry.status is TaskStatus.READY and entry.start_at is None
        ]
        for entry in sorted(fresh, key=lambda entry: (entry.due_at, entry.sequence)):
            self._place(entry)

    def _place(self, entry: Entry) -> None:
        entry.start_at = entry.due_at
        if self._shares.shares(entry.task):
            step = self._shares.step(entry.task.base, entry.task.weight)
            ahead = [start_at + step for start_at in self._waiting_of(entry)]
            entry.start_at = max([entry.due_at, *ahead])

    def _waiting_of(self, entry: Entry) -> list[datetime]:
        return [
            other.start_at
            for other in self.entries.values()
            if other is not entry
            and other.task.source == entry.task.source
            and other.status is TaskStatus.READY
            and not other.task.control
            and other.start_at is not None
        ]

    def claim(
        self,
        limits: tuple[int, int, int],
        lease_ends: datetime,
        now: datetime,
    ) -> list[tuple[TaskId, int, int]]:
        """Id, attempt and fence of what a turn claims, in order."""
        any_, critical, control = limits
        self._promote(now)
        ready = [entry for entry in self.entries.values() if entry.status is TaskStatus.READY]
        ready.sort(key=lambda entry: entry.place)
        urgent = [entry for entry in ready if entry.base >= 100][:critical]
        said = [entry for entry in ready if entry.task.control][:control]
        taken = [entry for entry in ready if entry in [*ready[:any_], *urgent, *said]]
        for entry in taken:
            entry.status = TaskStatus.RUNNING
            entry.attempt += 1
            entry.fence += 1
            entry.leased_until = lease_ends
        return [(entry.task.id, entry.attempt, entry.fence) for entry in taken]

    def settle(self, outcome: Outcome, now: datetime) -> None:
        entry = self.entries[outcome.claim.task.id]
        if not self.is_current(outcome.claim):
            return
        match outcome:
            case Done():
                entry.status = TaskStatus.DONE
                entry.finished += 1
            case Failed(_, _, retry_at):
                entry.status = TaskStatus.DEAD
                if retry_at is not None:
                    self._wait(entry, retry_at, now)
            case Later(_, again):
                entry.attempt = 0
                self._wait(entry, again.at, now)
            case HandedOver(_, to):
                entry.leased_until = to.until
            case Released():
                entry.attempt -= 1
                self._wait(entry, outcome.claim.task.due_at, now)

    def is_current(self, claim: Claim) -> bool:
        entry = self.entries[claim.task.id]
        return entry.status is TaskStatus.RUNNING and entry.fence == claim.fence

    def take_back(self, now: datetime) -> int:
        expired = [
            entry
            for entry in self.entries.values()
            if entry.status is TaskStatus.RUNNING
            and entry.leased_until
            and entry.leased_until <= now
        ]
        for entry in sorted(expired, key=lambda entry: (entry.leased_until, entry.sequence)):
            self._wait(entry, entry.due_at, now)
        return len(expired)

    def cancel(self, entries: Iterable[Entry]) -> int:
        open_ = [one for one in entries if one.status in {*WAITING, TaskStatus.RUNNING}]
        for entry in open_:
            entry.status = TaskStatus.CANCELLED
        return len(open_)

    def reschedule(self, key: str, due_at: datetime, now: datetime) -> bool:
        entry = self.waiting_with(key)
        if entry is not None:
            entry.start_at = None
            self._wait(entry, due_at, now)
        return entry is not None

    def reprioritise_source(self, source: str, base: int) -> int:
        moved = [
            entry
            for entry in self.entries.values()
            if entry.task.source == source and entry.status in {*WAITING, TaskStatus.RUNNING}
        ]
        for entry in moved:
            entry.base = base
        return len(moved)

    def replay(self, entry: Entry, now: datetime) -> bool:
        if entry.status is not TaskStatus.DEAD or self.waiting_with(entry.task.key):
            return False
        entry.attempt, entry.start_at = 0, None
        self._wait(entry, now, now)
        return True

    def _wait(self, entry: Entry, due_at: datetime, now: datetime) -> None:
        if due_at != entry.due_at:
            entry.start_at = None
        entry.due_at = due_at
        other = self.waiting_with(entry.task.key)
        if other not in (None, entry):
            entry.status = TaskStatus.CANCELLED
        else:
            entry.status = TaskStatus.READY if due_at <= now else TaskStatus.SCHEDULED
        if entry.status is TaskStatus.READY and entry.start_at is None:
            self._place(entry)
