"""What every store of reminders promises, on SQLite and on PostgreSQL."""

import asyncio
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from clarion.base.errors import Stale
from clarion.base.ids import DeviceId, Key, KeyUsedOtherwise, ReminderId, SeriesId, UserId
from clarion.people.errors import NoSuchUser
from clarion.people.model import EscalationPolicy
from clarion.reminders.decisions.decision import (
    NOTHING,
    Decision,
    LockedReminder,
    RingFacts,
    RingId,
    ToldContact,
    changed,
    planned,
)
from clarion.reminders.errors import NoSuchReminder, NoSuchSeries
from clarion.reminders.events import ReminderHeld
from clarion.reminders.model import ConfirmationConfig, Reminder, ReminderStatus
from clarion.reminders.ports import Search
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people.store import SqlPeople
from clarion.store.sql.reminders.store import SqlReminders
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.ports import QueueFull
from tests.support import build
from tests.support.build import ANA, KITCHEN
from tests.support.clock import START
from tests.support.fakes.scene import a_ring
from tests.support.tasks import take

MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(database: Database) -> SqlReminders:
    return SqlReminders(database, newcomer=build.user())


@pytest.fixture
def people(database: Database) -> SqlPeople:
    return SqlPeople(database)


async def kept(store: SqlReminders, reminder: Reminder) -> Reminder:
    await store.add(reminder.user_id, lambda _: planned(reminder, START), START, None)
    return reminder


async def test_a_user_with_too_much_open_is_told_to_come_back(
    database: Database, store: SqlReminders
) -> None:
    bounded = SqlReminders(database, newcomer=build.user(), backlog_max=2)
    first, second, refused = (build.reminder() for _ in range(3))
    await kept(bounded, first)
    await kept(bounded, second)

    with pytest.raises(QueueFull) as told:
        await kept(bounded, refused)
    await kept(store, elsewhere := build.reminder())

    assert told.value.retry_after
    assert await store.get(refused.id) is None
    assert await store.get(elsewhere.id) == elsewhere


async def test_who_has_too_much_open_may_still_change_it(database: Database) -> None:
    bounded = SqlReminders(database, newcomer=build.user(), backlog_max=1)
    reminder = await kept(bounded, build.reminder())
    other = replace(reminder, content="the other pills", version=reminder.version + 1)

    await bounded.change(reminder.id, lambda _: planned(other, START), START)

    assert await bounded.get(reminder.id) == other


async def test_what_was_added_is_read_back_as_it_was(store: SqlReminders) -> None:
    reminder = build.reminder(
        "吃药",
        context={"dose": 2, "with": ["water"]},
        confirmation=ConfirmationConfig(required=True, timeout=10, confirm_keywords=("妥了",)),
        device_id=KITCHEN,
        base=77,
        explicit=True,
        tried=(KITCHEN,),
        unreached_since=START,
        held_until=START + MINUTE,
        created_by="boris",
    )

    await kept(store, reminder)

    assert await store.get(reminder.id) == reminder


async def test_adding_a_reminder_adds_its_task_and_its_event(
    store: SqlReminders, database: Database
) -> None:
    reminder = await kept(store, build.reminder())

    (claim,) = await take(SqlTasks(database), reminder.trigger_at)

    assert claim.task.payload == {"reminder": reminder.id}
    assert [event.kind for event in await store.history(reminder.id)] == ["reminder.created"]


async def test_a_change_keeps_what_differs_and_what_does_not(store: SqlReminders) -> None:
    reminder = await kept(store, build.reminder())
    rung = replace(
        reminder,
        version=2,
        status=ReminderStatus.TRIGGERED,
        attempt=1,
        tried=(KITCHEN,),
        answer_by=START + timedelta(hours=1),
        context={"dose": 2},
        explicit=True,
    )
    later = replace(
        rung,
        version=3,
        answer_by=None,
        tried=(),
        context={},
        confirmation=ConfirmationConfig(required=True, confirm_keywords=("taken",)),
    )

    await store.change(reminder.id, lambda _: Decision(reminders=(rung,)), START)
    after_one = await store.get(reminder.id)
    await store.change(reminder.id, lambda _: Decision(reminders=(later,)), START)

    assert (after_one, await store.get(reminder.id)) == (rung, later)


