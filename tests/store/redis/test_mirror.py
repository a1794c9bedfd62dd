"""Other services find reminders, series and devices in Redis as they are."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest
from redis.asyncio import Redis
from sqlalchemy import Connection, delete, update

from clarion.base.events import Event
from clarion.base.ids import UserId
from clarion.people.events import DeviceSeen
from clarion.reminders.events import ReminderCancelled, ReminderCreated
from clarion.store.redis.client import steady_client
from clarion.store.redis.mirror import CURSOR, Mirror
from clarion.store.sql import events
from clarion.store.sql.engine.database import Database
from clarion.store.sql.mirrored import SqlMirrored
from clarion.store.sql.tables.people import devices, users
from clarion.store.sql.tables.reminders import reminders
from tests.support.clock import START, ManualClock
from tests.support.services import RedisServer

ANA = UserId("usr_ana")
HOUR = timedelta(hours=1)


@pytest.fixture
async def client(redis_server: RedisServer) -> AsyncIterator[Redis]:
    made = steady_client(redis_server.url)
    yield made
    await made.aclose()


@pytest.fixture
async def mirror(sqlite: Database, client: Redis, clock: ManualClock) -> Mirror:
    await sqlite.write(move_in)
    return Mirror(client, SqlMirrored(sqlite), clock)


def move_in(conn: Connection) -> None:
    conn.execute(
        users.insert().values(
            id=ANA, name="Ana", zone="UTC", language="en", context={}, created_at=START, version=1
        )
    )
    conn.execute(
        devices.insert().values(
            id="dev_1",
            user_id=ANA,
            kind="browser",
            name="",
            address="",
            order=0,
            online=True,
            last_seen=START,
            facts={},
            enabled=True,
            version=1,
        )
    )


def remind(conn: Connection, id_: str) -> None:
    values = {
        "id": id_,
        "user_id": ANA,
        "content": "pills",
        "trigger_at": START + HOUR,
        "created_at": START,
        "context": {},
        "confirmation": {},
        "status": "pending",
        "attempt": 0,
        "base": 10,
        "version": 1,
        "reason": "",
        "created_by": "",
        "rings": 0,
        "explicit": False,
        "tried": [],
        "asked_again": False,
        "confirmed_by": "",
    }
    conn.execute(reminders.insert().values(**values))
    created = ReminderCreated(
        subject=id_, user=ANA, content="pills", trigger_at=START + HOUR, confirm=False, base=10
    )
    tell(conn, created)


async def shown(client: Redis, key: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(str(await client.get(key)))
    return found


def tell(conn: Connection, event: Event) -> None:
    events.append(conn, [event], START)


async def test_a_new_reminder_is_seen_with_its_instant(
    mirror: Mirror, sqlite: Database, client: Redis
) -> None:
    await mirror.run_once()
    await sqlite.write(remind, "rem_1")

    await mirror.run_once()

    found = await shown(client, "reminder:rem_1")
    assert (found["content"], found["status"]) == ("pills", "pending")
    assert await client.zscore("user_reminders:usr_ana", "rem_1") == (START + HOUR).timestamp()


async def test_an_ended_reminder_leaves_the_list(
    mirror: Mirror, sqlite: Database, client: Redis
) -> None:
    await sqlite.write(remind, "rem_1")
    await mirror.run_once()

    def end(conn: Connection) -> None:
        conn.execute(update(reminders).values(status="cancelled", ended_at=START))
        tell(conn, ReminderCancelled(subject="rem_1", user=ANA, by="ana", reason=""))

    await sqlite.write(end)
    await mirror.run_once()

    assert await client.zrange("user_reminders:usr_ana", 0, -1) == []
    assert (await shown(client, "reminder:rem_1"))["status"] == "cancelled"


async def test_what_is_deleted_is_gone(mirror: Mirror, sqlite: Database, client: Redis) -> None:
    await sqlite.write(remind, "rem_1")
    await mirror.run_once()

    def forget(conn: Connection) -> None:
        conn.execute(delete(reminders))
        tell(conn, ReminderCancelled(subject="rem_1", user=ANA, by="ana", reason=""))

    await sqlite.write(forget)
    await mirror.run_once()

    assert await client.get("reminder:rem_1") is None


async def test_a_device_is_online_only_as_long_as_we_know(
    mirror: Mirror, sqlite: Database, client: Redis, clock: ManualClock
) -> None:
    await mirror.run_once()
    ttl = await client.ttl("device_status:dev_1")
    online = await shown(client, "device_status:dev_1")

    def leave(conn: Connection) -> None:
        conn.execute(update(devices).values(online=False))
        tell(conn, DeviceSeen(subject="dev_1", user=ANA, online=False, through="websocket"))

    await sqlite.write(leave)
    await mirror.run_once()

    assert (online["online"], 0 < ttl <= 180) == (True, True)
    assert (await shown(client, "device_status:dev_1"))["online"] is False


async def test_an_emptied_redis_is_painted_anew(
    mirror: Mirror, sqlite: Database, client: Redis
) -> None:
    await sqlite.write(remind, "rem_1")
    await mirror.run_once()
    await client.flushall()

    await mirror.run_once()

    assert await client.exists("reminder:rem_1", CURSOR) == 2


async def test_one_command_paints_everything(
    mirror: Mirror, sqlite: Database, client: Redis
) -> None:
    for number in range(3):
        await sqlite.write(remind, f"rem_{number}")

    painted = await mirror.rebuild()

    assert painted == 4  # and the device
    assert await client.zcard("user_reminders:usr_ana") == 3
