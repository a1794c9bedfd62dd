"""Tokens, login codes and remembered answers, on every real database."""

import asyncio
from datetime import timedelta

import pytest

from clarion.access.ports import Remembered
from clarion.access.tokens import Access, Token, TokenKind, hashed, new_token_id
from clarion.base.errors import NotFound, Unauthorised
from clarion.base.ids import InFlight, KeyUsedOtherwise, UserId
from clarion.store.sql import events
from clarion.store.sql.access import tokens
from clarion.store.sql.access.secrets import secret
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.engine.database import Database
from clarion.store.sql.idempotency import SqlAnswers
from tests.support.clock import START, ManualClock

ANA = UserId("ana")
ANSWER = Remembered(201, [("etag", '"1"')], "{}")


@pytest.fixture
async def access(database: Database, clock: ManualClock) -> Access:
    made = Access(SqlTokens(database), clock)
    database.listen(tokens.CHANNEL, lambda _: made.forget())
    return made


async def test_a_token_is_recognised_and_its_secret_is_not_kept(
    access: Access, database: Database
) -> None:
    made = await access.issue(TokenKind.USER, user_id=ANA, name="laptop")

    who = await access.recognise(made.text)
    kept = await SqlTokens(database).find(made.token.id)

    assert (who.kind, who.user_id, who.token_id) == (TokenKind.USER, ANA, made.token.id)
    assert kept is not None
    assert made.secret not in repr(kept)


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda text: text[:-1] + ("a" if text[-1] != "a" else "b"),
        lambda text: text.partition(".")[0],
        lambda text: "tok_none." + text.partition(".")[2],
        lambda text: "",
        lambda text: "x" * 10_000,
        lambda text: text + "汉",
    ],
    ids=["wrong secret", "no secret", "unknown id", "nothing", "too long", "not ASCII"],
)
async def test_anything_else_is_refused_in_the_same_words(access: Access, spoilt: object) -> None:
    made = await access.issue(TokenKind.ADMIN)

    with pytest.raises(Unauthorised, match="not known, has expired or was revoked"):
        await access.recognise(spoilt(made.text))  # type: ignore[operator]


async def test_an_expired_token_is_refused(access: Access, clock: ManualClock) -> None:
    made = await access.issue(TokenKind.ADMIN, life=timedelta(hours=1))
    await access.recognise(made.text)
    clock.advance(timedelta(hours=1))

    with pytest.raises(Unauthorised):
        await access.recognise(made.text)


async def test_a_revoked_token_is_refused_at_once_though_it_was_remembered(
    access: Access, database: Database
) -> None:
    made = await access.issue(TokenKind.USER, user_id=ANA)
    await access.recognise(made.text)
    elsewhere = Access(SqlTokens(database), ManualClock(START))
    heard = asyncio.Event()
    database.listen(tokens.CHANNEL, lambda _: heard.set())

    await elsewhere.revoke(made.token.id)
    await heard.wait()

    with pytest.raises(Unauthorised):
        await access.recognise(made.text)


async def test_nobody_revokes_what_is_somebody_elses(access: Access) -> None:
    made = await access.issue(TokenKind.USER, user_id=ANA)

    with pytest.raises(NotFound):
        await access.revoke(made.token.id, user_id=UserId("bo"))

    await access.recognise(made.text)


async def test_use_is_noted_once_a_minute(access: Access, clock: ManualClock) -> None:
    made = await access.issue(TokenKind.ADMIN)
    await access.recognise(made.text)
    clock.advance(timedelta(seconds=59))
    await access.recognise(made.text)

    [listed] = await access.list()

    assert listed.used_at == START


async def test_what_happened_to_tokens_is_on_record(access: Access, database: Database) -> None:
    made = await access.issue(TokenKind.USER, user_id=ANA)
    await access.revoke(made.token.id)
    await access.revoke(made.token.id)

    told = await database.read(events.about, made.token.id)

    assert [event.kind for event in told] == ["token.made", "token.revoked"]


async def test_a_login_code_works_once(access: Access) -> None:
    login = await access.make_login()

    session = await access.log_in(login.code.upper())
    with pytest.raises(Unauthorised):
        await access.log_in(login.code)

    assert (await access.recognise(session.text)).kind is TokenKind.ADMIN