SHANGHAI, KATHMANDU = timezone(timedelta(hours=8)), timezone(timedelta(hours=5, minutes=45))
FINE = START + timedelta(microseconds=123_457)
COLUMNS: dict[str, tuple[Any, Any]] = {
    "content": ("吃药 💊", ""),
    "trigger_at": (FINE.astimezone(SHANGHAI), datetime.max.replace(tzinfo=UTC)),
    "created_at": (FINE, datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC)),
    "device_id": (KITCHEN, None),
    "context": ({"a": {"b": [None, 1.5, "{}", {}]}, "null": "null"}, {}),
    "confirmation": (
        ConfirmationConfig(
            required=True,
            timeout=1,
            retry_interval=2,
            max_retries=0,
            confirm_keywords=("妥了",),
            needs="done",
            escalation=EscalationPolicy(rounds=2, pause=5, all_must=(1,), only=("con_x",)),
        ),
        ConfirmationConfig(),
    ),
    "status": (ReminderStatus.TRIGGERED, ReminderStatus.CONFIRMED),
    "attempt": (1, 0),
    "base": (77, 0),
    "series_id": (SeriesId("ser_x"), None),
    "planned_at": (FINE.astimezone(KATHMANDU), None),
    "answer_by": (FINE, None),
    "reason": ("missed", ""),
    "created_by": ("boris", ""),
    "explicit": (True, False),
    "rings": (1_000_000, 0),
    "tried": ((KITCHEN, DeviceId("dev_x")), ()),
    "unreached_since": (FINE, None),
    "asked_again": (True, False),
    "held_until": (FINE, None),
    "ended_at": (FINE, None),
    "confirmed_by": (ANA, ""),
    "reach_lost_at": (FINE, None),
    "promised_at": (FINE, None),
    "checked": (3, 0),
}


def test_every_column_that_may_change_is_among_them() -> None:
    assert {one.name for one in fields(Reminder)} == {*COLUMNS, "id", "user_id", "version"}


@pytest.mark.parametrize("name", COLUMNS)
async def test_each_column_alone_is_changed_and_changed_back(
    store: SqlReminders, name: str
) -> None:
    now = await kept(store, build.reminder())

    for value in (*COLUMNS[name], COLUMNS[name][0]):
        now = replace(now, version=now.version + 1, **{name: value})
        await store.change(now.id, lambda _, now=now: Decision(reminders=(now,)), START)  # type: ignore[misc]
        assert await store.get(now.id) == now


async def test_a_change_of_what_was_read_is_kept(store: SqlReminders) -> None:
    """The usual way: from the locked reminder, of which most fields are the very same objects."""
    filled = {name: first for name, (first, _) in COLUMNS.items()}
    reminder = await kept(store, replace(build.reminder(), **filled))
    emptied = {name: last for name, (_, last) in COLUMNS.items()}

    for name, value in emptied.items():
        await store.change(
            reminder.id,
            lambda scene, name=name, value=value: Decision(  # type: ignore[misc]
                reminders=(replace(it := scene.reminder, version=it.version + 1, **{name: value}),)
            ),
            START,
        )

    left = await store.get(reminder.id)
    assert left == replace(reminder, **emptied, version=1 + len(COLUMNS))


async def test_one_decision_may_change_a_reminder_twice(store: SqlReminders) -> None:
    reminder = await kept(store, build.reminder())
    first = replace(reminder, version=2, reason="moved", attempt=1)
    second = replace(reminder, version=3, base=50)

    await store.change(reminder.id, lambda _: Decision(reminders=(first, second)), START)

    assert await store.get(reminder.id) == second


async def test_an_unknown_user_is_added_on_the_way(store: SqlReminders, people: SqlPeople) -> None:
    await kept(store, build.reminder(user_id=UserId("boris")))

    found = await people.user(UserId("boris"))

    assert found is not None
    assert found.zone == "UTC"


async def test_who_has_to_be_known_is_not_added(store: SqlReminders, people: SqlPeople) -> None:
    boris = UserId("boris")
    reminder = build.reminder(user_id=boris)

    with pytest.raises(NoSuchUser):
        await store.add(boris, lambda _: planned(reminder, START), START, None, known=True)

    assert await people.user(boris) is None
    assert await store.get(reminder.id) is None


async def test_a_key_used_twice_adds_once(store: SqlReminders) -> None:
    key = Key(ANA, "k-1", "the same words")
    first = build.reminder()
    second = build.reminder()

    added = await store.add(ANA, lambda _: planned(first, START), START, key)
    again = await store.add(ANA, lambda _: planned(second, START), START, key)

    assert (added.id, added.existed) == (first.id, False)
    assert (again.id, again.existed) == (first.id, True)
    assert await store.get(second.id) is None


async def test_a_key_used_for_something_else_is_refused(store: SqlReminders) -> None:
    await store.add(ANA, lambda _: planned(build.reminder(), START), START, Key(ANA, "k", "tea"))

    with pytest.raises(KeyUsedOtherwise):
        await store.add(
            ANA, lambda _: planned(build.reminder(), START), START, Key(ANA, "k", "milk")
        )


