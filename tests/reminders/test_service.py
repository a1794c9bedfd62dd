"""The verbs as every door calls them: whose is whose, what may be repeated, what is refused."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.errors import BadInput, NotFound, Stale
from clarion.base.ids import DeviceId, KeyUsedOtherwise, UserId
from clarion.base.paging import BadCursor
from clarion.people.errors import AlreadyThere, NoSuchDevice
from clarion.people.model import Actor, DeviceKind
from clarion.reminders.errors import (
    NoSuchReminder,
    NotPending,
    ReminderOver,
    TimePast,
)
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import (
    ADMIN,
    AS_ANA,
    ClarionByHand,
    at,
    introduce_ana,
    open_by_hand,
)
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file

BORIS = Actor(UserId("boris"))


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock) -> AsyncIterator[ClarionByHand]:
    async with open_by_hand(await sqlite_file(tmp_path), clock) as made:
        await introduce_ana(made)
        yield made


async def test_what_is_not_yours_is_not_there(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")

    for verb in (clarion.reminders.get, clarion.reminders.cancel, clarion.reminders.confirm):
        with pytest.raises(NoSuchReminder):
            await verb(BORIS, tea.id)
    with pytest.raises(NotFound):
        await clarion.reminders.list(BORIS, user_id=ANA)
    assert (await clarion.look(tea)).status is ReminderStatus.PENDING


async def test_nobody_sets_reminders_for_others_but_an_admin(clarion: ClarionByHand) -> None:
    with pytest.raises(NotFound):
        await clarion.remind("tea", actor=BORIS)

    made = await clarion.remind("tea", actor=ADMIN)

    assert made.user_id == ANA


async def test_each_sees_their_own_list(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")
    await clarion.reminders.create(BORIS, user_id=UserId("boris"), content="milk", trigger_at=at(9))

    mine = await clarion.reminders.list(AS_ANA)
    all_of_them = await clarion.reminders.list(ADMIN)

    assert [one.id for one in mine.items] == [tea.id]
    assert len(all_of_them.items) == 2


async def test_pages_are_walked_by_their_cursors(clarion: ClarionByHand) -> None:
    for number in range(5):
        await clarion.remind(f"{number}", at=at(9, number))

    first = await clarion.reminders.list(AS_ANA, limit=2)
    second = await clarion.reminders.list(AS_ANA, limit=2, cursor=first.next_cursor)
    third = await clarion.reminders.list(AS_ANA, limit=2, cursor=second.next_cursor)

    pages = [[one.content for one in page.items] for page in (first, second, third)]
    assert pages == [["0", "1"], ["2", "3"], ["4"]]
    assert third.next_cursor is None


async def test_a_cursor_of_somebody_else_is_refused(clarion: ClarionByHand) -> None:
    with pytest.raises(BadCursor):
        await clarion.reminders.list(AS_ANA, cursor="hello")


async def test_the_same_request_with_its_key_is_set_once(clarion: ClarionByHand) -> None:
    first = await clarion.remind("tea", at=at(9), key="k")
    again = await clarion.remind("tea", at=at(9), key="k")

    assert first == again
    with pytest.raises(KeyUsedOtherwise):
        await clarion.remind("milk", at=at(9), key="k")


async def test_a_stale_version_changes_nothing(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")
    await clarion.reminders.update(AS_ANA, tea.id, version=1, content="green tea")

    with pytest.raises(Stale):
        await clarion.reminders.update(AS_ANA, tea.id, version=1, content="black tea")

    assert (await clarion.look(tea)).content == "green tea"


async def test_an_update_that_changes_nothing_writes_nothing(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")

    same = await clarion.reminders.update(AS_ANA, tea.id, content="tea", trigger_at=tea.trigger_at)

    assert same.version == 1


async def test_only_a_pending_one_is_updated(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)

    with pytest.raises(NotPending):
        await clarion.reminders.update(AS_ANA, pill.id, content="two pills")


async def test_cancelling_twice_is_harmless_and_confirming_then_is_refused(
    clarion: ClarionByHand,
) -> None:
    tea = await clarion.remind("tea")
    await clarion.reminders.cancel(AS_ANA, tea.id)

    again = await clarion.reminders.cancel(AS_ANA, tea.id)

    assert again.status is ReminderStatus.CANCELLED
    with pytest.raises(ReminderOver):
        await clarion.reminders.confirm(AS_ANA, tea.id)
    with pytest.raises(ReminderOver):
        await clarion.reminders.snooze(AS_ANA, tea.id)


async def test_a_snooze_is_ten_minutes_unless_said_otherwise(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")

    usual = await clarion.reminders.snooze(AS_ANA, tea.id)
    longer = await clarion.reminders.snooze(AS_ANA, tea.id, timedelta(hours=1))

    assert usual.trigger_at == at(8, 10)
    assert longer.trigger_at == at(9)


async def test_a_snooze_goes_forward(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea")

    with pytest.raises(BadInput):
        await clarion.reminders.snooze(AS_ANA, tea.id, timedelta(0))
    with pytest.raises(BadInput):
        await clarion.reminders.snooze(AS_ANA, tea.id, timedelta(minutes=1), at(9))
    with pytest.raises(TimePast):
        await clarion.reminders.snooze(AS_ANA, tea.id, until=at(7))


async def test_a_device_of_somebody_else_cannot_be_chosen(clarion: ClarionByHand) -> None:
    await clarion.people.ensure_user(UserId("boris"))
    theirs = await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=UserId("boris")
    )

    with pytest.raises(NoSuchDevice):
        await clarion.remind("tea", device_id=theirs.id)


async def test_a_refused_reminder_leaves_nothing_behind(clarion: ClarionByHand) -> None:
    with pytest.raises(TimePast):
        await clarion.remind("tea", at=at(7), key="k")

    assert (await clarion.reminders.list(AS_ANA)).items == ()
    assert (await clarion.remind("tea", key="k")).content == "tea"


async def test_adherence_counts_the_last_days(clarion: ClarionByHand) -> None:
    patient = ConfirmationConfig(required=True, timeout=60, max_retries=1)
    await clarion.remind("one", at=at(8, 30), confirmation=patient)
    await clarion.remind("two", at=at(8, 40), confirmation=patient)
    await clarion.until(8, 35)
    await clarion.until(8, 40)
    await clarion.press("confirm")

    found = await clarion.reminders.reports.adherence(AS_ANA, user_id=ANA, until=at(10))

    assert (found.whole.confirmed, found.whole.missed) == (1, 1)
    assert found.whole.share_confirmed == 0.5


async def test_an_export_is_csv_or_json(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))

    table = await clarion.reminders.reports.export(AS_ANA, user_id=ANA, until=at(10))
    other = await clarion.reminders.reports.export(AS_ANA, user_id=ANA, until=at(10), form="json")

    assert "tea" in table.splitlines()[1]
    assert '"tea"' in other
    with pytest.raises(BadInput):
        await clarion.reminders.reports.export(AS_ANA, user_id=ANA, form="xml")


async def test_what_is_coming_up_includes_the_days_of_a_series(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    series = await clarion.reminders.series.create(
        AS_ANA, user_id=ANA, content="pills", pattern="0 9 * * *"
    )

    coming = await clarion.reminders.reports.upcoming(AS_ANA, user_id=ANA, ahead=timedelta(days=2))

    assert [(one.at, one.content) for one in coming] == [
        (at(8, 30), "tea"),
        (at(9), "pills"),
        (at(9, day=8), "pills"),
    ]
    assert coming[1].uid == f"{series.id}-{at(9).timestamp():.0f}"


async def test_a_calendar_entry_keeps_its_name_from_day_to_day(clarion: ClarionByHand) -> None:
    await clarion.reminders.series.create(AS_ANA, user_id=ANA, content="pills", pattern="0 9 * * *")
    before = await clarion.reminders.reports.upcoming(AS_ANA, user_id=ANA, ahead=timedelta(days=3))
    await clarion.fast_forward(hours=2)

    after = await clarion.reminders.reports.upcoming(AS_ANA, user_id=ANA, ahead=timedelta(days=3))

    assert [one.uid for one in before][1:] == [one.uid for one in after][:2]


async def test_people_are_changed_by_themselves_and_by_admins(clarion: ClarionByHand) -> None:
    changed = await clarion.people.update_user(AS_ANA, ANA, zone="Europe/Berlin", language="en")

    assert changed.zone == "Europe/Berlin"
    with pytest.raises(NotFound):
        await clarion.people.update_user(BORIS, ANA, name="Boris was here")
    with pytest.raises(BadInput):
        await clarion.people.update_user(AS_ANA, ANA, zone="Mars/Olympus")
    with pytest.raises(BadInput):
        await clarion.people.update_user(AS_ANA, ANA, language="tlh")


async def test_a_device_id_is_given_once(clarion: ClarionByHand) -> None:
    with pytest.raises(AlreadyThere):
        await clarion.people.add_device(
            AS_ANA, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=KITCHEN
        )


async def test_only_an_admin_gives_a_device_away(clarion: ClarionByHand) -> None:
    await clarion.people.ensure_user(UserId("boris"))
    with pytest.raises(NotFound):
        await clarion.people.update_device(AS_ANA, KITCHEN, user_id=UserId("boris"))

    given = await clarion.people.update_device(ADMIN, KITCHEN, user_id=UserId("boris"))

    assert given.user_id == "boris"
    with pytest.raises(NoSuchDevice):
        await clarion.people.device(AS_ANA, KITCHEN)


async def test_presence_of_an_unknown_device_is_ignored(clarion: ClarionByHand) -> None:
    assert await clarion.people.seen(DeviceId("nobody"), online=True) is None


async def test_a_ladder_is_listed_in_its_order(clarion: ClarionByHand) -> None:
    for name, order in (("neighbour", 2), ("daughter", 1)):
        await clarion.people.add_contact(
            AS_ANA, user_id=ANA, name=name, address=f"mailto://{name}@example.com", order=order
        )

    ladder = await clarion.people.contacts(AS_ANA, ANA)
    await clarion.people.update_contact(AS_ANA, ladder[0].id, order=3, delay=60)
    moved = await clarion.people.contacts(AS_ANA, ANA)

    assert [one.name for one in ladder] == ["daughter", "neighbour"]
    assert [one.name for one in moved] == ["neighbour", "daughter"]
