"""Kinds of one's own over HTTP: registered, signed, tried again, paused, limited, traced."""

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError
from sqlalchemy import delete

from clarion.base.clock import SystemClock
from clarion.base.log import JsonLines
from clarion.doors.http.api.queue.kinds import KindIn
from clarion.store.sql.tables.access import idempotency
from clarion.store.sql.tasks.store import SqlTasks
from clarion.tasks.records import TaskFilter
from clarion.webhooks.model import DELIVER, sign
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.drive import Driver
from tests.support.fakes.receiver import Receiver, receiving

TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as opened:
        opened.status, opened.answer = 200, b'{"ordered": "tea"}'
        yield opened


@pytest.fixture
async def doors(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Doors]:
    """What both databases promise is in `tests/contracts/test_task_gates.py`."""
    async with open_doors(tmp_path, clock, by_hand=True, private_targets=True) as opened:
        yield opened


@pytest.fixture
def driver(doors: Doors) -> Driver:
    passes = {work.name: work for work in doors.parts.passes}
    return Driver(doors.clock, passes["tasks-registry"], passes["tasks"])


@pytest.fixture
async def admin(doors: Doors) -> AsyncIterator[httpx.AsyncClient]:
    async with doors.client("admin") as client:
        client.base_url = f"{client.base_url}/api/v1"
        yield client


async def register(admin: httpx.AsyncClient, url: str, **more: Any) -> dict[str, Any]:
    made = await admin.put("/kinds/shop.order", json={"url": url, **more})
    assert made.status_code in (200, 201), made.text
    found: dict[str, Any] = made.json()
    return found


async def order(admin: httpx.AsyncClient, **more: Any) -> str:
    body = {"kind": "shop.order", "payload": {"article": "tea"}, **more}
    made = await admin.post("/tasks", json=body)
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def task(admin: httpx.AsyncClient, id_: str) -> dict[str, Any]:
    found: dict[str, Any] = (await admin.get(f"/tasks/{id_}")).json()
    return found