async def test_the_keys_of_two_users_do_not_meet(store: SqlReminders) -> None:
    boris = UserId("boris")
    await store.add(ANA, lambda _: planned(build.reminder(), START), START, Key(ANA, "k", "tea"))

    added = await store.add(
        boris,
        lambda _: planned(build.reminder(user_id=boris), START),
        START,
        Key(boris, "k", "milk"),
    )

    assert not added.existed


async def test_a_failed_decision_leaves_no_key_behind(store: SqlReminders) -> None:
    key = Key(ANA, "k", "tea")

    def refuse(scene: LockedReminder) -> Decision:
        raise NoSuchReminder("x")

    with pytest.raises(NoSuchReminder):
        await store.add(ANA, refuse, START, key)
    added = await store.add(ANA, lambda _: planned(build.reminder(), START), START, key)

    assert not added.existed


async def test_a_record_that_moved_meanwhile_writes_nothing(store: SqlReminders) -> None:
    reminder = await kept(store, build.reminder())
    stale = changed(reminder, START, ReminderStatus.CANCELLED)
    told = ReminderHeld(subject=reminder.id, user=ANA, until=START)
    await store.change(reminder.id, lambda _: Decision(reminders=(stale,)), START)

    with pytest.raises(Stale):
        await store.change(
            reminder.id, lambda _: Decision(reminders=(stale,), events=(told,)), START
        )

    assert [event.kind for event in await store.history(reminder.id)] == ["reminder.created"]


async def test_of_many_who_decide_at_once_each_sees_what_the_one_before_wrote(
    store: SqlReminders,
) -> None:
    reminder = await kept(store, build.reminder())

    def next_version(scene: LockedReminder) -> Decision:
        return Decision(
            reminders=(changed(scene.reminder, START, ReminderStatus.PENDING, reason="x"),)
        )

    await asyncio.gather(*(store.change(reminder.id, next_version, START) for _ in range(10)))

    found = await store.get(reminder.id)
    assert found is not None
    assert found.version == 11


async def test_what_is_not_there_cannot_be_changed(store: SqlReminders) -> None:
    with pytest.raises(NoSuchReminder):
        await store.change(ReminderId("rem_none"), lambda _: NOTHING, START)
    with pytest.raises(NoSuchSeries):
        await store.change_series(SeriesId("ser_none"), lambda _: NOTHING, START)


