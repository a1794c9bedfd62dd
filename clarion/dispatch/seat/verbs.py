"""The dispatcher's seat: reading a report back, asking what if, stations, past days."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, Protocol

from clarion.base.clock import Clock
from clarion.dispatch.errors import EventNotFound, InvalidInput, RuleLoadFailed
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.model import (
    DispatchEvent,
    EventId,
    Need,
    Place,
    PlanPicture,
    Proposal,
    Station,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.needs import needs_of
from clarion.dispatch.ports import DispatchStore, PlanRequest, ReadingAgent, RuleBook
from clarion.dispatch.rules import Rules, read
from clarion.dispatch.seat import cover
from clarion.dispatch.seat.replay import PastDay, Replay, replayed
from clarion.dispatch.words import named, wanted

DAY_EVENTS_MAX = 5_000
OVERLAP = timedelta(seconds=10)  # longer than any write of a team takes


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a team is, with no more than a map shows."""

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


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What was understood of a report, for the person to say yes to."""

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
        """Nothing is kept: the report as the agent reads it, in words to say back."""
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
        """A plan as it would be, without holding or sending anybody."""
        picture = await self._guard.read("teams", lambda: self._store.picture(event_id))
        if picture is None:
            raise EventNotFound(event_id)
        # Who is left out does not go, even if it is on its way already.
        staying = tuple(one for one in picture.assigned if one.team_id not in without)
        # Who is held for this very event is the first to be counted on.
        teams = (
            replace(one, held_by=None) if one.held_for == event_id else one for one in picture.teams
        )
        picture = replace(picture, assigned=staying, teams=tuple(teams))
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

    async def gaps(self) -> list[cover.Gap]:
        """Where too little is left, and who could move up."""
        stations, now = await self.stations(), self._clock.now()
        if not stations:
            return []
        day = await self._guard.read("teams", lambda: self._seats.day(now, now, 0))
        return await asyncio.to_thread(cover.gaps, stations, day.teams, now, self._zone)

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
        other = today if rules is None else proposed(rules)
        # A busy month takes seconds of computing, and other requests go on meanwhile.
        return await asyncio.to_thread(replayed, day, today, other, set(without), self._zone)


def proposed(rules: Any) -> Rules:
    """Rules that somebody tries out: what is wrong with them is the caller's to mend."""
    try:
        return read(rules)
    except RuleLoadFailed as error:
        raise InvalidInput(f"rules: {error.message}", **error.details) from None


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
        return f"{kind}，{grave}，需要{'、'.join(wants)}。对吗？"
    return f"{kind.capitalize()}, severity {grave}, needs {', '.join(wants)}. Is that right?"
