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
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

DAILY = "0 9 * * *"


async def daily(clarion: ClarionByHand, pattern: str = DAILY, **fields: object) -> Series:
    return await clarion.reminders.series.create(
        AS_ANA,
        user_id=ANA,
        content="pills",
        pattern=pattern,
        **fields,  # type: ignore[arg-type]  # the test names them
    )


async def pending(clarion: ClarionByHand) -> list[Reminder]:
    page = await clarion.reminders.list(AS_ANA, status=[ReminderStatus.PENDING])
    return list(page.items)


async def test_it_rings_every_day_and_only_one_waits_at_a_time(clarion: ClarionByHand) -> None:
    await daily(clarion)

    await clarion.fast_forward(days=3)

    assert [one.at for one in clarion.outside.spoken] == [at(9, day=day) for day in (7, 8, 9)]
    assert [one.trigger_at for one in await pending(clarion)] == [at(9, day=10)]


async def test_after_three_days_off_two_are_counted_and_none_is_replayed(
    clarion: ClarionByHand,
) -> None:
    series = await daily(clarion)

    clarion.clock.move_to(at(10, day=9))
    await clarion.fast_forward(minutes=5)

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert kept.missed == 2
    assert kept.next_at == at(9, day=10)
    assert len(clarion.outside.spoken) == 1


async def test_changing_one_occurrence_leaves_the_series_alone(clarion: ClarionByHand) -> None:
    series = await daily(clarion)
    (today,) = await pending(clarion)

    await clarion.reminders.update(AS_ANA, today.id, content="two pills", trigger_at=at(11))
    await clarion.fast_forward(days=1, hours=2)

    spoken = [(one.at, one.ring.content) for one in clarion.outside.spoken]
    assert spoken == [(at(11), "two pills"), (at(9, day=8), "pills")]
    assert (await clarion.reminders.series.get(AS_ANA, series.id)).content == "pills"


async def test_one_that_is_snoozed_past_the_next_does_not_hold_it_up(
    clarion: ClarionByHand,
) -> None:
    await daily(clarion)
    (today,) = await pending(clarion)

    await clarion.reminders.snooze(AS_ANA, today.id, until=at(10, day=8))
    await clarion.fast_forward(days=1, hours=3)

    assert [one.at for one in clarion.outside.spoken] == [at(9, day=8), at(10, day=8)]


async def test_cancelling_one_occurrence_keeps_the_rest(clarion: ClarionByHand) -> None:
    await daily(clarion)
    (today,) = await pending(clarion)

    await clarion.reminders.cancel(AS_ANA, today.id)
    await clarion.fast_forward(days=1, hours=2)

    assert [one.at for one in clarion.outside.spoken] == [at(9, day=8)]


async def test_the_next_one_is_skipped(clarion: ClarionByHand) -> None:
    series = await daily(clarion)

    await clarion.reminders.series.skip_next(AS_ANA, series.id)
    await clarion.fast_forward(days=2)

    assert [one.at for one in clarion.outside.spoken] == [at(9, day=8)]


async def test_a_pause_is_not_made_up_for(clarion: ClarionByHand) -> None:
    series = await daily(clarion)

    await clarion.reminders.series.pause(AS_ANA, series.id)
    await clarion.reminders.series.pause(AS_ANA, series.id)
    await clarion.fast_forward(days=2)
    await clarion.reminders.series.resume(AS_ANA, series.id)
    await clarion.fast_forward(days=1)

    assert [one.at for one in clarion.outside.spoken] == [at(9, day=9)]
    assert (await clarion.reminders.series.get(AS_ANA, series.id)).missed == 0


async def test_it_ends_after_its_count(clarion: ClarionByHand) -> None:
    series = await daily(clarion, count=2)

    await clarion.fast_forward(days=5)

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert len(clarion.outside.spoken) == 2
    assert kept.ended_at == at(9, day=8)
    assert kept.next_at is None


