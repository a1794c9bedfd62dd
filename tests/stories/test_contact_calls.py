"""Contacts answer where they are told: on a loudspeaker, in a chat; and how far it got is known."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.base.ids import ContactId, DeviceId, UserId
from clarion.people.model import DeviceKind
from clarion.reminders.decisions.decision import ToldContact
from clarion.reminders.model import ConfirmationConfig, Reminder
from clarion.reminders.ports import MessageFate
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at
from tests.support.power_cuts import PowerCuts

ONCE = ConfirmationConfig(required=True, timeout=60, max_retries=1)
"""Due at 08:30, given up at 08:31."""
STUDY = DeviceId("study")
SUE = UserId("sue")


async def loudspeaker(clarion: ClarionByHand, language: str = "en") -> ContactId:
    """Sue, who lives elsewhere and is told by the loudspeaker in her study."""
    await clarion.people.add_user(ADMIN, user_id=SUE, name="Sue", language=language, zone="UTC")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=SUE, device_id=STUDY, name="study"
    )
    made = await clarion.people.add_contact(
        ADMIN, user_id=ANA, name="Sue", address=f"device:{STUDY}"
    )
    device = await clarion.people.device(ADMIN, STUDY)
    clarion.outside.speakers[f"device:{STUDY}"] = device
    return made.id


async def neighbour(clarion: ClarionByHand, **fields: Any) -> None:
    await clarion.people.add_contact(
        ADMIN, user_id=ANA, name="neighbour", address="ntfy://n", order=1, delay=3_600, **fields
    )


async def pill(clarion: ClarionByHand) -> Reminder:
    return await clarion.remind(at=at(8, 30), confirmation=ONCE)


async def told_of(clarion: ClarionByHand, reminder: Reminder, contact: ContactId) -> ToldContact:
    told = await clarion.store.told(reminder.id)
    return next(one for one in told if one.contact_id == contact)


@pytest.mark.parametrize(
    ("language", "asks", "yes"),
    [("en", "Can you go and see?", "I'm on my way"), ("zh", "您能去看看吗？", "好的，我去看看")],
)
async def test_a_loudspeaker_asks_in_its_language_and_hears_a_yes(
    clarion: ClarionByHand, language: str, asks: str, yes: str
) -> None:
    sue = await loudspeaker(clarion, language)
    await neighbour(clarion)
    made = await pill(clarion)
    await clarion.until(8, 32)

    said = clarion.outside.last
    reaction = await clarion.answer(yes)
    await clarion.until(8, 50)

    assert said.text.endswith(asks)
    assert "http" not in said.text
    known = await told_of(clarion, made, sue)
    assert (known.said, known.through) == ("took", "device")
    assert known.delivered_at == known.opened_at == at(8, 31)
    assert "09:02" in reaction.say
    assert [name for name, _ in clarion.outside.told] == ["Sue"]


async def test_a_no_on_the_loudspeaker_calls_the_next_one_at_once(clarion: ClarionByHand) -> None:
    sue = await loudspeaker(clarion)
    await neighbour(clarion)
    made = await pill(clarion)
    await clarion.until(8, 32)

    reaction = await clarion.answer("sorry, I can't")
    await clarion.until(8, 33)

    assert (await told_of(clarion, made, sue)).said == "cannot"
    assert reaction.say == "All right, I'll call the next one."
    assert [name for name, _ in clarion.outside.told] == ["Sue", "neighbour"]


async def test_what_is_unclear_is_asked_again_and_changes_nothing(clarion: ClarionByHand) -> None:
    sue = await loudspeaker(clarion)
    made = await pill(clarion)
    await clarion.until(8, 32)

    reaction = await clarion.answer("is it raining")

    assert (reaction.outcome, reaction.listen) == ("asked_again", True)
    assert (await told_of(clarion, made, sue)).said is None


async def test_a_loudspeaker_that_comes_back_says_it_then(clarion: ClarionByHand) -> None:
    await loudspeaker(clarion)
    await pill(clarion)
    clarion.outside.mute.add(STUDY)  # it takes the call and sleeps on
    await clarion.until(8, 32)
    assert [one.device for one in clarion.outside.spoken] == ["kitchen"]

    waiting = await clarion.facts.waiting_for(STUDY)
    await clarion.fast_forward(minutes=11)
    too_late = await clarion.facts.waiting_for(STUDY)

    assert [one.text.endswith("Can you go and see?") for one in waiting] == [True]
    assert too_late == []


async def test_a_loudspeaker_that_is_away_leads_to_the_next_way(clarion: ClarionByHand) -> None:
    await loudspeaker(clarion)
    clarion.outside.away.add(STUDY)
    await neighbour(clarion)
    made = await pill(clarion)

    await clarion.until(8, 33)

    assert "contact.not_told" in await clarion.story(made)


async def test_of_two_who_answer_at_once_one_takes_it_and_the_other_hears_who(
    clarion: ClarionByHand,
) -> None:
    await loudspeaker(clarion)
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Tom", address="ntfy://tom")
    await pill(clarion)
    await clarion.until(8, 32)
    names = [name for name, _ in clarion.outside.told]
    token = clarion.outside.links[names.index("Tom")].rpartition("/")[2]

    await clarion.reminders.links.take(token, timedelta(minutes=30))
    reaction = await clarion.answer("yes, I'll go")

    assert reaction.say == "Tom is on it already, until 09:02. Thank you."


async def with_receipts(clarion: ClarionByHand) -> ContactId:
    made = await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address="pover://sue")
    clarion.outside.receipts["pover://sue"] = "r1"
    return made.id


async def test_what_the_service_knows_is_written_with_when(clarion: ClarionByHand) -> None:
    sue = await with_receipts(clarion)
    made = await pill(clarion)
    await clarion.until(8, 33)
    clarion.outside.fates["r1"] = MessageFate(delivered=True)
    await clarion.until(8, 40)
    clarion.outside.fates["r1"] = MessageFate(delivered=True, opened=True, over=True)

    await clarion.until(8, 45)

    known = await told_of(clarion, made, sue)
    assert known.delivered_at
    assert known.opened_at
    assert at(8, 33) <= known.delivered_at <= at(8, 34)
    assert at(8, 40) <= known.opened_at <= at(8, 41)
    assert (await clarion.story(made)).count("contact.reached") == 2


async def test_a_service_that_is_away_for_an_hour_is_asked_again(clarion: ClarionByHand) -> None:
    sue = await with_receipts(clarion)
    made = await pill(clarion)
    clarion.outside.silent.add("r1")
    await clarion.until(9, 15)
    clarion.outside.silent.clear()
    clarion.outside.fates["r1"] = MessageFate(delivered=True, opened=True, over=True)

    await clarion.until(10)

    assert (await told_of(clarion, made, sue)).opened_at is not None


async def test_when_somebody_takes_it_the_others_alarm_is_withdrawn(clarion: ClarionByHand) -> None:
    await with_receipts(clarion)
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Tom", address="ntfy://tom")
    await pill(clarion)
    await clarion.until(8, 32)
    names = [name for name, _ in clarion.outside.told]
    token = clarion.outside.links[names.index("Tom")].rpartition("/")[2]

    await clarion.reminders.links.take(token, timedelta(minutes=30))
    await clarion.until(8, 34)

    assert clarion.outside.withdrawn == ["r1"]


@pytest.mark.timeout(120)
async def test_a_crash_after_any_commit_loses_no_receipt(tmp_path: Path) -> None:
    cuts = PowerCuts(tmp_path, until=at(9))
    async with cuts.furnishing() as clarion:
        sue = await with_receipts(clarion)
        made = await pill(clarion)
    fate = MessageFate(delivered=True, opened=True, over=True)
    world: dict[str, Any] = {"fates": {"r1": fate}, "receipts": clarion.outside.receipts}
    async with cuts.life(**world):
        pass

    for after in range(1, cuts.commits + 1):
        async with cuts.life(after, **world) as clarion:
            known = await told_of(clarion, made, sue)
        assert known.delivered_at is not None, f"power cut after commit {after}"
        assert known.opened_at is not None, f"power cut after commit {after}"
