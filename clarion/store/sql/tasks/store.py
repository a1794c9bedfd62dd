"""The queue in the database: claims for workers, and each verb as one transaction.

Every write of a worker compares the fence: one whose task was given to another, cancelled or
taken back changes nothing. So each of these may come twice, late, or from the dead.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeAlias, assert_never

from sqlalchemy import Connection

from clarion.base.clock import Clock
from clarion.base.context import ORDINARY, urgency
from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import Database
from clarion.store.sql.engine.prepared import Statement, packed
from clarion.store.sql.engine.signals import Then
from clarion.store.sql.tasks import gates as tasks_gates
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import views as tasks_views
from clarion.store.sql.tasks.rows import (
    A_POINT_MICROS,
    HELD,
    LANE,
    PLACED,
    QUEUES,
    cost_of,
    start,
    tell,
)
from clarion.store.sql.types import from_micros, to_micros
from clarion.tasks.kinds import RemoteKind
from clarion.tasks.model import Gates, Queue, Task
from clarion.tasks.ports import (
    Again,
    Claim,
    Done,
    Elsewhere,
    Failed,
    HandedOver,
    Later,
    LeaseLost,
    Lent,
    News,
    Outcome,
    Released,
    TakenClaims,
    Ticket,
    Wanted,
)
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

FEW = 10  # more than that at once is no single VIP, and waits like everybody
PROMOTED_AT_ONCE = 20_000  # a burst of them takes a tenth of a second; the rest comes next
TAKEN_BACK_AT_ONCE = 1_000
NEVER = 1 << 62  # microseconds: later than any instant that Python knows
NOTHING = TakenClaims([], None)

CLAIMED = """rank, sequence, fence, attempt, id, kind, due_at, payload, base, queue, key, source,
              control, start_at, trace"""
_CLAIM_NEXT = Statement(
    """
    WITH best AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'ready' AND rank < :before
        ORDER BY rank, sequence LIMIT :any {skip_locked}
    ), urgent AS MATERIALIZED (
        SELECT sequence FROM tasks {by_index} WHERE status = 'ready' AND base >= 100
        AND rank < {held}
        ORDER BY rank, sequence LIMIT :critical {skip_locked}
    ), said AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'ready' AND control > 0 AND rank < {held}
        ORDER BY rank, sequence LIMIT :control {skip_locked}
    )
    UPDATE tasks SET status = 'running', attempt = attempt + 1, fence = fence + 1,
                     worker = :worker, leased_until = :leased_until, started_at = :now
    WHERE sequence IN (SELECT sequence FROM best UNION SELECT sequence FROM urgent
                       UNION SELECT sequence FROM said)
    RETURNING {claimed}
    """,
    claimed=CLAIMED,
    held=str(HELD),
    index="ix_tasks_critical",
)
_CLAIM_IDS = Statement(
    """
    WITH mine AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE id IN (SELECT value ->> 0 FROM {rows})
        AND status IN ('scheduled', 'ready') AND due_at <= :now {skip_locked}
    )
    UPDATE tasks SET status = 'running', attempt = attempt + 1, fence = fence + 1,
                     worker = :worker, leased_until = :leased_until, started_at = :now
    WHERE sequence IN (SELECT sequence FROM mine)
    RETURNING {claimed}
    """,
    claimed=CLAIMED,
)
_NEXT_DUE = Statement("SELECT min(due_at) FROM tasks WHERE status = 'scheduled'")
_PROMOTE = Statement(
    """
    WITH due AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'scheduled' AND due_at <= :now
        ORDER BY due_at LIMIT :most {skip_locked}
    )
    UPDATE tasks SET status = 'ready', start_at = due_at
    WHERE sequence IN (SELECT sequence FROM due)
    """
)
_PROMOTE_SHARED = Statement(
    """
    WITH due AS MATERIALIZED (
        SELECT sequence FROM tasks WHERE status = 'scheduled' AND due_at <= :now
        ORDER BY due_at LIMIT :most {skip_locked}
    ), mine AS MATERIALIZED (
        SELECT sequence, sequence AS place, due_at, base, {lane}
        FROM tasks WHERE sequence IN (SELECT sequence FROM due)
    ), {placed}
    UPDATE tasks SET status = 'ready', start_at = placed.start_at,
                     rank = placed.start_at - CAST(placed.base AS BIGINT) * :a_point
    FROM placed WHERE tasks.sequence = placed.sequence
    """,
    placed=PLACED,
    lane=LANE,
)
_FINISH = Statement(
    """
    UPDATE tasks SET status = 'done', ended_at = :now, error = NULL, result = mine.result
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence,
                 value ->> 2 AS result
          FROM {rows}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND tasks.status = 'running'
    """
)
_RENEW = Statement(
    """
    UPDATE tasks SET leased_until = :until
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence
          FROM {rows}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND tasks.status = 'running'
    RETURNING tasks.sequence, tasks.fence
    """
)
_HOLD = Statement(
    """
    SELECT 1 FROM tasks WHERE sequence = :sequence AND fence = :fence AND status = 'running'
    {lock}
    """
)
_HAND_OVER = Statement(
    """
    UPDATE tasks SET worker = :worker, leased_until = :until
    WHERE sequence = :sequence AND fence = :fence AND status = 'running'
    """
)
_HANDED_OVER = Statement(
    """
    SELECT {claimed}, worker, leased_until FROM tasks
    WHERE status = 'running' AND worker LIKE :prefix
    ORDER BY leased_until LIMIT :most
    """,
    claimed=CLAIMED,
)
_KILL = Statement(
    """
    UPDATE tasks SET status = 'dead', ended_at = :now, error = :error
    WHERE sequence = :sequence AND fence = :fence AND status = 'running'
    """
)
# When a newer task with the same key waits already, that one stands for both. `ended_at` means
# something only for what has ended.
_PUT_BACK = Statement(
    """
    UPDATE tasks SET
        status = CASE
            WHEN EXISTS (
                SELECT 1 FROM tasks AS newer WHERE newer.key = tasks.key
                AND newer.status IN ('scheduled', 'ready')
            ) THEN 'cancelled'
            WHEN mine.due_at <= :now THEN 'ready'
            ELSE 'scheduled' END,
        due_at = mine.due_at,
        rank = COALESCE(CASE WHEN mine.due_at = tasks.due_at THEN tasks.start_at END, mine.due_at)
            - CAST(base AS BIGINT) * :a_point,
        start_at = CASE WHEN mine.due_at = tasks.due_at THEN tasks.start_at END,
        attempt = mine.attempt, payload = COALESCE(mine.payload, tasks.payload),
        error = mine.error, ended_at = :now
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence,
                 CAST(value ->> 2 AS BIGINT) AS due_at, CAST(value ->> 3 AS BIGINT) AS attempt,
                 value ->> 4 AS payload, value ->> 5 AS error
          FROM {rows}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND tasks.status = 'running'
    """
)
_EXPIRED = Statement(
    """
    SELECT sequence, fence, due_at, attempt, key FROM tasks
    WHERE status = 'running' AND leased_until <= :now
    ORDER BY leased_until LIMIT :most {skip_locked}
    """
)

Back: TypeAlias = tuple[int, int, int, int, str | None, str | None]
"""A row of `_PUT_BACK`: sequence, fence, due_at, attempt, new payload, error."""


def turn(
    conn: Connection, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime
) -> TakenClaims:
    """Write what became of earlier claims, let due tasks become ready, and claim the best."""
    instant = to_micros(now)
    settle(conn, outcomes, now)
    next_due = _NEXT_DUE.one(conn)
    if next_due is not None and next_due <= instant:
        promote(conn, instant)
        next_due = _NEXT_DUE.one(conn)
    wants = wanted.any or wanted.critical or wanted.control
    taken = claim_next(conn, wanted, now) if wants else NOTHING
    looks = [at for at in (taken.look_at, next_due and from_micros(next_due)) if at]
    return TakenClaims(taken.claims, min(looks, default=None))


def promote(conn: Connection, now: int) -> None:
    """What has fallen due becomes ready, each behind those of its source that wait."""
    if cost := cost_of(conn):
        bounds = {"most": PROMOTED_AT_ONCE, "a_point": A_POINT_MICROS}
        _PROMOTE_SHARED.run(conn, now=now, cost=cost, **bounds)
    else:
        _PROMOTE.run(conn, now=now, most=PROMOTED_AT_ONCE)


def next_due(conn: Connection) -> datetime | None:
    found = _NEXT_DUE.one(conn)
    return None if found is None else from_micros(found)


def claim_next(conn: Connection, wanted: Wanted, now: datetime) -> TakenClaims:
    """The best of those that are ready and may begin."""
    if not wanted.gates:
        return TakenClaims(_claim_best(conn, wanted, now), None)
    instant = to_micros(now)
    tasks_gates.free_held(conn, wanted.gates, instant)
    found = _claim_best(conn, wanted, now)
    may = tasks_gates.hold_back(conn, found, wanted.gates, instant)
    if len(may) < len(found):
        return TakenClaims(may, now)  # there are others behind those that are held now
    return TakenClaims(may, tasks_gates.next_free(conn, wanted.gates, instant))


def _claim_best(conn: Connection, wanted: Wanted, now: datetime) -> list[Claim]:
    taken = _CLAIM_NEXT.all(
        conn,
        any=wanted.any,
        critical=wanted.critical,
        control=wanted.control,
        before=HELD if wanted.before is None else to_micros(wanted.before),
        **lease(wanted, now),
    )
    return claims(taken)


def claim(conn: Connection, ids: Sequence[TaskId], wanted: Wanted, now: datetime) -> list[Claim]:
    """Take just these, as far as they are due and nobody has them."""
    rows = packed([id_] for id_ in ids)
    taken = _CLAIM_IDS.all(conn, rows=rows, **lease(wanted, now))
    return claims(taken)


def claims(rows: Iterable[Any]) -> list[Claim]:
    """Of rows as every claim here returns them, in the order of their ranks."""
    return [_claim(row) for row in sorted(rows, key=_order)]


def lease(wanted: Wanted, now: datetime) -> dict[str, Any]:
    return {
        "worker": wanted.worker,
        "leased_until": to_micros(now + wanted.lease),
        "now": to_micros(now),
    }


def _order(row: Any) -> tuple[int, int]:
    return row[0], row[1]


def _claim(row: Any) -> Claim:
    _, sequence, fence, attempt, id_, kind, due_at, payload, base, queue, key, source, *more = row
    control, start_at, trace = more
    task = Task(
        *(TaskId(id_), kind, from_micros(due_at), json.loads(payload)),
        *(base, QUEUES.get(queue, Queue.CHORES), key, source),
        control=control > 0,
        trace=trace,
    )
    is_plain = start_at is None or start_at == due_at
    return Claim(task, attempt, fence, sequence, None if is_plain else from_micros(start_at))


def settle(conn: Connection, outcomes: Iterable[Outcome], now: datetime) -> None:
    done: list[tuple[Claim, str | None]] = []
    back: list[tuple[str | None, Back]] = []
    for outcome in outcomes:
        match outcome:
            case Done(claim, result):
                done.append((claim, result))
            case Failed(claim, error, None):
                kill(conn, claim, error, now)
            case HandedOver(claim, to):
                hand_over(conn, claim, to)
            case Failed() | Later() | Released():
                back.append((outcome.claim.task.key, _back(outcome)))
            case _:
                assert_never(outcome)
    if done:
        rows = packed([*claim.ticket, result] for claim, result in done)
        _FINISH.run(conn, rows=rows, now=to_micros(now))
    put_back(conn, back, now)


def finish(conn: Connection, claims: Sequence[Claim], now: datetime) -> int:
    """How many were still ours. In the transaction of the work itself: exactly once."""
    return _FINISH.run(conn, rows=_fences(claims), now=to_micros(now))


def kill(conn: Connection, claim: Claim, error: str, now: datetime) -> None:
    _KILL.run(conn, sequence=claim.sequence, fence=claim.fence, error=error, now=to_micros(now))


def hand_over(conn: Connection, claim: Claim, to: Elsewhere) -> None:
    """Others carry it out from now on; its lease is theirs to renew."""
    place = {"sequence": claim.sequence, "fence": claim.fence}
    _HAND_OVER.run(conn, **place, worker=to.by, until=to_micros(to.until))


def handed_over(conn: Connection, prefix: str, most: int) -> list[Lent]:
    """What others carry out whose names begin so."""
    rows = _HANDED_OVER.all(conn, prefix=f"{prefix}%", most=most)
    return [Lent(_claim(row[:-2]), row[-2], from_micros(row[-1])) for row in rows]


def hold(conn: Connection, claim: Claim) -> None:
    """Raise `LeaseLost` unless the task is still ours; on PostgreSQL, keep it so until commit."""
    if not _HOLD.all(conn, sequence=claim.sequence, fence=claim.fence):
        raise LeaseLost(f"Task {claim.task.id} was given to another worker.")


def renew(
    conn: Connection, claims: Sequence[Claim], lease: timedelta, now: datetime
) -> set[Ticket]:
    """Those that are still ours."""
    until = to_micros(now + lease)
    return {(row[0], row[1]) for row in _RENEW.all(conn, rows=_fences(claims), until=until)}


def take_back(conn: Connection, now: datetime, *, everybody: bool = False) -> int:
    """Tasks whose lease ran out wait again; the try that was under way counts as one."""
    instant = to_micros(now)
    bounds = (NEVER, NEVER) if everybody else (instant, TAKEN_BACK_AT_ONCE)
    expired = _EXPIRED.all(conn, now=bounds[0], most=bounds[1])
    error = "Its worker stopped without a word."
    put_back(conn, [(row[4], (*row[:4], None, error)) for row in expired], now)
    return len(expired)


def put_back(conn: Connection, back: Sequence[tuple[str | None, Back]], now: datetime) -> None:
    for rows in _one_of_each_key(back):
        _PUT_BACK.run(conn, rows=packed(rows), now=to_micros(now), a_point=A_POINT_MICROS)
        start(conn, [row[0] for row in rows if row[2] <= to_micros(now)])
        # Ranks are not at hand: "better than all" makes workers look.
        tell(conn, due_at=min(row[2] for row in rows), rank=0, critical=True)


def _one_of_each_key(back: Sequence[tuple[str | None, Back]]) -> Iterator[list[Back]]:
    """Batches in which no key comes twice: the second one must see that the first one waits."""
    rest = list(back)
    while rest:
        keys: set[str] = set()
        batch: list[Back] = []
        twins: list[tuple[str | None, Back]] = []
        for key, row in rest:
            if key in keys:
                twins.append((key, row))
                continue
            batch.append(row)
            keys.update([key] if key is not None else [])
        yield batch
        rest = twins


def _back(outcome: Failed | Later | Released) -> Back:
    claim = outcome.claim
    due_at = to_micros(claim.task.due_at)
    match outcome:
        case Failed(_, error, retry_at):
            due_at = due_at if retry_at is None else to_micros(retry_at)
            return claim.sequence, claim.fence, due_at, claim.attempt, None, error
        case Later(_, Again(at, payload)):
            new = None if payload is None else json.dumps(dict(payload))
            return claim.sequence, claim.fence, to_micros(at), 0, new, None
        case Released():
            return claim.sequence, claim.fence, due_at, claim.attempt - 1, None, None
        case _:
            assert_never(outcome)


def _fences(claims: Iterable[Claim]) -> str:
    return packed(claim.ticket for claim in claims)


class SqlTasks:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        return await self._database.write(turn, outcomes, wanted, now)

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
            return partial(accept, claim_next(conn, wish, clock.now()).claims)

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
        return await self._database.write(claim, ids, wanted, now)

    async def renew(self, claims: Sequence[Claim], lease: timedelta, now: datetime) -> set[Ticket]:
        return await self._database.write(renew, claims, lease, now)

    async def take_back(self, now: datetime, *, everybody: bool = False) -> int:
        return await self._database.write(take_back, now, everybody=everybody)

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
        return await self._database.read(tasks_gates.remote_kinds)

    async def put_kind(self, kind: RemoteKind) -> None:
        """The one of this name is replaced."""
        await self._database.write(tasks_gates.put_kind, kind)

    async def remove_kind(self, name: str) -> bool:
        return await self._database.write(tasks_gates.remove_kind, name)

    async def settle(self, outcomes: Sequence[Outcome], now: datetime) -> None:
        """Write what became of claims; one whose fence is old changes nothing."""
        await self._database.write(settle, outcomes, now)

    async def handed_over(self, prefix: str, most: int) -> list[Lent]:
        """What others carry out whose names begin so."""
        return await self._database.read(handed_over, prefix, most)

    async def clean(self, kept: KeepEnded, now: datetime, most: int) -> int:
        return await self._database.write(tasks_views.clean, kept, now, most)


def _hurry(new: Sequence[Task]) -> int:
    """A VIP does not wait for what others write, but a crowd of them does."""
    return max((task.base for task in new), default=ORDINARY) if len(new) <= FEW else ORDINARY
