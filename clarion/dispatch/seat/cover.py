"""Which station has too few teams left near it, and which team could move there. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from clarion.dispatch.model import Station, Team, TeamId, TeamStatus
from clarion.dispatch.plan.crews import off_duty, offered
from clarion.dispatch.plan.travel import UNKNOWN_ROADS, air_km, eta

NEAR_KM = 5.0  # a team this close to a station covers its district


@dataclass(frozen=True, slots=True)
class MoveUp:
    """A proposal: this team should wait at that station."""

    team_id: TeamId
    team: str
    station_id: str
    station: str
    district: str
    capability: str
    eta_seconds: int
    eta_source: str
    eta_at: datetime | None
    position_at: datetime | None


@dataclass(frozen=True, slots=True)
class Gap:
    """What a station lacks near it, and who could fill it, as far as anybody can be spared."""

    station_id: str
    district: str
    capability: str
    least: int
    there: int
    moves: tuple[MoveUp, ...]


def free_teams(teams: Iterable[Team], now: datetime, zone: tzinfo) -> list[Team]:
    return [
        team
        for team in teams
        if team.status is TeamStatus.STANDBY
        and not (team.held_until and team.held_until > now)
        and not off_duty(team, now, zone)
    ]


def gaps(
    stations: Sequence[Station], teams: Iterable[Team], now: datetime, zone: tzinfo
) -> list[Gap]:
    """Each with the nearest teams that their own stations can spare; none is proposed twice."""
    free = free_teams(teams, now, zone)
    home = {team.id: home_of(team, stations) for team in free}
    have = {
        station.id: _sum(team for team in free if home[team.id] == station.id)
        for station in stations
    }
    spare = {one.id: _surplus(one, have[one.id]) for one in stations}
    leaving: set[TeamId] = set()
    found: list[Gap] = []
    for station in sorted(stations, key=lambda one: one.id):
        near = sorted(free, key=lambda one: (air_km(one.place, station.place), one.id))
        coming: list[Team] = []
        for capability, least in sorted(station.least.items()):
            there = have[station.id].get(capability, 0)
            if there >= least:
                continue
            able = [team for team in near if offered(team).get(capability)]
            lacking = least - there - _sum(coming).get(capability, 0)
            for team in able:
                if lacking <= 0:
                    break
                if team.id not in leaving and _can_leave(team, home[team.id], spare):
                    _take(team, home[team.id], spare)
                    leaving.add(team.id)
                    coming.append(team)
                    lacking -= offered(team)[capability]
            moves = tuple(
                move_up(team, station, capability, now) for team in coming if team in able
            )
            found.append(Gap(station.id, station.district, capability, least, there, moves))
    return found


def move_up(team: Team, station: Station, capability: str, now: datetime) -> MoveUp:
    there = eta(team, station.place, now, UNKNOWN_ROADS)
    return MoveUp(
        team.id,
        team.name,
        station.id,
        station.name,
        station.district,
        capability,
        there.seconds,
        there.source,
        there.at,
        team.position_at,
    )


def home_of(team: Team, stations: Sequence[Station]) -> str | None:
    """The station whose district it covers where it stands now."""
    near = [(air_km(team.place, one.place), one.id) for one in stations]
    close = min(near, default=None)
    return close[1] if close is not None and close[0] <= NEAR_KM else None


def _sum(teams: Iterable[Team]) -> dict[str, int]:
    total: dict[str, int] = {}
    for team in teams:
        for name, amount in offered(team).items():
            total[name] = total.get(name, 0) + amount
    return total


def _surplus(station: Station, have: Mapping[str, int]) -> dict[str, int]:
    return {name: have.get(name, 0) - station.least.get(name, 0) for name in station.least}


def _can_leave(team: Team, home: str | None, spare: Mapping[str, dict[str, int]]) -> bool:
    if home is None:
        return True
    left = spare[home]
    return all(left[name] >= amount for name, amount in offered(team).items() if name in left)


def can_be_spared(
    stations: Sequence[Station], free: Sequence[Team], found: Iterable[Gap]
) -> list[Team]:
    """Not proposed already, and not part of the minimum that its own station should have."""
    proposed = {move.team_id for gap in found for move in gap.moves}
    left = [team for team in free if team.id not in proposed]
    home = {team.id: home_of(team, stations) for team in left}
    spare = {
        one.id: _surplus(one, _sum(team for team in left if home[team.id] == one.id))
        for one in stations
    }
    return [team for team in left if _can_leave(team, home[team.id], spare)]


def _take(team: Team, home: str | None, spare: Mapping[str, dict[str, int]]) -> None:
    if home is not None:
        for name, amount in offered(team).items():
            if name in spare[home]:
                spare[home][name] -= amount
