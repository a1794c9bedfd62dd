"""Several events in one CP-SAT model: no team goes to two of them, and the gravest lack least.

Time-boxed, one worker, and begun from the greedy answer; the better of the two is taken.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clarion.agent.optimiser import TimeBox, latest_of, solve_exactly
from clarion.base.clock import Clock, SystemClock
from clarion.dispatch.choose import ChoiceProblem, Chosen, Worth, own_price, worth
from clarion.dispatch.model import Quality, TeamId
from clarion.dispatch.together import (
    Rival,
    candidates_of,
    cheapest,
    competing,
    greedy_together,
    without,
)

JOINT_SHARE = 0.6  # of the time goes to finding out who stands back
Shares = list[tuple[TeamId, ...]]
"""Who goes to each of the events, in their order."""


def solve_beside(
    given: ChoiceProblem, rivals: Sequence[Rival], seconds: float, clock: Clock | None = None
) -> Chosen:
    """What is best for all: the rivals' shares are left to them, and the rest is ours.

    The joint answer decides who has to stand back; the choice from what is left is exact.
    """
    beside = competing(given, rivals)
    if not beside or not given.candidates or not given.needs:
        return solve_exactly(given, seconds, clock)
    box = TimeBox(seconds, clock or SystemClock())
    problems = [cheapest(given), *(cheapest(one.problem) for one in beside)]
    (_, *others), quality = solve_together(problems, seconds * JOINT_SHARE, clock or SystemClock())
    left = without(given, (one for share in others for one in share))
    chosen = solve_exactly(left, max(0.1, box.left), clock)
    proven = quality if chosen.quality is Quality.OPTIMAL else chosen.quality
    shared = len(left.candidates) < len(given.candidates)
    return replace(chosen, quality=proven, shared=shared)


def solve_together(
    problems: Sequence[ChoiceProblem], seconds: float, clock: Clock
) -> tuple[Shares, Quality]:
    box = TimeBox(seconds, clock)
    quick = greedy_together(problems)
    if box.left <= 0:
        return quick, Quality.HEURISTIC
    model = _JointModel(problems)
    model.begin_from(quick)
    if box.left <= 0:
        return quick, Quality.HEURISTIC
    exact, proven = model.solve(box.left)
    if exact is None:
        return quick, Quality.HEURISTIC
    best = min((exact, quick), key=lambda shares: total(problems, shares))
    return best, Quality.OPTIMAL if proven else Quality.FEASIBLE


def total(problems: Sequence[ChoiceProblem], shares: Shares) -> Worth:
    found = [
        worth(given, candidates_of(given, share))
        for given, share in zip(problems, shares, strict=True)
    ]
    weighed = sum(given.gravity * one.price for given, one in zip(problems, found, strict=True))
    return Worth(sum(one.shortfall for one in found), weighed)


class _JointModel:
    def __init__(self, problems: Sequence[ChoiceProblem]) -> None:
        from ortools.sat.python import cp_model

        self._cp = cp_model
        self._model = cp_model.CpModel()
        self._problems = problems
        self._goes: list[dict[TeamId, Any]] = []
        prices: list[Any] = []
        short: list[Any] = []
        most = sum(
            given.gravity
            * (
                sum(own_price(one, given.weights) for one in given.candidates)
                + given.weights.latest * latest_of(given.candidates)
            )
            for given in problems
        )
        for number, given in enumerate(problems):
            self._add(number, given, prices, short)
        self._one_event_a_team()
        self._model.minimize((most + 1) * sum(short) + sum(prices))

    def _add(self, number: int, given: ChoiceProblem, prices: list[Any], short: list[Any]) -> None:
        model, linear = self._model, self._cp.LinearExpr
        goes = {
            one.team_id: model.new_bool_var(f"{number} {one.team_id}") for one in given.candidates
        }
        self._goes.append(goes)
        ways = list(goes.values())
        for need in given.needs:
            offers = [
                (goes[one.team_id], one.amounts[need.capability])
                for one in given.candidates
                if one.amounts.get(need.capability)
            ]
            missing = model.new_int_var(0, need.amount, "")
            met = linear.weighted_sum([way for way, _ in offers], [n for _, n in offers])
            model.add(met + missing >= need.amount)
            short.append(given.gravity * need.weight * missing)
        short += [one.penalty * goes[one.team_id] for one in given.candidates if one.penalty]
        latest = model.new_int_var(0, latest_of(given.candidates), "")
        for one in given.candidates:
            model.add(latest >= one.eta_seconds * goes[one.team_id])
        if given.teams_max is not None:
            model.add(sum(ways) <= given.teams_max)
        own = [given.gravity * own_price(one, given.weights) for one in given.candidates]
        prices.append(linear.weighted_sum(ways, own))
        prices.append(given.gravity * given.weights.latest * latest)

    def _one_event_a_team(self) -> None:
        wanted: dict[TeamId, list[Any]] = {}
        for goes in self._goes:
            for team_id, way in goes.items():
                wanted.setdefault(team_id, []).append(way)
        for ways in wanted.values():
            if len(ways) > 1:
                self._model.add_at_most_one(ways)

    def begin_from(self, shares: Shares) -> None:
        for goes, share in zip(self._goes, shares, strict=True):
            sent = set(share)
            for team_id, way in goes.items():
                self._model.add_hint(way, team_id in sent)

    def solve(self, seconds: float) -> tuple[Shares | None, bool]:
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        status = solver.solve(self._model)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return None, False
        shares = [
            tuple(sorted(one for one, way in goes.items() if solver.boolean_value(way)))
            for goes in self._goes
        ]
        return shares, status == self._cp.OPTIMAL
