"""What cannot be set is refused in the same words wherever it is asked, and never guessed."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clarion.base.errors import ClarionError, Unprocessable
from clarion.reminders.errors import ImpossibleTime, RingsTooOften, TooFarAhead
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand

SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.fixture(autouse=True)
async def in_shanghai(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, zone="Asia/Shanghai", language="en")


async def refused(clarion: ClarionByHand, text: str) -> list[ClarionError]:
    """What the preview and the setting of the same words say."""
    found: list[ClarionError] = []
    for ask in (
        clarion.reminders.natural.preview(AS_ANA, user_id=ANA, text_or_pattern=text),
        clarion.reminders.natural.create(AS_ANA, user_id=ANA, text=text),
    ):
        with pytest.raises(ClarionError) as refusal:
            await ask
        found.append(refusal.value)
    return found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("remind me yesterday at 8 to call", "That time has passed"),
        ("remind me at 25:00 to sleep", "There is no such hour"),
        ("25点提醒我睡觉", "There is no such hour"),
        ("every 5 seconds beep", "That is too often"),
        ("remind me at 3 or 4 to leave", "which is it?"),
        ("remind me to take the drops three times a day", "At what time?"),
        ("remind me on Tuesday the 9th at 3pm to pay", "another day of the week"),
    ],
)
async def test_the_preview_says_why_in_the_words_of_the_setting(
    clarion: ClarionByHand, text: str, why: str
) -> None:
    preview, setting = await refused(clarion, text)

    assert why in f"{preview.message} {preview.hint}"
    assert (preview.code, preview.hint) == (setting.code, setting.hint)


async def test_the_far_limit_is_the_same_in_the_preview(clarion: ClarionByHand) -> None:
    for text in ("2055年3月1日8点提醒我体检", "从2055年3月1日开始每天8点提醒我体检"):
        preview, setting = await refused(clarion, text)

        assert isinstance(preview, TooFarAhead)
        assert isinstance(setting, TooFarAhead)


async def test_too_often_is_one_refusal_in_words_and_in_rules(clarion: ClarionByHand) -> None:
    preview, setting = await refused(clarion, "每5秒提醒我一次")
    with pytest.raises(ClarionError) as series:
        await clarion.reminders.series.create(AS_ANA, user_id=ANA, content="x", pattern="每5秒")

    assert {one.code for one in (preview, setting, series.value)} == {"rings_too_often"}
    assert preview.hint == "Leave at least 60 seconds between rings."


async def test_a_refusal_speaks_one_language(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(ADMIN, ANA, language="zh")
    for text in ("每5秒提醒我一次", "25点提醒我睡觉", "提醒我买菜", "2055年3月1日8点提醒我体检"):
        for refusal in await refused(clarion, text):
            assert not any(letter.islower() for letter in refusal.message + refusal.hint), text


@pytest.mark.parametrize("pattern", ["FREQ=SECONDLY;INTERVAL=5", "FREQ=DAILY;BYSECOND=0,5"])
async def test_no_rule_rings_more_often_than_once_a_minute(
    clarion: ClarionByHand, pattern: str
) -> None:
    with pytest.raises(Unprocessable):
        await clarion.reminders.natural.preview(AS_ANA, user_id=ANA, text_or_pattern=pattern)
    with pytest.raises(Unprocessable):
        await clarion.reminders.series.create(AS_ANA, user_id=ANA, content="x", pattern=pattern)


async def test_a_rule_may_ring_every_minute(clarion: ClarionByHand) -> None:
    made = await clarion.reminders.series.create(
        AS_ANA, user_id=ANA, content="watch the pot", pattern="* * * * *"
    )
    with pytest.raises(RingsTooOften):
        await clarion.reminders.series.update(AS_ANA, made.id, pattern="FREQ=DAILY;BYSECOND=0,30")


async def test_in_ten_minutes_counts_from_the_sending(clarion: ClarionByHand) -> None:
    now = clarion.clock.now()

    made = await clarion.reminders.natural.create(
        AS_ANA, user_id=ANA, text="10分钟后提醒我关火", said_at=now - timedelta(minutes=4)
    )

    assert made.reminder is not None
    assert made.reminder.trigger_at == now + timedelta(minutes=6)


async def test_a_message_that_came_an_hour_late_says_so(clarion: ClarionByHand) -> None:
    with pytest.raises(ImpossibleTime) as refusal:
        await clarion.reminders.natural.create(
            AS_ANA,
            user_id=ANA,
            text="remind me in 10 minutes to turn off the stove",
            said_at=clarion.clock.now() - timedelta(hours=1),
        )

    assert refusal.value.details["why"] == "sent_late"
    assert "has passed" in refusal.value.hint


async def test_a_stamp_from_a_clock_that_was_never_set_counts_as_now(
    clarion: ClarionByHand,
) -> None:
    made = await clarion.reminders.natural.create(
        AS_ANA,
        user_id=ANA,
        text="10分钟后提醒我关火",
        said_at=datetime(1970, 1, 1, tzinfo=SHANGHAI),
    )

    assert made.reminder is not None
    assert made.reminder.trigger_at == clarion.clock.now() + timedelta(minutes=10)