async def test_a_signed_post_carries_it_out_and_its_answer_is_the_result(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    kind = await register(admin, f"{receiver.url}/orders")
    id_ = await order(admin)
    await driver.settle()

    headers, body = receiver.headers[0], receiver.bodies[0]
    at = int(headers["webhook-timestamp"])
    assert headers["webhook-id"] == id_
    assert headers["webhook-signature"] == sign(kind["secret"], id_, at, body)
    assert json.loads(body)["payload"] == {"article": "tea"}
    assert (await task(admin, id_))["result"] == {"ordered": "tea"}


async def test_a_refusal_is_tried_again_with_the_same_id_and_then_dead(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url, retries=2)
    receiver.status, receiver.answer = 500, b"no\0 tea"
    id_ = await order(admin)

    await driver.fast_forward(timedelta(minutes=1))

    found = await task(admin, id_)
    assert (found["status"], found["attempt"]) == ("dead", 3)
    assert found["error"].startswith("RemoteTaskFailed: ")
    assert found["error"].endswith("answered 500: no tea")
    assert {headers["webhook-id"] for headers in receiver.headers} == {id_}


async def test_slow_receivers_do_not_hold_up_what_others_do(
    tmp_path: Path, receiver: Receiver
) -> None:
    """Neither tasks that are sent by HTTP nor webhooks; here the only ordinary slot stays free."""
    slots: dict[str, Any] = {"task_slots": 1, "task_outside_slots": 2}
    async with (
        open_doors(tmp_path, SystemClock(), private_targets=True, **slots) as doors,
        doors.client("admin") as admin,
        receiving() as quick,
    ):
        admin.base_url = httpx.URL(f"{admin.base_url}/api/v1")
        await register(admin, receiver.url)
        await admin.put("/kinds/shop.quick", json={"url": quick.url})
        receiver.answers.clear()
        for _ in range(2):
            await order(admin)
            await receiver.came.get()

        await order(admin, kind="shop.quick")
        async with asyncio.timeout(30):
            await quick.came.get()

        assert doors.parts.kinds.is_outside(DELIVER)
        receiver.answers.set()


async def test_a_request_that_is_sent_twice_adds_one_task(
    admin: httpx.AsyncClient, doors: Doors, receiver: Receiver
) -> None:
    await register(admin, receiver.url)
    body = {"kind": "shop.order", "payload": {"article": "tea"}}
    once = {"Idempotency-Key": "order-1"}

    first = await admin.post("/tasks", json=body, headers=once)
    again = await admin.post("/tasks", json=body, headers=once)
    other = await admin.post("/tasks", json=body | {"base": 50}, headers=once)
    await doors.parts.database.write(lambda conn: conn.execute(delete(idempotency)))
    unanswered = await admin.post("/tasks", json=body, headers=once)  # its server died meanwhile

    assert [one.status_code for one in (first, again, other, unanswered)] == [201, 201, 422, 201]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json()["id"] == again.json()["id"] == unanswered.json()["id"]
    assert len((await admin.get("/tasks", params={"kind": "shop.order"})).json()["items"]) == 1


@pytest.mark.parametrize("digits", [20, 6_000])
async def test_who_asks_for_too_much_patience_is_asked_again_in_an_hour(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver, digits: int
) -> None:
    await register(admin, receiver.url)
    receiver.status, receiver.retry_after = 503, "9" * digits
    id_ = await order(admin)
    await driver.settle()
    waiting = await task(admin, id_)
    receiver.status = 200

    await driver.fast_forward(timedelta(minutes=61))

    assert (waiting["status"], waiting["attempt"]) == ("scheduled", 0)
    assert (await task(admin, id_))["status"] == "done"


async def test_who_asks_for_patience_gets_it_and_no_try_is_used_up(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url)
    receiver.status, receiver.retry_after = 503, "20"
    id_ = await order(admin)
    await driver.settle()
    waiting = await task(admin, id_)
    receiver.status = 200

    await driver.fast_forward(timedelta(seconds=21))

    assert (waiting["status"], waiting["attempt"]) == ("scheduled", 0)
    assert (await task(admin, id_))["status"] == "done"


@pytest.mark.parametrize(
    ("answer", "media", "result"),
    [
        pytest.param(b"", "application/json", None, id="nothing"),
        pytest.param("好".encode(), "text/plain", "好", id="words"),
        pytest.param(b"[1, 2]", "application/vnd.shop+json", [1, 2], id="json"),
    ],
)
async def test_every_good_answer_is_a_result(
    admin: httpx.AsyncClient,
    driver: Driver,
    receiver: Receiver,
    answer: bytes,
    media: str,
    result: Any,
) -> None:
    await register(admin, receiver.url)
    receiver.answer, receiver.media = answer, media
    id_ = await order(admin)
    await driver.settle()

    assert (await task(admin, id_))["result"] == result


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"{", id="broken"),
        pytest.param(b"1" * 70_000, id="a file"),
        pytest.param(b"[" * 60_000, id="too deep"),
        pytest.param(b"9" * 6_000, id="too large a number"),
        pytest.param(rb'{"said": "\ud800"}', id="half a letter"),
    ],
)
async def test_an_answer_that_cannot_be_kept_fails_the_try(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver, answer: bytes
) -> None:
    await register(admin, receiver.url)
    receiver.answer = answer
    id_ = await order(admin)
    await driver.settle()

    assert (await task(admin, id_))["status"] == "scheduled"


async def test_a_private_address_is_refused_where_it_is_not_allowed(
    tmp_path: Path, clock: ManualClock
) -> None:
    async with (
        open_doors(tmp_path, clock, by_hand=True) as doors,
        doors.client("admin") as client,
    ):
        refused = await client.put("/api/v1/kinds/shop.order", json={"url": "http://127.0.0.1/"})

    assert (refused.status_code, refused.json()["code"]) == (403, "private_address")


