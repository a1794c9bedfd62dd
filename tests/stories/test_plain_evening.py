"""Plain reminders, and what people do to them: cancel, snooze, talk back."""

from datetime import timedelta

from clarion.reminders.model import ReminderStatus
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import AS_ANA, ClarionByHand, at


async def test_a_plain_reminder_is_told_once_and_over_after_thirty_seconds(
    clarion: ClarionByHand,
) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))

    await clarion.until(8, 30)
    while_it_rings = await clarion.look(tea)
    await clarion.fast_forward(seconds=30)

    assert while_it_rings.status is ReminderStatus.TRIGGERED
    assert while_it_rings.answer_by == at(8, 30) + timedelta(seconds=30)
    assert (await clarion.look(tea)).status is ReminderStatus.COMPLETED
    assert len(clarion.outside.rings) == 1


async def test_an_answer_leads_into_conversation(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))

    await clarion.until(8, 30)
    reaction = await clarion.answer("is it going to rain today?")

    assert reaction.outcome == "conversation"
    assert reaction.say == "You said: is it going to rain today?"
    assert reaction.listen
    assert (await clarion.look(tea)).status is ReminderStatus.COMPLETED


async def test_a_plain_one_can_be_snoozed_by_words(clarion: ClarionByHand) -> None:
    await clarion.remind("喝水", at=at(8, 30))

    await clarion.until(8, 30)
    reaction = await clarion.answer("十分钟后再叫我")
    await clarion.until(8, 41)

    assert reaction.outcome == "snoozed"
    assert [when for when, _, _ in clarion.outside.rings] == ["08:30", "08:40"]


async def test_later_words_make_a_reminder_of_their_own(clarion: ClarionByHand) -> None:
    await clarion.remind("喝水", at=at(8, 30))

    await clarion.until(8, 35)
    reaction = await clarion.answer("十分钟后再叫我")
    await clarion.until(8, 46)

    assert reaction.outcome == "snoozed"
    assert [when for when, _, _ in clarion.outside.rings] == ["08:30", "08:45"]


async def test_cancelling_while_it_rings_hushes_the_device(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    await clarion.reminders.cancel(AS_ANA, pill.id)
    await clarion.fast_forward(hours=2)

    assert clarion.outside.hushed == [clarion.outside.last.id]
    assert clarion.outside.rings == [("08:30", KITCHEN, 1)]
    assert (await clarion.look(pill)).status is ReminderStatus.CANCELLED


async def test_the_buttons_snooze_and_cancel(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    snoozed = await clarion.press("snooze")
    await clarion.until(8, 42)
    cancelled = await clarion.press("cancel")

    assert (snoozed.outcome, cancelled.outcome) == ("snoozed", "cancelled")
    assert [when for when, _, _ in clarion.outside.rings] == ["08:30", "08:41"]
    assert (await clarion.look(pill)).status is ReminderStatus.CANCELLED


async def test_a_snoozed_pill_has_all_its_attempts_again(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 40)
    await clarion.reminders.snooze(AS_ANA, pill.id, timedelta(minutes=30))
    await clarion.fast_forward(hours=2)

    assert [attempt for _, _, attempt in clarion.outside.rings] == [1, 2, 1, 2, 3]


async def test_two_of_one_minute_are_told_together_the_urgent_first(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    await clarion.remind("call Boris", at=at(8, 30), base=50)

    await clarion.until(8, 31)

    assert [(one.at - at(8, 30), one.ring.content) for one in clarion.outside.spoken] == [
        (timedelta(0), "call Boris"),
        (timedelta(0), "tea"),
    ]


async def test_two_of_different_minutes_do_not_talk_over_each_other(clarion: ClarionByHand) -> None:
    await clarion.remind("call Boris", at=at(8, 29) + timedelta(seconds=58))
    await clarion.remind("tea", at=at(8, 30))

    await clarion.until(8, 31)

    assert [(one.at - at(8, 30), one.ring.content) for one in clarion.outside.spoken] == [
        (timedelta(seconds=-2), "call Boris"),
        (timedelta(seconds=8), "tea"),
    ]


async def test_a_critical_one_does_not_wait_its_turn(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    await clarion.remind("fire", at=at(8, 30) + timedelta(seconds=1), base=100)

    await clarion.until(8, 31)

    assert [one.at - at(8, 30) for one in clarion.outside.spoken] == [
        timedelta(0),
        timedelta(seconds=1),
    ]


async def test_a_reminder_moved_to_another_time_rings_only_then(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))

    await clarion.reminders.update(AS_ANA, tea.id, trigger_at=at(9, 0), content="green tea")
    await clarion.until(9, 30)

    assert clarion.outside.rings == [("09:00", KITCHEN, 1)]
    assert clarion.outside.last.content == "green tea"


async def test_a_removed_user_is_reminded_of_nothing(clarion: ClarionByHand) -> None:
    await clarion.remind(at=at(8, 30))

    await clarion.people.remove_user(AS_ANA, ANA)
    await clarion.fast_forward(hours=1)

    assert clarion.outside.rings == []
