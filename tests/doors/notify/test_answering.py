"""Messages that are answered where they arrive, against services that check everything."""

import asyncio
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from clarion.app.build import build as build_clarion
from clarion.base.errors import Unavailable
from clarion.base.ids import ReminderId
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.contacts import Contacts
from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import PrivateAddress, Reach
from clarion.reminders.decisions.decision import call_id
from clarion.reminders.ports import ContactCall, MessageFate
from clarion.settings import Settings
from clarion.store.sql.reminders.store import SqlReminders
from tests.support import build
from tests.support.clock import ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.drive import Driver
from tests.support.home_assistant_double import HomeAssistant
from tests.support.message_doubles import BEARER, MessageServices, message_services

LINK = "https://clarion.example/c/abc"
THIRTY = "a" * 30
LOOKING_AFTER = Path(__file__).parents[3] / "docs/looking-after-somebody.md"


@pytest.fixture
async def services() -> AsyncIterator[MessageServices]:
    async with message_services() as opened:
        yield opened


@pytest.fixture
async def contacts(services: MessageServices, sender: HttpSender) -> AsyncIterator[Contacts]:
    apprise = Apprise(Reach(private_allowed=True))
    yield Contacts(apprise, sender, {}, pushover=services.url)
    apprise.close()


def call(address: str, **fields: Any) -> ContactCall:
    pill, sue = build.reminder("吃药"), build.contact("sue", address=address)
    given = {
        "id": call_id(pill.id, sue.id, 1),
        "contact": sue,
        "reminder": pill,
        "text": "妈妈没有确认：吃药。",
        "link": LINK,
        "language": "zh",
        **fields,
    }
    return ContactCall(**given)


async def test_ntfy_has_three_buttons_and_opens_the_page(
    services: MessageServices, contacts: Contacts
) -> None:
    await contacts.tell(call(f"ntfy://{services.host}/sue"))

    said = services.ntfy[0]
    assert [one.label for one in services.buttons()] == ["我来处理", "已经办好", "我来不了"]
    assert [one.body for one in services.buttons()] == [
        "do=take&through=ntfy&minutes=30",
        "do=done&through=ntfy",
        "do=decline&through=ntfy",
    ]
    assert said["click"] == LINK
    assert said["message"].count(LINK) == 1


async def test_what_asks_for_nothing_has_no_buttons(
    services: MessageServices, contacts: Contacts
) -> None:
    await contacts.tell(call(f"ntfy://{services.host}/sue", asks=False, link=""))

    assert services.ntfy[0]["actions"] == []


async def test_the_app_of_home_assistant_shows_buttons(
    services: MessageServices, contacts: Contacts
) -> None:
    await contacts.tell(call(f"hassio://{services.host}/{BEARER}/notify.mobile_app_phone"))

    data = services.app[0]["data"]
    assert [one["action"] for one in data["actions"]] == [
        "CLARION take abc",
        "CLARION done abc",
        "CLARION decline abc",
    ]
    assert data["url"] == data["clickAction"] == LINK


async def test_an_app_that_is_not_there_is_unavailable(
    services: MessageServices, contacts: Contacts
) -> None:
    with pytest.raises(Unavailable, match="400"):
        await contacts.tell(call(f"hassio://{services.host}/{BEARER}/notify.mobile_app_gone"))


async def test_pushover_rings_until_it_is_acknowledged_and_says_so(
    services: MessageServices, contacts: Contacts
) -> None:
    emergency = call(f"pover://{THIRTY}@{THIRTY}/?priority=emergency")

    receipt = await contacts.tell(emergency)
    nothing_yet = await contacts.look_up(emergency.contact, receipt)
    services.fates[receipt] |= {"last_delivered_at": 1}
    arrived = await contacts.look_up(emergency.contact, receipt)
    services.fates[receipt] |= {"acknowledged": 1}
    seen = await contacts.look_up(emergency.contact, receipt)
    await contacts.withdraw(emergency.contact, receipt)

    assert services.pushover[0]["url"] == LINK
    assert nothing_yet == MessageFate()
    assert arrived == MessageFate(delivered=True)
    assert seen == MessageFate(delivered=True, opened=True, over=True)
    assert services.cancelled == [receipt]
    assert services.refused == []


