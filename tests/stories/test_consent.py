"""Nobody is told anything before they have agreed to it, at each address, once."""

import pytest

from clarion.base.ids import DeviceId, UserId
from clarion.base.signing import BadLink
from clarion.people.errors import BadAddress, NeedsConsent, NotAgreed
from clarion.people.model import Actor, ContactConsent, DeviceKind, FurtherWay
from tests.support.build import ANA, CONFIRM
from tests.support.house import ADMIN, AS_ANA, House, at

BO = UserId("bo")
AS_BO = Actor(BO, name="Bo")
SUE = "ntfy://sue"


async def invite(house: House, address: str = SUE, **fields: object) -> str:
    """Ana wants Sue to be told; the token of the link that Sue got."""
    await house.people.add_contact(
        AS_ANA,
        user_id=ANA,
        name="Sue",
        address=address,
        **fields,  # type: ignore[arg-type]
    )
    await house.fast_forward(seconds=1)
    return token_of(house.outside.invited[-1][1])


def token_of(text: str) -> str:
    return text.rpartition("/")[2]


async def consent(house: House) -> ContactConsent:
    [contact] = await house.people.contacts(AS_ANA, ANA)
    return contact.consent


async def unanswered(house: House) -> list[str]:
    """Whom an unconfirmed pill is told to."""
    await house.remind(at=at(8, 30), confirmation=CONFIRM)
    await house.until(10)
    return [name for name, _ in house.outside.told]


async def test_who_has_not_answered_the_invitation_is_told_nothing(house: House) -> None:
    await invite(house)

    assert await consent(house) is ContactConsent.ASKED
    assert await unanswered(house) == []


async def test_who_agreed_is_told(house: House) -> None:
    token = await invite(house)
    await house.invitations.agree(token, "zh")

    assert await unanswered(house) == ["Sue"]
    assert house.outside.told[0][1].startswith("Ana没有确认"), "in the language of their page"


async def test_who_refused_is_told_nothing_and_may_change_their_mind(house: House) -> None:
    token = await invite(house)

    await house.invitations.agree(token, "en")
    await house.invitations.refuse(token)
    refused = await consent(house)
    await house.invitations.agree(token, "en")

    assert refused is ContactConsent.REFUSED
    assert await consent(house) is ContactConsent.AGREED


async def test_an_admin_vouches(house: House) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=SUE)

    assert await consent(house) is ContactConsent.AGREED
    assert house.outside.invited == []


async def test_a_yes_at_one_address_is_none_for_another(house: House) -> None:
    token = await invite(house)
    await house.invitations.agree(token, "en")
    [sue] = await house.people.contacts(AS_ANA, ANA)

    await house.people.update_contact(AS_ANA, sue.id, address="mailto://victim")
    with pytest.raises(BadLink):
        await house.invitations.agree(token, "en")
    await house.fast_forward(seconds=1)

    assert await consent(house) is ContactConsent.ASKED
    assert [address for address, _ in house.outside.invited] == [SUE, "mailto://victim"]


async def test_each_further_way_is_asked_by_itself(house: House) -> None:
    await invite(house, ways=(FurtherWay("mailto://victim", 60),))

    assert sorted(address for address, _ in house.outside.invited) == ["mailto://victim", SUE]


async def test_a_neighbour_names_a_device_of_their_own(house: House) -> None:
    await house.people.add_user(ADMIN, user_id=BO, name="Bo", language="zh")
    await house.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=BO, device_id=DeviceId("study")
    )
    contact = await house.people.add_contact(AS_ANA, user_id=ANA, name="Bo")
    token = token_of(house.invitations.link(contact))

    with pytest.raises(NeedsConsent):
        await house.invitations.accept(AS_ANA, token, "device:study")
    await house.invitations.accept(AS_BO, token, "device:study")

    assert await consent(house) is ContactConsent.AGREED
    assert (await house.people.contacts(AS_ANA, ANA))[0].address == "device:study"


async def test_a_link_that_was_passed_on_names_an_address_that_is_asked(house: House) -> None:
    contact = await house.people.add_contact(AS_ANA, user_id=ANA, name="Sue")
    token = token_of(house.invitations.link(contact))

    with pytest.raises(BadAddress):
        await house.invitations.agree(token, "en", "nonsense")
    await house.invitations.agree(token, "en", SUE)
    await house.fast_forward(seconds=1)
    asked = await consent(house)
    await house.invitations.agree(token_of(house.outside.invited[0][1]), "en")

    assert asked is ContactConsent.ASKED
    assert await consent(house) is ContactConsent.AGREED


async def test_nobody_is_tested_before_they_agreed(house: House) -> None:
    await invite(house)
    [sue] = await house.people.contacts(AS_ANA, ANA)

    with pytest.raises(NotAgreed):
        await house.reminders.proofs.contact(AS_ANA, sue.id)


async def test_an_invitation_is_sent_again_when_nobody_picked_up(house: House) -> None:
    house.outside.deaf.add(SUE)
    await house.people.add_contact(AS_ANA, user_id=ANA, name="Sue", address=SUE)
    await house.fast_forward(seconds=1)
    house.outside.deaf.clear()

    await house.fast_forward(minutes=5)

    assert [address for address, _ in house.outside.invited] == [SUE]


async def test_a_link_for_one_reminder_agrees_to_nothing(house: House) -> None:
    await house.people.add_contact(ADMIN, user_id=ANA, name="Sue", address=SUE)
    await unanswered(house)

    with pytest.raises(BadLink):
        await house.invitations.agree(token_of(house.outside.links[0]), "en")
