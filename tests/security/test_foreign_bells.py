"""With an ordinary token nobody's bell can be rung but one's own, and nobody around us called."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.base.ids import DeviceId
from clarion.people.model import CLARION, DeviceKind
from tests.support.clock import ManualClock
from tests.support.doors import ANA, BO, Doors, open_doors


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, by_hand=True) as opened:
        for owner, chat in ((ANA, "telegram:1"), (BO, "telegram:2")):
            await opened.people.add_device(
                CLARION,
                kind=DeviceKind.TELEGRAM,
                user_id=owner,
                device_id=DeviceId(chat),
                address=chat,
            )
        yield opened


async def post(client: httpx.AsyncClient, path: str, **body: Any) -> tuple[int, str]:
    made = await client.post(f"/api/v1/{path}", json=body)
    return made.status_code, str(made.json().get("code", ""))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("device:kitchen", (201, "")),
        ("chat:telegram:1", (201, "")),
        ("device:study", (403, "needs_consent")),
        ("device:nowhere", (403, "needs_consent")),
        ("chat:telegram:2", (403, "needs_consent")),
        ("json://[::1]:9999", (403, "private_address")),
        ("file:///etc/passwd", (400, "bad_address")),
        ("fcm://project/device?keyfile=http://127.0.0.1/", (400, "bad_address")),
    ],
)
async def test_a_contact_is_ones_own_or_outside(
    doors: Doors, address: str, expected: tuple[int, str]
) -> None:
    async with doors.client("ana") as client:
        assert await post(client, "contacts", name="x", address=address) == expected


async def test_a_contact_cannot_be_turned_to_somebody_elses_bell(doors: Doors) -> None:
    async with doors.client("ana") as client:
        made = await client.post(
            "/api/v1/contacts", json={"name": "me", "address": "device:kitchen"}
        )
        turned = await client.patch(
            made.headers["Location"], json={"address": "device:study"}, headers={"If-Match": "*"}
        )

    assert (turned.status_code, turned.json()["code"]) == (403, "needs_consent")


async def test_an_admin_may_join_two_people(doors: Doors) -> None:
    async with doors.client("admin") as client:
        told = await post(client, "contacts", name="Bo", address="device:study", user_id="ana")

    assert told == (201, "")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"kind": "telegram", "address": "telegram:2"}, (403, "needs_consent")),
        ({"kind": "terminal", "id": "telegram:3"}, (403, "needs_consent")),
        ({"kind": "notify", "address": "json://127.0.0.1:8520"}, (403, "private_address")),
        ({"kind": "webhook", "address": "http://[::ffff:10.0.0.1]/"}, (403, "private_address")),
        ({"kind": "notify", "address": "file:///etc/passwd"}, (400, "bad_address")),
        ({"kind": "notify", "address": "ntfy://grandmas-pills"}, (201, "")),
    ],
)
async def test_a_device_is_ones_own_or_outside(
    doors: Doors, body: dict[str, str], expected: tuple[int, str]
) -> None:
    async with doors.client("ana") as client:
        assert await post(client, "devices", **body) == expected


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://localhost/", "http://[::1]:1/"])
async def test_a_webhook_to_a_private_address_is_refused_at_once(doors: Doors, url: str) -> None:
    async with doors.client("ana") as client:
        assert await post(client, "webhooks", url=url) == (403, "private_address")