async def test_nothing_goes_past_the_guarded_exit(services: MessageServices) -> None:
    sender, apprise = HttpSender(Reach()), Apprise(Reach())
    guarded = Contacts(apprise, sender, {}, pushover=services.url)

    for address in (
        f"ntfy://{services.host}/sue",
        f"hassio://{services.host}/{BEARER}/notify.mobile_app_phone",
        f"pover://{THIRTY}@{THIRTY}/?priority=emergency",
    ):
        with pytest.raises((PrivateAddress, Unavailable)):
            await guarded.tell(call(address))

    assert (services.ntfy, services.app, services.pushover) == ([], [], [])
    await sender.close()
    apprise.close()


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    async with open_doors(tmp_path, clock, by_hand=True, private_targets=True) as opened:
        yield opened


async def gives_up(doors: Doors, address: str) -> None:
    """Nobody confirms Ana's pill, and Sue is told at her address."""
    driver = Driver(doors.clock, *(one for one in doors.parts.passes if one.name == "tasks"))
    async with doors.client("admin") as root:
        await root.delete("/api/v1/devices/kitchen")
        body = {"name": "Sue", "address": address, "user_id": "ana"}
        assert (await root.post("/api/v1/contacts", json=body)).status_code == 201
        at = (doors.clock.now() + timedelta(minutes=1)).isoformat()
        pill: dict[str, Any] = {"content": "吃药", "trigger_at": at, "user_id": "ana"}
        pill["confirmation"] = {"required": True}
        assert (await root.post("/api/v1/reminders", json=pill)).status_code == 201
        await driver.fast_forward(timedelta(minutes=40))  # no device: given up after half an hour


def of_contacts(log: httpx.Response) -> list[dict[str, Any]]:
    return [one for one in log.json()["items"] if one["kind"].startswith("contact.")]


async def test_a_button_of_ntfy_answers_in_the_history_with_who_and_when(
    doors: Doors, services: MessageServices
) -> None:
    await gives_up(doors, f"ntfy://{services.host}/sue")
    async with doors.client("admin") as root, doors.client() as app:
        button = services.buttons()[0]
        path = button.url.partition("/c/")[2]
        seen = await app.get(f"/c/{path}?seen")
        pressed = await app.request(
            button.method, f"/c/{path}", content=button.body, headers=button.headers
        )
        again = await app.get(f"/c/{path}?seen")
        log = await root.get("/api/v1/events/log?limit=100")

    told = of_contacts(log)
    facts = [(one["kind"], one["data"].get("fact"), one["data"].get("name")) for one in told]
    assert seen.headers["content-type"] == again.headers["content-type"] == "image/gif"
    assert pressed.status_code == 200
    assert ("contact.reached", "opened", "Sue") in facts
    assert ("contact.took", None, "Sue") in facts
    assert len([one for one in facts if one[0] == "contact.reached"]) == 1


AUTOMATION = re.search(
    r"^```yaml\n(.*?)^```", LOOKING_AFTER.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
)


async def test_a_press_in_home_assistant_comes_back_though_clarion_is_away_and_restarts(
    tmp_path: Path, clock: ManualClock, services: MessageServices
) -> None:
    """By the automation of the documents, word for word."""
    assert AUTOMATION is not None
    async with open_doors(tmp_path, clock, by_hand=True, private_targets=True) as doors:
        await gives_up(doors, f"hassio://{services.host}/{BEARER}/notify.mobile_app_phone")
        admin = {"Authorization": f"Bearer {doors.tokens['admin']}"}
        home = HomeAssistant(AUTOMATION[1], doors.url)
    [take, *_] = [one["action"] for one in services.app[-1]["data"]["actions"]]

    await home.pressed("LIGHT_OFF")
    assert home.running == []
    await home.pressed(take)  # nobody is there
    clock.advance(timedelta(minutes=1))
    await home.minute()
    assert (len(home.running), home.heard) == (1, [])
    settings = Settings(port=0, data_dir=tmp_path, private_targets=True)
    async with await build_clarion(settings, clock) as again:
        again.parts.runners.clear()
        running = asyncio.create_task(again.run())
        await again.listening()
        home.clarion = again.url
        clock.advance(timedelta(minutes=1))
        await home.minute()
        await home.pressed(take)  # impatient: pressed once more
        async with httpx.AsyncClient(base_url=again.url, headers=admin) as root:
            log = await root.get("/api/v1/events/log?limit=100")
        [took] = [one for one in of_contacts(log) if one["kind"] == "contact.took"]
        [known] = await SqlReminders(again.parts.database).told(ReminderId(took["subject"]))
        again.stop()
        await running

    assert took["data"]["name"] == "Sue"
    assert (known.said, known.said_at, known.through) == ("took", clock.now(), "home-assistant")
    assert (home.heard, home.running) == ([200, 200], [])
