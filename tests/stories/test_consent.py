"""Nobody is told anything before they have agreed to it, at each address, once."""

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.base.signing import BadLink
from clarion.people.errors import BadAddress, NeedsConsent, NotAgreed
from clarion.people.model import Actor, ContactConsent, DeviceKind, FurtherWay
from tests.support.build import ANA, CONFIRM
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at

BO = UserId("bo")
AS_BO = Actor(BO, name="Bo")
SUE = "ntfy://sue"


async def invite(clarion: ClarionByHand, address: str = SUE, **fields: object) -> str:
    """Ana wants Sue to be told; the token of the link that Sue got."""
    await clarion.people.add_contact(
        AS_ANA,
        user_id=ANA,
        name="Sue",
        address=address,
        **fields,  # type: ignore[arg-type]
    )
    await clarion.fast_forward(seconds=1)
    return token_of(clarion.outside.invited[-1][1])


def token_of(text: str) -> str:
    return text.rpartition("/")[2]


async def consent(clarion: ClarionByHand) -> ContactConsent:
    [contact] = await clarion.people.contacts(AS_ANA, ANA)
    return contact.consent


async def unanswered(clarion: ClarionByHand) -> list[str]:
    """Whom an unconfirmed pill is told to."""
    await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    await clarion.until(10)
    return [name for name, _ in clarion.outside.told]


async def test_who_has_not_answered_the_invitation_is_told_nothing(clarion: ClarionByHand) -> None:
    await invite(clarion)

    assert await consent(clarion) is ContactConsent.ASKED
    assert await unanswered(clarion) == []


async def test_who_agreed_is_told(clarion: ClarionByHand) -> None:
    token = await invite(clarion)
    await clarion.invitations.agree(token, "zh")

    assert await unanswered(clarion) == ["Sue"]
    assert clarion.outside.told[0][1].startswith("Ana没有确认"), "in the language of their page"


async def test_who_refused_is_told_nothing_and_may_change_their_mind(
    clarion: ClarionByHand,
) -> None:
    token = await invite(clarion)

    await clarion.invitations.agree(token, "en")
    await clarion.invitations.refuse(token)
    refused = await consent(clarion)
    await clarion.invitations.agree(token, "en")

    assert refused is ContactConsent.REFUSED
    assert await consent(clarion) is ContactConsent.AGREED


async def test_an_admin_vouches(clarion: ClarionByHand) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=SUE)

    assert await consent(clarion) is ContactConsent.AGREED
    assert clarion.outside.invited == []


async def test_a_yes_at_one_address_is_none_for_another(clarion: ClarionByHand) -> None:
    token = await invite(clarion)
    await clarion.invitations.agree(token, "en")
    [sue] = await clarion.people.contacts(AS_ANA, ANA)

    await clarion.people.update_contact(AS_ANA, sue.id, address="mailto://victim")
    with pytest.raises(BadLink):
        await clarion.invitations.agree(token, "en")
    await clarion.fast_forward(seconds=1)

    assert await consent(clarion) is ContactConsent.ASKED
    assert [address for address, _ in clarion.outside.invited] == [SUE, "mailto://victim"]


async def test_each_further_way_is_asked_by_itself(clarion: ClarionByHand) -> None:
    await invite(clarion, ways=(FurtherWay("mailto://victim", 60),))

    assert sorted(address for address, _ in clarion.outside.invited) == ["mailto://victim", SUE]


async def test_a_neighbour_names_a_device_of_their_own(clarion: ClarionByHand) -> None:
    await clarion.people.add_user(ADMIN, user_id=BO, name="Bo", language="zh")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=BO, device_id=DeviceId("study")
    )
    contact = await clarion.people.add_contact(AS_ANA, user_id=ANA, name="Bo")
    token = token_of(clarion.invitations.link(contact))

    with pytest.raises(NeedsConsent):
        await clarion.invitations.accept(AS_ANA, token, "device:study")
    await clarion.invitations.accept(AS_BO, token, "device:study")

    assert await consent(clarion) is ContactConsent.AGREED
    assert (await clarion.people.contacts(AS_ANA, ANA))[0].address == "device:study"


async def test_a_link_that_was_passed_on_names_an_address_that_is_asked(
    clarion: ClarionByHand,
) -> None:
    contact = await clarion.people.add_contact(AS_ANA, user_id=ANA, name="Sue")
    token = token_of(clarion.invitations.link(contact))

    with pytest.raises(BadAddress):
        await clarion.invitations.agree(token, "en", "nonsense")
    await clarion.invitations.agree(token, "en", SUE)
    await clarion.fast_forward(seconds=1)
    asked = await consent(clarion)
    await clarion.invitations.agree(token_of(clarion.outside.invited[0][1]), "en")

    assert asked is ContactConsent.ASKED
    assert await consent(clarion) is ContactConsent.AGREED


async def test_nobody_is_tested_before_they_agreed(clarion: ClarionByHand) -> None:
    await invite(clarion)
    [sue] = await clarion.people.contacts(AS_ANA, ANA)

    with pytest.raises(NotAgreed):
        await clarion.reminders.proofs.contact(AS_ANA, sue.id)


async def test_an_invitation_is_sent_again_when_nobody_picked_up(clarion: ClarionByHand) -> None:
    clarion.outside.deaf.add(SUE)
    await clarion.people.add_contact(AS_ANA, user_id=ANA, name="Sue", address=SUE)
    await clarion.fast_forward(seconds=1)
    clarion.outside.deaf.clear()

    await clarion.fast_forward(minutes=5)

    assert [address for address, _ in clarion.outside.invited] == [SUE]


async def test_a_link_for_one_reminder_agrees_to_nothing(clarion: ClarionByHand) -> None:
    await clarion.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=SUE)
    await unanswered(clarion)

    with pytest.raises(BadLink):
        await clarion.invitations.agree(token_of(clarion.outside.links[0]), "en")
