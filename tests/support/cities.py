"""Random cities for the chooser: teams with capabilities, needs that may or may not be met."""

import random

from clarion.dispatch.model import Need, TeamId
from clarion.dispatch.plan.choose import Candidate, ChoiceProblem, ChoiceWeights, problem

CAPABILITIES = ("medical", "search", "firefighting", "water_rescue", "hazmat", "heavy_machinery")


def random_problem(dice: random.Random, teams: int) -> ChoiceProblem:
    wanted = dice.sample(CAPABILITIES, dice.randint(1, 4))
    needs = [Need(name, dice.randint(1, 8), dice.randint(1, 3)) for name in wanted]
    candidates = [
        Candidate(
            TeamId(f"team-{number:05}"),
            dice.randint(120, 7200),
            dice.randint(0, 200),
            {name: dice.randint(1, 4) for name in dice.sample(CAPABILITIES, dice.randint(1, 3))},
        )
        for number in range(teams)
    ]
    limit = dice.choice((None, None, None, 1, 2, 3)) if teams < 20 else None
    weights = ChoiceWeights(
        time=dice.randint(0, 3), latest=dice.randint(0, 5), cost=dice.randint(0, 2), each=2
    )
    return problem(needs, candidates, weights, limit)
