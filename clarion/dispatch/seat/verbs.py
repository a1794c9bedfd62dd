"""The verbs of the dispatcher's page: read a report back, what-if plans, stations, past days."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, Protocol

from clarion.base.clock import Clock
from clarion.dispatch.errors import EventNotFound, InvalidInput, RuleLoadFailed, TeamNotFound
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Need,
    Place,
    PlanPicture,
    Proposal,
    Station,
    Team,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.plan.needs import needs_of, understood
from clarion.dispatch.plan.rules import OTHER, Rules, read
from clarion.dispatch.plan.words import named, wanted
from clarion.dispatch.ports import DispatchStore, PlanRequest, ReadingAgent, RuleBook
from clarion.dispatch.seat import cover
from clarion.dispatch.seat.demand import (
    PLACES_MAX,
    BetterPlace,
    Demand,
    away_share,
    better_place,
)
from clarion.dispatch.seat.replay import PastDay, Replay, replayed

DAY_EVENTS_MAX = 5_000
OVERLAP = timedelta(seconds=10)  # longer than any write of a team takes


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a team is, with only what a map shows."""

    team_id: TeamId
    name: str
    place: Place
    status: TeamStatus


@dataclass(frozen=True, slots=True)
class Spots:
    count: int
    """Of all teams: who knows another number has to ask for everybody."""
    since: datetime
    """What to ask from next time; a little early, as transactions end in another order."""
    changed: tuple[Spot, ...]


class SeatStore(Protocol):
    async def spots(self, since: datetime | None) -> tuple[int, Sequence[Spot]]:
        """How many teams there are, and where those are that changed since."""
        ...

    async def stations(self) -> list[Station]: ...

    async def keep_station(self, station: Station) -> None: ...

    async def drop_station(self, station_id: str) -> bool: ...

    async def day(self, since: datetime, until: datetime, most: int) -> PastDay: ...

    async def latest_events(self, most: int) -> list[DispatchEvent]: ...


