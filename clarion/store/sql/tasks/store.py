"""The queue in the database, as workers and doors see it: one transaction for each verb."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from clarion.base.clock import Clock
from clarion.base.ids import TaskId
from clarion.base.urgency import ORDINARY, urgency
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.signals import Then
from clarion.store.sql.tasks import claims as tasks_claims
from clarion.store.sql.tasks import gates as tasks_gates
from clarion.store.sql.tasks import kinds as tasks_kinds
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import views as tasks_views
from clarion.tasks.model import Gates, Task
from clarion.tasks.ports import Claim, Lent, News, Outcome, TakenClaims, Ticket, Wanted
from clarion.tasks.records import (
    Count,
    KeepEnded,
    Longest,
    Reasons,
    ShownTask,
    TaskFilter,
    TaskPage,
    TaskRecord,
)
from clarion.tasks.remote import RemoteKind

FEW = 10  # more than that at once is no single VIP, and waits like everybody


class SqlTasks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        return await self._database.write(tasks_claims.turn, outcomes, wanted, now)

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        return self._database.listen(
            tasks.CHANNEL, lambda payload: listener(tasks.read_news(payload))
        )

    def claim_on_insert(
        self,
        wanted: Callable[[News], Wanted | None],
        accept: Callable[[list[Claim]], None],
        clock: Clock,
    ) -> Callable[[], None]:
        def claim_new(conn: Connection, payload: str) -> Then | None:
            wish = wanted(tasks.read_news(payload))
            if wish is None:
                return None
            return partial(accept, tasks_claims.claim_next(conn, wish, clock.now()).claims)

        return self._database.join_commits(tasks.CHANNEL, claim_new)

    async def add(
        self, new: Sequence[Task], now: datetime, *, backlog_max: int | None = None
    ) -> list[TaskId]:
        with urgency(_hurry(new)):
            return await self._database.write(tasks.add, new, now, backlog_max=backlog_max)

    async def cancel(self, ids: Sequence[TaskId], now: datetime) -> int:
        return await self._database.write(tasks.cancel, ids, now)

    async def cancel_keys(self, keys: Sequence[str], now: datetime) -> int:
        return await self._database.write(tasks.cancel_keys, keys, now)

    async def reschedule(self, key: str, due_at: datetime, now: datetime) -> bool:
        return await self._database.write(tasks.reschedule, key, due_at, now)

    async def reprioritise(self, ids: Sequence[TaskId], base: int, now: datetime) -> int:
        return await self._database.write(tasks.reprioritise, ids, base, now)

    async def reprioritise_source(self, source: str, base: int, now: datetime) -> int:
        return await self._database.write(tasks.reprioritise_source, source, base, now)

    async def claim(self, ids: Sequence[TaskId], wanted: Wanted, now: datetime) -> list[Claim]:
        return await self._database.write(tasks_claims.claim, ids, wanted, now)

    async def renew(self, claims: Sequence[Claim], lease: timedelta, now: datetime) -> set[Ticket]:
        return await self._database.write(tasks_claims.renew, claims, lease, now)

    async def take_back(self, now: datetime, *, everybody: bool = False) -> int:
        return await self._database.write(tasks_claims.take_back, now, everybody=everybody)

    async def replay(self, ids: Sequence[TaskId], now: datetime) -> list[TaskId]:
        return await self._database.write(tasks.replay, ids, now)

    async def drop(self, ids: Sequence[TaskId]) -> int:
        return await self._database.write(tasks.drop, ids)

    async def get(self, id_: TaskId) -> TaskRecord | None:
        return await self._database.read(tasks_views.get, id_)

    async def why(self, id_: TaskId, now: datetime) -> Reasons | None:
        return await self._database.read(tasks_views.why, id_, now)

    async def page(
        self, wanted: TaskFilter, limit: int = 50, cursor: str | None = None
    ) -> TaskPage:
        return await self._database.read(tasks_views.page, wanted, limit, cursor)

    async def shown(self, most: int, completed: int, failed: int) -> list[ShownTask]:
        return await self._database.read(tasks_views.shown, most, completed, failed)

    async def shown_by_id(self, ids: Sequence[TaskId]) -> dict[TaskId, ShownTask]:
        return await self._database.read(tasks_views.shown_by_id, ids)

    async def counts(self) -> list[Count]:
        return await self._database.read(tasks_views.counts)

    async def longest_waiting(self, now: datetime) -> list[Longest]:
        return await self._database.read(tasks_views.longest_waiting, now)

    async def pause(self, name: str, now: datetime) -> None:
        """`queue:…` or `kind:…`: what has not begun waits until it is resumed."""
        await self._database.write(tasks_gates.pause, name, now)

    async def resume(self, name: str) -> bool:
        """False when it was not paused."""
        return await self._database.write(tasks_gates.resume, name)

    async def paused(self) -> list[str]:
        return await self._database.read(tasks_gates.paused)

    async def free_forgotten(self, gates: Gates, now: datetime) -> int:
        """Free what is held by no gate any more."""
        return await self._database.write(tasks_gates.free_forgotten, gates, now)

    async def remote_kinds(self) -> list[RemoteKind]:
        return await self._database.read(tasks_kinds.everything)

    async def put_kind(self, kind: RemoteKind) -> None:
        """The one of this name is replaced."""
        await self._database.write(tasks_kinds.put, kind)

    async def remove_kind(self, name: str) -> bool:
        return await self._database.write(tasks_kinds.remove, name)

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        """Write what became of claims; one whose fence is old changes nothing."""
        await self._database.write(tasks_claims.settle, outcomes, now)

    async def handed_over(self, prefix: str, most: int) -> list[Lent]:
        """What others carry out whose names begin so."""
        return await self._database.read(tasks_claims.handed_over, prefix, most)

    async def clean(self, kept: KeepEnded, now: datetime, most: int) -> int:
        return await self._database.write(tasks_views.clean, kept, now, most)


def _hurry(new: Sequence[Task]) -> int:
    """A VIP does not wait for what others write, but a crowd of them does."""
    return max((task.base for task in new), default=ORDINARY) if len(new) <= FEW else ORDINARY
