"""Events that want the same teams, planned as one: who competes, and a quick good answer. Pure.

A plan looks at every other event that is being planned now. Teams that it leaves to a graver event
are taken by that event's own plan, which sees the same data and finds the same answer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from clarion.dispatch.model import Place, Severity, Team, TeamId
from clarion.dispatch.plan.choose import Candidate, ChoiceProblem, greedy, own_price

GRAVITY: Mapping[Severity, int] = {
    Severity.LOW: 1,
    Severity.MEDIUM: 2,
    Severity.HIGH: 4,
    Severity.CRITICAL: 8,
}
"""What one unit that an event lacks counts beside the same unit of another event."""

RIVALS_MAX = 30  # a district; with more, the nearest and gravest are looked at
NEAR_TEAMS = 60  # for each rival: who else could go there
SPARE = 3  # so many times what a need asks for is looked at, the cheapest first


def nearest_teams(teams: Iterable[Team], place: Place, wanted: set[str], most: int) -> list[Team]:
    """Teams with a wanted capability, by a distance that is quick to compute."""
    fit = [team for team in teams if not wanted.isdisjoint(team.capabilities)]

    def squared(team: Team) -> float:
        north = team.place.latitude - place.latitude
        east = team.place.longitude - place.longitude
        return north * north + east * east

    return sorted(fit, key=squared)[:most]


def cheapest(given: ChoiceProblem) -> ChoiceProblem:
    """The problem with only those candidates that can matter beside rivals."""
    prices = {one.team_id: own_price(one, given.weights) for one in given.candidates}
    kept: set[TeamId] = set()
    for need in given.needs:
        able = [one for one in given.candidates if one.amounts.get(need.capability)]
        able.sort(key=lambda one: (prices[one.team_id], one.team_id))
        offered = 0
        for one in able:
            kept.add(one.team_id)
            offered += one.amounts[need.capability]
            if offered >= SPARE * need.amount + SPARE:
                break
    return replace(given, candidates=tuple(one for one in given.candidates if one.team_id in kept))


def competing(given: ChoiceProblem, rivals: Sequence[ChoiceProblem]) -> list[ChoiceProblem]:
    """Events that want one of our teams, and events that want one of theirs."""
    wanted, found, left = _ids(given), list[ChoiceProblem](), list(rivals)
    while joined := [one for one in left if not wanted.isdisjoint(_ids(one))]:
        found += joined
        left = [one for one in left if wanted.isdisjoint(_ids(one))]
        wanted.update(team_id for one in joined for team_id in _ids(one))
    return found


def _ids(given: ChoiceProblem) -> set[TeamId]:
    return {one.team_id for one in given.candidates}


def without(given: ChoiceProblem, taken: Iterable[TeamId]) -> ChoiceProblem:
    gone = set(taken)
    kept = tuple(one for one in given.candidates if one.team_id not in gone)
    return replace(given, candidates=kept)


def greedy_together(problems: Sequence[ChoiceProblem]) -> list[tuple[TeamId, ...]]:
    """The gravest first, each from what those before it have left."""
    order = sorted(range(len(problems)), key=lambda place: (-problems[place].gravity, place))
    chosen: dict[int, tuple[TeamId, ...]] = {}
    taken: set[TeamId] = set()
    for place in order:
        chosen[place] = greedy(without(problems[place], taken))
        taken.update(chosen[place])
    return [chosen[place] for place in range(len(problems))]


def candidates_of(given: ChoiceProblem, chosen: Iterable[TeamId]) -> list[Candidate]:
    wanted = set(chosen)
    return [one for one in given.candidates if one.team_id in wanted]
