"""The invitation as people meet it: a page with two buttons, in their language, and the API."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.base.ids import ContactId
from clarion.base.signing import signed
from clarion.people.model import CLARION, ContactConsent, mark
from clarion.store.sql.access.secrets import secret
from tests.support.clock import ManualClock
from tests.support.doors import BO, Doors, open_doors

CHINESE = {"Accept-Language": "zh-CN,zh;q=0.9"}
FROM_NOWHERE = {"Origin": "null"}


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    """Nothing is sent: the addresses here are nobody's."""
    async with open_doors(tmp_path, clock, by_hand=True) as opened:
        yield opened


async def added(client: httpx.AsyncClient, **body: object) -> dict[str, Any]:
    made = await client.post("/api/v1/contacts", json={"name": "Sue", **body})
    assert made.status_code == 201
    found: dict[str, Any] = made.json()
    return found


async def consent(doors: Doors, contact_id: str) -> ContactConsent:
    return (await doors.people.contact(CLARION, ContactId(contact_id))).consent


async def link_to(doors: Doors, contact_id: str, address: str) -> str:
    """The link as it goes to that address."""
    key = await doors.parts.database.write(secret, "invitations")
    until = doors.clock.now() + timedelta(days=1)
    return f"/i/{signed(key, f'{contact_id} {mark(address)}', until)}"


async def test_the_page_asks_in_their_language_and_its_button_agrees(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made = await added(ana, address="ntfy://sues-phone")
        link = await link_to(doors, made["id"], "ntfy://sues-phone")
        page = await sue.get(link, headers=CHINESE)
        agreed = await sue.post(link, data={"do": "agree"}, headers=CHINESE | FROM_NOWHERE)

    assert (made["consent"], made["invitation"]) == ("asked", None)
    assert "Ana想请您帮忙" in page.text
    assert "ntfy" not in page.text
    assert "您已经同意" in agreed.text
    assert await consent(doors, made["id"]) is ContactConsent.AGREED


async def test_the_page_takes_a_no(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made = await added(ana, address="ntfy://sues-phone")
        link = await link_to(doors, made["id"], "ntfy://sues-phone")
        await sue.post(link, data={"do": "refuse"}, headers=FROM_NOWHERE)
        again = await ana.post(f"/api/v1/contacts/{made['id']}/invite")

    assert again.json() == {"consent": "refused", "invitation": None}


async def test_looking_at_the_page_agrees_to_nothing(doors: Doors) -> None:
    """Mail programs and chats fetch links to show a preview."""
    async with doors.client("ana") as ana, doors.client() as sue:
        made = await added(ana, address="ntfy://sues-phone")
        await sue.get(await link_to(doors, made["id"], "ntfy://sues-phone"))

    assert await consent(doors, made["id"]) is ContactConsent.ASKED


async def test_a_user_accepts_with_a_device_of_their_own_only(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client(str(BO)) as bo:
        made = await added(ana)
        body = {"invitation": made["invitation"], "address": "device:study"}
        stolen = await ana.post("/api/v1/contacts/accept", json=body)
        taken = await bo.post("/api/v1/contacts/accept", json=body)

    assert re.search(r"/i/[\w-]{40,}$", made["invitation"])
    assert (stolen.status_code, stolen.json()["code"]) == (403, "needs_consent")
    assert taken.json() == {"consent": "agreed", "invitation": None}


async def test_an_invitation_that_is_not_good_opens_nothing(doors: Doors) -> None:
    """Forged, for another address, run out, of a contact who is gone."""
    phone = "ntfy://sues-phone"
    async with doors.client("ana") as ana, doors.client() as sue:

        async def tried(link: str) -> list[httpx.Response]:
            return [await sue.get(link), await sue.post(link, data={"do": "agree"})]

        made, gone = await added(ana, address=phone), await added(ana, address=phone)
        link = await link_to(doors, made["id"], phone)
        pages = await tried(f"{link[:-4]}AAAA")
        pages += await tried(await link_to(doors, made["id"], "ntfy://somebody-else"))
        await ana.delete(f"/api/v1/contacts/{gone['id']}")
        pages += await tried(await link_to(doors, gone["id"], phone))
        doors.clock.advance(timedelta(days=31))
        pages += await tried(link)

    assert {page.status_code for page in pages} == {404}
    assert all("Ana" not in page.text for page in pages)
    assert await consent(doors, made["id"]) is ContactConsent.ASKED


async def test_an_invitation_that_was_answered_can_be_taken_back(doors: Doors) -> None:
    async with doors.client("ana") as ana, doors.client() as sue:
        made = await added(ana, address="ntfy://sues-phone")
        link = await link_to(doors, made["id"], "ntfy://sues-phone")
        await sue.post(link, data={"do": "agree"})
        await sue.post(link, data={"do": "agree"})
        agreed = await consent(doors, made["id"])
        await sue.post(link, data={"do": "refuse"})

    assert agreed is ContactConsent.AGREED
    assert await consent(doors, made["id"]) is ContactConsent.REFUSED


async def test_contacts_have_a_bound(doors: Doors) -> None:
    async with doors.client("ana") as ana:
        for _ in range(50):
            await added(ana, address="device:kitchen")
        refused = await ana.post("/api/v1/contacts", json={"name": "51"})

    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_contacts")
