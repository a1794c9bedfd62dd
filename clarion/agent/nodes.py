"""The steps of a plan, each repeatable and without side effects: state in, additions out.

Without a language model, the words of the rules read the report and templates explain the scheme. A
model's answer is checked against the rules and the teams, so it can never name what does not exist.
"""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Any, TypedDict

from clarion.agent.choosers import Chooser
from clarion.base.errors import ClarionError, TimedOut, Unavailable
from clarion.dispatch.errors import AlgorithmFailed
from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Need,
    Option,
    Place,
    Proposal,
    Quality,
    Team,
    TeamId,
    TeamStatus,
    VehicleKind,
)
from clarion.dispatch.plan import needs as wants
from clarion.dispatch.plan import options
from clarion.dispatch.plan.choose import ChoiceProblem, Chosen, differs, problem
from clarion.dispatch.plan.needs import Availability
from clarion.dispatch.plan.rules import Rules
from clarion.dispatch.plan.together import GRAVITY, NEAR_TEAMS, RIVALS_MAX, nearest_teams
from clarion.dispatch.plan.travel import TravelFacts, TravelTime, air_km
from clarion.dispatch.ports import (
    Explainer,
    PlanRequest,
    Progress,
    ReportReader,
    ReportReading,
    Roads,
    RuleBook,
)

log = logging.getLogger(__name__)

EXPLANATION_LETTERS_MAX = 2_000
ROADS_ASKED_MAX = 100  # as many as a routing server answers in one request
TEAMS_INLINE_MAX = 500  # with more, checking them all would block the event loop

# Whatever has a digit in it, and whatever is called a team: 消防二队, team-007, 12.
NAMED = re.compile(r"[A-Za-z_-]*\d[\w.-]*\w|[A-Za-z_-]*\d|[\u4e00-\u9fff\d]{1,3}队(?!伍)")


class PlanState(TypedDict, total=False):
    """What is known so far; every node adds its part."""

    request: PlanRequest
    progress: Progress
    rules: Rules
    event: DispatchEvent
    needs: tuple[Need, ...]
    roads: TravelFacts
    found: Availability
    leaves: Mapping[TeamId, EventId]
    problem: ChoiceProblem
    rivals: Sequence[ChoiceProblem]
    chosen: Chosen
    best: Option
    alternatives: tuple[Option, ...]
    quality: Quality
    explanation: str
    proposal: Proposal


Node = Callable[[PlanState], Awaitable[PlanState]]