@dataclass(frozen=True, slots=True)
class MoveUps:
    gaps: tuple[cover.Gap, ...]
    better: tuple[BetterPlace, ...]
    """Beside the gaps, at most one for each capability, the most helpful first."""


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What was understood from a report, for the person to confirm."""

    event: DispatchEvent
    needs: tuple[Need, ...]
    said: str


async def _unwatched(_node: str, _percent: int) -> bool:
    return True


class Seat:
    def __init__(
        self,
        store: DispatchStore,
        seats: SeatStore,
        agent: ReadingAgent,
        book: RuleBook,
        clock: Clock,
        guard: DispatchGuard,
        zone: tzinfo,
    ) -> None:
        self._store = store
        self._seats = seats
        self._agent = agent
        self._book = book
        self._clock = clock
        self._guard = guard
        self._zone = zone

    async def read_back(self, event: DispatchEvent, language: str) -> ReadBack:
        """How the agent reads the report, in words to read back. Nothing is stored."""
        request = PlanRequest(
            picture=PlanPicture(event=event, teams=()),
            owner="",
            now=self._clock.now(),
            language=language,
        )
        found = await self._agent.understand(request)
        needs = needs_of(found, self._book.rules())
        return ReadBack(found, needs, said_back(found, needs, language))

    async def what_if(
        self,
        event_id: EventId,
        *,
        without: Collection[TeamId] = (),
        more: Sequence[Need] = (),
        language: str = "zh",
    ) -> Proposal:
        """A plan as it would be made now; no team is held or sent."""
        picture = await self._guard.read("teams", lambda: self._store.picture(event_id))
        if picture is None:
            raise EventNotFound(event_id)
        if without:
            _, spots = await self._guard.read("teams", lambda: self._seats.spots(None))
            all_known(without, {spot.team_id for spot in spots})
        # A team that is left out does not go, even if it is on its way already.
        staying = tuple(one for one in picture.assigned if one.team_id not in without)
        picture = replace(picture, assigned=staying)
        if more:
            needs = added(needs_of(picture.event, self._book.rules()), more)
            picture = replace(picture, event=replace(picture.event, needs=needs))
        request = PlanRequest(
            picture=picture,
            owner="",
            now=self._clock.now(),
            excluded=frozenset(without) | frozenset(picture.refused),
            language=language,
        )
        return await self._agent.plan(request, _unwatched)

    async def spots(self, since: datetime | None) -> Spots:
        """Everybody, or who was changed or seen since then."""
        now = self._clock.now()
        count, changed = await self._guard.read("teams", lambda: self._seats.spots(since))
        return Spots(count, now - OVERLAP, tuple(changed))

    async def stations(self) -> list[Station]:
        return await self._guard.read("stations", self._seats.stations)

    async def keep_station(self, station: Station) -> Station:
        await self._guard.write("station", lambda: self._seats.keep_station(station))
        return station

    async def drop_station(self, station_id: str) -> bool:
        return await self._guard.write("station", lambda: self._seats.drop_station(station_id))

    async def move_ups(self) -> MoveUps:
        """Stations with too few teams and who could move there; better places for free teams."""
        stations, now = await self.stations(), self._clock.now()
        if not stations:
            return MoveUps((), ())
        day = await self._guard.read("teams", lambda: self._seats.day(now, now, 0))
        past = await self._guard.read("events", lambda: self._seats.latest_events(PLACES_MAX))
        return await asyncio.to_thread(self._moved_up, stations, day.teams, past, now)

    def _moved_up(
        self,
        stations: Sequence[Station],
        teams: Sequence[Team],
        past: Sequence[DispatchEvent],
        now: datetime,
    ) -> MoveUps:
        gaps = cover.gaps(stations, teams, now, self._zone)
        free = cover.free_teams(teams, now, self._zone)
        spared = cover.can_be_spared(stations, free, gaps)
        away = away_share(len(free), len(teams))
        better: list[BetterPlace] = []
        for capability, places in sorted(self._places(past).items()):
            moved = {one.move.team_id for one in better}
            left = [team for team in spared if team.id not in moved]
            demand = Demand(stations, places)
            found = better_place(demand, stations, free, left, capability, away, now)
            better += [found] if found is not None else []
        return MoveUps(tuple(gaps), tuple(sorted(better, key=lambda one: -one.gain)))

    def _places(self, past: Sequence[DispatchEvent]) -> dict[str, list[Place]]:
        """Where each capability was needed."""
        rules, found = self._book.rules(), dict[str, list[Place]]()
        for event in past:
            for need in needs_of(understood(event, rules), rules):
                found.setdefault(need.capability, []).append(event.place)
        return found

    async def replay(
        self, since: datetime, until: datetime, without: Collection[TeamId], rules: Any = None
    ) -> Replay:
        """`rules`: as the file has them, parsed; None: those in force."""
        if until <= since:
            raise InvalidInput("until: after since")
        today = self._book.rules()
        day = await self._guard.read(
            "day", lambda: self._seats.day(since, until, DAY_EVENTS_MAX + 1)
        )
        if len(day.events) > DAY_EVENTS_MAX:
            raise InvalidInput(f"more than {DAY_EVENTS_MAX} events: a shorter span")
        all_known(without, {one.id for one in day.teams} | {one.team_id for one in day.parts})
        other = today if rules is None else proposed(rules)
        # A busy month takes seconds of computing, and other requests go on meanwhile.
        return await asyncio.to_thread(replayed, day, today, other, set(without), self._zone)


def all_known(named: Collection[TeamId], known: Collection[TeamId]) -> None:
    """A mistyped team would be left out of nothing, and the answer would look like an answer."""
    for team_id in named:
        if team_id not in known:
            raise TeamNotFound(team_id)


def proposed(rules: Any) -> Rules:
    """Check rules that somebody tries out; raises what the caller has to fix."""
    try:
        return read(rules)
    except RuleLoadFailed as error:
        why = error.message.partition(": ")[2]
        raise InvalidInput(f"rules: {why}", **error.details) from None


def added(needs: Sequence[Need], more: Sequence[Need]) -> tuple[Need, ...]:
    """Two more medics on top of what is needed already."""
    found = {need.capability: need for need in needs}
    for need in more:
        known = found.get(need.capability)
        amount = need.amount + (known.amount if known else 0)
        found[need.capability] = replace(known or need, amount=amount)
    return tuple(found.values())


def said_back(event: DispatchEvent, needs: Sequence[Need], language: str) -> str:
    kind, grave = named(event.type, language), named(event.severity, language)
    wants = [wanted(need, language) for need in needs]
    if language == "zh":
        heard = f"没有听出是哪一类，按“{kind}”处理" if event.type == OTHER else kind
        return f"{heard}，{grave}，需要{'、'.join(wants)}。对吗？"
    heard = f"No known type heard, so {kind}" if event.type == OTHER else kind.capitalize()
    return f"{heard}, severity {grave}, needs {', '.join(wants)}. Is that right?"
