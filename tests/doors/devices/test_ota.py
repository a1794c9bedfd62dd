import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx
import pytest
from fastapi import FastAPI
from websockets.exceptions import InvalidStatus

from clarion.access.tokens import Access, hashed
from clarion.base.clock import ManualClock
from clarion.base.ids import UserId
from clarion.doors.devices.ota import OtaDesk, ota_routes
from clarion.doors.devices.simulator import SimulatedDevice, SimulatedIdentity
from clarion.doors.http.problems import add_problems
from clarion.people.activation import WAITING_MAX, Activations, Machine, NoSuchCode, Promise
from clarion.people.errors import NoSuchUser
from clarion.people.model import CLARION, Actor, Device, User
from clarion.store.sql.access.tokens import SqlTokens
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people.activation import SqlActivations
from clarion.store.sql.people.store import SqlPeople
from tests.support.databases import opened, sqlite_file
from tests.support.devices import ANA, MemoryDirectory, devices_door

KEY_LETTERS_MAX = 15  # of a name in the flash of an ESP32
MAC = "aa:bb:cc:dd:ee:ff"
HEADERS = {"Device-Id": MAC.upper(), "Client-Id": "c1", "User-Agent": "bread-compact/2.4.2"}
BODY = {
    "mac_address": MAC,
    "chip_model_name": "esp32s3",
    "application": {"name": "xiaozhi", "version": "2.4.2"},
    "board": {"type": "bread-compact-wifi"},
}


class Counted:
    def __init__(self) -> None:
        self.issued = 0
        self.promised = 0

    async def issue(self, device: Device) -> str:
        self.issued += 1
        return f"tok_{self.issued}.secret"

    def promise(self) -> tuple[Promise, str]:
        self.promised += 1
        name = f"tok_promise{self.promised}"
        return Promise(name, hashed("secret")), f"{name}.secret"


def mqtt_part(hardware: str, client: str, token: str, host: str) -> dict[str, object]:
    return {"endpoint": host, "client_id": hardware, "subscribe_topic": "x", "keepalive": 60}


@dataclass(slots=True)
class Desk:
    http: httpx.AsyncClient
    activations: Activations
    database: Database
    clock: ManualClock
    app: FastAPI
    desk: OtaDesk

    async def boot(self, **headers: str) -> dict[str, object]:
        answer = await self.http.post("/ota/", json=BODY, headers={**HEADERS, **headers})
        found: dict[str, object] = answer.raise_for_status().json()
        return found

    async def code(self, **headers: str) -> str:
        activation = (await self.boot(**headers))["activation"]
        assert isinstance(activation, dict)
        return str(activation["code"])


async def is_let_in(desk: Desk, token: str) -> bool:
    return await Access(SqlTokens(desk.database), desk.clock).is_good(token)


@pytest.fixture
async def desk(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Desk]:
    async with opened(await sqlite_file(tmp_path)) as database:
        store = SqlActivations(database)
        await SqlPeople(database).ensure_user(User(id=ANA), clock.now())
        activations = Activations(store, clock)
        zone = ZoneInfo("Asia/Shanghai")
        desk = OtaDesk(activations, Counted(), MemoryDirectory(), clock, zone, mqtt=mqtt_part)
        app = FastAPI()
        app.include_router(ota_routes(desk))
        add_problems(app)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://home:8520") as http:
            yield Desk(http, activations, database, clock, app, desk)


async def test_an_unknown_device_is_given_a_code_and_a_promise(desk: Desk) -> None:
    answer = await desk.boot()

    assert answer["websocket"] == {
        "url": "ws://home:8520/xiaozhi/v1/",
        "token": "tok_promise1.secret",
        "version": 1,
    }
    assert await is_let_in(desk, "tok_promise1.secret") is False
    assert answer["firmware"] == {"version": "2.4.2", "url": ""}
    assert answer["server_time"] == {
        "timestamp": int(desk.clock.now().timestamp() * 1000),
        "timezone_offset": 480,
    }
    assert len(await desk.code()) == 6
    assert "mqtt" not in answer