async def test_the_secret_is_shown_once_and_stays(
    admin: httpx.AsyncClient, receiver: Receiver
) -> None:
    first = await register(admin, receiver.url)
    second = await register(admin, f"{receiver.url}/other", retries=1)
    kinds = (await admin.get("/kinds")).json()["items"]
    (listed,) = (one for one in kinds if one["name"] == "shop.order")

    assert first["secret"].startswith("whsec_")
    assert (second["secret"], second["address"], second["retries"]) == (
        None,
        f"{receiver.url}/other",
        1,
    )
    assert listed["secret"] is None


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"bullmq": "reminders"}, id="a queue of ours"),
        pytest.param({"bullmq": "a:b"}, id="a colon"),
        pytest.param({"url": "http://a.example/", "bullmq": "shop"}, id="both"),
        pytest.param({"url": "ftp://a.example/"}, id="another protocol"),
        pytest.param({"url": "http://a.example/", "concurrency": 0}, id="none at a time"),
    ],
)
def test_what_makes_no_sense_is_no_kind(body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        KindIn.model_validate(body)


async def test_what_this_server_cannot_do_is_refused(admin: httpx.AsyncClient) -> None:
    ours = await admin.put("/kinds/reminder.ring", json={"url": "http://a.example/"})
    no_redis = await admin.put("/kinds/shop.order", json={"bullmq": "shop"})

    assert (ours.status_code, ours.json()["code"]) == (409, "kind_taken")
    assert (no_redis.status_code, no_redis.json()["code"]) == (409, "no_bullmq_here")


async def test_a_kind_that_is_removed_is_no_longer_taken(
    admin: httpx.AsyncClient, receiver: Receiver
) -> None:
    await register(admin, receiver.url)

    removed = [(await admin.delete("/kinds/shop.order")).status_code for _ in range(2)]

    assert removed == [204, 404]
    assert (await admin.post("/tasks", json={"kind": "shop.order"})).status_code == 404


async def test_a_paused_queue_begins_nothing_says_so_and_goes_on(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver, doors: Doors
) -> None:
    await register(admin, receiver.url)
    assert (await admin.post("/queues/chores/pause")).status_code == 204
    id_ = await order(admin)
    await driver.fast_forward(timedelta(minutes=5))
    why = (await admin.get(f"/tasks/{id_}/why")).json()
    health = (await admin.get(f"{doors.url}/health")).json()
    queues = (await admin.get("/queues")).json()["items"]
    heard = list(receiver.bodies)

    assert (await admin.post("/queues/chores/resume")).status_code == 204
    await driver.fast_forward(timedelta(seconds=6))

    assert heard == []
    assert (why["held"], why["expected_at"]) == (True, None)
    assert health["checks"]["queues"]["detail"] == "Paused: chores."
    assert [one["name"] for one in queues if one["paused"]] == ["chores"]
    assert (await task(admin, id_))["status"] == "done"
    assert (await admin.post("/queues/tea/pause")).status_code == 404


async def test_a_paused_kind_waits_while_its_queue_goes_on(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url)
    await admin.put("/kinds/shop.parcel", json={"url": receiver.url})
    await admin.post("/kinds/shop.order/pause")
    held, free = await order(admin), await order(admin, kind="shop.parcel")

    await driver.settle()

    assert (await task(admin, held))["status"] == "ready"
    assert (await task(admin, free))["status"] == "done"


async def test_a_rate_is_kept_by_whoever_carries_it_out(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url, rate={"number": 2, "seconds": 10})
    for _ in range(6):
        await order(admin)

    await driver.fast_forward(timedelta(seconds=12))

    assert len(receiver.bodies) == 3  # at 0, 5 and 10 seconds


async def test_a_key_is_refused_again_for_its_window(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url)
    unique = {"kind": "shop.order", "key": "order:7", "unique_seconds": 3600}
    await order(admin, **unique)
    await driver.settle()

    again = await admin.post("/tasks", json=unique)
    keyless = await admin.post("/tasks", json={"kind": "shop.order", "unique_seconds": 5})
    await driver.fast_forward(timedelta(hours=1))
    later = await admin.post("/tasks", json=unique)

    assert (again.status_code, again.json()["code"]) == (409, "task_known")
    assert keyless.status_code == 422
    assert later.status_code == 201


async def test_a_trace_goes_from_the_request_through_the_task_to_the_handler_and_into_logs(
    admin: httpx.AsyncClient, driver: Driver, receiver: Receiver
) -> None:
    await register(admin, receiver.url, retries=0)
    receiver.status = 500
    body = {"kind": "shop.order"}
    made = await admin.post("/tasks", json=body, headers={"traceparent": TRACE})
    odd = await admin.post("/tasks", json=body, headers={"traceparent": "00-nonsense-01"})
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.setFormatter(JsonLines())
    logging.getLogger("clarion.tasks").addHandler(handler)
    try:
        await driver.settle()
    finally:
        logging.getLogger("clarion.tasks").removeHandler(handler)
    lines = [json.loads(line) for line in said.getvalue().splitlines()]

    assert (made.json()["trace"], odd.json()["trace"]) == (TRACE, None)
    sent = {one["webhook-id"]: one.get("traceparent") for one in receiver.headers}
    assert sent == {made.json()["id"]: TRACE, odd.json()["id"]: None}
    failed = [line for line in lines if line.get("task") == made.json()["id"]]
    assert {line["trace"] for line in failed if "trace" in line} == {TRACE.split("-")[1]}


async def test_what_a_request_sets_for_later_keeps_its_trace(
    doors: Doors,
) -> None:
    at = (START + timedelta(hours=5)).isoformat()
    async with doors.client("ana") as ana:
        body = {"content": "吃药", "trigger_at": at}
        await ana.post("/api/v1/reminders", json=body, headers={"traceparent": TRACE})

    page = await SqlTasks(doors.parts.database).page(TaskFilter(kind="reminder.ring"))
    assert [record.task.trace for record in page.records] == [TRACE]