async def test_pages_go_on_where_the_last_one_ended(store: SqlReminders) -> None:
    for number in range(5):
        await kept(store, build.reminder(f"{number}", trigger_at=START + (number // 2) * MINUTE))

    first = await store.find(Search(user_id=ANA, limit=3))
    last = first[-1]
    rest = await store.find(Search(user_id=ANA, limit=3, after=(last.trigger_at, last.id)))

    assert sorted(one.content for one in first + rest) == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        pytest.param(Search(status=(ReminderStatus.FAILED,)), ["late"], id="by status"),
        pytest.param(Search(since=START + 2 * MINUTE), ["tea", "late"], id="since, inclusive"),
        pytest.param(Search(until=START + 2 * MINUTE), ["early"], id="until, exclusive"),
        pytest.param(Search(user_id=UserId("boris")), ["late"], id="by user"),
        pytest.param(Search(series_id=SeriesId("ser_1")), ["early"], id="by series"),
        pytest.param(Search(limit=1), ["early"], id="at most so many"),
    ],
)
async def test_reminders_are_found(store: SqlReminders, search: Search, found: list[str]) -> None:
    await kept(
        store, build.reminder("early", trigger_at=START + MINUTE, series_id=SeriesId("ser_1"))
    )
    await kept(store, build.reminder("tea", trigger_at=START + 2 * MINUTE))
    await kept(
        store,
        build.reminder(
            "late",
            trigger_at=START + 3 * MINUTE,
            user_id=UserId("boris"),
            status=ReminderStatus.FAILED,
        ),
    )

    assert [one.content for one in await store.find(search)] == found


async def test_rings_are_kept_and_brought_up_to_date(store: SqlReminders) -> None:
    reminder = await kept(store, build.reminder())
    ring = RingFacts(
        id=RingId(f"{reminder.id}:1"),
        reminder_id=reminder.id,
        user_id=ANA,
        number=1,
        attempt=1,
        device_id=KITCHEN,
        text="time for it",
        answer_by=START + MINUTE,
        fired_at=START,
    )
    later = RingFacts(
        **{**{name: getattr(ring, name) for name in RingFacts.__slots__}, "label": "CONFIRMED"}
    )

    await store.change(reminder.id, lambda _: Decision(begun=(ring,)), START)
    await store.change(reminder.id, lambda _: Decision(rings=(later,)), START)

    assert await store.rings(reminder.id) == [later]


async def test_what_lies_ahead_of_a_clock_set_back_is_found_page_by_page(
    store: SqlReminders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clarion.store.sql.reminders.reads.PUT_BACK_MAX", 2)
    series = build.series()
    ahead = [build.reminder(series_id=series.id) for _ in range(3)]
    passed = build.reminder(series_id=series.id, trigger_at=START - MINUTE)
    for one in (*ahead, passed, build.reminder()):  # the last one's time was chosen by a person
        await kept(store, one)

    pages, last = [], ""
    while page := await store.planned_ahead(START, after=last):
        pages.append(page)
        last = page[-1]

    assert [len(page) for page in pages] == [2, 1]
    assert sorted(one for page in pages for one in page) == sorted(one.id for one in ahead)


async def test_a_series_knows_when_it_last_rang(store: SqlReminders) -> None:
    series = build.series()
    await store.add(ANA, lambda _: Decision(series=(series,)), START, None)
    begun = [await kept(store, build.reminder(series_id=series.id)) for _ in range(2)]
    for late, one in enumerate(begun):
        ring = a_ring(replace(one, rings=1), fired_at=START + late * MINUTE)
        await store.change(one.id, lambda _, ring=ring: Decision(begun=(ring,)), START)  # type: ignore[misc]  # the default binds this round's ring
    seen: list[datetime | None] = []

    def look(scene: LockedReminder) -> Decision:
        instants = (START - MINUTE, START, START + 2 * MINUTE)
        seen.extend(scene.series_rang_at(at) for at in instants)
        return NOTHING

    await store.change_series(series.id, look, START)

    assert seen == [None, START, START + MINUTE]


async def test_a_contact_is_noted_as_told_once(store: SqlReminders, people: SqlPeople) -> None:
    reminder = await kept(store, build.reminder())
    boris = build.contact("boris")
    await people.add_contact(boris, START)
    known = ToldContact(contact_id=boris.id, told_at=START)
    told: list[bool] = []

    def note(scene: LockedReminder) -> Decision:
        told.append(any(one.contact_id == boris.id for one in scene.told))
        return Decision(told=((reminder.id, known),))

    await store.change(reminder.id, note, START)
    await store.change(reminder.id, note, START)

    assert told == [False, True]


async def test_what_a_contact_said_is_kept(store: SqlReminders, people: SqlPeople) -> None:
    reminder = await kept(store, build.reminder())
    boris = build.contact("boris")
    await people.add_contact(boris, START)
    known = ToldContact(contact_id=boris.id, told_at=START)
    await store.change(reminder.id, lambda _: Decision(told=((reminder.id, known),)), START)
    said = ToldContact(contact_id=boris.id, told_at=START, said="took", said_at=START, until=START)

    await store.change(reminder.id, lambda _: Decision(said=((reminder.id, said),)), START)

    assert await store.told(reminder.id) == [said]


async def test_what_waits_for_a_device_is_found(store: SqlReminders, people: SqlPeople) -> None:
    await kept(store, build.reminder("not due"))
    waits = await kept(store, build.reminder("waits", unreached_since=START))
    await people.add_device(build.device(), START)

    assert await store.waiting_for(KITCHEN, START) == [waits.id]


async def test_with_a_user_goes_all_that_is_theirs(store: SqlReminders, people: SqlPeople) -> None:
    reminder = await kept(store, build.reminder())
    await people.add_device(build.device(), START)

    await people.remove_user(ANA, START)

    assert await store.get(reminder.id) is None
    assert await people.device(KITCHEN) is None


async def test_presence_is_told_only_when_it_changes(
    store: SqlReminders, people: SqlPeople
) -> None:
    await people.ensure_user(build.user(), START)
    await people.add_device(build.device(), START)

    for online in (True, True, False, False, True):
        await people.device_seen(KITCHEN, online=online, through="ws", now=START)

    seen = [event for event in await store.history(KITCHEN) if event.kind == "device.seen"]
    assert [event.data["online"] for event in seen] == [True, False, True]


async def test_a_record_of_a_person_is_changed_by_one_at_a_time(people: SqlPeople) -> None:
    await people.ensure_user(build.user(), START)

    await people.save_user(build.user(name="Ana", version=2), START, ["name"])

    with pytest.raises(Stale):
        await people.save_user(build.user(name="Anna", version=2), START, ["name"])
