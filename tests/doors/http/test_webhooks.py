"""Webhooks from subscription to delivery: signed, retried, dead-lettered, switched off."""

import json
import socket
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from clarion.store.sql.tasks.store import SqlTasks
from clarion.store.sql.webhooks import SqlWebhooks
from clarion.tasks.records import TaskFilter, TaskStatus
from clarion.webhooks.model import sign
from clarion.webhooks.service import FanOut
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.drive import Driver
from tests.support.fakes.receiver import Receiver, receiving

PATH = "/api/v1/webhooks"
AT = (START + timedelta(hours=5)).isoformat()


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        yield opened


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock, database_url: str) -> AsyncIterator[Doors]:
    """Nothing happens by itself here: a driver runs the passes."""
    async with open_doors(
        tmp_path, clock, by_hand=True, private_targets=True, database_url=database_url
    ) as opened:
        yield opened


def driving(doors: Doors) -> Driver:
    """First what happened becomes deliveries, then they are carried out."""
    passes = {work.name: work for work in doors.parts.passes}
    fan_out = FanOut(SqlWebhooks(doors.parts.database), doors.clock)
    return Driver(doors.clock, fan_out, passes["tasks"])


@pytest.fixture
def driver(doors: Doors) -> Driver:
    return driving(doors)


async def subscribe(client: httpx.AsyncClient, url: str, **more: object) -> dict[str, str]:
    made = await client.post(PATH, json={"url": url, **more})
    assert made.status_code == 201, made.text
    body: dict[str, str] = made.json()
    return body


async def remind(client: httpx.AsyncClient, content: str) -> None:
    body = {"content": content, "trigger_at": AT}
    assert (await client.post("/api/v1/reminders", json=body)).status_code == 201


