"""Planning together against one after the other, in synthetic cities: what is left unmet.

`python -m benchmarks.dispatch_together [cities]`, by default 30. Every city has eight events of
mixed gravity, reported in a random order, and fewer teams than they want.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import replace

from clarion.agent.joint import Shares, solve_together, total
from clarion.agent.optimiser import solve_exactly
from clarion.base.clock import SystemClock
from clarion.dispatch.model import TeamId
from clarion.dispatch.plan.choose import ChoiceProblem, covered
from clarion.dispatch.plan.together import candidates_of, without
from tests.support.cities import random_problem

CLOCK = SystemClock()


def city(seed: int) -> list[ChoiceProblem]:
    dice = random.Random(seed)
    base = random_problem(dice, 30)
    return [
        replace(
            base,
            candidates=tuple(
                replace(one, eta_seconds=dice.randint(120, 3600)) for one in base.candidates
            ),
            needs=tuple(replace(one, amount=dice.randint(1, 5)) for one in base.needs),
            gravity=dice.choice((1, 2, 4, 8)),
            teams_max=20,
        )
        for _ in range(8)
    ]


def one_after_the_other(problems: Sequence[ChoiceProblem]) -> Shares:
    taken: set[TeamId] = set()
    found = []
    for given in problems:
        share = solve_exactly(without(given, taken), 2.0).choices[0]
        taken.update(share)
        found.append(share)
    return found


def unmet(problems: Sequence[ChoiceProblem], shares: Shares) -> int:
    missing = 0
    for given, share in zip(problems, shares, strict=True):
        met = covered(given.needs, candidates_of(given, share))
        missing += sum(need.amount - met[need.capability] for need in given.needs)
    return missing


def main(cities: int) -> None:
    wanted = apart = together = better = worse = 0
    slowest = 0.0
    for seed in range(cities):
        problems = city(seed)
        wanted += sum(need.amount for given in problems for need in given.needs)
        first = one_after_the_other(problems)
        began = CLOCK.monotonic()
        joint, _ = solve_together(problems, 5.0, CLOCK)
        slowest = max(slowest, CLOCK.monotonic() - began)
        apart += unmet(problems, first)
        together += unmet(problems, joint)
        a, b = total(problems, first).shortfall, total(problems, joint).shortfall
        better += b < a
        worse += b > a
    print(f"{cities} cities, {wanted} units needed")
    print(f"unmet, one after the other: {apart}")
    print(f"unmet, together:            {together}")
    print(f"weighed by gravity: together is better in {better}, worse in {worse}")
    print(f"the slowest joint answer took {slowest:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
