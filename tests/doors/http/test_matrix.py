"""Every route, every kind of token, own and foreign: nothing is left to memory.

Each row says what each caller gets. A route that is in no row fails the test, so whoever adds
one has to decide who may use it.
"""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any, NamedTuple

import httpx
import pytest
import pytest_asyncio

from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors

AT = (START + timedelta(hours=3)).isoformat()
OK = frozenset(range(200, 300))
ANY = {"If-Match": "*"}


class Route(NamedTuple):
    method: str
    path: str
    """`{…}` is filled with something of Ana's."""
    owner: str
    """Who may: `user` is Ana herself and admins, `admin` admins only, `anyone` any token."""
    body: Any = None
    headers: dict[str, str] | None = None


def user(method: str, path: str, body: Any = None) -> Route:
    return Route(method, path, "user", body, ANY)


def admin(method: str, path: str, body: Any = None) -> Route:
    return Route(method, path, "admin", body, ANY)


REMINDER = {"content": "吃药", "trigger_at": AT, "user_id": "ana"}
SERIES = {"content": "跑步", "pattern": "0 7 * * *", "user_id": "ana"}
CONTACT = {"name": "Bo", "address": "device:study", "user_id": "ana"}

ROUTES = [
    user("POST", "/reminders", REMINDER),
    user("POST", "/reminders/natural", {"text": "明天8点吃药", "user_id": "ana"}),
    user("POST", "/reminders/preview", {"text": "每天8点", "user_id": "ana"}),
    user("GET", "/reminders?user_id=ana"),
    user("GET", "/reminders/{reminder}"),
    user("GET", "/reminders/{reminder}/history"),
    user("PATCH", "/reminders/{reminder}", {"content": "喝水"}),
    user("POST", "/reminders/{reminder}/snooze", {"duration": 60}),
    user("POST", "/reminders/{reminder}/confirm"),
    user("POST", "/reminders/{reminder}/cancel"),
    user("DELETE", "/reminders/{reminder}"),
    user("POST", "/series", SERIES),
    user("GET", "/series?user_id=ana"),
    user("GET", "/series/{series}"),
    user("PATCH", "/series/{series}", {"content": "游泳"}),
    user("POST", "/series/{series}/pause"),
    user("POST", "/series/{series}/resume"),
    user("POST", "/series/{series}/skip"),
    user("DELETE", "/series/{series}"),
    user("GET", "/users/ana"),
    user("PATCH", "/users/ana", {"name": "Ana"}),
    user("GET", "/users/ana/adherence"),
    user("GET", "/users/ana/export"),
    user("POST", "/users/ana/calendar"),
    user("POST", "/users/ana/calendar/import"),
    admin("POST", "/users", {"id": "new"}),
    user("GET", "/devices?user_id=ana"),
    user("POST", "/devices", {"kind": "terminal", "user_id": "ana"}),
    user("GET", "/devices/{device}"),
    user("PATCH", "/devices/{device}", {"name": "x"}),
    user("DELETE", "/devices/{device}"),
    user("GET", "/contacts?user_id=ana"),
    user("POST", "/contacts", CONTACT),
    user("GET", "/contacts/{contact}"),
    user("PATCH", "/contacts/{contact}", {"delay": 5}),
    user("DELETE", "/contacts/{contact}"),
    user("GET", "/webhooks/{webhook}"),
    user("PATCH", "/webhooks/{webhook}", {"name": "x"}),
    user("POST", "/webhooks/{webhook}/rotate"),
    user("POST", "/webhooks/{webhook}/test"),
    user("DELETE", "/webhooks/{webhook}"),
    user("DELETE", "/tokens/{token}"),
    admin("POST", "/tokens", {"kind": "admin"}),
    admin("POST", "/login-codes", {}),
    admin("GET", "/tasks"),
    admin("GET", "/tasks/counts"),
    admin("DELETE", "/users/new"),
    admin("GET", "/devices/activations"),
    admin("DELETE", "/devices/activations/000000"),
]
NO_SUCH = [
    admin("GET", "/tasks/none"),
    admin("POST", "/tasks/none/replay"),
    admin("DELETE", "/tasks/none"),
]
EVERYBODYS = ("/users", "/tokens", "/webhooks", "/events/log", "/devices", "/reminders", "/series")
"""Lists that show each caller their own part."""
ELSEWHERE = {
    ("get", "/me"): "any token: test_auth",
    ("post", "/session"): "a code instead of a token: test_auth",
    ("delete", "/session"): "the session's own cookie: test_auth",
    ("get", "/events"): "a stream: test_live",
    ("get", "/users/{user_id}/reminders.ics"): "a secret address: test_calendar",
    ("post", "/devices/activations/{code}"): "whoever sees the code: the devices' own tests",
    ("post", "/webhooks"): "makes the caller's own: test_webhooks",
}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    """One Clarion for all rows: each row brings its own things."""
    folder = tmp_path_factory.mktemp("matrix")
    async with open_doors(folder, ManualClock(START), requests_per_second=0) as opened:
        yield opened


