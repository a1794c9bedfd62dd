"""Web Push from the ring to the pressed button, against a push service that checks everything."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from clarion.doors.notify.webpush import Subscription, sealed
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.drive import Driver
from tests.support.push_double import PushService, push_service, unb64

REMINDERS, DEVICES = "/api/v1/reminders", "/api/v1/devices"


@pytest.fixture
async def service(clock: ManualClock) -> AsyncIterator[PushService]:
    async with push_service(clock.now) as opened:
        yield opened


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, by_hand=True, private_targets=True) as opened:
        yield opened


@pytest.fixture
async def ana(doors: Doors) -> AsyncIterator[httpx.AsyncClient]:
    async with doors.client("ana") as client:
        await client.delete(f"{DEVICES}/kitchen")
        yield client


@pytest.fixture
def driver(doors: Doors) -> Driver:
    return Driver(doors.clock, *(one for one in doors.parts.passes if one.name == "tasks"))


async def subscribe(client: httpx.AsyncClient, service: PushService) -> dict[str, Any]:
    """As the console does it in a browser."""
    key = (await client.get("/api/v1/push")).json()["key"]
    address = service.subscribe("phone", key)
    body = {"kind": "push", "id": "phone", "name": "Phone", "address": address}
    made = await client.post(DEVICES, json=body)
    assert made.status_code == 201, made.text
    device: dict[str, Any] = made.json()
    return device


async def remind(client: httpx.AsyncClient, doors: Doors, **more: Any) -> str:
    at = (doors.clock.now() + timedelta(minutes=1)).isoformat()
    body = {"content": "吃药", "trigger_at": at, "confirmation": {"required": True}, **more}
    made = await client.post(REMINDERS, json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def facts_of(client: httpx.AsyncClient, reminder: str) -> list[str]:
    history = (await client.get(f"{REMINDERS}/{reminder}/history")).json()["items"]
    return [one["kind"] for one in history]


def test_it_seals_as_the_example_of_rfc_8291() -> None:
    public = (
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )
    to = Subscription("", unb64(public), unb64("BTBZMqHH6r4Tts7J_aSIgg"))
    number = int.from_bytes(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    once = ec.derive_private_key(number, ec.SECP256R1())

    made = sealed(
        b"When I grow up, I want to be a watermelon",
        to,
        once=once,
        salt=unb64("DGv6ra1nlYgDCS1FRnbzlw"),
    )

    assert made == unb64(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS"
        "6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu"
        "lcy4a-fN"
    )


async def test_a_locked_phone_rings_and_its_button_confirms(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    await subscribe(ana, service)
    reminder = await remind(ana, doors)
    await driver.fast_forward(timedelta(minutes=2))

    [message] = service.browsers["phone"].messages
    async with doors.client() as nobody:  # a service worker whose session has ended
        arrived = await nobody.post(f"/n/{message['ticket']}", json={"do": "arrived"})
        pressed = await nobody.post(f"/n/{message['ticket']}", json={"do": "confirm"})
        facts = await facts_of(ana, reminder)
        again = await nobody.post(f"/n/{message['ticket']}", json={"do": "confirm"})

    assert (message["title"], message["done"], message["later"]) == ("吃药", "已完成", "10 分钟后")
    assert (arrived.status_code, pressed.json()["outcome"]) == (200, "confirmed")
    assert again.status_code == 200
    assert (await ana.get(f"{REMINDERS}/{reminder}")).json()["status"] == "confirmed"
    assert [one for one in facts if one.startswith("ring.")] == [
        "ring.sent",
        "ring.delivered",
        "ring.answered",
    ]
    assert service.refused == []


async def test_in_ten_minutes_rings_again_in_ten_minutes(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    await subscribe(ana, service)
    await remind(ana, doors)
    await driver.fast_forward(timedelta(minutes=1))
    messages = service.browsers["phone"].messages
    async with doors.client() as nobody:
        later = await nobody.post(f"/n/{messages[0]['ticket']}", json={"do": "snooze"})

    await driver.fast_forward(timedelta(minutes=9, seconds=50))
    before = [one["kind"] for one in messages]
    await driver.fast_forward(timedelta(seconds=20))

    assert later.json()["outcome"] == "snoozed"
    assert before == ["ring"]
    assert [one["kind"] for one in messages] == ["ring", "ring"]
    assert len(set(service.browsers["phone"].topics)) == 1


async def test_answered_elsewhere_the_notification_becomes_quiet(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    await subscribe(ana, service)
    reminder = await remind(ana, doors)
    await driver.fast_forward(timedelta(minutes=1))

    await ana.post(f"{REMINDERS}/{reminder}/confirm", json={})

    hush = service.browsers["phone"].messages[-1]
    assert (hush["kind"], hush["reminder"], hush["over"]["zh"]) == ("hush", reminder, "已处理")


async def test_an_outage_of_the_service_is_a_pause(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    await subscribe(ana, service)
    reminder = await remind(ana, doors)
    service.away = 503
    await driver.fast_forward(timedelta(minutes=20))
    during = (await ana.get(f"{REMINDERS}/{reminder}")).json()
    shown = (await ana.get("/health")).json()["checks"]["push"]

    service.away = 0
    await driver.fast_forward(timedelta(minutes=15))

    assert during["unreached_since"] is not None
    assert (shown["ok"], "answered 503" in shown["detail"]) == (False, True)
    assert (await ana.get("/health")).json()["checks"]["push"]["ok"]
    assert service.browsers["phone"].messages[0]["title"] == "吃药"
    assert (await ana.get(f"{DEVICES}/phone")).status_code == 200


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_has_unsubscribed_is_removed(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient, status: int
) -> None:
    await subscribe(ana, service)
    await remind(ana, doors)
    service.away = status

    await driver.fast_forward(timedelta(minutes=2))

    assert (await ana.get(f"{DEVICES}/phone")).status_code == 404


async def test_the_longest_text_still_fits(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    await subscribe(ana, service)
    await remind(ana, doors, content="药" * 500)

    await driver.fast_forward(timedelta(minutes=1))

    assert service.refused == []
    assert service.browsers["phone"].messages[0]["title"] == "药" * 500


async def test_each_clarion_has_a_key_of_its_own_and_keeps_it(
    doors: Doors, ana: httpx.AsyncClient, tmp_path: Path, clock: ManualClock
) -> None:
    before = (await ana.get("/api/v1/push")).json()

    (tmp_path / "other").mkdir()
    elsewhere = open_doors(tmp_path / "other", clock, by_hand=True)
    async with elsewhere as other, other.client("ana") as hers:
        theirs = (await hers.get("/api/v1/push")).json()

    assert (await ana.get("/api/v1/push")).json() == before
    assert theirs != before
    assert len(unb64(before["key"])) == 65


@pytest.mark.parametrize(
    "address",
    ["https://push.example/x", "https://push.example/x#AAAA.BBBB", "#.", "x" * 900],
    ids=["no keys", "short keys", "nothing", "noise"],
)
async def test_a_subscription_that_is_none_is_refused(ana: httpx.AsyncClient, address: str) -> None:
    made = await ana.post(DEVICES, json={"kind": "push", "address": address})

    assert made.status_code == 400
    assert made.json()["code"] == "bad_subscription"


async def test_a_ticket_of_nobody_opens_nothing(doors: Doors) -> None:
    async with doors.client() as nobody:
        refused = await nobody.post("/n/abcdefgh", json={"do": "confirm"})

    assert refused.json()["code"] == "bad_link"


async def test_a_contact_answers_by_a_button_of_their_phone(
    doors: Doors, driver: Driver, service: PushService, ana: httpx.AsyncClient
) -> None:
    """Ana's phone is Bo's contact: it shows two buttons, and what it did is known with when."""
    await subscribe(ana, service)
    async with doors.client("admin") as root, doors.client() as nobody:
        body = {"name": "Ana", "address": "device:phone", "user_id": "bo", "language": "en"}
        assert (await root.post("/api/v1/contacts", json=body)).status_code == 201
        await root.delete(f"{DEVICES}/study")
        pill = await remind(root, doors, user_id="bo")
        await driver.fast_forward(timedelta(minutes=40))
        message = service.browsers["phone"].messages[0]
        ticket = f"/n/{message['ticket']}"
        for what in ("arrived", "seen", "take"):
            assert (await nobody.post(ticket, json={"do": what})).status_code == 200
        history = (await root.get(f"{REMINDERS}/{pill}/history")).json()["items"]

    assert message["actions"] == [["take", "I'm on it"], ["cannot", "I can't"]]
    assert "/c/" in message["link"]
    facts = [one["data"].get("fact") or one["kind"] for one in history]
    assert [one for one in facts if one in ("delivered", "opened", "contact.took")] == [
        "delivered",
        "opened",
        "contact.took",
    ]
