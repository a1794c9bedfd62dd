"""What an event needs, who could go, and what is still missing. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo

from clarion.dispatch.model import (
    Assignment,
    DispatchEvent,
    Need,
    Severity,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.plan.choose import Candidate
from clarion.dispatch.plan.crews import off_duty, offered
from clarion.dispatch.plan.rules import OTHER, Rules
from clarion.dispatch.plan.travel import UNKNOWN_ROADS, TravelFacts, TravelTime, distance_km, eta

UNKNOWN = ""
"""The type of an event whose report nobody has read yet."""

SEVERE_WORDS: Mapping[Severity, tuple[str, ...]] = {
    Severity.CRITICAL: ("特别严重", "多人被困", "大量", "危急", "critical", "many trapped"),
    Severity.HIGH: ("严重", "被困", "重伤", "紧急", "serious", "trapped", "urgent"),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a team that has what is needed cannot be counted on."""

    team_id: TeamId
    why: str
    """`busy`, `held`, `unavailable`, `excluded`, `rests`, `off_shift`, `crew`, `too_far` or
    `too_late`."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Availability:
    candidates: tuple[Candidate, ...]
    refusals: tuple[tuple[Refusal, tuple[str, ...]], ...]
    """Each with the capabilities that are lost by it."""
    times: Mapping[TeamId, TravelTime] = field(default_factory=dict)
    """When each candidate is there, and how that is known."""


def understood(event: DispatchEvent, rules: Rules) -> DispatchEvent:
    """The event with its type, read from the report by the rules' words when it has none."""
    if event.type != UNKNOWN:
        return event
    return replace(event, type=guess_type(event.report, rules))


def guess_type(report: str, rules: Rules) -> str:
    """The type with most of its words in the report; ties go to the longest word."""
    said = report.lower()

    def strength(name: str) -> tuple[int, int, str]:
        hits = [word for word in rules.types[name].words if word.lower() in said]
        return len(hits), max(map(len, hits), default=0), name

    best = max(rules.types, key=strength)
    return best if strength(best)[0] else OTHER


def guess_severity(report: str) -> Severity | None:
    said = report.lower()
    for severity, words in SEVERE_WORDS.items():
        if any(word in said for word in words):
            return severity
    return None


def needs_of(event: DispatchEvent, rules: Rules) -> tuple[Need, ...]:
    """The requested needs, or those of the type's rule, scaled by severity and rounded up."""
    if event.needs:
        return event.needs
    percent = rules.percent.get(event.severity, 100)
    return tuple(
        replace(need, amount=max(1, -(-need.amount * percent // 100)))
        for need in rules.rule(event.type).needs
    )


def still_missing(needs: Iterable[Need], assigned: Iterable[Assignment]) -> tuple[Need, ...]:
    """The needs minus what is on its way already."""
    on_the_way = list(assigned)
    left = (
        replace(
            need,
            amount=need.amount - sum(one.amounts.get(need.capability, 0) for one in on_the_way),
        )
        for need in needs
    )
    return tuple(need for need in left if need.amount > 0)


@dataclass(frozen=True, slots=True)
class TeamLimits:
    """Who may be asked at all."""

    latest_at: datetime | None
    range_km: float | None
    excluded: frozenset[TeamId] = frozenset()
    only: frozenset[TeamId] = frozenset()
    """When not empty: nobody else, and nobody else is mentioned."""
    taken: Mapping[TeamId, str] = field(default_factory=dict)
    """Lost to others while this plan was made, and who has them."""
    movable: Mapping[TeamId, int] = field(default_factory=dict)
    """Deployed teams that may leave another event for this one, and what that costs it."""
    zone: tzinfo = UTC
    """Whose clock shifts go by."""


def limits_of(
    event: DispatchEvent,
    rules: Rules,
    excluded: Collection[TeamId],
    only: Collection[TeamId] = (),
    taken: Mapping[TeamId, str] | None = None,
    zone: tzinfo = UTC,
) -> TeamLimits:
    rule = rules.rule(event.type)
    latest_at = event.deadline_at
    if latest_at is None and rule.deadline is not None:
        latest_at = event.reported_at + rule.deadline
    return TeamLimits(
        latest_at, rule.range_km, frozenset(excluded), frozenset(only), taken or {}, zone=zone
    )


AID_COST = 500
"""What asking neighbours costs beside a team of ours: about eight hours of one team's time."""


def find(
    event: DispatchEvent,
    teams: Iterable[Team],
    needs: Iterable[Need],
    limits: TeamLimits,
    now: datetime,
    owner: str = "",
    roads: TravelFacts = UNKNOWN_ROADS,
) -> Availability:
    """Teams that could go. Holds of `owner` do not count."""
    wanted = {need.capability for need in needs}
    candidates: list[Candidate] = []
    refusals: list[tuple[Refusal, tuple[str, ...]]] = []
    times: dict[TeamId, TravelTime] = {}
    for team in teams:
        has = offered(team)
        useful = {name: has[name] for name in wanted & has.keys() if has[name]}
        if not useful or (limits.only and team.id not in limits.only):
            continue
        there = eta(team, event.place, now, roads)
        refusal = _refusal(event, team, limits, now, there.seconds, owner)
        if refusal is None:
            cost = team.cost + (AID_COST if team.mutual_aid else 0)
            penalty = limits.movable.get(team.id, 0)
            candidates.append(Candidate(team.id, there.seconds, cost, useful, penalty))
            times[team.id] = there
        else:
            refusals.append((refusal, tuple(sorted(useful))))
    return Availability(tuple(candidates), tuple(refusals), times)


def _refusal(
    event: DispatchEvent, team: Team, limits: TeamLimits, now: datetime, eta: int, owner: str
) -> Refusal | None:
    if team.id in limits.excluded:
        return Refusal(team.id, "excluded")
    elsewhere = _elsewhere(event, team, limits, now, owner)
    if elsewhere is not None:
        return elsewhere
    if why := off_duty(team, now, limits.zone):
        return Refusal(team.id, why)
    reach = min((km for km in (limits.range_km, team.range_km) if km is not None), default=None)
    if reach is not None and (km := distance_km(team.place, event.place, team.kind)) > reach:
        return Refusal(team.id, "too_far", f"{km:.0f} km")
    if limits.latest_at is not None:
        late = eta - (limits.latest_at - now).total_seconds()
        if late > 0:
            return Refusal(team.id, "too_late", f"{late / 60:.0f} min")
    return None


def _elsewhere(
    event: DispatchEvent, team: Team, limits: TeamLimits, now: datetime, owner: str
) -> Refusal | None:
    """Teams held for an earlier scheme of the same event are available to it."""
    if team.id in limits.taken:
        return Refusal(team.id, "held", limits.taken[team.id])
    if team.id in limits.movable:
        return None
    if team.status is not TeamStatus.STANDBY:
        busy = team.status is TeamStatus.DEPLOYED
        return Refusal(team.id, "busy" if busy else "unavailable", team.reason)
    ours = team.held_by in (None, owner) or team.held_for == event.id
    if not ours and team.held_until and team.held_until > now:
        return Refusal(team.id, "held", str(team.held_for or ""))
    return None
