"""Devices that wait for their owner's yes, on every real database."""

import asyncio
from datetime import timedelta

import pytest

from clarion.access.tokens import Access, hashed
from clarion.base.ids import UserId
from clarion.people.activation import Activations, Machine, NoSuchCode, Promise
from clarion.people.model import CLARION, DeviceKind, User
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people import activation
from clarion.store.sql.people.activation import SqlActivations
from clarion.store.sql.people.store import SqlPeople
from tests.support.clock import ManualClock

ANA = UserId("ana")
KITCHEN = Machine(hardware="aa:bb:cc:dd:ee:01", client="c1", facts={"board": "box"})


def promise(number: int = 1) -> Promise:
    return Promise(f"tok_{number}", hashed("secret"))


@pytest.fixture
async def activations(database: Database, clock: ManualClock) -> Activations:
    await SqlPeople(database).ensure_user(User(id=ANA), clock.now())
    return Activations(SqlActivations(database), clock)


async def test_a_machine_becomes_somebodys_device(
    activations: Activations, database: Database, clock: ManualClock
) -> None:
    asked = await activations.ask(KITCHEN, promise())

    device = await activations.confirm(CLARION, asked.code, user_id=ANA)

    assert await activations.recognise(KITCHEN) == device
    assert (device.name, device.kind, device.address) == (
        *("box", DeviceKind.XIAOZHI),
        KITCHEN.hardware,
    )
    assert await Access(SqlTokens(database), clock).is_good("tok_1.secret")


async def test_of_two_who_confirm_one_does(activations: Activations) -> None:
    asked = await activations.ask(KITCHEN, promise())

    results = await asyncio.gather(
        *(activations.confirm(CLARION, asked.code, user_id=ANA) for _ in range(5)),
        return_exceptions=True,
    )

    assert [isinstance(one, NoSuchCode) for one in results].count(False) == 1


async def test_machines_that_ask_at_once_get_codes_of_their_own(activations: Activations) -> None:
    machines = [Machine(hardware=f"aa:bb:cc:dd:ee:{n:02}", client="c") for n in range(20)]

    asked = await asyncio.gather(
        *(activations.ask(machine, promise(n)) for n, machine in enumerate(machines))
    )

    assert len({one.code for one in asked}) == 20
    assert len(await activations.waiting(CLARION)) == 20


async def test_a_device_of_a_server_that_died_is_silent(
    activations: Activations, database: Database, clock: ManualClock
) -> None:
    asked = await activations.ask(KITCHEN, promise())
    device = await activations.confirm(CLARION, asked.code, user_id=ANA)
    people = SqlPeople(database)
    await people.device_seen(device.id, online=True, through="websocket", now=clock.now())
    clock.advance(timedelta(minutes=5))

    silent = await database.read(activation.stale, ["xiaozhi"], clock.now() - timedelta(minutes=2))
    others = await database.read(activation.stale, ["chat"], clock.now())

    assert (silent, others) == ([device.id], [])


async def test_what_a_device_tells_is_added_to_what_is_known(
    activations: Activations, database: Database, clock: ManualClock
) -> None:
    asked = await activations.ask(KITCHEN, promise())
    device = await activations.confirm(CLARION, asked.code, user_id=ANA)

    await database.write(activation.learn, device.id, {"firmware": "2.5.0"}, clock.now())
    learnt = await SqlPeople(database).device(device.id)

    assert learnt is not None
    assert dict(learnt.facts) == {"board": "box", "firmware": "2.5.0"}
    assert learnt.version == device.version