async def test_a_device_that_opens_its_line_first_learns_its_code_there(desk: Desk) -> None:
    """Some clients open the socket before they show a code: there they show and speak it."""
    identity = SimulatedIdentity(token="tok_promise1.secret", device_id=MAC, client_id="c1")
    code = await desk.code()
    async with devices_door(newcomers=desk.desk) as door:
        device = SimulatedDevice(door.url, identity)
        await device.open()
        async with asyncio.timeout(30):
            await device.closed.wait()
        heard = device.firmware

        assert [one["message"] for one in heard.messages if one["type"] == "alert"] == [code]
        assert heard.said == [f"这是新设备。请在网页上确认它的代码：{' '.join(code)}。"]
        assert (len(heard.packets), heard.dropped, heard.complaints) == (3, 0, [])
        assert door.facts.happened == [], "it is nobody's: nobody is told"
    await desk.activations.confirm(CLARION, code, user_id=ANA)
    assert await is_let_in(desk, "tok_promise1.secret"), "the promise of before is kept"


@pytest.mark.parametrize(
    "identity",
    [
        SimulatedIdentity(token="wrong", device_id="dev_speaker"),
        SimulatedIdentity(token="wrong", device_id=MAC, query="from=mqtt_gateway"),
        SimulatedIdentity(token="revoked", device_id=MAC, client_id="c1"),
    ],
    ids=["no machine", "a gateway", "one that is somebody's"],
)
async def test_who_is_no_new_device_is_refused(desk: Desk, identity: SimulatedIdentity) -> None:
    await desk.activations.confirm(CLARION, await desk.code(), user_id=ANA)
    async with devices_door(newcomers=desk.desk) as door:
        with pytest.raises(InvalidStatus):
            await SimulatedDevice(door.url, identity).open()


async def test_a_device_is_not_taken_for_somebody_nobody_knows(desk: Desk) -> None:
    code = await desk.code()

    with pytest.raises(NoSuchUser):
        await desk.activations.confirm(CLARION, code, user_id=UserId("nope"))

    taken = await desk.activations.confirm(CLARION, code, user_id=ANA)
    assert taken.user_id == ANA, "its code still waits"


async def test_asking_again_gives_the_same_code(desk: Desk) -> None:
    assert await desk.code() == await desk.code()


async def test_a_confirmed_device_gets_a_token(desk: Desk) -> None:
    code = await desk.code()
    waits = await desk.http.post("/ota/activate", headers=HEADERS)

    device = await desk.activations.confirm(CLARION, code, user_id=ANA, name="厨房")
    done = await desk.http.post("/ota/activate", headers=HEADERS)
    answer = await desk.boot()

    assert (waits.status_code, done.status_code) == (202, 200)
    assert (device.user_id, device.address, device.name) == (ANA, MAC, "厨房")
    assert device.facts["firmware"] == "2.4.2"
    assert "activation" not in answer
    assert answer["websocket"] == {
        "url": "ws://home:8520/xiaozhi/v1/",
        "token": "tok_1.secret",
        "version": 1,
    }


async def test_no_key_is_too_long_for_the_devices_flash(desk: Desk) -> None:
    await desk.activations.confirm(CLARION, await desk.code(), user_id=ANA)

    answer = await desk.boot()
    parts = [answer["websocket"], answer["mqtt"]]

    assert all(isinstance(part, dict) for part in parts)
    assert max(len(key) for part in parts if isinstance(part, dict) for key in part) <= (
        KEY_LETTERS_MAX
    )


async def test_a_stranger_with_the_same_mac_gets_no_token(desk: Desk) -> None:
    await desk.activations.confirm(CLARION, await desk.code(), user_id=ANA)

    answer = await desk.boot(**{"Client-Id": "thief"})

    assert "activation" in answer
    assert isinstance(answer["websocket"], dict)
    assert not await is_let_in(desk, str(answer["websocket"]["token"]))


