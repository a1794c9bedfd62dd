"""A hold is all or none, names who is in the way, and only its owner lets it go."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import pytest
from sqlalchemy import update

from clarion.dispatch.model import EventId, TeamId
from clarion.dispatch.ports import HeldTeams, Holds, Refused
from clarion.store.redis.holds import PREFIX, RedisHolds, holds_client
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.store import SqlRecords
from clarion.store.sql.tables.dispatch import teams
from tests.support.clock import START, ManualClock
from tests.support.databases import opened, postgres_database, sqlite_file
from tests.support.dispatching import team
from tests.support.services import PostgresServer, RedisServer

TTL = timedelta(seconds=300)
A, B, C = TeamId("team-001"), TeamId("team-002"), TeamId("team-003")
FIRE, FLOOD = EventId("region:7:fire"), EventId("flood")


@dataclass
class Held1:
    """An implementation, and the two things that only it knows how to do."""

    holds: Holds
    expire: Callable[[TeamId], Awaitable[object]]
    fences: Callable[[], Awaitable[dict[TeamId, int]]]


@pytest.fixture(params=["sqlite", "postgres", "redis_server"])
async def kind(
    request: pytest.FixtureRequest, clock: ManualClock, tmp_path: object
) -> AsyncIterator[Held1]:
    if request.param == "redis_server":
        server: RedisServer = request.getfixturevalue("redis_server")
        client = holds_client(server.url)

        async def none() -> dict[TeamId, int]:
            return dict.fromkeys((A, B, C), 0)

        yield Held1(RedisHolds(client, clock), lambda one: client.delete(f"{PREFIX}{one}"), none)
        await client.aclose()
        return
    if request.param == "sqlite":
        url = await sqlite_file(tmp_path)  # type: ignore[arg-type]
    else:
        postgres: PostgresServer = request.getfixturevalue("postgres")
        url = postgres.url(await postgres_database(postgres))
    async with opened(url) as database:
        records = SqlRecords(database)
        for one in (A, B, C):
            await records.add_team(team(one), START)

        async def current() -> dict[TeamId, int]:
            return {one.id: one.fence for one in await records.teams((), 10)}

        def expire(one: TeamId) -> Awaitable[object]:
            over = update(teams).where(teams.c.id == one).values(held_until=START)
            return database.write(lambda conn: conn.execute(over).rowcount)

        yield Held1(SqlHolds(database, clock), expire, current)


async def acquire(kind: Held1, owner: str, event: EventId, *ids: TeamId) -> HeldTeams | Refused:
    fences = await kind.fences()
    return await kind.holds.acquire(owner, event, {one: fences[one] for one in ids}, TTL)


async def listed(kind: Held1) -> list[tuple[str, str, str]]:
    return [(one.team_id, one.event_id, one.owner) for one in await kind.holds.all()]


async def test_many_teams_are_held_at_once(kind: Held1) -> None:
    held = await acquire(kind, "run-1", FIRE, A, B, C)

    assert isinstance(held, HeldTeams)
    assert held.until == START + TTL
    assert await listed(kind) == [(one, FIRE, "run-1") for one in (A, B, C)]


async def test_one_blocker_refuses_all_and_leaves_nothing_behind(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, B)

    refused = await acquire(kind, "run-2", FLOOD, A, B, C)

    assert isinstance(refused, Refused)
    assert [(one.team_id, one.locked_by) for one in refused.blockers] == [(B, FIRE)]
    assert timedelta(seconds=290) < refused.blockers[0].retry_after <= TTL
    assert await listed(kind) == [(B, FIRE, "run-1")]


async def test_every_blocker_is_named(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A)
    await acquire(kind, "run-2", FLOOD, C)

    refused = await acquire(kind, "run-3", EventId("third"), A, B, C)

    assert isinstance(refused, Refused)
    found = [(one.team_id, one.locked_by) for one in refused.blockers]
    assert found == [(A, FIRE), (C, FLOOD)]


async def test_the_same_owner_may_ask_again(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A, B)

    again = await acquire(kind, "run-1", FIRE, A, B, C)

    assert isinstance(again, HeldTeams)


async def test_only_the_owner_lets_go(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A)
    await acquire(kind, "run-2", FLOOD, B)

    freed = await kind.holds.release("run-1", [A, B, C])

    assert freed == 1
    assert await listed(kind) == [(B, FLOOD, "run-2")]


async def test_an_owner_whose_name_ends_like_anothers_is_a_stranger(kind: Held1) -> None:
    await acquire(kind, "my-run", FIRE, A)

    freed = await kind.holds.release("run", [A])

    assert freed == 0
    assert isinstance(await acquire(kind, "run", FLOOD, A), Refused)


async def test_releasing_twice_is_harmless(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A)

    assert await kind.holds.release("run-1", [A]) == 1
    assert await kind.holds.release("run-1", [A]) == 0


async def test_an_expired_hold_is_free_and_its_late_owner_frees_nothing(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A)
    await kind.expire(A)

    taken = await acquire(kind, "run-2", FLOOD, A)
    late = await kind.holds.release("run-1", [A])

    assert isinstance(taken, HeldTeams)
    assert late == 0
    assert await listed(kind) == [(A, FLOOD, "run-2")]


async def test_extending_keeps_what_is_ours_and_counts_it(kind: Held1) -> None:
    await acquire(kind, "run-1", FIRE, A, B)
    await acquire(kind, "run-2", FLOOD, C)
    await kind.expire(B)

    kept = await kind.holds.extend("run-1", [A, B, C], TTL * 2)

    assert kept == 1
    refused = await acquire(kind, "run-3", FLOOD, A)
    assert isinstance(refused, Refused)
    assert refused.blockers[0].retry_after > TTL
