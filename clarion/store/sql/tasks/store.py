"""The queue in the database: claims for workers, and each verb as one transaction.

Every write of a worker compares the fence: if its task was given to another worker, cancelled or
taken back, nothing changes. So each write may come twice, late, or from a worker believed dead.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeAlias, assert_never

from sqlalchemy import Connection

from clarion.base.clock import Clock
from clarion.base.ids import TaskId
from clarion.store.sql.engine.database import (
    Database,
    Statement,
    StopJoining,
    ValuesStatement,
    array_of,
    from_micros,
    packed,
    single,
    to_micros,
)
from clarion.store.sql.tasks import claims as claiming
from clarion.store.sql.tasks import gates as tasks_gates
from clarion.store.sql.tasks import rows as tasks
from clarion.store.sql.tasks import views as tasks_views
from clarion.store.sql.tasks.rows import A_POINT_MICROS, STILL_RUNS, start, tell
from clarion.tasks.kinds import RemoteKind
from clarion.tasks.model import Gates, Level, Task, urgency
from clarion.tasks.ports import (
    Again,
    Claim,
    Done,
    Elsewhere,
    Failed,
    HandedOver,
    Later,
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

FEW = 10  # more at once gets no preference
TAKEN_BACK_AT_ONCE = 1_000
REHEARSED = 5  # connections: what claims, finishes, shows and renews uses about so many
ECHOES = 64  # as many signals as may come before PostgreSQL repeats the first
LOCKED_FOR = timedelta(milliseconds=20)  # as a transaction may take: then it is looked at again
NEVER = 1 << 62  # microseconds: later than any instant that Python knows
NOTHING = TakenClaims([], None)

ENDED_TYPES = ("BIGINT", "BIGINT", "TEXT", "BIGINT")
_DONE = f"""
    UPDATE tasks SET status = 'done', ended_at = ours.column4, error = NULL, result = ours.column3
    FROM {{rows}} AS ours
    WHERE tasks.sequence = ours.column1 AND tasks.fence = ours.column2
    AND {STILL_RUNS}
