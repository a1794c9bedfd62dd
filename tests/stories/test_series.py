"""Recurring reminders: one at a time, right across downtime and changes of the clocks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from clarion.language.when.zones import say_followed
from clarion.people.events import UserMoved
from clarion.reminders.errors import NeverRings, ReminderOver, SeriesOver
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.store.sql.events import SqlEventLog
from clarion.store.sql.people.store import SqlPeople
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.house import ADMIN, AS_ANA, House, at

DAILY = "0 9 * * *"


async def daily(house: House, pattern: str = DAILY, **fields: object) -> Series:
    return await house.reminders.series.create(
        AS_ANA,
        user_id=ANA,
        content="pills",
        pattern=pattern,
        **fields,  # type: ignore[arg-type]  # the test names them
    )


async def pending(house: House) -> list[Reminder]:
    page = await house.reminders.list(AS_ANA, status=[ReminderStatus.PENDING])
    return list(page.items)


async def test_it_rings_every_day_and_only_one_waits_at_a_time(house: House) -> None:
    await daily(house)

    await house.fast_forward(days=3)

    assert [one.at for one in house.outside.spoken] == [at(9, day=day) for day in (7, 8, 9)]
    assert [one.trigger_at for one in await pending(house)] == [at(9, day=10)]


async def test_after_three_days_off_two_are_counted_and_none_is_replayed(house: House) -> None:
    series = await daily(house)

    house.clock.move_to(at(10, day=9))
    await house.fast_forward(minutes=5)

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert kept.missed == 2
    assert kept.next_at == at(9, day=10)
    assert len(house.outside.spoken) == 1


async def test_changing_one_occurrence_leaves_the_series_alone(house: House) -> None:
    series = await daily(house)
    (today,) = await pending(house)

    await house.reminders.update(AS_ANA, today.id, content="two pills", trigger_at=at(11))
    await house.fast_forward(days=1, hours=2)

    spoken = [(one.at, one.ring.content) for one in house.outside.spoken]
    assert spoken == [(at(11), "two pills"), (at(9, day=8), "pills")]
    assert (await house.reminders.series.get(AS_ANA, series.id)).content == "pills"


async def test_one_that_is_snoozed_past_the_next_does_not_hold_it_up(house: House) -> None:
    await daily(house)
    (today,) = await pending(house)

    await house.reminders.snooze(AS_ANA, today.id, until=at(10, day=8))
    await house.fast_forward(days=1, hours=3)

    assert [one.at for one in house.outside.spoken] == [at(9, day=8), at(10, day=8)]


async def test_cancelling_one_occurrence_keeps_the_rest(house: House) -> None:
    await daily(house)
    (today,) = await pending(house)

    await house.reminders.cancel(AS_ANA, today.id)
    await house.fast_forward(days=1, hours=2)

    assert [one.at for one in house.outside.spoken] == [at(9, day=8)]


async def test_the_next_one_is_skipped(house: House) -> None:
    series = await daily(house)

    await house.reminders.series.skip_next(AS_ANA, series.id)
    await house.fast_forward(days=2)

    assert [one.at for one in house.outside.spoken] == [at(9, day=8)]


async def test_a_pause_is_not_made_up_for(house: House) -> None:
    series = await daily(house)

    await house.reminders.series.pause(AS_ANA, series.id)
    await house.reminders.series.pause(AS_ANA, series.id)
    await house.fast_forward(days=2)
    await house.reminders.series.resume(AS_ANA, series.id)
    await house.fast_forward(days=1)

    assert [one.at for one in house.outside.spoken] == [at(9, day=9)]
    assert (await house.reminders.series.get(AS_ANA, series.id)).missed == 0


async def test_it_ends_after_its_count(house: House) -> None:
    series = await daily(house, count=2)

    await house.fast_forward(days=5)

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert len(house.outside.spoken) == 2
    assert kept.ended_at == at(9, day=8)
    assert kept.next_at is None


async def test_it_ends_on_its_day(house: House) -> None:
    await daily(house, end_date=at(12, day=9))

    await house.fast_forward(days=6)

    assert [one.at.day for one in house.outside.spoken] == [7, 8, 9]


async def test_one_that_would_never_ring_is_refused(house: House) -> None:
    with pytest.raises(NeverRings):
        await daily(house, end_date=at(8, 30))


async def test_an_ended_series_cannot_be_resumed(house: House) -> None:
    series = await daily(house)
    await house.reminders.series.end(AS_ANA, series.id)
    await house.reminders.series.end(AS_ANA, series.id)

    with pytest.raises(SeriesOver):
        await house.reminders.series.resume(AS_ANA, series.id)


async def test_changing_the_series_moves_the_one_that_waits(house: House) -> None:
    series = await daily(house)

    await house.reminders.series.update(
        AS_ANA, series.id, pattern="0 10 * * *", content="more pills"
    )
    await house.fast_forward(days=1)

    assert [(one.at, one.ring.content) for one in house.outside.spoken] == [(at(10), "more pills")]


async def test_the_next_comes_though_the_last_is_still_unanswered(house: House) -> None:
    await daily(house, pattern="*/10 * * * *", confirmation=CONFIRM)

    await house.until(8, 30)

    assert [when for when, _, attempt in house.outside.rings if attempt == 1] == [
        "08:10",
        "08:20",
        "08:30",
    ]


async def test_nine_stays_nine_in_the_night_when_clocks_change(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    house.clock.move_to(datetime(2030, 3, 29, 12, tzinfo=UTC))
    await daily(house)

    await house.fast_forward(days=3)

    assert [one.at for one in house.outside.spoken] == [
        datetime(2030, 3, 30, 8, tzinfo=UTC),
        datetime(2030, 3, 31, 7, tzinfo=UTC),
        datetime(2030, 4, 1, 7, tzinfo=UTC),
    ]


async def test_an_hour_that_does_not_exist_rings_once_that_night(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    house.clock.move_to(datetime(2030, 3, 30, 12, tzinfo=UTC))
    await daily(house, pattern="30 2 * * *")

    await house.fast_forward(days=2)

    assert [one.at for one in house.outside.spoken] == [
        datetime(2030, 3, 31, 1, 30, tzinfo=UTC),
        datetime(2030, 4, 1, 0, 30, tzinfo=UTC),
    ]


async def test_an_hour_that_comes_twice_rings_once(house: House) -> None:
    await house.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    house.clock.move_to(datetime(2030, 10, 26, 12, tzinfo=UTC))
    await daily(house, pattern="30 2 * * *")

    await house.fast_forward(days=2)

    assert [one.at for one in house.outside.spoken] == [
        datetime(2030, 10, 27, 0, 30, tzinfo=UTC),
        datetime(2030, 10, 28, 1, 30, tzinfo=UTC),
    ]


async def test_while_the_device_is_away_the_series_goes_on(house: House) -> None:
    series = await daily(house)
    house.outside.away.add(KITCHEN)

    await house.until(9, 40)

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert kept.next_at == at(9) + timedelta(days=1)


async def test_a_series_moves_with_its_person(house: House) -> None:
    series = await daily(house)

    await house.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("America/New_York", at(14))
    assert [one.trigger_at for one in await pending(house)] == [at(14)]


async def test_who_moves_hears_how_many_series_went_along(house: House) -> None:
    await daily(house)

    changed = await house.people.change_user(ADMIN, ANA, zone="America/New_York")

    assert changed.followed == 1
    assert "1 series rings" in say_followed(changed.followed, changed.user.zone, "en")
    told = [one for one in await SqlEventLog(house.database).after(0) if one.kind == UserMoved.kind]
    assert [one.data["series"] for one in told] == [1]


async def test_a_crash_between_the_move_and_its_series_leaves_none_behind(house: House) -> None:
    series = await daily(house)
    left = await house.people.user(ADMIN, ANA)
    moved = replace(left, zone="America/New_York", moved_from=left.zone, version=left.version + 1)
    await SqlPeople(house.database).save_user(moved, house.clock.now(), ["zone"])  # then it died

    await house.people.follow_movers(house.clock.now())

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("America/New_York", at(14))
    assert (await house.people.user(ADMIN, ANA)).moved_from is None


async def test_a_second_move_waits_for_the_series_of_the_first(house: House) -> None:
    series = await daily(house)
    left = await house.people.user(ADMIN, ANA)
    moved = replace(left, zone="America/New_York", moved_from=left.zone, version=left.version + 1)
    await SqlPeople(house.database).save_user(moved, house.clock.now(), ["zone"])

    await house.people.update_user(ADMIN, ANA, zone="Asia/Tokyo")

    assert (await house.reminders.series.get(AS_ANA, series.id)).zone == "Asia/Tokyo"


async def test_a_series_that_was_pinned_to_a_place_stays_there(house: House) -> None:
    series = await daily(house, zone="Asia/Tokyo")

    await house.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("Asia/Tokyo", series.next_at)


async def test_an_interval_does_not_move_with_its_person(house: House) -> None:
    series = await daily(house, "every 90 minutes")

    await house.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await house.reminders.series.get(AS_ANA, series.id)
    assert kept.next_at == series.next_at


@pytest.mark.parametrize("keep_open", [False, True])
async def test_ending_it_ends_what_it_has_snoozed_and_what_asks_again(
    house: House, keep_open: bool
) -> None:
    series = await daily(house, confirmation=CONFIRM)
    await house.until(9)
    await house.press("snooze")
    before = len(house.outside.spoken)

    await house.reminders.series.end(AS_ANA, series.id, keep_open=keep_open)
    await house.fast_forward(hours=3)

    assert (len(house.outside.spoken) > before) is keep_open


async def test_ending_it_silences_the_device_that_rings(house: House) -> None:
    series = await daily(house, confirmation=CONFIRM)
    await house.until(9)

    await house.reminders.series.end(AS_ANA, series.id)
    await house.fast_forward(hours=1)

    assert house.outside.hushed == [house.outside.last.id]
    assert len(house.outside.spoken) == 1


async def test_what_was_told_within_the_hour_can_be_put_off(house: House) -> None:
    tea = await house.remind("tea", at=at(8, 30))
    await house.until(8, 40)
    assert (await house.look(tea)).status is ReminderStatus.COMPLETED

    again = await house.reminders.snooze(AS_ANA, tea.id, timedelta(minutes=10))
    await house.until(8, 51)

    assert again.id != tea.id
    assert house.outside.rings == [("08:30", KITCHEN, 1), ("08:50", KITCHEN, 1)]
    with pytest.raises(ReminderOver):
        await house.reminders.snooze(AS_ANA, tea.id, timedelta(minutes=10))


async def test_what_was_told_long_ago_cannot_be_put_off(house: House) -> None:
    tea = await house.remind("tea", at=at(8, 30))
    await house.until(10)

    with pytest.raises(ReminderOver):
        await house.reminders.snooze(AS_ANA, tea.id)
