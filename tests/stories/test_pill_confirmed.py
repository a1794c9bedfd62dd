"""The pill: asked until somebody says yes."""

import pytest

from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import CONFIRM, KITCHEN
from tests.support.house import AS_ANA, House, at


async def test_the_pill_is_confirmed_at_the_second_ring(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 37)
    reaction = await house.answer("我吃过了")
    await house.fast_forward(hours=2)

    assert house.outside.rings == [("08:30", KITCHEN, 1), ("08:36", KITCHEN, 2)]
    assert reaction.outcome == "confirmed"
    assert (await house.look(pill)).status is ReminderStatus.CONFIRMED


async def test_the_history_tells_the_evening_line_by_line(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 37)
    await house.answer("我吃过了")

    assert await house.story(pill) == [
        "reminder.created",
        "reminder.triggered",
        "ring.delivered",
        "ring.heard",
        "reminder.retried",
        "reminder.triggered",
        "ring.delivered",
        "ring.heard",
        "ring.answered",
        "reminder.confirmed",
    ]


async def test_four_facts_are_kept_of_each_ring(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    await house.answer("吃了")
    (ring,) = await house.reminders.rings(AS_ANA, pill.id)

    assert ring.fired_at == ring.delivered_at == ring.heard_at == at(8, 30)
    assert ring.answered_at == at(8, 31)
    assert ring.label == "CONFIRMED"


async def test_each_attempt_is_said_in_other_words(house: House) -> None:
    await house.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await house.fast_forward(hours=2)

    texts = [one.ring.text for one in house.outside.spoken]
    assert len(texts) == len(set(texts)) == 3


async def test_nobody_answers_and_it_times_out(house: House) -> None:
    patient = ConfirmationConfig(required=True, timeout=60, retry_interval=30, max_retries=2)
    pill = await house.remind(at=at(8, 30), confirmation=patient)

    await house.fast_forward(hours=2)

    kept = await house.look(pill)
    assert [attempt for _, _, attempt in house.outside.rings] == [1, 2]
    assert (kept.status, kept.reason) == (ReminderStatus.TIMEOUT, "unconfirmed")


async def test_a_late_yes_still_counts(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.fast_forward(hours=2)
    reaction = await house.answer("吃过了")

    assert reaction.outcome == "confirmed"
    assert (await house.look(pill)).status is ReminderStatus.CONFIRMED


async def test_confirming_twice_is_harmless(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    first = await house.press("confirm")
    second = await house.press("confirm")
    again = await house.reminders.confirm(AS_ANA, pill.id)

    assert first.outcome == second.outcome == "confirmed"
    assert again.status is ReminderStatus.CONFIRMED
    assert (await house.story(pill)).count("reminder.confirmed") == 1


async def test_a_pill_taken_early_does_not_ring(house: House) -> None:
    pill = await house.remind(at=at(8, 30), confirmation=CONFIRM)

    await house.reminders.confirm(AS_ANA, pill.id)
    await house.fast_forward(hours=2)

    assert house.outside.rings == []


async def test_an_unclear_answer_is_asked_about_once(house: House) -> None:
    pill = await house.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    first = await house.answer("今天天气真不错")
    second = await house.answer("邻居家的猫")

    assert first.outcome == "asked_again"
    assert first.listen
    assert "吃药" in first.say
    assert second.outcome == "conversation"
    assert (await house.look(pill)).answer_by == at(8, 36)


async def test_later_said_twice_in_one_breath_is_one_snooze(house: House) -> None:
    await house.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    first = await house.answer("十分钟后再叫我")
    second = await house.answer("十分钟后再叫我")

    assert first == second
    assert "8点41分" in first.say


async def test_whoever_refuses_to_the_end_hears_that_it_was_understood(house: House) -> None:
    patient = ConfirmationConfig(required=True, max_retries=1)
    pill = await house.remind("吃药", at=at(8, 30), confirmation=patient)

    await house.until(8, 31)
    reaction = await house.answer("我不吃")

    assert reaction.outcome == "denied"
    assert (await house.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize(
    ("words", "rings_at"),
    [
        pytest.param("十分钟后再叫我", "08:41", id="in ten minutes"),
        pytest.param("还没吃", "08:32", id="not yet, so after the retry interval"),
    ],
)
async def test_it_comes_back_when_they_said(house: House, words: str, rings_at: str) -> None:
    await house.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await house.until(8, 31)
    await house.answer(words)
    await house.until(8, 42)

    assert [when for when, _, _ in house.outside.rings][1] == rings_at