async def things(doors: Doors) -> dict[str, str]:
    """Something of every kind, all of it Ana's."""
    async with doors.client("ana") as ana, doors.client("admin") as root:

        async def make(path: str, body: dict[str, Any]) -> str:
            answer = await ana.post(f"/api/v1{path}", json=body)
            assert answer.status_code == 201, answer.text
            return str(answer.json()["id"])

        made = await root.post("/api/v1/tokens", json={"user_id": "ana"})
        return {
            "reminder": await make("/reminders", REMINDER),
            "series": await make("/series", SERIES),
            "device": await make("/devices", {"kind": "terminal"}),
            "contact": await make("/contacts", CONTACT),
            "webhook": await make("/webhooks", {"url": "https://example.com/"}),
            "token": made.json()["id"],
        }


async def ask(client: httpx.AsyncClient, route: Route, found: dict[str, str]) -> int:
    path = f"/api/v1{route.path.format(**found)}"
    if path.endswith("/import"):
        content = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
        return (await client.post(path, content=content)).status_code
    answer = await client.request(route.method, path, json=route.body, headers=route.headers)
    return answer.status_code


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
async def test_each_caller_gets_what_is_theirs_and_no_more(doors: Doors, route: Route) -> None:
    found = await things(doors)

    async with (
        doors.client() as nobody,
        doors.client("kitchen") as device,
        doors.client("bo") as foreign,
        doors.client("ana") as own,
        doors.client("admin") as root,
    ):
        statuses = [
            await ask(client, route, found) for client in (nobody, device, foreign, own, root)
        ]

    without, by_device, by_bo, by_ana, by_admin = statuses
    assert without == 401
    assert by_device in {403, 404}
    assert by_bo in {403, 404}
    assert (by_ana in OK) is (route.owner == "user")
    assert by_ana in OK or by_ana == 403
    # What Ana has just ended is over for the admin as well: 409 or 404, never a refusal.
    assert by_admin in OK | {404, 409}


@pytest.mark.parametrize("route", NO_SUCH, ids=lambda route: f"{route.method} {route.path}")
async def test_what_is_not_there_is_not_there_for_admins_alone(doors: Doors, route: Route) -> None:
    async with doors.client("ana") as ana, doors.client("admin") as root:
        statuses = await ask(ana, route, {}), await ask(root, route, {})

    assert statuses == (403, 404)


@pytest.mark.parametrize("path", EVERYBODYS)
async def test_a_list_shows_each_caller_their_own(doors: Doors, path: str) -> None:
    await things(doors)

    async with doors.client("ana") as ana, doors.client("bo") as bo, doors.client("kitchen") as k:
        hers = (await ana.get(f"/api/v1{path}")).json()["items"]
        his = (await bo.get(f"/api/v1{path}")).json()["items"]
        refused = await k.get(f"/api/v1{path}")

    owners = {one.get("user_id", one["id"]) for one in hers}
    assert owners == {"ana"}
    assert {one.get("user_id", one["id"]) for one in his} <= {"bo"}
    assert refused.status_code == 403


async def test_a_device_sees_itself_and_no_other(doors: Doors) -> None:
    async with doors.client("kitchen") as device:
        itself = await device.get("/api/v1/devices/kitchen")
        other = await device.get("/api/v1/devices/study")
        who = await device.get("/api/v1/me")

    assert (itself.status_code, other.status_code, who.status_code) == (200, 404, 200)


async def test_no_route_of_the_api_is_forgotten(doors: Doors) -> None:
    async with doors.client() as nobody:
        paths = (await nobody.get("/api/openapi.json")).json()["paths"]

    known = {
        (route.method.lower(), shape(route.path.partition("?")[0])) for route in ROUTES + NO_SUCH
    }
    known |= {("get", path) for path in EVERYBODYS}
    known |= {(method, shape(path)) for method, path in ELSEWHERE}
    asked = {
        (method, shape(path.removeprefix("/api/v1")))
        for path, methods in paths.items()
        for method in methods
        if path.startswith("/api/v1") and methods[method]["tags"][0] in OURS
    }
    assert asked - known == set()


OURS = {
    *("reminders", "series", "users", "devices", "contacts", "webhooks", "tokens", "tasks"),
    *("events", "calendar", "reports"),
}


def shape(path: str) -> str:
    """`/reminders/{reminder_id}/confirm` and `/users/ana` alike: names of things become a star."""
    named = {"ana", "new", "none", "000000"}
    steps = ["*" if step.startswith("{") or step in named else step for step in path.split("/")]
    return "/".join(steps)