"""  # noqa: S608  constants
_FINISH = ValuesStatement(_DONE, *ENDED_TYPES)
_ENDED = _DONE.format(rows=array_of(*ENDED_TYPES))
# A whole turn in one statement, only for PostgreSQL: ended and claimed tasks are different rows.
# While a due task has not become ready yet, nothing is claimed: it may be the best.
_TURN = Statement(
    f"""
    WITH ended AS ({_ENDED}), next AS MATERIALIZED ({claiming.DUE}), {claiming.BEST}, mine AS (
        SELECT sequence FROM best, next WHERE COALESCE(next.due_at > :now, true)
    ), taken AS ({claiming.TAKE})
    SELECT taken.*, next.due_at FROM next LEFT JOIN taken ON true
    """  # noqa: S608  constants
)
# The same when tasks have become due: those are claimed without becoming ready first, if nothing
# else is ready and none of them waits behind another of its source. Else nothing is claimed.
_TURN_OF_DUE = Statement(
    f"""
    WITH ended AS ({_ENDED}), due AS MATERIALIZED (
        SELECT sequence, CASE WHEN source IS NULL OR control > 0 THEN id ELSE source END AS lane
        FROM tasks WHERE status = 'scheduled' AND due_at <= :now
        ORDER BY due_at LIMIT :any + 1 {{skip_locked}}
    ), mine AS MATERIALIZED (
        SELECT sequence FROM due WHERE NOT EXISTS (SELECT 1 FROM tasks WHERE status = 'ready')
        AND (SELECT count(*) <= :any AND count(*) = count(DISTINCT lane) FROM due)
    ), next AS (
        SELECT CASE WHEN EXISTS (SELECT 1 FROM mine) THEN (
            SELECT min(due_at) FROM tasks WHERE status = 'scheduled'
            AND sequence NOT IN (SELECT sequence FROM mine)
        ) ELSE :now END AS due_at
    ), taken AS ({claiming.TAKE})
    SELECT taken.*, next.due_at FROM next LEFT JOIN taken ON true
    """  # noqa: S608  constants
)
_RENEW = Statement(
    """
    UPDATE tasks SET leased_until = :until
    FROM (SELECT CAST(value ->> 0 AS BIGINT) AS sequence, CAST(value ->> 1 AS BIGINT) AS fence
          FROM {rows} {few}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND {still_runs}
    RETURNING tasks.sequence, tasks.fence
    """,
    still_runs=STILL_RUNS,
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
    claimed=claiming.CLAIMED,
)
_KILL = Statement(
    """
    UPDATE tasks SET status = 'dead', ended_at = :now, error = :error
    WHERE sequence = :sequence AND fence = :fence AND status = 'running'
    """
)
# When a newer task with the same key waits already, it replaces this one. `ended_at` has a
# meaning only for ended tasks.
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
          FROM {rows} {few}) AS mine
    WHERE tasks.sequence = mine.sequence AND tasks.fence = mine.fence
    AND {still_runs}
    """,
    still_runs=STILL_RUNS,
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
    """Write the outcomes of earlier claims, make due tasks ready, and claim the best."""
    settle(conn, outcomes, now)
    next_due = claiming.next_due(conn)
    if next_due is not None and next_due <= now:
        claiming.promote(conn, to_micros(now))
        next_due = claiming.next_due(conn)
    wants = wanted.any or wanted.critical or wanted.control
    taken = claiming.claim_next(conn, wanted, now) if wants else NOTHING
    looks = [at for at in (taken.look_at, next_due) if at]
    return TakenClaims(taken.claims, min(looks, default=None))


@single
def turn_at_once(
    conn: Connection, done: Sequence[Done], wanted: Wanted, now: datetime, *, due: bool = False
) -> TakenClaims:
    """The same for PostgreSQL and plain ends only; claims nothing when a task has become due.

    `due`: claims those instead, if it may.
    """
    statement = _TURN_OF_DUE if due else _TURN
    rows = statement.all(conn, rows=packed(_ended(done, now)), **claiming.bounds(wanted, now))
    next_due = rows[0][-1]
    found = claiming.claims(row[:-1] for row in rows if row[0] is not None)
    return TakenClaims(found, None if next_due is None else from_micros(next_due))


@single
def rehearse(conn: Connection, now: datetime) -> None:
    """Add nothing and turn once: the first time each takes ten times as long as later."""
    claiming.rehearse(conn, now)
    turn_at_once(conn, [], claiming.NOBODY, now)
    turn_at_once(conn, [], claiming.NOBODY, now, due=True)


def settle(conn: Connection, outcomes: Iterable[Outcome], now: datetime) -> None:
    done: list[Done] = []
    back: list[tuple[str | None, Back]] = []
    for outcome in outcomes:
        match outcome:
            case Done():
                done.append(outcome)
            case Failed(claim, error, None):
                kill(conn, claim, error, now)
            case HandedOver(claim, to):
                hand_over(conn, claim, to)
            case Failed() | Later() | Released():
                back.append((outcome.claim.task.key, _back(outcome)))
            case _:
                assert_never(outcome)
    if done:
        _FINISH.run(conn, _ended(done, now))
    put_back(conn, back, now)


def finish(conn: Connection, claims: Sequence[Claim], now: datetime) -> int:
    """Returns how many were still ours. In the same transaction as the work: exactly once."""
    return _FINISH.run(conn, _ended(map(Done, claims), now))


def kill(conn: Connection, claim: Claim, error: str, now: datetime) -> None:
    _KILL.run(conn, sequence=claim.sequence, fence=claim.fence, error=error, now=to_micros(now))


def hand_over(conn: Connection, claim: Claim, to: Elsewhere) -> None:
    """Another program carries it out from now on and renews its lease."""
    place = {"sequence": claim.sequence, "fence": claim.fence}
    _HAND_OVER.run(conn, **place, worker=to.by, until=to_micros(to.until))


def handed_over(conn: Connection, prefix: str, most: int) -> list[Lent]:
    """What others carry out whose names begin so."""
    rows = _HANDED_OVER.all(conn, prefix=f"{prefix}%", most=most)
    return [Lent(claiming.claim_of(row[:-2]), row[-2], from_micros(row[-1])) for row in rows]


@single
def renew(
    conn: Connection, claims: Sequence[Claim], lease: timedelta, now: datetime
) -> set[Ticket]:
    """Those that are still ours."""
    until = to_micros(now + lease)
    return {(row[0], row[1]) for row in _RENEW.all(conn, rows=_fences(claims), until=until)}


def take_back(conn: Connection, now: datetime, *, everybody: bool = False) -> int:
    """Tasks whose lease ran out wait again; the interrupted attempt counts."""
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
        # Their ranks are not known here: "better than all" makes workers look.
        tell(conn, due_at=min(row[2] for row in rows), rank=0, critical=True)


def _one_of_each_key(back: Sequence[tuple[str | None, Back]]) -> Iterator[list[Back]]:
    """Batches without repeated keys: a second task must see that the first one waits."""
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


def _ended(done: Iterable[Done], now: datetime) -> list[tuple[Any, ...]]:
    instant = to_micros(now)
    return [(*one.claim.ticket, one.result, instant) for one in done]


def _fences(claims: Iterable[Claim]) -> str:
    return packed(claim.ticket for claim in claims)


class SqlTasks:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._in_sentences = database.dialect == "postgresql"
        self._next_due: datetime | None = None
        self._left_none = False
        """Whether the last turn could have claimed more than was ready."""

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        done = [outcome for outcome in outcomes if isinstance(outcome, Done)]
        if not self._in_sentences or wanted.gates or len(done) < len(outcomes):
            return await self._database.write(turn, outcomes, wanted, now)
        if self._is_due(now) and self._left_none and wanted.before is None:
            taken = await self._turn_at_once(done, wanted, now, due=True)
            if taken.claims or not self._is_due(now):
                return _looking_again(taken, now)
            done = []
        if self._is_due(now):
            await self._database.write(claiming.promote_due, now)
        taken = await self._turn_at_once(done, wanted, now)
        return await self._turn_again(wanted, now) if self._is_due(now) else taken

    async def _turn_again(self, wanted: Wanted, now: datetime) -> TakenClaims:
        """The turn has claimed nothing, as something is due that is not ready yet."""
        if await self._database.write(claiming.promote_due, now):
            return await self._turn_at_once([], wanted, now)
        # Another transaction has locked what is due: the others do not wait for its end.
        return _looking_again(await self._database.write(turn, [], wanted, now), now)

    def _is_due(self, now: datetime) -> bool:
        return self._next_due is not None and self._next_due <= now

    async def _turn_at_once(
        self, done: Sequence[Done], wanted: Wanted, now: datetime, *, due: bool = False
    ) -> TakenClaims:
        taken = await self._database.write(turn_at_once, done, wanted, now, due=due)
        self._next_due = taken.look_at
        self._left_none = len(taken.claims) < wanted.any
        return taken

    def listen(self, listener: Callable[[News], None]) -> Callable[[], None]:
        """Commits of this process are signalled at once, and not again by PostgreSQL's NOTIFY."""
        here, echoes = deque[str](maxlen=ECHOES), deque[str](maxlen=ECHOES)

        def hear(payload: str, mine: deque[str], others: deque[str]) -> None:
            if payload in others:
                others.remove(payload)
                return
            mine.append(payload)
            listener(tasks.read_news(payload))

        def hear_here(payload: str) -> None:
            if payload:  # "look" is said by the other
                hear(payload, here, echoes)

        stops = (
            self._database.listen(tasks.MOVED_HERE, hear_here),
            self._database.listen(tasks.CHANNEL, lambda payload: hear(payload, echoes, here)),
        )

        def stop() -> None:
            for each in stops:
                each()

        return stop

    async def prepare(self, now: datetime) -> None:
        if self._in_sentences:
            # As many at once as there are connections that claim and finish tasks.
            rehearsals = (self._database.write(rehearse, now) for _ in range(REHEARSED))
            await asyncio.gather(*rehearsals, return_exceptions=True)

    def claim_on_insert(
        self,
        wanted: Callable[[News], Wanted | None],
        accept: Callable[[list[Claim]], None],
        clock: Clock,
    ) -> StopJoining:
        joined = claiming.ClaimNew(wanted, accept, clock)
        return self._database.join_commits(tasks.CHANNEL, joined)

    async def add(
        self, new: Sequence[Task], now: datetime, *, backlog_max: int | None = None
    ) -> list[TaskId]:
        is_plain = backlog_max is None and not any(task.unique_for for task in new)
        joined = self._database.joined(tasks.CHANNEL)
        if isinstance(joined, claiming.ClaimNew) and 0 < len(new) <= FEW:
            # Before they wait for the database: a hundred ordinary ones could begin meanwhile.
            joined.wish(new, now)
        with urgency(_hurry(new)):
            if is_plain:
                # It may claim them: a caller who leaves must not leave claims to nobody.
                adding = self._database.write(claiming.add_at_once, new, now)
                return await (asyncio.shield(adding) if len(new) > FEW else adding)
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
        return await self._database.write(claiming.claim, ids, wanted, now)

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
        """Write the outcomes of claims; one whose fence is old changes nothing."""
        await self._database.write(settle, outcomes, now)

    async def handed_over(self, prefix: str, most: int) -> list[Lent]:
        """What others carry out whose names begin so."""
        return await self._database.read(handed_over, prefix, most)

    async def clean(self, kept: KeepEnded, now: datetime, most: int) -> int:
        return await self._database.write(tasks_views.clean, kept, now, most)


def _looking_again(taken: TakenClaims, now: datetime) -> TakenClaims:
    """What is locked may be free soon, and nobody may tell."""
    if taken.look_at is None or taken.look_at > now:
        return taken
    return TakenClaims(taken.claims, now + LOCKED_FOR)


def _hurry(new: Sequence[Task]) -> int:
    """A single VIP does not wait for other writes, but a large batch of them does."""
    return (
        max((task.base for task in new), default=Level.NORMAL) if len(new) <= FEW else Level.NORMAL
    )
