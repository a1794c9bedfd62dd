"""What people say is done, on a device and in a chat alike: set, read out, moved, cancelled."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from clarion.base.errors import BadInput
from clarion.base.ids import UserId
from clarion.language.understand import Meaning
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.talk import service
from clarion.talk.dialogue import Said
from clarion.talk.words import sounds_like_yes
from tests.support.build import ANA, CONFIRM
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
from tests.support.talking import AtDevice, Mouth, mouth_of


@pytest.fixture
async def clarion(tmp_path: Path, clock: ManualClock) -> AsyncIterator[ClarionByHand]:
    """Without a language model: what is understood is understood by ourselves."""
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=None) as made:
        await introduce_ana(made)
        yield made


@pytest.fixture(params=["device", "chat"])
async def ana(request: pytest.FixtureRequest, clarion: ClarionByHand) -> Mouth:
    return await mouth_of(clarion, request.param)


class Claims:
    """A language model that says it did what nobody asked it to."""

    def __init__(self, claimed: str) -> None:
        self.claimed = claimed

    async def reply(
        self, history: Sequence[Said], known: Mapping[str, object], user_text: str, lang: str
    ) -> str | None:
        return self.claimed


async def planned(clarion: ClarionByHand) -> list[tuple[str, str]]:
    """What is still to come: when, and what."""
    page = await clarion.reminders.list(AS_ANA, status=(ReminderStatus.PENDING,))
    return [(f"{one.trigger_at:%H:%M}", one.content) for one in page.items]


async def status(clarion: ClarionByHand, reminder: Reminder) -> ReminderStatus:
    return (await clarion.look(reminder)).status


async def test_a_reminder_is_cancelled_by_its_words(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("check the oven", at=at(9))
    await clarion.remind("吃药", at=at(10))

    said = await ana.say("cancel the oven reminder")

    assert await planned(clarion) == [("10:00", "吃药")]
    assert "check the oven" in said


async def test_what_there_is_today_is_read_out(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(10))
    await clarion.remind("喝水", at=at(15))
    await clarion.remind("交水费", at=at(9, day=8))

    said = await ana.say("我今天有什么提醒")

    assert said == "今天有2个提醒：上午10点 吃药；下午3点 喝水。"
    assert await ana.say("下一个是几点") == "下一个是上午10点，吃药。"


async def test_a_reminder_is_moved(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(10))
    await clarion.remind("喝水", at=at(11))

    said = await ana.say("把喝水改到九点")

    assert await planned(clarion) == [("09:00", "喝水"), ("10:00", "吃药")]
    assert said == "好的，改到上午9点提醒您喝水。"


async def test_it_asks_which_one_and_takes_the_second(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(10))
    await clarion.remind("吃药", at=at(20))

    asked = await ana.say("取消吃药的提醒")
    before = await planned(clarion)
    said = await ana.say("第二个")

    assert asked == "有2个：第1个，上午10点 吃药；第2个，晚上8点 吃药。要取消哪一个？"
    assert len(before) == 2
    assert await planned(clarion) == [("10:00", "吃药")]
    assert said == "好的，取消了：晚上8点 吃药。"


@pytest.mark.parametrize("where", ["device", "chat"])
async def test_a_question_outlives_a_restart(
    tmp_path: Path, clock: ManualClock, where: str
) -> None:
    url = await sqlite_file(tmp_path)
    async with open_by_hand(url, clock, chat=None) as before:
        await introduce_ana(before)
        asked = await (await mouth_of(before, where)).say("提醒我喝水")

    async with open_by_hand(url, clock, chat=None) as after:
        await (await mouth_of(after, where)).say("五分钟后")
        kept = await planned(after)

    assert asked == "请问什么时候提醒您？"
    assert kept == [("08:05", "喝水")]


async def test_a_question_is_forgotten_after_a_while(clarion: ClarionByHand, ana: Mouth) -> None:
    await ana.say("提醒我喝水")
    await clarion.fast_forward(minutes=11)

    said = await ana.say("第二个")

    assert not sounds_like_yes(said)
    assert await planned(clarion) == []


async def test_everything_is_cancelled_and_brought_back(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(10), confirmation=CONFIRM)
    await ana.say("每天晚上八点提醒我散步")

    gone = await ana.say("取消全部")
    after = await planned(clarion)
    back = await ana.say("撤销")

    assert gone == "好的，取消了：上午10点 吃药；晚上8点 散步。"
    assert after == []
    assert await planned(clarion) == [("10:00", "吃药"), ("20:00", "散步")]
    assert sounds_like_yes(back)


async def test_one_that_comes_again_is_asked_about_before_it_goes(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await ana.say("每天晚上八点提醒我散步")

    asked = await ana.say("取消散步")
    once = await ana.say("就这一次")
    tomorrow = (await clarion.reminders.list(AS_ANA, status=(ReminderStatus.PENDING,))).items

    assert asked == "散步是重复的提醒。只取消这一次，还是以后都不要了？"
    assert once == "好的，这一次不提醒了：晚上8点 散步。以后照旧。"
    assert [one.trigger_at for one in tomorrow] == [at(20, day=8)]


async def test_one_that_ends_for_good_takes_along_what_it_had_put_off(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await clarion.reminders.series.create(
        AS_ANA, user_id=ANA, content="散步", pattern="0 9 * * *", confirmation=CONFIRM
    )
    await clarion.until(9)
    await clarion.press("snooze")

    which = await ana.say("取消散步")
    asked = await ana.say("第二个")
    ended = await ana.say("以后都不要了")

    assert which.startswith("有2个：第1个，上午9点10分 散步；第2个，明天上午9点 散步。")
    assert asked == "散步是重复的提醒。只取消这一次，还是以后都不要了？"
    assert ended == "好的，以后都不提醒了：散步。"
    assert await planned(clarion) == [], "nor does the one at 9:10 ring"


async def test_what_was_just_set_is_corrected_and_undone(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await ana.say("明天早上八点提醒我吃药")
    await ana.say("不对，是九点")
    corrected = (await clarion.reminders.list(AS_ANA)).items[0].trigger_at

    said = await ana.say("撤销")
    undone = (await clarion.reminders.list(AS_ANA)).items[0].trigger_at
    nothing = await ana.say("撤销")

    assert corrected == at(9, day=8)
    assert sounds_like_yes(said)
    assert undone == at(8, day=8)
    assert nothing == "刚才没有做什么，没有可以撤的。"


async def test_the_last_one_is_the_one_just_set(clarion: ClarionByHand, ana: Mouth) -> None:
    await ana.say("remind me to water the plants at 3pm")
    await ana.say("remind me to call Tim at 9am")

    said = await ana.say("cancel the last one")

    assert await planned(clarion) == [("15:00", "water the plants")]
    assert "call Tim" in said


async def test_it_is_said_again(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(10))
    first = await ana.say("下一个是几点")

    assert await ana.say("再说一遍") == first


@pytest.mark.parametrize(
    ("text", "word"), [("给我讲个笑话", "还不会"), ("what a lovely day", "can't do that yet")]
)
async def test_what_it_cannot_do_it_says(
    clarion: ClarionByHand, ana: Mouth, text: str, word: str
) -> None:
    said = await ana.say(text)

    assert word in said
    assert not sounds_like_yes(said)


async def test_a_request_while_it_rings_is_set_and_the_pill_still_waits(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)

    await ana.say("半小时后提醒我关火")
    waits = await status(clarion, pill)
    await ana.say("吃完了")

    assert await planned(clarion) == [("09:01", "关火")]
    assert waits is ReminderStatus.TRIGGERED
    assert await status(clarion, pill) is ReminderStatus.CONFIRMED


async def test_not_yet_and_then_done_counts_before_it_rings_again(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)

    await ana.say("还没呢")
    await clarion.fast_forward(seconds=20)
    said = await ana.say("刚吃完了")

    assert await status(clarion, pill) is ReminderStatus.CONFIRMED
    assert sounds_like_yes(said)


async def test_stopping_the_noise_is_no_yes(clarion: ClarionByHand, ana: Mouth) -> None:
    pill = await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)

    said = await ana.say("别吵了")
    await clarion.fast_forward(minutes=2)

    assert said == "好的，先不响了，早上8点32分再来问您。"
    assert await status(clarion, pill) is ReminderStatus.TRIGGERED
    assert len(clarion.outside.rings) == 2


async def test_a_cry_for_help_reaches_every_contact_at_once(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    for order, name in enumerate(["Boris", "Chen"]):
        await clarion.people.add_contact(
            ADMIN, user_id=ANA, name=name, address=f"chat:{name}", order=order, delay=600
        )

    said = await ana.say("我摔倒了，起不来")
    await ana.say("救命")
    await clarion.fast_forward(seconds=1)

    assert [name for name, _ in clarion.outside.told] == ["Boris", "Chen"]
    assert "我摔倒了" in clarion.outside.told[0][1]
    assert "Boris、Chen" in said


async def test_who_has_no_contact_is_told_so(clarion: ClarionByHand, ana: Mouth) -> None:
    said = await ana.say("I fell and I can't get up")

    assert said.startswith("There is nobody I can tell!")


async def test_others_reminders_cannot_be_seen_or_touched(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await clarion.people.ensure_user(type(ANA)("bo"), "Bo")
    theirs = await clarion.reminders.create(
        ADMIN, user_id=type(ANA)("bo"), content="喝水", trigger_at=at(10)
    )

    listed = await ana.say("我今天有什么提醒")
    await ana.say("取消全部")
    await ana.say("把喝水改到九点")

    assert listed == "今天没有提醒。"
    assert await clarion.look(theirs) == theirs


async def test_silence_follows_when_a_plain_one_was_heard(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    tea = await clarion.remind("喝茶", at=at(8, 30))
    await clarion.until(8, 30)

    said = await ana.say("知道了")

    assert said == "好的。"
    assert await status(clarion, tea) is ReminderStatus.COMPLETED
    assert clarion.clock.now() - at(8, 30) < timedelta(minutes=1)


async def test_several_things_in_one_sentence_are_several_reminders(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await ana.say("明天早上八点提醒我吃药，九点量血压，要确认")

    page = await clarion.reminders.list(AS_ANA)
    assert [(one.trigger_at, one.content) for one in page.items] == [
        (at(8, day=8), "吃药"),
        (at(9, day=8), "量血压"),
    ]
    assert page.items[1].confirmation.required


async def test_somebody_else_is_reminded_by_whom_they_trust(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    mother = type(ANA)("mother")
    await clarion.people.ensure_user(mother, "妈妈")
    mine = "device:kitchen" if isinstance(ana, AtDevice) else "chat:telegram:7"
    await clarion.people.add_contact(ADMIN, user_id=mother, name="Ana", address=mine)

    said = await ana.say("明天早上八点提醒妈妈吃药")

    page = await clarion.reminders.list(ADMIN, user_id=mother)
    assert [(one.trigger_at, one.content) for one in page.items] == [(at(8, day=8), "吃药")]
    assert "提醒妈妈吃药" in said
    assert await planned(clarion) == []


async def test_who_may_not_remind_somebody_is_told_so_and_helped(
    clarion: ClarionByHand, ana: Mouth
) -> None:
    await clarion.people.ensure_user(type(ANA)("mother"), "妈妈")

    asked = await ana.say("明天早上八点提醒妈妈吃药")
    before = await planned(clarion)
    await ana.say("好的")

    assert asked.startswith("我不能替您提醒妈妈")
    assert before == []
    assert await planned(clarion) == [("08:00", "告诉妈妈吃药")]


async def test_what_may_be_a_call_for_help_is_asked_about(
    clarion: ClarionByHand, ana: Mouth, monkeypatch: pytest.MonkeyPatch
) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Boris", address="chat:Boris")
    unsure = Meaning(("distress",), "", 0.3)
    monkeypatch.setattr(service, "understand", lambda _text, _situation: unsure)

    asked = await ana.say("我不太舒服")
    told = list(clarion.outside.told)
    monkeypatch.undo()
    await ana.say("要")
    await clarion.fast_forward(seconds=1)

    assert asked == "您还好吗？要我马上通知Boris吗？"
    assert told == []
    assert [name for name, _ in clarion.outside.told] == ["Boris"]


async def test_a_yes_that_was_a_mistake_is_taken_back(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃药", at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(8, 31)
    await ana.say("吃了")

    said = await ana.say("撤销")

    assert said == "好的，刚才那句不算，我再来问：早上8点32分 吃药。"
    assert await planned(clarion) == [("08:32", "吃药")]


@pytest.mark.parametrize(
    "claimed",
    ["好的，已经帮您把全部提醒取消了。", '{"text": "已经取消"}', "Sure, I've cancelled it."],
)
async def test_a_models_claim_without_a_deed_is_not_said(
    tmp_path: Path, clock: ManualClock, claimed: str
) -> None:
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=Claims(claimed)) as clarion:
        await introduce_ana(clarion)
        ana = await mouth_of(clarion, "device")
        await clarion.remind("吃药", at=at(10))

        said = await ana.say("给我讲个笑话")

        assert "还不会" in said
        assert await planned(clarion) == [("10:00", "吃药")]


async def test_all_about_something_spares_the_rest(clarion: ClarionByHand, ana: Mouth) -> None:
    await clarion.remind("吃痛风药", at=at(9))
    await clarion.remind("喝水", at=at(10))

    await ana.say("帮我把所有关于吃药的提醒都删除")
    after = await planned(clarion)
    said = await ana.say("把所有关于开会的提醒都删除")

    assert after == await planned(clarion) == [("10:00", "喝水")]
    assert not sounds_like_yes(said)


async def test_their_day_tells_the_hour(clarion: ClarionByHand, ana: Mouth) -> None:
    dinner = await ana.say("晚饭后半小时提醒我散步")
    await clarion.people.update_user(ADMIN, ANA, context={"habits": {"sleeping": "20:15"}})
    bed = await ana.say("睡前提醒我刷牙")
    asked = await ana.say("下班后提醒我买菜")

    assert dinner.startswith("好的，今天晚上7点，晚饭后半小时提醒您散步。")
    assert bed.startswith("好的，今天晚上7点45分，睡觉前提醒您刷牙。")
    assert asked == "请问那件事是几点？"
    assert await planned(clarion) == [("19:00", "散步"), ("19:45", "刷牙")]


@pytest.mark.parametrize(
    "habits",
    [{"dinner": "late"}, {"brunch": "11:00"}, {"dinner": 19}, "19:00", {"dinner": "19:00Z"}],
)
async def test_a_habit_that_is_no_hour_is_refused(clarion: ClarionByHand, habits: object) -> None:
    await clarion.people.update_user(ADMIN, ANA, context={"habits": {"dinner": "19:00"}})

    with pytest.raises(BadInput):
        await clarion.people.update_user(ADMIN, ANA, context={"habits": habits})
    with pytest.raises(BadInput):
        await clarion.people.add_user(ADMIN, user_id=UserId("new"), context={"habits": habits})

    assert (await clarion.people.user(ADMIN, ANA)).context == {"habits": {"dinner": "19:00"}}
    assert await clarion.people._store.user(UserId("new")) is None


async def test_what_was_answered_out_of_turn_is_not_told_any_more(clarion: ClarionByHand) -> None:
    for content in ("吃药", "量血压"):
        await clarion.remind(content, at=at(8, 30), confirmation=CONFIRM)
    ana = await mouth_of(clarion, "device")
    await clarion.until(8, 31)
    told = {one.ring.content: one.ring.id for one in clarion.outside.spoken}

    await ana.say("血压量了")

    assert clarion.outside.hushed == [told["量血压"]]
