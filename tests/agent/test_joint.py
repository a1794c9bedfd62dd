"""Several events at once: as good as trying everything, and better than one after the other."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from clarion.agent.joint import AGREED_SECONDS, Joint, Shares, solve_together, total
from clarion.base.clock import SystemClock
from clarion.dispatch.model import Quality, TeamId
from clarion.dispatch.plan.choose import ChoiceProblem, Worth, greedy
from clarion.dispatch.plan.together import competing, greedy_together, without
from tests.support.cities import random_problem
from tests.support.clock import START, ManualClock

CLOCK = SystemClock()


def city(seed: int, events: int, teams: int) -> list[ChoiceProblem]:
    """Events of different gravity that want the same teams, each with its own distances."""
    dice = random.Random(seed)
    base = random_problem(dice, teams)
    found = []
    for _ in range(events):
        candidates = tuple(
            replace(one, eta_seconds=dice.randint(120, 3600)) for one in base.candidates
        )
        needs = tuple(replace(one, amount=dice.randint(1, 4)) for one in base.needs)
        gravity = dice.choice((1, 2, 4, 8))
        found.append(
            replace(base, candidates=candidates, needs=needs, gravity=gravity, teams_max=20)
        )
    return found


def every_way(problems: Sequence[ChoiceProblem]) -> Iterator[Shares]:
    """Each team stays at home or goes to one of the events."""
    teams = [one.team_id for one in problems[0].candidates]
    for places in itertools.product(range(len(problems) + 1), repeat=len(teams)):
        yield [
            tuple(team for team, place in zip(teams, places, strict=True) if place == number)
            for number in range(len(problems))
        ]


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_better_than_the_joint_answer(seed: int) -> None:
    problems = city(seed, events=2, teams=6)

    shares, quality = solve_together(problems, 20.0, CLOCK)

    assert quality is Quality.OPTIMAL
    assert total(problems, shares) == min(total(problems, one) for one in every_way(problems))


def one_after_the_other(problems: Sequence[ChoiceProblem]) -> Shares:
    taken: set[TeamId] = set()
    found = []
    for given in problems:
        share = greedy(without(given, taken))
        taken.update(share)
        found.append(share)
    return found


def test_together_never_lacks_more_and_often_less_than_one_after_the_other() -> None:
    better = 0
    for seed in range(30):
        problems = city(seed, events=5, teams=14)
        together: Worth = total(problems, solve_together(problems, 5.0, CLOCK)[0])
        apart: Worth = total(problems, one_after_the_other(problems))
        assert together <= apart
        better += together.shortfall < apart.shortfall
    assert better >= 10


def test_no_team_is_in_two_shares() -> None:
    problems = city(5, events=6, teams=12)

    shares, _ = solve_together(problems, 5.0, CLOCK)

    sent = [team for share in shares for team in share]
    assert len(set(sent)) == len(sent)


def named(problems: Sequence[ChoiceProblem]) -> list[ChoiceProblem]:
    return [replace(one, event_id=str(number)) for number, one in enumerate(problems)]


def planned_in_turn(problems: Sequence[ChoiceProblem], joint: Joint) -> Shares:
    """Each plan beside those that still wait, as the queue carries them out."""
    found: Shares = []
    for number, given in enumerate(problems):
        taken = [team for share in found for team in share]
        others = [without(one, taken) for one in problems[number + 1 :]]
        found.append(joint.solve_beside(without(given, taken), others, 5.0).choices[0])
    return found


def test_each_plan_takes_its_share_of_the_same_answer() -> None:
    problems = named(city(7, events=4, teams=10))

    shares = planned_in_turn(problems, Joint(CLOCK))

    sent = [team for share in shares for team in share]
    assert len(set(sent)) == len(sent)


def test_what_was_agreed_saves_the_next_plans_the_work_and_loses_nothing() -> None:
    for seed in range(10):
        problems = named(city(seed, events=5, teams=14))
        remembering = planned_in_turn(problems, Joint(CLOCK))
        anew: Shares = []
        for number, given in enumerate(problems):
            taken = [team for share in anew for team in share]
            others = [without(one, taken) for one in problems[number + 1 :]]
            anew.append(Joint(CLOCK).solve_beside(without(given, taken), others, 5.0).choices[0])

        assert total(problems, remembering).shortfall == total(problems, anew).shortfall


def asked_together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many events each joint answer was about."""
    sizes: list[int] = []

    def counted(problems: Sequence[ChoiceProblem], *more: Any) -> Any:
        sizes.append(len(problems))
        return solve_together(problems, *more)

    monkeypatch.setattr("clarion.agent.joint.solve_together", counted)
    return sizes


def test_a_burst_of_plans_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asked_together(monkeypatch)

    planned_in_turn(named(city(2, events=6, teams=12)), Joint(CLOCK))

    assert asked == [6]


def test_a_graver_event_opens_what_was_agreed_with_lighter_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second, new = (replace(one, gravity=2) for one in named(city(4, events=3, teams=8)))
    asked, joint = asked_together(monkeypatch), Joint(CLOCK)

    joint.solve_beside(first, [second], 5.0)
    joint.solve_beside(first, [second, new], 5.0)
    joint.solve_beside(first, [second, replace(new, event_id="grave", gravity=8)], 5.0)

    assert asked == [2, 1, 3]


def test_old_agreements_and_those_of_what_if_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ManualClock(START)
    first, second = named(city(4, events=2, teams=8))
    asked, joint = asked_together(monkeypatch), Joint(clock)

    joint.solve_beside(replace(first, event_id=""), [second], 5.0)
    joint.solve_beside(first, [second], 5.0)
    clock.advance(timedelta(seconds=AGREED_SECONDS + 1))
    joint.solve_beside(first, [second], 5.0)

    assert asked == [2, 2, 2]


def test_who_wants_nothing_of_ours_is_no_rival() -> None:
    mine, theirs = city(1, events=2, teams=4)
    far = replace(
        theirs,
        candidates=tuple(
            replace(one, team_id=TeamId(f"far-{one.team_id}")) for one in theirs.candidates
        ),
    )

    assert competing(mine, [far]) == []
    assert competing(mine, [theirs]) == [theirs]


def test_the_quick_way_serves_the_gravest_first() -> None:
    light, grave = city(3, events=2, teams=3)
    light, grave = replace(light, gravity=1), replace(grave, gravity=8)

    first, second = greedy_together([light, grave])

    assert second == greedy(grave)
    assert not set(first) & set(second)