async def test_the_promise_is_kept_when_the_owner_says_yes(desk: Desk) -> None:
    before = await desk.boot()
    again = await desk.boot()
    assert isinstance(before["websocket"], dict)
    assert isinstance(again["websocket"], dict)
    assert isinstance(again["activation"], dict)

    await desk.activations.confirm(CLARION, again["activation"]["code"], user_id=ANA)

    assert await is_let_in(desk, again["websocket"]["token"])
    assert not await is_let_in(desk, before["websocket"]["token"])


async def test_a_device_that_forgot_itself_keeps_its_id_when_confirmed_again(desk: Desk) -> None:
    first = await desk.activations.confirm(CLARION, await desk.code(), user_id=ANA, name="厨房")

    code = await desk.code(**{"Client-Id": "after a reset"})
    second = await desk.activations.confirm(CLARION, code, user_id=ANA)

    assert (second.id, second.name) == (first.id, "厨房")
    assert await desk.code() != ""


async def test_a_code_is_good_once_and_for_half_an_hour(desk: Desk) -> None:
    code = await desk.code()
    await desk.activations.confirm(CLARION, code, user_id=ANA)
    with pytest.raises(NoSuchCode):
        await desk.activations.confirm(CLARION, code, user_id=ANA)

    late = await desk.code(**{"Device-Id": "aa:aa:aa:aa:aa:aa"})
    desk.clock.advance(timedelta(minutes=31))
    with pytest.raises(NoSuchCode):
        await desk.activations.confirm(CLARION, late, user_id=ANA)


async def test_codes_are_shown_to_admins_alone(desk: Desk) -> None:
    code = await desk.code()
    ana = Actor(user_id=ANA, admin=False, name="ana")

    assert [one.code for one in await desk.activations.waiting(CLARION)] == [code]
    assert await desk.activations.waiting(ana) == []


async def test_a_refused_device_may_ask_again(desk: Desk) -> None:
    code = await desk.code()

    await desk.activations.refuse(CLARION, code)

    assert await desk.activations.waiting(CLARION) == []
    assert len(await desk.code()) == 6


async def test_a_device_that_was_removed_has_to_ask_again(desk: Desk) -> None:
    device = await desk.activations.confirm(CLARION, await desk.code(), user_id=ANA)

    await SqlPeople(desk.database).remove_device(device.id, desk.clock.now())

    assert "activation" in await desk.boot()


async def test_people_see_a_page_and_nonsense_is_refused(desk: Desk) -> None:
    page = await desk.http.get("/ota")
    nameless = await desk.http.post("/ota", content=b"{broken")
    strange = await desk.http.post("/ota", headers={"Device-Id": "../../etc"})

    assert "console" in page.text
    assert (nameless.status_code, strange.status_code) == (400, 400)


async def test_a_device_that_asks_too_often_is_told_to_wait(desk: Desk) -> None:
    answers = [await desk.http.post("/ota", headers=HEADERS) for _ in range(65)]

    assert {answer.status_code for answer in answers} == {200, 429}


async def test_a_crowd_of_strangers_keeps_no_real_device_out(desk: Desk) -> None:
    """One network fills its own part alone; the device in the kitchen gets its code."""
    refused = 0
    for number in range(200):
        answer = await desk.http.post("/ota/", headers={**HEADERS, "Device-Id": f"fake-{number}"})
        refused += answer.status_code == 429
    assert refused == 150

    elsewhere = httpx.ASGITransport(desk.app, client=("192.0.2.7", 1))
    async with httpx.AsyncClient(transport=elsewhere, base_url="http://clarion") as other:
        real = await other.post("/ota/", json=BODY, headers=HEADERS)
        again = await other.post("/ota/", json=BODY, headers=HEADERS)

    assert real.json()["activation"]["code"] == again.json()["activation"]["code"]


async def test_the_oldest_stranger_goes_first(desk: Desk) -> None:
    oldest = await desk.code()
    for number in range(WAITING_MAX):
        desk.clock.advance(timedelta(seconds=1))
        machine = Machine(hardware=f"fake-{number}", client="c")
        newest = await desk.activations.ask(machine, Promise(f"tok_{number}", "h"))
    codes = [one.code for one in await desk.activations.waiting(CLARION)]

    assert len(codes) == WAITING_MAX
    assert newest.code in codes
    assert oldest not in codes