async def test_of_two_who_bring_the_same_code_one_is_let_in(access: Access) -> None:
    login = await access.make_login(user_id=ANA)

    both = await asyncio.gather(
        access.log_in(login.code), access.log_in(login.code), return_exceptions=True
    )

    assert sorted(type(one).__name__ for one in both) == ["NewToken", "Unauthorised"]


async def test_a_login_code_runs_out(access: Access, clock: ManualClock) -> None:
    login = await access.make_login()
    clock.move_to(login.expires_at)

    with pytest.raises(Unauthorised):
        await access.log_in(login.code)


async def test_what_ended_long_ago_is_forgotten(access: Access, clock: ManualClock) -> None:
    old = await access.issue(TokenKind.ADMIN, life=timedelta(hours=1))
    kept = await access.issue(TokenKind.ADMIN)
    clock.advance(timedelta(days=40))

    await access.clean(clock.now())

    assert [token.id for token in await access.list()] == [kept.token.id]
    assert old.token.id != kept.token.id


async def test_a_key_is_claimed_by_one_and_then_replayed(database: Database) -> None:
    answers = SqlAnswers(database)

    first = await answers.begin("ana", "k", "f", START)
    with pytest.raises(InFlight):
        await answers.begin("ana", "k", "f", START)
    await answers.finish("ana", "k", START, ANSWER)
    again = await answers.begin("ana", "k", "f", START)
    with pytest.raises(KeyUsedOtherwise):
        await answers.begin("ana", "k", "other", START)
    of_bo = await answers.begin("bo", "k", "other", START)

    assert first is None
    assert again == ANSWER
    assert of_bo is None


async def test_two_first_requests_at_once_are_one(database: Database) -> None:
    answers = SqlAnswers(database)

    both = await asyncio.gather(
        answers.begin("ana", "k", "f", START),
        answers.begin("ana", "k", "f", START),
        return_exceptions=True,
    )

    assert [type(one).__name__ for one in both].count("InFlight") == 1


async def test_a_claim_of_a_server_that_died_is_given_on(database: Database) -> None:
    answers = SqlAnswers(database)
    await answers.begin("ana", "k", "f", START)

    again = await answers.begin("ana", "k", "f", START + timedelta(minutes=1))

    assert again is None


async def test_who_was_only_slow_changes_nothing_for_whoever_took_over(
    database: Database,
) -> None:
    answers = SqlAnswers(database)
    later = START + timedelta(minutes=1)
    await answers.begin("ana", "k", "f", START)
    await answers.begin("ana", "k", "f", later)

    await answers.release("ana", "k", START)
    await answers.finish("ana", "k", START, Remembered(500, [], "late"))
    with pytest.raises(InFlight):
        await answers.begin("ana", "k", "f", later)
    await answers.finish("ana", "k", later, ANSWER)
    await answers.finish("ana", "k", later, Remembered(500, [], "twice"))

    assert await answers.begin("ana", "k", "f", later) == ANSWER


async def test_a_refused_request_frees_its_key_and_an_answered_one_does_not(
    database: Database,
) -> None:
    answers = SqlAnswers(database)
    await answers.begin("ana", "k", "f", START)
    await answers.release("ana", "k", START)
    await answers.begin("ana", "k", "other", START)
    await answers.finish("ana", "k", START, ANSWER)

    await answers.release("ana", "k", START)

    assert await answers.begin("ana", "k", "other", START) == ANSWER


async def test_servers_of_one_database_share_their_secrets(database: Database) -> None:
    first = await database.write(secret, "links")
    again = await database.write(secret, "links")
    other = await database.write(secret, "mcp")

    assert len(first) == 32
    assert first == again != other


async def test_a_calendars_address_is_replaced(database: Database) -> None:
    store = SqlTokens(database)
    await store.set_calendar(ANA, hashed("old"), START)

    await store.set_calendar(ANA, hashed("new"), START)

    assert await store.calendar_hash(ANA) == hashed("new")
    assert await store.calendar_hash(UserId("bo")) is None


def test_ids_of_tokens_sort_by_age() -> None:
    names = [new_token_id(START + timedelta(seconds=n)) for n in range(3)]

    assert names == sorted(names)
    assert Token(id=names[0], kind=TokenKind.ADMIN, created_at=START).is_good(START)