class Nodes:
    def __init__(
        self,
        book: RuleBook,
        chooser: Chooser,
        reader: ReportReader | None = None,
        explainer: Explainer | None = None,
        roads: Roads | None = None,
        zone: tzinfo = UTC,
    ) -> None:
        """`zone`: whose clock shifts go by."""
        self._roads = roads
        self._zone = zone
        self._book = book
        self._chooser = chooser
        self._reader = reader
        self._explainer = explainer

    def by_name(self) -> Mapping[str, Node]:
        return {
            "load_rules": self.load_rules,
            "understand": self.understand,
            "find_teams": self.find_teams,
            "choose": self.choose,
            "explain": self.explain,
            "evaluate": self.evaluate,
        }

    async def load_rules(self, _state: PlanState) -> PlanState:
        return {"rules": await asyncio.to_thread(self._book.rules)}

    async def understand(self, state: PlanState) -> PlanState:
        rules, request = state["rules"], state["request"]
        event = request.picture.event
        if event.type == wants.UNKNOWN:
            reading = await self._reading(event.report, rules, request)
            event = read_into(event, reading, rules)
        needs = wants.needs_of(event, rules)
        return {
            "event": event,
            "needs": wants.still_missing(needs, request.picture.assigned),
        }

    async def _reading(
        self, report: str, rules: Rules, request: PlanRequest
    ) -> ReportReading | None:
        if self._reader is None or not report:
            return None
        known = {name for team in request.picture.teams for name in team.capabilities}
        try:
            return await self._reader.read(report, sorted(rules.types), sorted(known))
        except ClarionError as error:
            log.info("report read without the model: %s", error)
            return None

    async def _travel(self, state: PlanState) -> TravelFacts:
        """Real travel times for the nearest teams; the others are estimated."""
        request, event = state["request"], state["event"]
        wanted = {need.capability for need in state["needs"]}
        times: dict[str, TravelTime] = {}
        if self._roads is not None and wanted:
            near = nearest_teams(request.picture.teams, event.place, wanted, ROADS_ASKED_MAX)
            for kind in sorted({one.kind for one in near}):
                group = [one for one in near if one.kind is kind]
                times |= await self._times(kind, group, event.place)
        return TravelFacts(times, request.picture.corrections)

    async def _times(
        self, kind: VehicleKind, group: Sequence[Team], there: Place
    ) -> dict[str, TravelTime]:
        assert self._roads is not None, "asked before"
        try:
            found = await self._roads.times(kind, [one.place for one in group], there)
        except (Unavailable, TimedOut) as error:
            log.info("ways estimated by air: %s", error)
            return {}
        return {team.id: one for team, one in zip(group, found, strict=True) if one is not None}

    async def find_teams(self, state: PlanState) -> PlanState:
        state = {**state, "roads": await self._travel(state)}
        if len(state["request"].picture.teams) > TEAMS_INLINE_MAX:
            return await asyncio.to_thread(self._found, state)
        return self._found(state)

    def _found(self, state: PlanState) -> PlanState:
        request, event, rules = state["request"], state["event"], state["rules"]
        limits = wants.limits_of(
            event, rules, request.excluded, request.only, request.taken, self._zone
        )
        leaves = movable(event, request)
        limits = replace(limits, movable={one: cost for one, (_, cost) in leaves.items()})
        found = wants.find(
            event,
            request.picture.teams,
            state["needs"],
            limits,
            request.now,
            request.owner,
            state["roads"],
        )
        return {
            "found": found,
            "leaves": {one: left for one, (left, _) in leaves.items()},
            "problem": replace(
                _problem(event, state["needs"], found, rules),
                event_id=event.id if request.owner else "",
            ),
            "rivals": rivals_of(event, state["needs"], request, rules, self._zone),
        }

    async def choose(self, state: PlanState) -> PlanState:
        return {"chosen": await self._chooser.choose(state["problem"], state["rivals"])}

    async def explain(self, state: PlanState) -> PlanState:
        request, given = state["request"], state["problem"]
        everybody = {team.id: team for team in request.picture.teams}
        chosen = state.get("chosen", Chosen(((),), Quality.OPTIMAL))
        shown = [
            options.option(
                given, choice, state["found"], everybody, request.language, state["leaves"]
            )
            for choice in chosen.choices
        ]
        best, others = shown[0], tuple(one for one in shown[1:] if one.members)
        quality = chosen.quality
        text = options.explanation(state["event"], best, others, quality, request.language)
        return {
            "best": best,
            "alternatives": others,
            "quality": quality,
            "explanation": await self._worded(text, request.language),
        }

    async def _worded(self, facts: str, language: str) -> str:
        if self._explainer is None:
            return facts
        try:
            worded = await self._explainer.explain(facts, language)
        except ClarionError as error:
            log.info("explained without the model: %s", error)
            return facts
        if not worded or len(worded) > EXPLANATION_LETTERS_MAX or strangers(worded, facts):
            return facts
        # The facts stay next to the model's words: it may forget a team.
        return f"{worded.strip()}\n\n{facts}"

    async def evaluate(self, state: PlanState) -> PlanState:
        """Check the proposal independently; a wrong one stops here."""
        given = state["problem"]
        wrong = faults(given, [state["best"], *state["alternatives"]])
        if wrong:
            raise AlgorithmFailed("evaluate", "; ".join(wrong))
        return {
            "proposal": Proposal(
                best=state["best"],
                alternatives=state["alternatives"],
                explanation=state["explanation"],
                quality=state["quality"],
                event=state["event"],
                shared="chosen" in state and state["chosen"].shared,
            )
        }


