"""Connected assistants on every real database: what is good once is good once, in any race."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from clarion.access.oauth import CodeProof, GrantCode, NewPair, OAuthClient
from clarion.access.tokens import USUAL, Access, TokenKind, hashed, new_token_id
from clarion.base.errors import Unauthorised
from clarion.base.ids import UserId
from clarion.store.sql.access.connections import SqlConnections
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.engine.database import Database
from tests.support.clock import START, ManualClock
from tests.support.oauth_hosts import s256

VERIFIER = "v" * 43
CLIENT = OAuthClient(id="cli_1", name="Claude", redirects=("https://c/",), created_at=START)
CODE = GrantCode(
    client_id="cli_1",
    client_name="Claude",
    redirect="https://c/",
    challenge=s256(VERIFIER),
    resource="http://here/mcp",
    scopes=USUAL,
    user_id=UserId("ana"),
    expires_at=START + timedelta(minutes=2),
)
PROOF = CodeProof(client_id="cli_1", redirect="https://c/", verifier=VERIFIER, resource="")


def pair(name: str) -> NewPair:
    return NewPair(
        access_hash=hashed(f"access {name}"),
        access_until=START + timedelta(hours=1),
        refresh_hash=hashed(f"refresh {name}"),
        refresh_until=START + timedelta(days=90),
    )


@pytest.fixture
async def store(database: Database) -> SqlConnections:
    made = SqlConnections(database)
    await made.add_client(CLIENT, 10)
    await made.add_code(hashed("code"), CODE)
    return made


async def test_a_code_connects_and_its_access_is_recognised(
    store: SqlConnections, database: Database, clock: ManualClock
) -> None:
    access = Access(SqlTokens(database), clock)
    token = await store.redeem(hashed("code"), PROOF, new_token_id(START), pair("1"), START)
    assert token is not None

    who = await access.recognise(f"{token.id}.access 1")
    listed = await access.list()
    connected = await access.connected(user_id=UserId("ana"))

    assert (who.kind, who.user_id, who.scopes) == (TokenKind.USER, "ana", USUAL)
    assert (who.client_id, who.resource) == ("cli_1", "http://here/mcp")
    assert listed == []
    assert [one.name for one in connected] == ["Claude"]
    with pytest.raises(Unauthorised):
        await access.recognise(f"{token.id}.refresh 1")
    clock.jump(timedelta(hours=2))
    with pytest.raises(Unauthorised):
        await access.recognise(f"{token.id}.access 1")


async def test_of_two_who_bring_one_code_at_once_neither_keeps_it(
    store: SqlConnections, database: Database
) -> None:
    made = await asyncio.gather(
        *(
            store.redeem(hashed("code"), PROOF, new_token_id(START), pair(str(n)), START)
            for n in range(4)
        )
    )

    assert sum(one is not None for one in made) == 1
    assert await SqlTokens(database).connected(user_id=None) == []


async def test_of_two_who_bring_one_refresh_at_once_neither_stays_connected(
    store: SqlConnections, database: Database
) -> None:
    await store.redeem(hashed("code"), PROOF, new_token_id(START), pair("0"), START)
    made = await asyncio.gather(
        *(store.renew(hashed("refresh 0"), "cli_1", pair(str(n)), START) for n in range(1, 4))
    )

    assert sum(one is not None for one in made) == 1
    assert await SqlTokens(database).connected(user_id=None) == []


async def test_only_the_latest_clients_that_nobody_connected_are_kept(
    store: SqlConnections,
) -> None:
    await store.redeem(hashed("code"), PROOF, new_token_id(START), pair("0"), START)
    for n in range(2, 6):
        later = START + timedelta(minutes=n)
        await store.add_client(replace(CLIENT, id=f"cli_{n}", created_at=later), 2)

    there = [n for n in range(1, 6) if await store.client(f"cli_{n}") is not None]
    assert there == [1, 4, 5]


async def test_what_ended_long_ago_is_forgotten(
    store: SqlConnections, database: Database, clock: ManualClock
) -> None:
    access = Access(SqlTokens(database), clock)
    await store.redeem(hashed("code"), PROOF, new_token_id(START), pair("0"), START)
    clock.jump(timedelta(days=200))

    assert await access.clean(clock.now()) == 5  # the token, its pair, the code, the client
    assert await access.clean(clock.now()) == 0
