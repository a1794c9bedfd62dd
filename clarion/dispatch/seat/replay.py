"""Replays a past day with other rules or fewer teams: what would have been different. Pure.

Events come as they were reported; each is planned with the teams free at that time, and a team is
busy as long as it was on that day, or for an hour if that is not known. It compares plans, not
outcomes: teams that declined or broke down on that day do not do so here.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from statistics import fmean
from typing import Any

from clarion.dispatch.model import (
    Assignment,
    DispatchEvent,
    EventId,
    Need,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.plan import needs as wants
from clarion.dispatch.plan.choose import Candidate, covered, greedy, problem
from clarion.dispatch.plan.rules import Rules

FREE: Mapping[str, Any] = {
    "status": TeamStatus.STANDBY,
    "held_by": None,
    "held_until": None,
    "rests_until": None,
}
AWAY = timedelta(hours=1)  # for an assignment without a reported end


@dataclass(frozen=True, slots=True)
class PastDay:
    events: tuple[DispatchEvent, ...]
    teams: tuple[Team, ...]
    parts: tuple[Assignment, ...]


@dataclass(frozen=True, slots=True)
class DayFigures:
    events: int
    covered: int
    """Events that got everything they needed."""
    unmet: int
    """Units that nobody brought."""
    sent: int
    first_seconds: float | None
    """The mean until the first team is there; None when nobody went."""
    p90_seconds: int | None


@dataclass(frozen=True, slots=True)
class EventChange:
    event_id: EventId
    before: tuple[TeamId, ...]
    after: tuple[TeamId, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    before: DayFigures
    after: DayFigures
    changed: tuple[EventChange, ...]


@dataclass(frozen=True, slots=True)
class _Sent:
    event: DispatchEvent
    needs: tuple[Need, ...]
    teams: tuple[Candidate, ...]


def replayed(
    day: PastDay, rules: Rules, other: Rules, without: set[TeamId], zone: tzinfo
) -> Replay:
    """The same day under the present rules, and under other rules or without some teams."""
    fewer = replace(day, teams=tuple(one for one in day.teams if one.id not in without))
    before, after = _lived(day, rules, zone), _lived(fewer, other, zone)
    changed = [
        EventChange(one.event.id, _ids(one), _ids(two))
        for one, two in zip(before, after, strict=True)
        if _ids(one) != _ids(two)
    ]
    return Replay(figures(before), figures(after), tuple(changed))


def _ids(one: _Sent) -> tuple[TeamId, ...]:
    return tuple(sorted(team.team_id for team in one.teams))


def _lived(day: PastDay, rules: Rules, zone: tzinfo) -> list[_Sent]:
    spans = _spans(day.parts)
    free_from: dict[TeamId, datetime] = {}
    found = []
    for event in sorted(day.events, key=lambda one: (one.reported_at, one.id)):
        now = event.reported_at
        read = wants.understood(event, rules)
        needs = wants.needs_of(read, rules)
        free = [replace(team, **FREE) for team in day.teams if free_from.get(team.id, now) <= now]
        limits = wants.limits_of(read, rules, (), zone=zone)
        given = problem(
            needs,
            wants.find(read, free, needs, limits, now).candidates,
            rules.weights,
            rules.rule(read.type).teams_max,
        )
        chosen = set(greedy(given))
        teams = tuple(one for one in given.candidates if one.team_id in chosen)
        for one in teams:
            span = spans.get((event.id, one.team_id)) or spans.get((event.id, None)) or AWAY
            free_from[one.team_id] = now + max(span, timedelta(seconds=one.eta_seconds))
        found.append(_Sent(event, needs, teams))
    return found


def _spans(parts: Iterable[Assignment]) -> dict[tuple[EventId, TeamId | None], timedelta]:
    """How long each part took; under None, the longest of the event."""
    found: dict[tuple[EventId, TeamId | None], timedelta] = {}
    for one in parts:
        if one.closed_at is None or one.outcome != "completed":
            continue
        took = one.closed_at - one.opened_at
        found[one.event_id, one.team_id] = took
        found[one.event_id, None] = max(took, found.get((one.event_id, None), timedelta()))
    return found


def figures(lived: Sequence[_Sent]) -> DayFigures:
    unmet = [_unmet(one) for one in lived]
    firsts = sorted(min(t.eta_seconds for t in one.teams) for one in lived if one.teams)
    return DayFigures(
        events=len(lived),
        covered=sum(missing == 0 for missing in unmet),
        unmet=sum(unmet),
        sent=sum(len(one.teams) for one in lived),
        first_seconds=round(fmean(firsts), 1) if firsts else None,
        p90_seconds=firsts[min(len(firsts) - 1, len(firsts) * 9 // 10)] if firsts else None,
    )


def _unmet(one: _Sent) -> int:
    met = covered(one.needs, one.teams)
    return sum(need.amount - met[need.capability] for need in one.needs)
