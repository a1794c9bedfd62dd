"""Set by a sentence, read back so that a mistake is heard at once."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clarion.base.ids import KeyUsedOtherwise
from clarion.language.when.model import Once, Recurring
from clarion.people.model import DeviceKind
from clarion.reminders.errors import ImpossibleTime, MissingTime
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Means
from tests.support.build import ANA, BEDROOM
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture(autouse=True)
async def in_shanghai(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Asia/Shanghai", language="zh")


async def test_the_sentence_of_the_design(clarion: ClarionByHand) -> None:
    made = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="明天早上8点提醒我吃药，要确认"
    )

    assert made.reminder is not None
    assert made.reminder.content == "吃药"
    assert made.reminder.confirmation.required
    assert made.reminder.trigger_at == datetime(2030, 1, 8, 8, tzinfo=SHANGHAI)
    assert isinstance(made.when, Once)
    assert made.readback == "明天早上8点"


async def test_a_recurring_sentence_makes_a_series_and_its_first_reminder(
    clarion: ClarionByHand,
) -> None:
    made = await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text="每天早上8点提醒我吃药")

    assert isinstance(made.when, Recurring)
    assert made.series is not None
    assert made.reminder is not None
    assert made.reminder.id == made.series.current
    assert made.reminder.trigger_at == datetime(2030, 1, 8, 0, tzinfo=UTC)


async def test_without_a_time_it_asks_for_one(clarion: ClarionByHand) -> None:
    with pytest.raises(MissingTime) as refusal:
        await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text="提醒我吃药")

    assert refusal.value.details["what"] == "time"
    assert refusal.value.details["readback"]


async def test_a_day_that_does_not_exist_is_refused(clarion: ClarionByHand) -> None:
    with pytest.raises(ImpossibleTime) as refusal:
        await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text="2月30日8点提醒我吃药")

    assert refusal.value.details["why"] == "no_such_day"


async def test_the_device_that_was_named_rings(clarion: ClarionByHand) -> None:
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, name="卧室", order=5
    )

    made = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="十分钟后在卧室的音箱提醒我喝水"
    )

    assert made.reminder is not None
    assert made.reminder.device_id == BEDROOM


async def test_a_sentence_sent_twice_is_set_once(clarion: ClarionByHand) -> None:
    first = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="明天8点提醒我吃药", key="k"
    )
    again = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="明天8点提醒我吃药", key="k"
    )

    assert first.reminder == again.reminder
    with pytest.raises(KeyUsedOtherwise):
        await clarion.reminders.natural.create(
            AS_ANA, user_id=ANA, text="明天9点提醒我吃药", key="k"
        )


async def test_ten_minutes_sent_again_a_minute_later_is_still_the_same(
    clarion: ClarionByHand,
) -> None:
    first = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="十分钟后提醒我喝水", key="k"
    )
    await clarion.fast_forward(minutes=1)
    again = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="十分钟后提醒我喝水", key="k"
    )

    assert first.reminder == again.reminder


async def test_a_habit_decides_what_morning_means(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, context={"habits": {"morning": "06:30"}})

    made = await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text="明天早上提醒我跑步")

    assert made.reminder is not None
    assert made.reminder.trigger_at == datetime(2030, 1, 8, 6, 30, tzinfo=SHANGHAI)


class Oracle:
    """A model that always says the same."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    async def read_time(self, text: str, base: datetime, zone: ZoneInfo) -> datetime | None:
        return base + self._by


def with_model(clarion: ClarionByHand, oracle: Oracle) -> Reminders:
    return Reminders(
        Means(
            store=clarion.store,
            people=clarion.people._store,
            clock=clarion.clock,
            reader=oracle,
        )
    )


async def test_a_model_is_asked_only_when_no_time_was_seen(clarion: ClarionByHand) -> None:
    reminders = with_model(clarion, Oracle(timedelta(hours=5)))

    unclear = await reminders.natural.create(AS_ANA, user_id=ANA, text="提醒我吃药")
    clear = await reminders.natural.create(AS_ANA, user_id=ANA, text="十分钟后提醒我吃药")

    assert unclear.reminder is not None
    assert clear.reminder is not None
    assert unclear.reminder.trigger_at == clarion.clock.now() + timedelta(hours=5)
    assert clear.reminder.trigger_at == clarion.clock.now() + timedelta(minutes=10)


async def test_a_model_that_names_the_past_is_not_believed(clarion: ClarionByHand) -> None:
    reminders = with_model(clarion, Oracle(-timedelta(hours=5)))

    with pytest.raises(MissingTime):
        await reminders.natural.create(AS_ANA, user_id=ANA, text="提醒我吃药")


@pytest.mark.parametrize(
    "text", ["每天早上8点", "0 8 * * *", "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0"]
)
async def test_a_preview_shows_the_next_times_and_sets_nothing(
    clarion: ClarionByHand, text: str
) -> None:
    shown = await clarion.reminders.natural.preview(AS_ANA, user_id=ANA, text_or_pattern=text, n=2)

    assert shown.times == (
        datetime(2030, 1, 8, 8, tzinfo=SHANGHAI),
        datetime(2030, 1, 9, 8, tzinfo=SHANGHAI),
    )
    assert (await clarion.reminders.list(AS_ANA)).items == ()


@pytest.mark.parametrize(
    "text", ["明天八点吃药，九点量血压", "pills at 8 tomorrow and blood pressure at 9"]
)
async def test_two_things_are_never_kept_as_one(clarion: ClarionByHand, text: str) -> None:
    with pytest.raises(MissingTime) as refused:
        await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text=text)
    with pytest.raises(MissingTime):
        await clarion.reminders.natural.preview(AS_ANA, user_id=ANA, text_or_pattern=text)

    assert refused.value.details["what"] == "several"
    assert len(refused.value.details["candidates"]) == 2
