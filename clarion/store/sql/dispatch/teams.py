"""Teams: their records, their holds, and the one guarded way to send them.

Every function that changes several teams first locks them in the order of their ids, so that two
such transactions wait for each other instead of deadlocking.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    and_,
    cast,
    delete,
    func,
    or_,
    select,
    tuple_,
    update,
)

from clarion.base.errors import Stale
from clarion.base.ids import DeviceId, TaskId
from clarion.base.place import Position
from clarion.dispatch.errors import RETRY_AFTER, DispatchIdTaken, MoveRefused, TeamNotFound
from clarion.dispatch.events import TeamChanged
from clarion.dispatch.model import (
    CHANGED,
    TEAM_MOVES,
    Blocker,
    EventId,
    Hold,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.store.sql import events
from clarion.store.sql.dispatch import lacks as dispatch_lacks
from clarion.store.sql.dispatch import rows
from clarion.store.sql.tables.dispatch import assignments, runs, teams

FREE_HANDS = {"held_by": None, "held_for": None, "held_since": None, "held_until": None}


class Blocked(Exception):
    """Rolls the transaction back; the port returns its value."""

    def __init__(self, blockers: Sequence[Blocker]) -> None:
        super().__init__("some teams cannot be had")
        self.blockers = tuple(blockers)


def locked(conn: Connection, ids: Collection[TeamId]) -> dict[TeamId, Team]:
    """The teams, locked until this transaction ends."""
    query = select(teams).where(teams.c.id.in_(sorted(ids))).order_by(teams.c.id)
    return {TeamId(row.id): rows.team(row) for row in conn.execute(query.with_for_update())}


def hold(
    conn: Connection,
    owner: str,
    event_id: EventId,
    fences: Mapping[TeamId, int],
    until: datetime,
    now: datetime,
) -> dict[TeamId, int]:
    """Claim all of them, or raise Blocked. Returns their new fences.

    Teams held for an earlier scheme of the same event may be claimed: it has one plan at a time.
    """
    check(conn, owner, fences, now, event_id)
    claimed = conn.execute(
        update(teams)
        .where(guard(owner, fences, now, event_id))
        .values(
            held_by=owner,
            held_for=event_id,
            held_since=now,
            held_until=until,
            fence=teams.c.fence + 1,
        )
    )
    assert claimed.rowcount == len(fences), "the rows were locked and checked"
    return {team_id: fence + 1 for team_id, fence in fences.items()}


def take(
    conn: Connection, owner: str, fences: Mapping[TeamId, int], task_id: TaskId, now: datetime
) -> dict[TeamId, int]:
    """Send all of them, or raise Blocked: the guard in every mode, with Redis or without.

    Status, holder and fence are compared and set in one statement.
    """
    check(conn, owner, fences, now)
    sent = conn.execute(
        update(teams)
        .where(guard(owner, fences, now))
        .values(
            status=TeamStatus.DEPLOYED.value,
            current_task_id=task_id,
            updated_at=now,
            fence=teams.c.fence + 1,
            version=teams.c.version + 1,
            **FREE_HANDS,
        )
    )
    assert sent.rowcount == len(fences), "the rows were locked and checked"
    return {team_id: fence + 1 for team_id, fence in fences.items()}


def guard(
    owner: str, fences: Mapping[TeamId, int], now: datetime, event_id: EventId | None = None
) -> ColumnElement[bool]:
    return and_(
        tuple_(teams.c.id, teams.c.fence).in_(sorted(fences.items())),
        teams.c.status == TeamStatus.STANDBY.value,
        or_(
            teams.c.held_by.is_(None),
            teams.c.held_by == owner,
            teams.c.held_for == event_id,
            teams.c.held_until <= now,
        ),
    )


def check(
    conn: Connection,
    owner: str,
    fences: Mapping[TeamId, int],
    now: datetime,
    event_id: EventId | None = None,
) -> None:
    """Raise Blocked with all teams that are not available, and who has them."""
    found = locked(conn, fences.keys())
    wrong = [
        team_id
        for team_id, fence in fences.items()
        if (team := found.get(team_id)) is None
        or team.fence != fence
        or team.status is not TeamStatus.STANDBY
        or _held_by_other(team, owner, event_id, now)
    ]
    if wrong:
        sent_to = whereabouts(conn, wrong)
        raise Blocked([_blocker(one, found.get(one), sent_to.get(one), now) for one in wrong])


def whereabouts(conn: Connection, ids: Collection[TeamId]) -> dict[TeamId, EventId]:
    """The event that each deployed team is sent to."""
    query = select(assignments.c.team_id, assignments.c.event_id).where(
        assignments.c.team_id.in_(sorted(ids)), assignments.c.closed_at.is_(None)
    )
    return {TeamId(row.team_id): EventId(row.event_id) for row in conn.execute(query)}


def _held_by_other(team: Team, owner: str, event_id: EventId | None, now: datetime) -> bool:
    return (
        team.held_by not in (None, owner)
        and (event_id is None or team.held_for != event_id)
        and team.held_until is not None
        and (team.held_until > now)
    )


def _blocker(team_id: TeamId, team: Team | None, sent_to: EventId | None, now: datetime) -> Blocker:
    if sent_to is not None:
        return Blocker(team_id, sent_to, RETRY_AFTER)
    if team is not None and team.held_for and team.held_until and team.held_until > now:
        return Blocker(team_id, team.held_for, max(timedelta(seconds=1), team.held_until - now))
    gone = team is None or team.status is TeamStatus.UNAVAILABLE
    # Its fence has changed but it is free again: worth a new plan at once.
    return Blocker(team_id, "unavailable" if gone else CHANGED, RETRY_AFTER)


def extend(
    conn: Connection, owner: str, ids: Sequence[TeamId], until: datetime, now: datetime
) -> int:
    locked(conn, ids)
    kept = conn.execute(
        update(teams)
        .where(teams.c.id.in_(sorted(ids)), teams.c.held_by == owner, teams.c.held_until > now)
        .values(held_until=until)
    )
    return kept.rowcount


def release(conn: Connection, owner: str, ids: Sequence[TeamId], now: datetime) -> int:
    """Free what this owner holds. The fence stays, because no team was sent.

    Events that were refused these teams can be planned again.
    """
    locked(conn, ids)
    freed = conn.execute(
        update(teams)
        .where(teams.c.id.in_(sorted(ids)), teams.c.held_by == owner)
        .values(updated_at=now, **FREE_HANDS)
    )
    if freed.rowcount:
        dispatch_lacks.look(conn)
    return freed.rowcount


def holds(conn: Connection, now: datetime) -> list[Hold]:
    query = select(teams).where(teams.c.held_by.is_not(None), teams.c.held_until > now)
    return [rows.hold(row) for row in conn.execute(query.order_by(teams.c.id))]


def left_over(conn: Connection, owners: Mapping[TeamId, str], before: datetime) -> list[TeamId]:
    """Teams whose plan ended before then and no longer holds them in the database."""
    over = select(runs.c.id).where(
        runs.c.id.in_(sorted(set(owners.values()))), runs.c.finished_at < before
    )
    ended = set(conn.execute(over).scalars())
    held = select(teams.c.id, teams.c.held_by).where(teams.c.id.in_(sorted(owners)))
    kept = {row.id: row.held_by for row in conn.execute(held)}
    return [one for one, owner in owners.items() if owner in ended and kept.get(one) != owner]


def free(
    conn: Connection, team_id: TeamId, fence: int, status: TeamStatus, reason: str, now: datetime
) -> bool:
    """Back from an event, if it is still the same deployment that ends."""
    back = conn.execute(
        update(teams)
        .where(
            teams.c.id == team_id,
            teams.c.fence == fence,
            teams.c.status == TeamStatus.DEPLOYED.value,
        )
        .values(
            status=status.value,
            current_task_id=None,
            reason=reason,
            fence=teams.c.fence + 1,
            version=teams.c.version + 1,
            updated_at=now,
        )
    )
    dispatch_lacks.look(conn)
    return back.rowcount == 1


def end_rest(conn: Connection, team_id: TeamId, fence: int, now: datetime) -> bool:
    back = conn.execute(
        update(teams)
        .where(
            teams.c.id == team_id,
            teams.c.fence == fence,
            teams.c.status == TeamStatus.UNAVAILABLE.value,
        )
        .values(
            status=TeamStatus.STANDBY.value,
            reason="",
            fence=teams.c.fence + 1,
            version=teams.c.version + 1,
            updated_at=now,
        )
    )
    if back.rowcount:
        standby = TeamStatus.STANDBY.value
        events.append(conn, [TeamChanged(subject=team_id, status=standby, reason="rested")], now)
        dispatch_lacks.look(conn)
    return back.rowcount == 1


def add(conn: Connection, team: Team, now: datetime) -> Team:
    facts = {"id": team.id, "status": team.status.value, "updated_at": now, **rows.team_facts(team)}
    if not rows.added(conn, teams, facts):
        raise DispatchIdTaken("team", team.id)
    events.append(conn, [TeamChanged(subject=team.id, status=team.status.value)], now)
    dispatch_lacks.look(conn)
    return existing(conn, team.id)


def get(conn: Connection, team_id: TeamId) -> Team | None:
    row = conn.execute(select(teams).where(teams.c.id == team_id)).one_or_none()
    return None if row is None else rows.team(row)


def existing(conn: Connection, team_id: TeamId) -> Team:
    found = get(conn, team_id)
    if found is None:
        raise TeamNotFound(team_id)
    return found


def listed(
    conn: Connection, status: Sequence[TeamStatus], limit: int, after: str = "", words: str = ""
) -> list[Team]:
    query = select(teams).where(teams.c.id > after).order_by(teams.c.id).limit(limit)
    if status:
        query = query.where(teams.c.status.in_([one.value for one in status]))
    if words:
        said = (teams.c.name, teams.c.id, cast(teams.c.capabilities, Text))
        found = (func.lower(one).contains(words.lower(), autoescape=True) for one in said)
        query = query.where(or_(*found))
    return [rows.team(row) for row in conn.execute(query)]


def change(conn: Connection, team: Team, version: int | None, now: datetime) -> Team:
    found = locked(conn, [team.id]).get(team.id)
    if found is None:
        raise TeamNotFound(team.id)
    if version is not None and version != found.version:
        raise Stale("The team was changed since you looked.", details={"version": found.version})
    conn.execute(
        update(teams)
        .where(teams.c.id == team.id)
        .values(version=teams.c.version + 1, updated_at=now, **rows.team_facts(team))
    )
    events.append(conn, [TeamChanged(subject=team.id, status=found.status.value)], now)
    dispatch_lacks.look(conn)
    return existing(conn, team.id)


def move(conn: Connection, team_id: TeamId, to: TeamStatus, reason: str, now: datetime) -> Team:
    """Between standby and unavailable. Only schemes deploy, and only endings bring teams back."""
    found = locked(conn, [team_id]).get(team_id)
    if found is None:
        raise TeamNotFound(team_id)
    if found.status is to and (to is not TeamStatus.UNAVAILABLE or reason in ("", found.reason)):
        return found
    # A new reason counts as a move: a silent team that a person sends to rest stays there.
    allowed = TEAM_MOVES[found.status] - {TeamStatus.DEPLOYED}
    if to not in {*allowed, found.status} or found.status is TeamStatus.DEPLOYED:
        shown = () if found.status is TeamStatus.DEPLOYED else allowed
        raise MoveRefused(team_id, found.status, to, shown)
    conn.execute(
        update(teams)
        .where(teams.c.id == team_id, teams.c.fence == found.fence)
        .values(
            status=to.value,
            reason=reason if to is TeamStatus.UNAVAILABLE else "",
            fence=teams.c.fence + 1,
            version=teams.c.version + 1,
            updated_at=now,
            **FREE_HANDS,
        )
    )
    events.append(conn, [TeamChanged(subject=team_id, status=to.value, reason=reason)], now)
    dispatch_lacks.look(conn)
    return existing(conn, team_id)


def was_at(conn: Connection, team_id: TeamId, position: Position) -> bool:
    """Does not raise the version: people may edit the team meanwhile."""
    newer = or_(teams.c.position_at.is_(None), teams.c.position_at < position.at)
    noted = conn.execute(
        update(teams)
        .where(teams.c.id == team_id, newer)
        .values(
            latitude=position.place.latitude,
            longitude=position.place.longitude,
            position_at=position.at,
            accuracy_m=position.accuracy_m,
        )
    )
    return noted.rowcount == 1


def of_device(conn: Connection, device_id: DeviceId) -> list[TeamId]:
    query = select(teams.c.id).where(teams.c.device_id == device_id).order_by(teams.c.id)
    return [TeamId(one) for one in conn.execute(query).scalars()]


def rests(conn: Connection, team_id: TeamId, now: datetime) -> None:
    """It has returned: it is not called before its rest is over."""
    team = existing(conn, team_id)
    if team.rest_seconds:
        until = now + timedelta(seconds=team.rest_seconds)
        conn.execute(update(teams).where(teams.c.id == team_id).values(rests_until=until))


def drop(conn: Connection, team_id: TeamId, now: datetime) -> None:
    found = locked(conn, [team_id]).get(team_id)
    if found is None:
        raise TeamNotFound(team_id)
    if found.status is TeamStatus.DEPLOYED:
        raise MoveRefused(team_id, found.status, "deleted")
    conn.execute(delete(teams).where(teams.c.id == team_id))
    events.append(conn, [TeamChanged(subject=team_id, status="deleted")], now)