async def test_a_subscriber_gets_a_signed_message(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    async with doors.client("ana") as ana:
        hook = await subscribe(ana, receiver.url, kinds=["reminder.*"])
        await remind(ana, "吃药")
        await driver.settle()

    headers, body = receiver.headers[0], receiver.bodies[0]
    name, at = headers["webhook-id"], int(headers["webhook-timestamp"])
    assert json.loads(body)["data"]["content"] == "吃药"
    assert headers["webhook-signature"] == sign(hook["secret"], name, at, body)


async def test_ana_never_gets_what_is_bos(doors: Doors, driver: Driver, receiver: Receiver) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        hook = await subscribe(ana, receiver.url)
        foreign = await bo.get(f"{PATH}/{hook['id']}")
        await remind(bo, "bo's secret")
        await driver.settle()

    assert foreign.status_code == 404
    assert receiver.bodies == []


async def test_a_message_that_is_not_taken_is_tried_again_and_then_dies(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    receiver.status = 500
    async with doors.client("ana") as ana:
        await subscribe(ana, receiver.url, kinds=["reminder.created"])
        await remind(ana, "吃药")
        await driver.settle()
        first = len(receiver.bodies)
        await driver.fast_forward(timedelta(days=3))

    page = await SqlTasks(doors.parts.database).page(TaskFilter(status=TaskStatus.DEAD))
    assert first == 1
    assert len(receiver.bodies) == 13
    assert {one["webhook-id"] for one in receiver.headers} == {receiver.headers[0]["webhook-id"]}
    assert [record.task.kind for record in page.records] == ["webhook.deliver"]


async def test_a_receiver_that_comes_back_gets_what_waited(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    receiver.status = 503
    async with doors.client("ana") as ana:
        await subscribe(ana, receiver.url, kinds=["reminder.created"])
        await remind(ana, "吃药")
        await driver.settle()
        receiver.status = 200
        await driver.fast_forward(timedelta(minutes=1))
        await driver.fast_forward(timedelta(hours=2))

    assert len(receiver.bodies) == 2


async def test_a_receiver_that_is_gone_for_good_is_switched_off(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    receiver.status = 410
    async with doors.client("ana") as ana:
        hook = await subscribe(ana, receiver.url, kinds=["reminder.created"])
        await remind(ana, "吃药")
        await driver.settle()
        await remind(ana, "喝水")
        await driver.fast_forward(timedelta(hours=1))
        seen = (await ana.get(f"{PATH}/{hook['id']}")).json()

    assert len(receiver.bodies) == 1
    assert (seen["enabled"], seen["reason"]) == (False, "gone")


async def test_a_trial_message_reaches_only_the_hook_it_is_for(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    async with doors.client("ana") as ana:
        await subscribe(ana, f"{receiver.url}/one", kinds=["reminder.created"])
        hook = await subscribe(ana, f"{receiver.url}/two", kinds=["reminder.created"])
        await ana.post(f"{PATH}/{hook['id']}/test")
        await driver.settle()

    assert [json.loads(body)["type"] for body in receiver.bodies] == ["webhook.test"]


async def test_a_rotated_secret_signs_beside_the_old_one(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    async with doors.client("ana") as ana:
        hook = await subscribe(ana, receiver.url, kinds=["reminder.created"])
        rotated = (await ana.post(f"{PATH}/{hook['id']}/rotate")).json()
        await remind(ana, "吃药")
        await driver.settle()

    assert rotated["secret"] != hook["secret"]
    assert len(receiver.headers[0]["webhook-signature"].split()) == 2


async def test_what_happened_before_is_not_sent(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    async with doors.client("ana") as ana:
        await remind(ana, "before")
        hook = await subscribe(ana, receiver.url, kinds=["reminder.created"])
        off = await ana.patch(
            f"{PATH}/{hook['id']}", json={"enabled": False}, headers={"If-Match": '"1"'}
        )
        await remind(ana, "while off")
        await driver.settle()
        await ana.patch(f"{PATH}/{hook['id']}", json={"enabled": True}, headers={"If-Match": "*"})
        await remind(ana, "after")
        await driver.settle()

    assert off.status_code == 200
    assert [json.loads(body)["data"]["content"] for body in receiver.bodies] == ["after"]


async def test_a_hook_whose_name_becomes_private_is_switched_off(
    tmp_path: Path, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its spelling told nothing when it was set; the look-up at the delivery does."""
    here = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.2.3", 443))]
    async with open_doors(tmp_path, clock, by_hand=True) as opened, opened.client("ana") as ana:
        hook = await subscribe(ana, "https://hooks.example.com/in")
        monkeypatch.setattr("clarion.exits.reach.look_up", lambda *_: here)
        await remind(ana, "吃药")
        await driving(opened).settle()
        shown = (await ana.get(f"{PATH}/{hook['id']}")).json()

    assert (shown["enabled"], shown["reason"]) == (False, "forbidden_address")


async def test_a_private_address_is_refused_when_it_is_set(
    tmp_path: Path, clock: ManualClock, receiver: Receiver
) -> None:
    async with open_doors(tmp_path, clock, by_hand=True) as doors, doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"url": receiver.url})
        await remind(ana, "吃药")
        await driving(doors).settle()

    assert (refused.status_code, refused.json()["code"]) == (403, "private_address")
    assert receiver.bodies == []


@pytest.mark.parametrize("url", ["ftp://example.com/", "https://ana:pw@example.com/", "x"])
async def test_an_address_that_is_none_is_refused(doors: Doors, url: str) -> None:
    async with doors.client("ana") as ana:
        refused = await ana.post(PATH, json={"url": url})

    assert refused.status_code == 422


async def test_deliveries_are_listed_and_sent_again(
    doors: Doors, driver: Driver, receiver: Receiver
) -> None:
    async with doors.client("ana") as ana, doors.client("bo") as bo:
        hook = await subscribe(ana, receiver.url, kinds=["reminder.*"])
        await remind(ana, "吃药")
        await driver.settle()
        [first] = (await ana.get(f"{PATH}/{hook['id']}/deliveries")).json()["items"]
        again = f"{PATH}/{hook['id']}/deliveries/{first['sequence']}"
        foreign = (await bo.post(again)).status_code
        sent = (await ana.post(again)).status_code
        unknown = (await ana.post(f"{PATH}/{hook['id']}/deliveries/999999")).status_code
        await driver.settle()

    assert (first["status"], first["attempt"]) == ("done", 1)
    assert (foreign, sent, unknown) == (404, 202, 404)
    assert [one["webhook-id"] for one in receiver.headers] == [
        receiver.headers[0]["webhook-id"]
    ] * 2
