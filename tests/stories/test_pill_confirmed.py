"""The pill: asked until somebody says yes."""

import pytest

from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from tests.support.build import CONFIRM, KITCHEN
from tests.support.clarion_by_hand import AS_ANA, ClarionByHand, at


async def test_the_pill_is_confirmed_at_the_second_ring(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 37)
    reaction = await clarion.answer("我吃过了")
    await clarion.fast_forward(hours=2)

    assert clarion.outside.rings == [("08:30", KITCHEN, 1), ("08:36", KITCHEN, 2)]
    assert reaction.outcome == "confirmed"
    assert (await clarion.look(pill)).status is ReminderStatus.CONFIRMED


async def test_the_history_tells_the_evening_line_by_line(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 37)
    await clarion.answer("我吃过了")

    assert await clarion.story(pill) == [
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


async def test_four_facts_are_kept_of_each_ring(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    await clarion.answer("吃了")
    (ring,) = await clarion.reminders.rings(AS_ANA, pill.id)

    assert ring.fired_at == ring.delivered_at == ring.heard_at == at(8, 30)
    assert ring.answered_at == at(8, 31)
    assert ring.label == "CONFIRMED"


async def test_each_attempt_is_said_in_other_words(clarion: ClarionByHand) -> None:
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.fast_forward(hours=2)

    texts = [one.ring.text for one in clarion.outside.spoken]
    assert len(texts) == len(set(texts)) == 3


async def test_nobody_answers_and_it_times_out(clarion: ClarionByHand) -> None:
    patient = ConfirmationConfig(required=True, timeout=60, retry_interval=30, max_retries=2)
    pill = await clarion.remind(at=at(8, 30), confirmation=patient)

    await clarion.fast_forward(hours=2)

    kept = await clarion.look(pill)
    assert [attempt for _, _, attempt in clarion.outside.rings] == [1, 2]
    assert (kept.status, kept.reason) == (ReminderStatus.TIMEOUT, "unconfirmed")


async def test_a_late_yes_still_counts(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.fast_forward(hours=2)
    reaction = await clarion.answer("吃过了")

    assert reaction.outcome == "confirmed"
    assert (await clarion.look(pill)).status is ReminderStatus.CONFIRMED


async def test_confirming_twice_is_harmless(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    first = await clarion.press("confirm")
    second = await clarion.press("confirm")
    again = await clarion.reminders.confirm(AS_ANA, pill.id)

    assert first.outcome == second.outcome == "confirmed"
    assert again.status is ReminderStatus.CONFIRMED
    assert (await clarion.story(pill)).count("reminder.confirmed") == 1


async def test_a_pill_taken_early_does_not_ring(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.reminders.confirm(AS_ANA, pill.id)
    await clarion.fast_forward(hours=2)

    assert clarion.outside.rings == []


async def test_an_unclear_answer_is_asked_about_once(clarion: ClarionByHand) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    first = await clarion.answer("今天天气真不错")
    second = await clarion.answer("邻居家的猫")

    assert first.outcome == "asked_again"
    assert first.listen
    assert "吃药" in first.say
    assert second.outcome == "conversation"
    assert (await clarion.look(pill)).answer_by == at(8, 36)


async def test_later_said_twice_in_one_breath_is_one_snooze(clarion: ClarionByHand) -> None:
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    first = await clarion.answer("十分钟后再叫我")
    second = await clarion.answer("十分钟后再叫我")

    assert first == second
    assert "8点41分" in first.say


async def test_whoever_refuses_to_the_end_hears_that_it_was_understood(
    clarion: ClarionByHand,
) -> None:
    patient = ConfirmationConfig(required=True, max_retries=1)
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=patient)

    await clarion.until(8, 31)
    reaction = await clarion.answer("我不吃")

    assert reaction.outcome == "denied"
    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT


@pytest.mark.parametrize(
    ("words", "rings_at"),
    [
        pytest.param("十分钟后再叫我", "08:41", id="in ten minutes"),
        pytest.param("还没吃", "08:32", id="not yet, so after the retry interval"),
    ],
)
async def test_it_comes_back_when_they_said(
    clarion: ClarionByHand, words: str, rings_at: str
) -> None:
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    await clarion.answer(words)
    await clarion.until(8, 42)

    assert [when for when, _, _ in clarion.outside.rings][1] == rings_at