async def test_it_ends_on_its_day(clarion: ClarionByHand) -> None:
    await daily(clarion, end_date=at(12, day=9))

    await clarion.fast_forward(days=6)

    assert [one.at.day for one in clarion.outside.spoken] == [7, 8, 9]


async def test_one_that_would_never_ring_is_refused(clarion: ClarionByHand) -> None:
    with pytest.raises(NeverRings):
        await daily(clarion, end_date=at(8, 30))


async def test_an_ended_series_cannot_be_resumed(clarion: ClarionByHand) -> None:
    series = await daily(clarion)
    await clarion.reminders.series.end(AS_ANA, series.id)
    await clarion.reminders.series.end(AS_ANA, series.id)

    with pytest.raises(SeriesOver):
        await clarion.reminders.series.resume(AS_ANA, series.id)


async def test_changing_the_series_moves_the_one_that_waits(clarion: ClarionByHand) -> None:
    series = await daily(clarion)

    await clarion.reminders.series.update(
        AS_ANA, series.id, pattern="0 10 * * *", content="more pills"
    )
    await clarion.fast_forward(days=1)

    assert [(one.at, one.ring.content) for one in clarion.outside.spoken] == [
        (at(10), "more pills")
    ]


async def test_the_next_comes_though_the_last_is_still_unanswered(clarion: ClarionByHand) -> None:
    await daily(clarion, pattern="*/10 * * * *", confirmation=CONFIRM)

    await clarion.until(8, 30)

    assert [when for when, _, attempt in clarion.outside.rings if attempt == 1] == [
        "08:10",
        "08:20",
        "08:30",
    ]


