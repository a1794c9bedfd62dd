"""Several events in one CP-SAT model: no team goes to two of them, and the gravest lack least.

Limited in time, one worker, started from the greedy answer; the better of the two is used. The
joint answer is kept for some seconds: thirty plans of one district solve it once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from clarion.agent.optimiser import TimeBox, latest_of, solve_exactly
from clarion.base.clock import Clock, SystemClock
from clarion.dispatch.model import Need, Quality, TeamId
from clarion.dispatch.plan.choose import ChoiceProblem, Chosen, Worth, own_price, worth
from clarion.dispatch.plan.together import (
    candidates_of,
    cheapest,
    competing,
    greedy_together,
    without,
)

JOINT_SHARE = 0.6  # of the time is used to decide which event gives way
AGREED_SECONDS = 10.0  # in which a team drives less than two hundred metres
PROOF = (Quality.HEURISTIC, Quality.FEASIBLE, Quality.OPTIMAL)
Shares = list[tuple[TeamId, ...]]
"""Who goes to each of the events, in their order."""


class Joint:
    """Plans beside others, and remembers what each of them should have."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._lock = Lock()
        self._agreed: dict[str, _Agreed] = {}

    def solve_beside(
        self, given: ChoiceProblem, rivals: Sequence[ChoiceProblem], seconds: float
    ) -> Chosen:
        """The best for all events: the rivals' shares are left to them, the rest is ours.

        The joint answer decides which event gives way; the choice from the rest is exact.
        """
        beside = competing(given, rivals)
        if not beside or not given.candidates or not given.needs:
            return solve_exactly(given, seconds, self._clock)
        box = TimeBox(seconds, self._clock)
        agreed = self._agree(given, beside, seconds * JOINT_SHARE)
        left = without(given, (team for one in beside for team in agreed[one.event_id].share))
        chosen = solve_exactly(left, max(0.1, box.left), self._clock)
        proofs = [chosen.quality, *(one.quality for one in agreed.values())]
        shared = len(left.candidates) < len(given.candidates)
        return replace(chosen, quality=min(proofs, key=PROOF.index), shared=shared)

    def _agree(
        self, given: ChoiceProblem, beside: Sequence[ChoiceProblem], seconds: float
    ) -> "dict[str, _Agreed]":
        """The share of every event, computed for those without one and for less grave ones."""
        everybody = [given, *beside]
        known = self._known(everybody)
        asking = [one for one in everybody if one.event_id not in known]
        if not asking:
            return known
        gravest = max(one.gravity for one in asking)
        asking += [one for one in everybody if one.event_id in known and one.gravity < gravest]
        named = {one.event_id for one in asking}
        kept = {team for name, one in known.items() if name not in named for team in one.share}
        problems = [cheapest(without(one, kept)) for one in asking]
        shares, quality = solve_together(problems, seconds, self._clock)
        until = self._clock.monotonic() + AGREED_SECONDS
        found = {
            one.event_id: _Agreed(one.needs, frozenset(share), quality, until)
            for one, share in zip(asking, shares, strict=True)
        }
        if given.event_id:  # a what-if plan fixes nothing for the others
            self._keep(found)
        return known | found

    def _known(self, problems: Sequence[ChoiceProblem]) -> "dict[str, _Agreed]":
        """Recent shares whose teams are still available."""
        now = self._clock.monotonic()
        with self._lock:
            agreed = dict(self._agreed)
        return {
            one.event_id: found
            for one in problems
            if (found := agreed.get(one.event_id)) is not None
            and found.until > now
            and found.needs == one.needs
            and found.share <= {each.team_id for each in one.candidates}
        }

    def _keep(self, found: "Mapping[str, _Agreed]") -> None:
        now = self._clock.monotonic()
        with self._lock:
            fresh = {name: one for name, one in self._agreed.items() if one.until > now}
            self._agreed = {**fresh, **found}


@dataclass(frozen=True, slots=True)
class _Agreed:
    needs: tuple[Need, ...]
    share: frozenset[TeamId]
    quality: Quality
    until: float


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


def dearest(given: ChoiceProblem) -> int:
    """More than any choice without a needless team can cost: each brings a unit or more."""
    prices = sorted((own_price(one, given.weights) for one in given.candidates), reverse=True)
    units = sum(need.amount for need in given.needs)
    return sum(prices[:units]) + given.weights.latest * latest_of(given.candidates)


class _JointModel:
    def __init__(self, problems: Sequence[ChoiceProblem]) -> None:
        from ortools.sat.python import cp_model

        self._cp = cp_model
        self._model = cp_model.CpModel()
        self._goes: list[dict[TeamId, Any]] = []
        prices: list[Any] = []
        short: list[Any] = []
        most = sum(given.gravity * dearest(given) for given in problems)
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
        """With all constraints in the linear relaxation: thirty events are then proven within a
        second, and without it the search did not get past the greedy answer.
        """
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 2
        solver.parameters.random_seed = 1
        status = solver.solve(self._model)
        if status not in (self._cp.OPTIMAL, self._cp.FEASIBLE):
            return None, False
        shares = [
            tuple(sorted(one for one, way in goes.items() if solver.boolean_value(way)))
            for goes in self._goes
        ]
        return shares, status == self._cp.OPTIMAL
