"""What is done by talking, pressing and typing commands is noted like what comes over the API."""

from clarion.access.audit import Deed
from clarion.people.model import Actor
from clarion.store.sql.audit import SqlAudit
from clarion.talk.dialogue import Speaker
from tests.support.build import ANA, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ClarionByHand


async def noted(clarion: ClarionByHand) -> list[Deed]:
    await clarion.trail.write()
    found = await SqlAudit(clarion.database).page(
        user_id=ANA, token_id=None, since=None, until=None, before=None, limit=10
    )
    return found[::-1]


async def test_what_is_said_to_a_device_is_noted_and_the_words_are_not(
    clarion: ClarionByHand,
) -> None:
    await clarion.remind(confirmation=CONFIRM)
    await clarion.fast_forward(minutes=31)

    await clarion.answer("yes, I took the pills")

    (deed,) = await noted(clarion)
    assert (deed.door, deed.action, deed.address) == ("device", "confirmed", KITCHEN)
    assert "pills" not in repr(deed)


async def test_a_pressed_button_is_noted(clarion: ClarionByHand) -> None:
    await clarion.remind(confirmation=CONFIRM)
    await clarion.fast_forward(minutes=31)

    await clarion.press("confirm")

    assert [(one.door, one.action) for one in await noted(clarion)] == [("device", "confirmed")]


async def test_what_is_set_in_a_chat_is_noted_with_its_platform(clarion: ClarionByHand) -> None:
    chat = Speaker(Actor(ANA, name="ana"), ANA, KITCHEN, place="telegram:7")

    await clarion.talk.hear(chat, "remind me tomorrow at 9 am to call the bank")

    (deed,) = await noted(clarion)
    assert (deed.door, deed.action, deed.address) == ("telegram", "set", "telegram:7")
    assert deed.subject.startswith("rem_")


async def test_small_talk_changes_nothing_and_is_not_noted(clarion: ClarionByHand) -> None:
    chat = Speaker(Actor(ANA, name="ana"), ANA, KITCHEN, place="telegram:7")

    await clarion.talk.hear(chat, "what a lovely morning")

    assert await noted(clarion) == []