async def test_nine_stays_nine_in_the_night_when_clocks_change(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    clarion.clock.move_to(datetime(2030, 3, 29, 12, tzinfo=UTC))
    await daily(clarion)

    await clarion.fast_forward(days=3)

    assert [one.at for one in clarion.outside.spoken] == [
        datetime(2030, 3, 30, 8, tzinfo=UTC),
        datetime(2030, 3, 31, 7, tzinfo=UTC),
        datetime(2030, 4, 1, 7, tzinfo=UTC),
    ]


async def test_an_hour_that_does_not_exist_rings_once_that_night(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    clarion.clock.move_to(datetime(2030, 3, 30, 12, tzinfo=UTC))
    await daily(clarion, pattern="30 2 * * *")

    await clarion.fast_forward(days=2)

    assert [one.at for one in clarion.outside.spoken] == [
        datetime(2030, 3, 31, 1, 30, tzinfo=UTC),
        datetime(2030, 4, 1, 0, 30, tzinfo=UTC),
    ]


async def test_an_hour_that_comes_twice_rings_once(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Europe/Berlin")
    clarion.clock.move_to(datetime(2030, 10, 26, 12, tzinfo=UTC))
    await daily(clarion, pattern="30 2 * * *")

    await clarion.fast_forward(days=2)

    assert [one.at for one in clarion.outside.spoken] == [
        datetime(2030, 10, 27, 0, 30, tzinfo=UTC),
        datetime(2030, 10, 28, 1, 30, tzinfo=UTC),
    ]


async def test_while_the_device_is_away_the_series_goes_on(clarion: ClarionByHand) -> None:
    series = await daily(clarion)
    clarion.outside.away.add(KITCHEN)

    await clarion.until(9, 40)

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert kept.next_at == at(9) + timedelta(days=1)


async def test_a_series_moves_with_its_person(clarion: ClarionByHand) -> None:
    series = await daily(clarion)

    await clarion.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("America/New_York", at(14))
    assert [one.trigger_at for one in await pending(clarion)] == [at(14)]


async def test_who_moves_hears_how_many_series_went_along(clarion: ClarionByHand) -> None:
    await daily(clarion)

    changed = await clarion.people.change_user(ADMIN, ANA, zone="America/New_York")

    assert changed.followed == 1
    assert "1 series rings" in say_followed(changed.followed, changed.user.zone, "en")
    told = [
        one for one in await SqlEventLog(clarion.database).after(0) if one.kind == UserMoved.kind
    ]
    assert [one.data["series"] for one in told] == [1]


async def test_a_crash_between_the_move_and_its_series_leaves_none_behind(
    clarion: ClarionByHand,
) -> None:
    series = await daily(clarion)
    left = await clarion.people.user(ADMIN, ANA)
    moved = replace(left, zone="America/New_York", moved_from=left.zone, version=left.version + 1)
    await SqlPeople(clarion.database).save_user(
        moved, clarion.clock.now(), ["zone"]
    )  # then it died

    await clarion.people.follow_movers(clarion.clock.now())

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("America/New_York", at(14))
    assert (await clarion.people.user(ADMIN, ANA)).moved_from is None


async def test_a_second_move_waits_for_the_series_of_the_first(clarion: ClarionByHand) -> None:
    series = await daily(clarion)
    left = await clarion.people.user(ADMIN, ANA)
    moved = replace(left, zone="America/New_York", moved_from=left.zone, version=left.version + 1)
    await SqlPeople(clarion.database).save_user(moved, clarion.clock.now(), ["zone"])

    await clarion.people.update_user(ADMIN, ANA, zone="Asia/Tokyo")

    assert (await clarion.reminders.series.get(AS_ANA, series.id)).zone == "Asia/Tokyo"


async def test_a_series_that_was_pinned_to_a_place_stays_there(clarion: ClarionByHand) -> None:
    series = await daily(clarion, zone="Asia/Tokyo")

    await clarion.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert (kept.zone, kept.next_at) == ("Asia/Tokyo", series.next_at)


async def test_an_interval_does_not_move_with_its_person(clarion: ClarionByHand) -> None:
    series = await daily(clarion, "every 90 minutes")

    await clarion.people.update_user(ADMIN, ANA, zone="America/New_York")

    kept = await clarion.reminders.series.get(AS_ANA, series.id)
    assert kept.next_at == series.next_at


@pytest.mark.parametrize("keep_open", [False, True])
async def test_ending_it_ends_what_it_has_snoozed_and_what_asks_again(
    clarion: ClarionByHand, keep_open: bool
) -> None:
    series = await daily(clarion, confirmation=CONFIRM)
    await clarion.until(9)
    await clarion.press("snooze")
    before = len(clarion.outside.spoken)

    await clarion.reminders.series.end(AS_ANA, series.id, keep_open=keep_open)
    await clarion.fast_forward(hours=3)

    assert (len(clarion.outside.spoken) > before) is keep_open


async def test_ending_it_silences_the_device_that_rings(clarion: ClarionByHand) -> None:
    series = await daily(clarion, confirmation=CONFIRM)
    await clarion.until(9)

    await clarion.reminders.series.end(AS_ANA, series.id)
    await clarion.fast_forward(hours=1)

    assert clarion.outside.hushed == [clarion.outside.last.id]
    assert len(clarion.outside.spoken) == 1


async def test_what_was_told_within_the_hour_can_be_put_off(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    await clarion.until(8, 40)
    assert (await clarion.look(tea)).status is ReminderStatus.COMPLETED

    again = await clarion.reminders.snooze(AS_ANA, tea.id, timedelta(minutes=10))
    await clarion.until(8, 51)

    assert again.id != tea.id
    assert clarion.outside.rings == [("08:30", KITCHEN, 1), ("08:50", KITCHEN, 1)]
    with pytest.raises(ReminderOver):
        await clarion.reminders.snooze(AS_ANA, tea.id, timedelta(minutes=10))


async def test_what_was_told_long_ago_cannot_be_put_off(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    await clarion.until(10)

    with pytest.raises(ReminderOver):
        await clarion.reminders.snooze(AS_ANA, tea.id)
