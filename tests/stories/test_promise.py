"""Two kinds of yes: where only done counts, "on my way" is a promise, and it is asked about."""

import pytest

from clarion.language.answer.model import Answer, Label
from clarion.reminders.model import ConfirmationConfig, ReminderStatus
from clarion.reminders.ports import Reaction
from clarion.reminders.reports import Tally
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

SOON = Answer(Label.CONFIRMED, "test", kind="will")
DONE = Answer(Label.CONFIRMED, "test", kind="done")
ONCE = ConfirmationConfig(required=True, max_retries=1)


async def hear(clarion: ClarionByHand, text: str, meant: Answer) -> Reaction:
    """A reply whose meaning is given: how it is read is tested elsewhere."""
    return await clarion.ring_reports.answered(clarion.outside.last.id, text, meant)


async def test_on_my_way_is_a_promise_and_is_asked_about_kindly(clarion: ClarionByHand) -> None:
    await clarion.people.update_user(AS_ANA, ANA, language="zh")
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    reaction = await hear(clarion, "马上就去", SOON)
    promised = await clarion.look(pill)
    await clarion.until(8, 37)

    assert (reaction.outcome, reaction.say) == ("promised", "好的，早上8点36分我再问您一声。")
    assert (promised.status, promised.promised_at) == (ReminderStatus.TRIGGERED, at(8, 31))
    assert clarion.outside.rings == [("08:30", KITCHEN, 1), ("08:36", KITCHEN, 1)]
    assert clarion.outside.last.text in ("吃药了吗？好了告诉我一声哦", "我来看看：吃药好了吗？")


async def test_a_kept_promise_is_done(clarion: ClarionByHand) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    await hear(clarion, "马上就去", SOON)
    await clarion.until(8, 37)
    await hear(clarion, "吃了", DONE)
    await clarion.fast_forward(hours=2)

    kept = await clarion.look(pill)
    assert (kept.status, kept.reason) == (ReminderStatus.CONFIRMED, "done")
    assert len(clarion.outside.rings) == 2
    assert "reminder.promised" in await clarion.story(pill)


async def test_a_promise_asked_about_twice_in_vain_goes_on_to_the_ladder(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Boris", address="chat:boris")
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=ONCE)

    await clarion.until(8, 31)
    await hear(clarion, "马上就去", SOON)
    await clarion.fast_forward(hours=1)

    assert [when for when, _, _ in clarion.outside.rings] == ["08:30", "08:36", "08:41"]
    assert [name for name, _ in clarion.outside.told] == ["Boris"]
    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT


async def test_promises_without_end_are_not_believed(clarion: ClarionByHand) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=ONCE)

    for _ in range(4):
        await clarion.fast_forward(minutes=31 if not clarion.outside.rings else 5)
        if (await clarion.look(pill)).status is ReminderStatus.TRIGGERED:
            await hear(clarion, "马上", SOON)
    await clarion.fast_forward(hours=1)

    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT


async def test_where_hearing_it_is_enough_on_my_way_confirms(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("给妈妈打电话", at=at(8, 30), confirmation=CONFIRM)

    await clarion.until(8, 31)
    reaction = await hear(clarion, "马上就去", SOON)

    kept = await clarion.look(tea)
    assert reaction.outcome == "confirmed"
    assert (kept.status, kept.reason) == (ReminderStatus.CONFIRMED, "heard")


async def test_done_heard_and_promised_are_counted_apart(clarion: ClarionByHand) -> None:
    for content, meant in (("吃药", DONE), ("打电话", SOON), ("吃晚上的药", SOON)):
        await clarion.remind(content, at=clarion.clock.now(), confirmation=CONFIRM)
        await clarion.fast_forward(seconds=20)
        await hear(clarion, "……", meant)

    measured = await clarion.reminders.reports.adherence(AS_ANA, user_id=ANA)

    assert measured.whole == Tally(total=2, confirmed=2, open=1, done=1, heard=1, promised=1)


@pytest.mark.parametrize(
    ("text", "needs"),
    [
        ("明天早上八点提醒我吃药，要确认", "done"),
        ("明天八点提醒我锁门，确认一下我做完了", "done"),
        ("remind me to call Tim at 9 until I say done", "done"),
        ("明天八点提醒我给妈妈打电话，要确认", "heard"),
        ("明天八点提醒我去买药，要确认", "heard"),
    ],
)
async def test_which_yes_counts_is_heard_in_the_request(
    clarion: ClarionByHand, text: str, needs: str
) -> None:
    made = await clarion.reminders.natural.create(AS_ANA, user_id=ANA, text=text)

    assert made.reminder is not None
    assert made.reminder.needs == needs


async def test_the_last_no_does_not_sound_like_another_try(clarion: ClarionByHand) -> None:
    await clarion.remind("吃药", at=at(8, 30), confirmation=ONCE)

    await clarion.until(8, 31)
    reaction = await clarion.answer("还没吃")

    assert reaction.outcome == "denied"
    assert reaction.say == "知道了，这次我不再问了。", "in the language of the answer"
