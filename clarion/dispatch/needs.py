"""What an event needs, who could go, and what is still missing. Pure."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from clarion.dispatch.choose import Candidate
from clarion.dispatch.model import (
    Assignment,
    DispatchEvent,
    Need,
    Severity,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.rules import OTHER, Rules
from clarion.dispatch.travel import distance_km, eta_seconds

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
    """`busy`, `held`, `unavailable`, `excluded`, `too_far` or `too_late`."""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Availability:
    candidates: tuple[Candidate, ...]
    refusals: tuple[tuple[Refusal, tuple[str, ...]], ...]
    """Each with the capabilities that are lost by it."""


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
    """What was asked for, or what the rules say for the type, scaled by severity, rounded up."""
    if event.needs:
        return event.needs
    percent = rules.percent.get(event.severity, 100)
    return tuple(
        replace(need, amount=max(1, -(-need.amount * percent // 100)))
        for need in rules.rule(event.type).needs
    )


def still_missing(needs: Iterable[Need], assigned: Iterable[Assignment]) -> tuple[Need, ...]:
    """The needs less what is on its way already."""
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
    """When not empty: nobody else."""
    taken: Mapping[TeamId, str] = field(default_factory=dict)
    """Lost to others while this plan was made, and who has them."""


def limits_of(
    event: DispatchEvent,
    rules: Rules,
    excluded: Collection[TeamId],
    only: Collection[TeamId] = (),
    taken: Mapping[TeamId, str] | None = None,
) -> TeamLimits:
    rule = rules.rule(event.type)
    latest_at = event.deadline_at
    if latest_at is None and rule.deadline is not None:
        latest_at = event.reported_at + rule.deadline
    return TeamLimits(latest_at, rule.range_km, frozenset(excluded), frozenset(only), taken or {})


def find(
    event: DispatchEvent,
    teams: Iterable[Team],
    needs: Iterable[Need],
    limits: TeamLimits,
    now: datetime,
    owner: str = "",
) -> Availability:
    """Who could go. `owner` is whose holds do not stand in the way."""
    wanted = {need.capability for need in needs}
    candidates: list[Candidate] = []
    refusals: list[tuple[Refusal, tuple[str, ...]]] = []
    for team in teams:
        offered = {name: team.capabilities[name] for name in wanted & team.capabilities.keys()}
        if not any(offered.values()):
            continue
        eta = eta_seconds(team, event.place)
        refusal = _refusal(event, team, limits, now, eta, owner)
        if refusal is None:
            candidates.append(Candidate(team.id, eta, team.cost, offered))
        else:
            refusals.append((refusal, tuple(sorted(offered))))
    return Availability(tuple(candidates), tuple(refusals))


def _refusal(
    event: DispatchEvent, team: Team, limits: TeamLimits, now: datetime, eta: int, owner: str
) -> Refusal | None:
    if team.id in limits.taken:
        return Refusal(team.id, "held", limits.taken[team.id])
    if team.id in limits.excluded or (limits.only and team.id not in limits.only):
        return Refusal(team.id, "excluded")
    if team.status is not TeamStatus.STANDBY:
        busy = team.status is TeamStatus.DEPLOYED
        return Refusal(team.id, "busy" if busy else "unavailable", team.reason)
    if team.held_by not in (None, owner) and team.held_until and team.held_until > now:
        return Refusal(team.id, "held", str(team.held_for or ""))
    reach = min((km for km in (limits.range_km, team.range_km) if km is not None), default=None)
    if reach is not None and (km := distance_km(team.place, event.place)) > reach:
        return Refusal(team.id, "too_far", f"{km:.0f} km")
    if limits.latest_at is not None:
        late = eta - (limits.latest_at - now).total_seconds()
        if late > 0:
            return Refusal(team.id, "too_late", f"{late / 60:.0f} min")
    return None
