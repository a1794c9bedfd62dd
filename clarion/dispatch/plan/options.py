"""What a choice means for people: roles, shortfall with its reasons, a score, an explanation."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Member,
    Missing,
    Option,
    Quality,
    Team,
    TeamId,
)
from clarion.dispatch.plan.choose import Candidate, ChoiceProblem, covered
from clarion.dispatch.plan.needs import Availability
from clarion.dispatch.plan.travel import FRESH
from clarion.dispatch.plan.words import named

REASONS_SHOWN_MAX = 5  # of each capability; the rest is counted
HOUR = 3600
DEAR = 1000  # a scheme of this cost loses five points of score, one of endless cost ten

WHY = {
    "zh": {
        "busy": "执行任务中",
        "held": "已被预留",
        "unavailable": "不可用",
        "excluded": "已排除",
        "rests": "休整中",
        "off_shift": "不在班次",
        "crew": "人员不足",
        "too_far": "距离过远",
        "too_late": "无法及时到达",
        "limit": "已达到一次派出的队伍上限",
    },
    "en": {
        "busy": "busy",
        "held": "held",
        "unavailable": "unavailable",
        "excluded": "excluded",
        "rests": "resting",
        "off_shift": "off shift",
        "crew": "too few people on duty",
        "too_far": "too far",
        "too_late": "too late",
        "limit": "the most teams that one event may be given",
    },
}


SOURCES = {
    "zh": {"air": "直线估算", "file": "按时间表", "roads": "按道路", "old": "，位置为{}分钟前"},
    "en": {
        "air": "estimated",
        "file": "by the table",
        "roads": "by road",
        "old": ", position {} min old",
    },
}


def option(
    given: ChoiceProblem,
    chosen: Iterable[TeamId],
    found: Availability,
    everybody: Mapping[TeamId, Team],
    language: str = "zh",
    leaves: Mapping[TeamId, EventId] | None = None,
) -> Option:
    """`leaves`: the event that a team would leave for this one."""
    wanted = set(chosen)
    teams = [one for one in given.candidates if one.team_id in wanted]
    met = covered(given.needs, teams)
    needed = sum(need.weight * need.amount for need in given.needs)
    got = sum(need.weight * met[need.capability] for need in given.needs)
    coverage = got / needed if needed else 1.0
    latest = max((one.eta_seconds for one in teams), default=0)
    cost = sum(one.cost for one in teams)
    return Option(
        members=tuple(
            Member(
                one.team_id,
                everybody[one.team_id].name,
                role(given, one),
                one.eta_seconds,
                one.cost,
                dict(one.amounts),
                found.times[one.team_id].source,
                everybody[one.team_id].kind,
                (leaves or {}).get(one.team_id),
                found.times[one.team_id].at,
                everybody[one.team_id].position_at,
                found.times[one.team_id].correction,
            )
            for one in sorted(teams, key=lambda each: (each.eta_seconds, each.team_id))
        ),
        shortfall=shortfall(given, met, found, language, full=len(teams) == given.teams_max),
        latest_seconds=latest,
        cost=cost,
        score=score(coverage, latest, cost),
        coverage=round(coverage, 4),
    )


def role(given: ChoiceProblem, team: Candidate) -> str:
    """The need it serves most, by weight."""
    useful = [
        (need.weight * min(need.amount, team.amounts.get(need.capability, 0)), need.capability)
        for need in given.needs
    ]
    return max(useful, key=lambda each: (each[0], each[1]))[1]


def score(coverage: float, latest: int, cost: int) -> float:
    """100 for everything at once and for free; half an hour and a cost of 1000 take 8.3 off."""
    lateness = 10 * latest / (latest + HOUR)
    dearness = 10 * cost / (cost + DEAR)
    return round(max(0.0, 100 * coverage - lateness - dearness), 2)


def shortfall(
    given: ChoiceProblem,
    met: Mapping[str, int],
    found: Availability,
    language: str,
    *,
    full: bool = False,
) -> tuple[Missing, ...]:
    """`full`: as many teams go as one event may be given."""
    limit = (f"{WHY[language]['limit']} ({given.teams_max})",) if full else ()
    return tuple(
        Missing(
            need.capability,
            need.amount,
            met[need.capability],
            limit + reasons(need.capability, found, language),
        )
        for need in given.needs
        if met[need.capability] < need.amount
    )


def reasons(capability: str, found: Availability, language: str) -> tuple[str, ...]:
    """Why nobody else can help, team by team: `T-07: too late (12 min)`."""
    words = WHY[language]
    said = [
        f"{refusal.team_id}: {words[refusal.why]}"
        + (f" ({refusal.detail})" if refusal.detail else "")
        for refusal, lost in found.refusals
        if capability in lost
    ]
    more = len(said) - REASONS_SHOWN_MAX
    return tuple(said[:REASONS_SHOWN_MAX]) + ((f"+{more}",) if more > 0 else ())


def explanation(
    event: DispatchEvent,
    best: Option,
    others: Sequence[Option],
    quality: Quality,
    language: str = "zh",
) -> str:
    """The facts in plain sentences: what is said when no model words it better."""
    return (
        _chinese(event, best, others, quality)
        if language == "zh"
        else _english(event, best, others, quality)
    )


def _chinese(event: DispatchEvent, best: Option, others: Sequence[Option], quality: Quality) -> str:
    proven = {"optimal": "已证明最优", "feasible": "限时内最好", "heuristic": "启发式"}[quality]
    kind, grave = named(event.type, "zh"), named(event.severity, "zh")
    said = [f"事件 {event.name}（{kind}，{grave}）"]
    if best.members:
        teams = "、".join(
            f"{one.name}（{named(one.role, 'zh')}，约{max(1, round(one.eta_seconds / 60))}分钟，"
            + known(one, "zh")
            + (f"，从 {one.taken_from} 调来" if one.taken_from else "")
            + "）"
            for one in best.members
        )
        said.append(f"派出 {len(best.members)} 支队伍：{teams}")
        said.append(
            f"覆盖 {best.coverage:.0%}，最晚 {max(1, round(best.latest_seconds / 60))} 分钟到达，"
            f"费用 {best.cost}，{proven}"
        )
    else:
        said.append("没有可派出的队伍" if best.shortfall else "不再需要队伍")
    said += [
        f"缺口 {named(one.capability, 'zh')}：需要 {one.needed}，可满足 {one.covered}"
        + (f"（{'；'.join(one.reasons)}）" if one.reasons else "")
        for one in best.shortfall
    ]
    if others:
        said.append(f"另有 {len(others)} 个备选方案")
    return "。".join(said) + "。"


def _english(event: DispatchEvent, best: Option, others: Sequence[Option], quality: Quality) -> str:
    said = [f"Event {event.name} ({named(event.type, 'en')}, {event.severity})"]
    if best.members:
        teams = ", ".join(
            f"{one.name} ({named(one.role, 'en')}, {max(1, round(one.eta_seconds / 60))} min "
            + known(one, "en")
            + (f", leaves {one.taken_from}" if one.taken_from else "")
            + ")"
            for one in best.members
        )
        said.append(f"Sends {len(best.members)}: {teams}")
        said.append(
            f"Covers {best.coverage:.0%}, the last one arrives after "
            f"{max(1, round(best.latest_seconds / 60))} min, cost {best.cost}, {quality}"
        )
    else:
        said.append("Nobody can be sent" if best.shortfall else "Nobody else is needed")
    said += [
        f"Missing {named(one.capability, 'en')}: {one.covered} of {one.needed}"
        + (f" ({'; '.join(one.reasons)})" if one.reasons else "")
        for one in best.shortfall
    ]
    if others:
        said.append(f"{len(others)} alternatives")
    return ". ".join(said) + "."


def known(member: Member, language: str) -> str:
    """Where its time comes from, and how old the position is that it counts from."""
    words = SOURCES[language]
    said = words.get(member.eta_source, words["roads"])
    if member.eta_at is None or member.position_at is None:
        return said
    age = member.eta_at - member.position_at
    return said if age <= FRESH else said + words["old"].format(round(age.total_seconds() / 60))


def in_language(option: Option, language: str) -> Option:
    """The same with the reasons of its shortfall in this language."""
    other = WHY["en" if language == "zh" else "zh"]
    words = {said: WHY[language][why] for why, said in other.items()}

    def said(reason: str) -> str:
        for theirs in sorted(words, key=len, reverse=True):
            if f": {theirs}" in reason or reason.startswith(theirs):
                return reason.replace(theirs, words[theirs], 1)
        return reason

    missing = (
        replace(one, reasons=tuple(said(reason) for reason in one.reasons))
        for one in option.shortfall
    )
    return replace(option, shortfall=tuple(missing))
