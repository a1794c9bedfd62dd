"""The tasks that call teams and inform officers, and waking those that wait for an answer."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, Integer, bindparam, case, func, or_, select

from clarion.base.ids import TaskId, new_id
from clarion.dispatch.model import AssignmentId, DispatchEvent, Team
from clarion.store.sql import events as log
from clarion.store.sql.engine.database import Prepared, brief
from clarion.store.sql.tables.dispatch import assignments
from clarion.store.sql.tables.events import events
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Level, Queue, Task

ANSWERS = (
    "reminder.confirmed",
    "reminder.retried",
    "reminder.timeout",
    "reminder.failed",
    "reminder.cancelled",
)
BATCH = 500
_is_answer = or_(*(events.c.kind == one for one in ANSWERS))
_since = select(
    func.max(events.c.sequence).label("latest"),
    func.max(case((_is_answer, 1), else_=0)).label("answered"),
).where(events.c.sequence > bindparam("after", type_=Integer))
_LOOK = {"sqlite": Prepared(_since), "postgresql": Prepared(_since.where(log.SETTLED))}


def call_key(assignment_id: AssignmentId) -> str:
    return f"dispatch.call:{assignment_id}"


def check_call_now(conn: Connection, assignment_id: AssignmentId, now: datetime) -> None:
    """Run the waiting task of the call now: the assignment has ended or was answered."""
    tasks.reschedule(conn, call_key(assignment_id), now, now)


@brief
def look(conn: Connection, after: int) -> tuple[int, bool]:
    """The newest event's number, and whether there is an answer after event number `after`.

    Asked after every commit that wrote an event, whatever it was about: so it is a read.
    """
    row = _LOOK[conn.dialect.name].row(conn, {"after": after})
    assert row is not None, "an aggregate has one row"
    return row["latest"] or after, bool(row["answered"])


def wake(conn: Connection, after: int, now: datetime) -> int:
    """Wake every call whose reminder was answered since event number `after`.

    Returns the number to continue from. A lost wake-up costs half a minute: calls also look by
    themselves.
    """
    latest = log.latest(conn)
    if latest <= after:
        return after
    answered = (
        select(assignments.c.id)
        .join(events, events.c.subject == assignments.c.reminder_id)
        .where(
            events.c.sequence > after,
            events.c.sequence <= latest,
            events.c.kind.in_(ANSWERS),
            assignments.c.closed_at.is_(None),
        )
        .distinct()
        .limit(BATCH)
    )
    for (assignment_id,) in conn.execute(answered).all():
        check_call_now(conn, assignment_id, now)
    return latest


def rest(conn: Connection, team: Team, span: timedelta, now: datetime) -> None:
    """Let a silent team be planned again after a while, unless somebody reaches it before."""
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind="dispatch.rest",
        due_at=now + span,
        payload={"team_id": team.id, "fence": team.fence},
        base=Level.HIGH,
        queue=Queue.DISPATCH,
        key=f"dispatch.rest:{team.id}:{team.fence}",
    )
    tasks.add(conn, [task], now)


def tell_officer(
    conn: Connection, event: DispatchEvent, what: str, about: str, now: datetime
) -> None:
    """Have the officer told: `what` happened, and to which team, scheme or plan; `stand_by` is
    told to the team itself.
    """
    task = Task(
        id=TaskId(new_id("tsk", now)),
        kind="dispatch.tell",
        due_at=now,
        payload={"event_id": event.id, "what": what, "about": about},
        base=Level.CRITICAL,
        queue=Queue.DISPATCH,
        key=f"dispatch.tell:{event.id}:{what}:{about}",
    )
    tasks.add(conn, [task], now)
