"""A reminder is the same whichever way its row is read."""

import threading
from dataclasses import fields, replace
from datetime import timedelta

import pytest
from sqlalchemy import Connection, insert, select

from clarion.base.ids import DeviceId, ReminderId, SeriesId, UserId
from clarion.people.model import User
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus
from clarion.reminders.ports import Search
from clarion.store.sql.engine.database import Database, brief
from clarion.store.sql.people import store as people
from clarion.store.sql.reminders.reads import find, is_brief_search, read_reminder
from clarion.store.sql.reminders.store import load_reminder, reminder_values
from clarion.store.sql.tables.reminders import reminders
from tests.support.clock import START

ANA = UserId("ana")
FULL = Reminder(
    id=ReminderId("rem_1"),
    user_id=ANA,
    content='吃药 "now"',
    trigger_at=START + timedelta(microseconds=1),
    created_at=START,
    device_id=DeviceId("kitchen"),
    context={"dose": [1, {"unit": "片"}]},
    confirmation=ConfirmationConfig(required=True, timeout=30, confirm_keywords=("吃了",)),
    status=ReminderStatus.TRIGGERED,
    attempt=2,
    base=40,
    series_id=SeriesId("ser_1"),
    planned_at=START + timedelta(hours=1),
    answer_by=START + timedelta(hours=2),
    version=3,
    reason="missed",
    created_by="claude",
    explicit=True,
    rings=4,
    tried=(DeviceId("kitchen"), DeviceId("study")),
    unreached_since=START + timedelta(hours=3),
    asked_again=True,
    held_until=START + timedelta(hours=4),
    ended_at=START + timedelta(hours=5),
    confirmed_by="Bo",
    reach_lost_at=START + timedelta(hours=6),
    promised_at=START + timedelta(hours=6),
    checked=1,
)
BARE = Reminder(
    id=ReminderId("rem_2"), user_id=ANA, content="x", trigger_at=START, created_at=START
)


def keep(conn: Connection, *kept: Reminder) -> None:
    people.ensure_user(conn, User(id=ANA), START)
    conn.execute(insert(reminders), [reminder_values(one) for one in kept])


def the_long_way(conn: Connection) -> list[Reminder]:
    rows = conn.execute(select(reminders).order_by(reminders.c.trigger_at)).mappings()
    return [read_reminder(row) for row in rows]


async def test_a_reminder_is_read_alike_both_ways(database: Database) -> None:
    await database.write(keep, FULL, BARE)

    short = await database.read(find, Search(user_id=ANA, limit=10))
    long = await database.read(the_long_way)
    one = await database.read(load_reminder, FULL.id)

    assert short == long == [BARE, FULL]
    assert one == FULL


def test_the_full_reminder_leaves_no_field_at_its_default() -> None:
    plain = replace(BARE, id=FULL.id, user_id=UserId("bo"))

    same = [
        one.name for one in fields(Reminder) if getattr(FULL, one.name) == getattr(plain, one.name)
    ]

    assert sorted(same) == ["created_at", "id"]


async def test_a_brief_read_runs_where_it_is_asked_for(sqlite: Database) -> None:
    def where(_conn: Connection) -> int:
        return threading.get_ident()

    @brief
    def where_briefly(_conn: Connection) -> int:
        return threading.get_ident()

    assert await sqlite.read(where_briefly) == threading.get_ident()
    assert await sqlite.read(where) != threading.get_ident()


async def test_a_brief_read_sees_what_was_just_written(sqlite: Database) -> None:
    @brief
    def count(conn: Connection) -> int:
        return len(conn.execute(select(reminders.c.id)).all())

    before = await sqlite.read(count)
    await sqlite.write(keep, BARE)

    assert (before, await sqlite.read(count)) == (0, 1)


@pytest.mark.parametrize(
    ("search", "briefly"),
    [
        pytest.param(Search(user_id=ANA, limit=51), True, id="a page of one person"),
        pytest.param(Search(limit=101), True, id="a page of everybody's"),
        pytest.param(
            Search(user_id=ANA, status=(ReminderStatus.FAILED,), limit=51), True, id="in one state"
        ),
        pytest.param(
            Search(status=(ReminderStatus.FAILED,), limit=51), False, id="everybody's in one state"
        ),
        pytest.param(Search(user_id=ANA, limit=500), False, id="a report"),
    ],
)
def test_only_what_an_index_leads_to_is_brief(search: Search, briefly: bool) -> None:
    assert is_brief_search(search) is briefly
