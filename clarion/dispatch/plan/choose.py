"""Which teams: the problem in numbers, what a choice is worth, and a quick good choice.

Pure. Less shortfall always wins; then the smaller price, which adds up every team's time and
cost and the arrival of the last one. The exact optimiser is an edge (`agent`) and is measured
against the same `worth`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clarion.dispatch.model import Need, Quality, TeamId


@dataclass(frozen=True, slots=True)
class ChoiceWeights:
    """What a minute and a unit of cost are worth. Whole numbers keep every sum exact."""

    time: int = 1
    """Per minute and team on the way."""
    latest: int = 3
    """Per minute until the last one is there."""
    cost: int = 1
    """Per unit of a team's cost."""
    each: int = 2
    """For every team that is then not at hand for somebody else."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A team that could go, reduced to what the choice depends on."""

    team_id: TeamId
    eta_seconds: int
    cost: int
    amounts: Mapping[str, int]
    penalty: int = 0
    """What another event loses by it, in units of what is lacking, the margin included."""


@dataclass(frozen=True, slots=True)
class ChoiceProblem:
    needs: tuple[Need, ...]
    candidates: tuple[Candidate, ...]
    """Sorted by id: the same teams in another order are the same problem."""
    weights: ChoiceWeights = field(default_factory=ChoiceWeights)
    teams_max: int | None = None
    gravity: int = 1
    """What a unit that is lacking counts beside other events."""
    event_id: str = ""
    """Whose it is; empty where nobody asks."""


@dataclass(frozen=True, slots=True, order=True)
class Worth:
    """Compares as choices do: the smaller is the better one."""

    shortfall: int
    price: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """One or more choices, the best first, each a sorted tuple of teams."""

    choices: tuple[tuple[TeamId, ...], ...]
    quality: Quality
    """What is known about the first."""
    shared: bool = False
    """Teams that could have come are left to other events that are being planned."""


def problem(
    needs: Iterable[Need],
    candidates: Iterable[Candidate],
    weights: ChoiceWeights | None = None,
    teams_max: int | None = None,
    gravity: int = 1,
    event_id: str = "",
) -> ChoiceProblem:
    return ChoiceProblem(
        tuple(sorted(needs, key=lambda need: need.capability)),
        tuple(sorted(candidates, key=lambda one: one.team_id)),
        weights or ChoiceWeights(),
        teams_max,
        gravity,
        event_id,
    )


def own_price(candidate: Candidate, weights: ChoiceWeights) -> int:
    """What sending this team costs, whichever others go. In sixtieths, so that seconds count."""
    return weights.time * candidate.eta_seconds + 60 * (
        weights.cost * candidate.cost + weights.each
    )


def covered(needs: Iterable[Need], chosen: Iterable[Candidate]) -> dict[str, int]:
    """How much of each need is met, more than needed not counted."""
    teams = list(chosen)
    return {
        need.capability: min(
            need.amount, sum(team.amounts.get(need.capability, 0) for team in teams)
        )
        for need in needs
    }


def worth(given: ChoiceProblem, chosen: Iterable[Candidate]) -> Worth:
    teams = list(chosen)
    met = covered(given.needs, teams)
    lacking = sum(need.weight * (need.amount - met[need.capability]) for need in given.needs)
    short = given.gravity * lacking + sum(team.penalty for team in teams)
    latest = max((team.eta_seconds for team in teams), default=0)
    price = sum(own_price(team, given.weights) for team in teams) + given.weights.latest * latest
    return Worth(short, price)


def differs(choice: Iterable[TeamId], earlier: Sequence[TeamId]) -> bool:
    """An alternative worth showing leaves out at least three in ten of the other's teams."""
    return len(set(earlier) - set(choice)) >= difference(len(earlier))


def difference(size: int) -> int:
    return max(1, -(-size * 3 // 10))


def greedy(given: ChoiceProblem, banned: Sequence[Sequence[TeamId]] = ()) -> tuple[TeamId, ...]:
    """A good choice in milliseconds: cheapest per useful amount first, then without needless teams.

    `banned`: choices it has to differ from; as many of their teams as necessary are left out.
    """
    avoided = {team for earlier in banned for team in sorted(earlier)[: difference(len(earlier))]}
    pool = [one for one in given.candidates if one.team_id not in avoided]
    return tuple(sorted(one.team_id for one in _without_needless(given, _grown(given, pool))))


def _grown(given: ChoiceProblem, pool: list[Candidate]) -> list[Candidate]:
    left = {need.capability: need.amount for need in given.needs}
    weight = {need.capability: need.weight for need in given.needs}
    prices = {one.team_id: own_price(one, given.weights) + 1 for one in pool}
    chosen: list[Candidate] = []
    latest = 0
    room = len(pool) if given.teams_max is None else given.teams_max
    while pool and any(left.values()) and len(chosen) < room:
        scored = []
        for one in pool:
            use = sum(weight[c] * min(n, left[c]) for c, n in one.amounts.items() if left.get(c))
            if use and given.gravity * use > one.penalty:
                later = given.weights.latest * max(0, one.eta_seconds - latest)
                dear = (one.penalty / use, (prices[one.team_id] + later) / use)
                scored.append((dear, one.team_id, one))
        if not scored:
            break
        best = min(scored, key=lambda each: each[:2])[2]
        chosen.append(best)
        latest = max(latest, best.eta_seconds)
        for capability, amount in best.amounts.items():
            if capability in left:
                left[capability] = max(0, left[capability] - amount)
        # A team that is useless now stays useless: the missing amounts only shrink.
        pool = [one for _, _, one in scored if one is not best]
    return chosen


def _without_needless(given: ChoiceProblem, chosen: list[Candidate]) -> list[Candidate]:
    kept = sorted(chosen, key=lambda one: (-own_price(one, given.weights), one.team_id))
    for one in tuple(kept):
        fewer = [other for other in kept if other is not one]
        if worth(given, fewer) < worth(given, kept):
            kept = fewer
    return kept


def greedy_chosen(given: ChoiceProblem, count: int = 3) -> Chosen:
    """Up to `count` choices, each different enough from those before it."""
    found: list[tuple[TeamId, ...]] = []
    for _ in range(count):
        choice = greedy(given, found)
        if not choice or any(not differs(choice, earlier) for earlier in found):
            break
        found.append(choice)
    return Chosen(tuple(found) or ((),), Quality.HEURISTIC)
