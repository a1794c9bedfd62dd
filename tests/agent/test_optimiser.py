"""The exact choice is exact, quick enough, and never stands in the way of a good one."""

import itertools
import random
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from clarion.agent.choosers import ChooserWithFallback, ExactChooser, GreedyChooser
from clarion.agent.optimiser import _Model, solve_exactly, teams_of, without_hopeless
from clarion.dispatch.errors import AlgorithmFailed
from clarion.dispatch.model import Need, Quality, TeamId
from clarion.dispatch.plan.choose import (
    Candidate,
    ChoiceProblem,
    ChoiceWeights,
    Chosen,
    Worth,
    differs,
    greedy,
    problem,
    worth,
)
from tests.support.cities import random_problem


def subsets(given: ChoiceProblem) -> Iterable[tuple[Candidate, ...]]:
    most = given.teams_max if given.teams_max is not None else len(given.candidates)
    for size in range(most + 1):
        yield from itertools.combinations(given.candidates, size)


def best_by_trying_all(given: ChoiceProblem, banned: list[tuple[TeamId, ...]]) -> Worth:
    return min(
        worth(given, chosen)
        for chosen in subsets(given)
        if all(differs([one.team_id for one in chosen], other) for other in banned)
    )


@pytest.mark.parametrize("block", range(10))
def test_nothing_is_better_than_the_exact_choice(block: int) -> None:
    for seed in range(block * 30, block * 30 + 30):
        given = random_problem(random.Random(seed), teams=random.Random(seed).randint(1, 8))

        chosen = solve_exactly(given, 5.0)

        assert chosen.quality is Quality.OPTIMAL, seed
        found = worth(given, teams_of(given, chosen.choices[0]))
        assert found == best_by_trying_all(given, []), seed


@pytest.mark.parametrize("seed", range(40))
def test_alternatives_are_the_best_that_differ_enough(seed: int) -> None:
    given = random_problem(random.Random(1000 + seed), teams=7)

    chosen = solve_exactly(given, 5.0)

    found = [worth(given, teams_of(given, choice)) for choice in chosen.choices]
    expected = [
        best_by_trying_all(given, list(chosen.choices[:place])) for place in range(len(found))
    ]
    assert found == expected


def test_the_same_teams_in_another_order_get_the_same_choice() -> None:
    dice = random.Random(7)
    given = random_problem(dice, teams=60)
    shuffled = list(given.candidates)
    dice.shuffle(shuffled)

    again = problem(given.needs, shuffled, given.weights)

    assert solve_exactly(given, 5.0) == solve_exactly(again, 5.0)


def test_what_nobody_has_is_a_shortfall_and_not_a_failure() -> None:
    given = problem([Need("boat", 2), Need("medical", 1)], [one("t1", medical=1)])

    chosen = solve_exactly(given, 5.0)

    assert chosen.choices[0] == ("t1",)
    assert worth(given, teams_of(given, chosen.choices[0])).shortfall == 2


def test_a_limit_on_teams_spends_them_where_it_hurts_most() -> None:
    given = problem(
        [Need("medical", 1, weight=1), Need("search", 1, weight=9)],
        [one("medic", medical=1), one("dogs", search=1)],
        ChoiceWeights(),
        teams_max=1,
    )

    assert solve_exactly(given, 5.0).choices[0] == ("dogs",)


def one(name: str, minutes: int = 5, **amounts: int) -> Candidate:
    return Candidate(TeamId(name), minutes * 60, 0, amounts)


async def test_a_solver_that_never_returns_costs_its_thread_and_not_the_plan() -> None:
    gate = threading.Event()

    def hangs(_given: ChoiceProblem, _rivals: Sequence[ChoiceProblem], _seconds: float) -> Chosen:
        gate.wait(10)
        return Chosen(((),), Quality.OPTIMAL)

    exact = ExactChooser(timedelta(milliseconds=-950), hangs, threads=1)
    chooser = ChooserWithFallback(exact, GreedyChooser())
    given = problem([Need("medical", 1)], [one("t1", medical=1)])

    first = await chooser.choose(given)
    second = await chooser.choose(given)  # nobody waits for the thread that is gone

    gate.set()
    exact.close()
    assert first.choices == second.choices == (("t1",),)
    assert first.quality is Quality.HEURISTIC


class Broken:
    async def choose(self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem] = ()) -> Chosen:
        raise ZeroDivisionError


async def test_only_when_both_ways_fail_the_algorithm_has_failed() -> None:
    given = problem([Need("medical", 1)], [one("t1", medical=1)])

    rescued = await ChooserWithFallback(Broken(), GreedyChooser()).choose(given)
    with pytest.raises(AlgorithmFailed) as failed:
        await ChooserWithFallback(Broken(), Broken()).choose(given)

    assert rescued.choices[0] == ("t1",)
    assert failed.value.error_code == "AI5005"


def test_a_choice_cut_short_is_never_worse_than_the_quick_one() -> None:
    given = random_problem(random.Random(3), teams=800)

    chosen = solve_exactly(given, 0.001)

    quick = worth(given, teams_of(given, greedy(given)))
    assert worth(given, teams_of(given, chosen.choices[0])) <= quick


@pytest.mark.timeout(120)  # how quick it is, benchmarks/dispatch.py measures
@pytest.mark.parametrize("teams", [500, 5_000])
def test_the_best_of_a_whole_city_is_found(teams: int) -> None:
    given = random_problem(random.Random(teams), teams)

    chosen = solve_exactly(given, 60.0)

    assert chosen.quality is Quality.OPTIMAL
    assert len(chosen.choices) == 3


class Slow:
    """A clock on which every look costs a second: the preparations are on the time too."""

    def __init__(self) -> None:
        self.looks = 0

    def monotonic(self) -> float:
        self.looks += 1
        return float(self.looks)

    def now(self) -> datetime:
        raise AssertionError("only spans are measured")


def test_building_the_model_is_on_the_time_too() -> None:
    given = random_problem(random.Random(3), 50)

    cut = solve_exactly(given, 2.0, Slow())

    assert cut.quality is Quality.HEURISTIC
    assert cut.choices == (greedy(given),)


@pytest.mark.parametrize("seed", range(6))
def test_leaving_out_the_hopeless_loses_nothing_when_the_number_of_teams_is_limited(
    seed: int,
) -> None:
    given = replace(random_problem(random.Random(seed), 60), teams_max=6)
    known = greedy(given)

    with_all, _ = _Model(given).solve(20.0)
    without, _ = _Model(without_hopeless(given, known)).solve(20.0)

    assert with_all is not None
    assert without is not None
    assert worth(given, teams_of(given, with_all)) == worth(given, teams_of(given, without))