def _problem(
    event: DispatchEvent, needs: Iterable[Need], found: Availability, rules: Rules
) -> ChoiceProblem:
    most, gravity = rules.rule(event.type).teams_max, GRAVITY[event.severity]
    return problem(needs, found.candidates, rules.weights, most, gravity, event.id)


def movable(event: DispatchEvent, request: PlanRequest) -> dict[TeamId, tuple[EventId, int]]:
    """Teams on their way to a lighter event, and what taking one costs there, with the margin."""
    if request.margin is None:
        return {}
    picture, found = request.picture, {}
    for part in picture.parts:
        other = picture.events.get(part.event_id)
        if other is None or other.id == event.id or not part.may_leave(request.now):
            continue
        if GRAVITY[other.severity] < GRAVITY[event.severity]:
            lost = GRAVITY[other.severity] * max(1, sum(part.amounts.values()))
            found[part.team_id] = (other.id, lost + request.margin)
    return found


def rivals_of(
    event: DispatchEvent,
    needs: Iterable[Need],
    request: PlanRequest,
    rules: Rules,
    zone: tzinfo,
) -> list[ChoiceProblem]:
    """The other events that are being planned and want what we want, the nearest of them."""
    wanted = {need.capability for need in needs}
    found: list[ChoiceProblem] = []
    free = [one for one in request.picture.teams if one.status is TeamStatus.STANDBY]
    near = sorted(request.picture.others, key=lambda one: air_km(one.event.place, event.place))
    for other in near:
        if len(found) >= RIVALS_MAX:
            break
        lacks = wants.still_missing(
            wants.needs_of(wants.understood(other.event, rules), rules), other.assigned
        )
        theirs = {need.capability for need in lacks}
        if wanted.isdisjoint(theirs):
            continue
        limits = wants.limits_of(other.event, rules, other.refused, other.only, zone=zone)
        teams = nearest_teams(free, other.event.place, theirs, NEAR_TEAMS)
        could = wants.find(other.event, teams, lacks, limits, request.now, request.owner)
        found.append(_problem(other.event, lacks, could, rules))
    return found


def read_into(event: DispatchEvent, reading: ReportReading | None, rules: Rules) -> DispatchEvent:
    """What a model read, as far as it is possible; the rules' words for the rest."""
    found = reading or ReportReading()
    known = found.type is not None and found.type in rules.types
    kind = found.type if known and found.type else wants.guess_type(event.report, rules)
    graver = [one for one in (found.severity, wants.guess_severity(event.report)) if one]
    order = list(type(event.severity))
    severity = max([event.severity, *graver], key=order.index)
    read = replace(event, type=kind, severity=severity)
    return read if event.needs else replace(read, needs=capped(found.needs or {}, read, rules))


def capped(amounts: Mapping[str, int], event: DispatchEvent, rules: Rules) -> tuple[Need, ...]:
    """What a model asks for, never more than the rules give any event of this gravity."""
    most: dict[str, int] = {}
    for name in rules.types:
        for need in wants.needs_of(replace(event, type=name, needs=()), rules):
            most[need.capability] = max(most.get(need.capability, 0), need.amount)
    return tuple(
        Need(name, min(amount, most[name]))
        for name, amount in sorted(amounts.items())
        if name in most and amount > 0
    )


def strangers(worded: str, facts: str) -> list[str]:
    """Names and numbers that a model has invented: teams, minutes, amounts."""
    return [name for name in NAMED.findall(worded) if name not in facts]


def faults(given: ChoiceProblem, shown: list[Option]) -> list[str]:
    there = {one.team_id for one in given.candidates}
    wrong: list[Any] = []
    for place, one in enumerate(shown):
        ids = one.team_ids
        wrong += [f"{team} is not there" for team in ids if team not in there]
        if len(set(ids)) != len(ids):
            wrong.append("a team twice")
        if given.teams_max is not None and len(ids) > given.teams_max:
            wrong.append(f"more than {given.teams_max} teams")
        if any(not differs(ids, other.team_ids) for other in shown[:place] if other.members):
            wrong.append("an alternative that is none")
    return wrong
