"""Every route, every kind of token, own and foreign: nothing is left to memory.

Each row says what each caller gets. A route that is in no row fails the test, so whoever adds
one has to decide who may use it. The routes are those of the running application: one that is
not in the API's description counts as well.
"""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, NamedTuple

import httpx
import pytest
import pytest_asyncio
from fastapi import APIRouter, FastAPI

from clarion.access.tokens import TokenKind
from tests.support.clock import START, ManualClock
from tests.support.doors import Doors, open_doors
from tests.support.routes import every_route

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
CONTACT = {"name": "Bo", "address": "device:kitchen", "user_id": "ana"}
NOBODY = "http://nobody.invalid/"  # a name that is never given to anybody
THINGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "reminder": ("/reminders", "ana", REMINDER),
    "series": ("/series", "ana", SERIES),
    "device": ("/devices", "ana", {"kind": "terminal"}),
    "contact": ("/contacts", "admin", CONTACT),  # who vouches for them
    "rotation": ("/rotations", "ana", {"name": "nights", "begins_on": "2030-01-07"}),
    "webhook": ("/webhooks", "ana", {"url": NOBODY}),
    "token": ("/tokens", "admin", {"user_id": "ana"}),
}
"""Where each is made, by whom, from what."""
LINE = {"id": "1", "sender": "Ana", "text": "好", "sent_at": START.isoformat()}
PLACE = {"latitude": 31.23, "longitude": 121.47}
EVENT = {"type": "medical", "place": PLACE, "needs": [{"capability": "medical", "amount": 1}]}
TEAM = {"id": "t1", "name": "T", "place": PLACE, "capabilities": {"medical": 1}}

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
    user("GET", "/users/ana/upcoming"),
    user("POST", "/users/ana/calendar"),
    user("POST", "/users/ana/calendar/import"),
    admin("POST", "/users", {"id": "new"}),
    user("GET", "/devices?user_id=ana"),
    user("POST", "/devices", {"kind": "terminal", "user_id": "ana"}),
    user("GET", "/devices/{device}"),
    user("PATCH", "/devices/{device}", {"name": "x"}),
    user("POST", "/devices/{device}/test"),
    user("DELETE", "/devices/{device}"),
    user("GET", "/contacts?user_id=ana"),
    user("POST", "/contacts", CONTACT),
    user("GET", "/contacts/{contact}"),
    user("PATCH", "/contacts/{contact}", {"delay": 5}),
    user("POST", "/contacts/{contact}/test"),
    user("POST", "/contacts/{contact}/invite"),
    user("DELETE", "/contacts/{contact}"),
    user("GET", "/oncall?user_id=ana"),
    user("GET", "/rotations?user_id=ana"),
    user("GET", "/rotations/{rotation}"),
    user("PATCH", "/rotations/{rotation}", {"delay": 5}),
    user("DELETE", "/rotations/{rotation}"),
    user("POST", "/questions", {"text": "?", "user_id": "ana"}),
    user("GET", "/questions?user_id=ana"),
    user("GET", "/webhooks/{webhook}"),
    user("PATCH", "/webhooks/{webhook}", {"name": "x"}),
    user("POST", "/webhooks/{webhook}/rotate"),
    user("POST", "/webhooks/{webhook}/test"),
    user("GET", "/webhooks/{webhook}/deliveries"),
    user("POST", "/webhooks/{webhook}/deliveries/1"),
    user("DELETE", "/webhooks/{webhook}"),
    user("DELETE", "/tokens/{token}"),
    admin("POST", "/tokens", {"kind": "admin"}),
    admin("POST", "/login-codes", {}),
    admin("GET", "/kinds"),
    admin("PUT", "/kinds/none", {"bullmq": "shop"}),
    admin("DELETE", "/kinds/none"),
    admin("POST", "/kinds/none/pause"),
    admin("POST", "/kinds/none/resume"),
    admin("GET", "/queues"),
    admin("POST", "/queues/none/pause"),
    admin("POST", "/queues/none/resume"),
    admin("GET", "/tasks"),
    admin("POST", "/tasks", {"kind": "demo.echo"}),
    admin("GET", "/tasks/counts"),
    admin("DELETE", "/users/new"),
    admin("GET", "/devices/activations"),
    admin("DELETE", "/devices/activations/000000"),
    admin("GET", "/rules"),
    admin("POST", "/rules", {"chat_id": "console:main", "priority": "vip"}),
    admin("POST", "/rules/try", {"text": "hello", "filters": {}}),
    admin("GET", "/rules/999"),
    admin("PATCH", "/rules/999", {"enabled": False}),
    admin("DELETE", "/rules/999"),
    admin("GET", "/trends"),
    admin("GET", "/audit"),
    admin("GET", "/audit/export"),
    admin("POST", "/chat/history", {"chat_id": "telegram:1", "messages": [LINE]}),
    admin("POST", "/ai/events", EVENT),
    admin("GET", "/ai/events"),
    admin("GET", "/ai/events/none"),
    admin("PATCH", "/ai/events/none", {"title": "x"}),
    admin("GET", "/ai/events/none/schemes"),
    admin("POST", "/ai/teams", TEAM),
    admin("GET", "/ai/teams"),
    admin("GET", "/ai/teams/none"),
    admin("PATCH", "/ai/teams/none", {"name": "x"}),
    admin("POST", "/ai/teams/none/complete"),
    admin("POST", "/ai/teams/none/breakdown"),
    admin("POST", "/ai/teams/none/decline"),
    admin("POST", "/ai/teams/none/standby"),
    admin("POST", "/ai/teams/none/unavailable"),
    admin("DELETE", "/ai/teams/none"),
    admin("POST", "/ai/generate-scheme", {"event_id": "none"}),
    admin("GET", "/ai/tasks"),
    admin("GET", "/ai/tasks/none"),
    admin("GET", "/ai/schemes/none"),
    admin("POST", "/ai/schemes/none/approve"),
    admin("POST", "/ai/schemes/none/reject"),
    admin("GET", "/ai/locks"),
    admin("GET", "/ai/assignments?event_id=none"),
    admin("GET", "/ai/events/none/schemes/zh"),
    admin("GET", "/ai/export?what=teams&since=2030-01-01T00:00:00Z"),
    admin("GET", "/ai/log"),
    admin("GET", "/ai/map"),
    admin("GET", "/ai/map/1/1/1"),
    admin("GET", "/ai/move-ups"),
    admin("GET", "/ai/positions"),
    admin("POST", "/ai/replay", {"since": "2029-12-31T00:00:00Z"}),
    admin("POST", "/ai/reports/hear"),
    admin("POST", "/ai/reports/read", {"report": "着火了", "place": PLACE}),
    admin("GET", "/ai/stations"),
    admin("PUT", "/ai/stations/none", {"name": "North", "place": PLACE}),
    admin("DELETE", "/ai/stations/none"),
    admin("POST", "/ai/teams/none/accept"),
    admin("POST", "/ai/teams/none/en-route"),
    admin("POST", "/ai/teams/none/on-scene"),
    admin("POST", "/ai/teams/none/returning"),
    admin("POST", "/ai/teams/none/position", PLACE),
    admin("POST", "/ai/what-if", {"event_id": "none"}),
]
SHOWN_TO_VIEWERS = ("/ai/what-if", "/ai/replay")
"""They change nothing, though they are asked by POST."""
NOT_AT_THE_DESK = [("DELETE", "/ai/teams/none")]
NO_SUCH = [
    admin("GET", "/tasks/none"),
    admin("GET", "/tasks/none/why"),
    admin("POST", "/tasks/none/replay"),
    admin("DELETE", "/tasks/none"),
]
EVERYBODYS = ("/users", "/tokens", "/webhooks", "/events/log", "/devices", "/reminders", "/series")
"""Lists that show each caller their own part."""
ELSEWHERE = {
    ("get", "/me"): "any token: test_auth",
    ("post", "/understand"): "any token, and it shows nothing of anybody: test_understanding",
    ("get", "/push"): "the same key for everybody: test_push",
    ("post", "/chat/messages"): "the caller's own chat: below",
    ("get", "/chat/messages"): "the caller's own chat: below",
    ("post", "/session"): "a code instead of a token: test_auth",
    ("delete", "/session"): "the session's own cookie: test_auth",
    ("get", "/xiaozhi"): "the caller's own: tests/doors/mcp/test_access_point",
    ("post", "/xiaozhi"): "the caller's own: tests/doors/mcp/test_access_point",
    ("post", "/xiaozhi/{point_id}/connect"): "the caller's own: tests/doors/mcp/test_access_point",
    ("delete", "/xiaozhi/{point_id}"): "the caller's own: tests/doors/mcp/test_access_point",
    ("get", "/assistants/hosts"): "what to paste: tests/browser/test_connecting",
    ("get", "/assistants"): "the caller's own: test_oauth",
    ("delete", "/assistants/{assistant_id}"): "the caller's own: test_oauth",
    ("get", "/events"): "a stream: test_live",
    ("get", "/users/{user_id}/reminders.ics"): "a secret address: test_calendar",
    ("post", "/devices/activations/{code}"): "whoever sees the code: the devices' own tests",
    ("post", "/webhooks"): "makes the caller's own: test_webhooks",
}
WITHOUT_A_TOKEN = [
    ("GET", "/health"),
    ("GET", "/health/live"),
    ("GET", "/health/ready"),
    ("GET", "/metrics"),
    ("GET", "/api/openapi.json"),
    ("HEAD", "/api/openapi.json"),
    ("GET", "/"),
    ("GET", "/favicon.ico"),
    ("GET", "/sw.js"),
    ("GET", "/console/{name:path}"),
    ("GET", "/login"),
    ("GET", "/c/{token}"),
    ("POST", "/c/{token}"),
    ("GET", "/i/{token}"),
    ("POST", "/i/{token}"),
    ("POST", "/n/{token}"),
    ("GET", "/q/{token}"),
    ("POST", "/q/{token}"),
    ("GET", "/.well-known/oauth-protected-resource"),
    ("GET", "/.well-known/oauth-protected-resource/mcp"),
    ("GET", "/.well-known/oauth-authorization-server"),
]
"""For everybody: none of them tells anything about anybody."""
OTA = ("/ota", "/ota/", "/xiaozhi/ota", "/xiaozhi/ota/")
OTHER_DOORS = [
    ("GET", "/xiaozhi/context"),  # tests/doors/mcp/test_access_point
    ("POST", "/n/{ticket}"),  # a notification's own secret: tests/doors/notify/test_push
    *(
        (m, f"/api/v1/questions{p}")
        for m, p in (("POST", "/{question}/cancel"), ("GET", "/{question}"))
    ),
    ("POST", "/api/v1/contacts/accept"),  # tests/doors/http/test_invitations
    ("POST", "/api/v1/rotations"),  # tests/doors/http/test_rotations
    *(("GET", f"/oauth/{page}") for page in ("authorize", "consent")),  # tests/security/test_oauth
    *(("POST", f"/oauth/{end}") for end in ("consent", "register", "token", "revoke")),
    ("ANY", "/mcp"),  # tests/doors/mcp: the same tokens, asked for before anything else
    *(("ANY", path) for path in ("/", "/xiaozhi/v1", "/xiaozhi/v1/")),  # sockets of devices
    *((method, path) for method in ("GET", "POST", "OPTIONS") for path in OTA),
    *(
        (method, f"{path}activate")
        for method in ("POST", "OPTIONS")
        for path in OTA
        if path.endswith("/")
    ),
]
"""Doors with keepers of their own: tests/doors/devices and tests/doors/mcp."""


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    """One Clarion for all rows: each row brings its own things."""
    folder = tmp_path_factory.mktemp("matrix")
    async with open_doors(
        folder, ManualClock(START), requests_per_second=0, contacts_max=1000
    ) as opened:
        yield opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def callers(doors: Doors) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Everybody who could ask, by name; the same connections for all rows."""
    for kind in (TokenKind.DISPATCHER, TokenKind.VIEWER):
        doors.tokens[kind.value] = (await doors.access.issue(kind)).text
    async with AsyncExitStack() as stack:
        names = ["nobody", *doors.tokens]
        clients = [doors.client(None if name == "nobody" else name) for name in names]
        yield {
            name: await stack.enter_async_context(client)
            for name, client in zip(names, clients, strict=True)
        }


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def everything(callers: dict[str, httpx.AsyncClient]) -> dict[str, str]:
    """Something of every kind, all of it Ana's, that no row ends."""
    return await things(callers, *THINGS)


async def things(callers: dict[str, httpx.AsyncClient], *wanted: str) -> dict[str, str]:
    """Those of these kinds, fresh, all of them Ana's."""
    found: dict[str, str] = {}
    for name in THINGS:
        if name in wanted or (name == "contact" and "rotation" in wanted):
            path, by, body = THINGS[name]
            if name == "rotation":
                body = {**body, "members": [found["contact"]]}
            answer = await callers[by].post(f"/api/v1{path}", json=body)
            assert answer.status_code == 201, answer.text
            found[name] = str(answer.json()["id"])
    return found


async def ask(client: httpx.AsyncClient, route: Route, found: dict[str, str]) -> int:
    path = whole(route.path.format(**found))
    if path.endswith("/import"):
        content = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
        return (await client.post(path, content=content)).status_code
    answer = await client.request(route.method, path, json=route.body, headers=route.headers)
    return answer.status_code


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
async def test_each_caller_gets_what_is_theirs_and_no_more(
    callers: dict[str, httpx.AsyncClient], route: Route
) -> None:
    found = await things(callers, *re.findall(r"{(\w+)}", route.path))

    got = {who: await ask(client, route, found) for who, client in callers.items()}

    assert got["nobody"] == 401
    assert got["kitchen"] in {403, 404}
    assert got["bo"] in {403, 404}
    assert (got["ana"] in OK) is (route.owner == "user")
    assert got["ana"] in OK or got["ana"] == 403
    # What Ana has just ended is over for the admin as well: 409 or 404, never a refusal.
    assert got["admin"] in OK | {404, 409}
    at_the_desk = route.path.startswith("/ai/") and route[:2] not in NOT_AT_THE_DESK
    reads = route.method == "GET" or route.path in SHOWN_TO_VIEWERS
    assert (got["dispatcher"] == 403) is not at_the_desk
    assert (got["viewer"] == 403) is not (at_the_desk and reads)


@pytest.mark.parametrize("route", NO_SUCH, ids=lambda route: f"{route.method} {route.path}")
async def test_what_is_not_there_is_not_there_for_admins_alone(
    callers: dict[str, httpx.AsyncClient], route: Route
) -> None:
    statuses = [await ask(callers[who], route, {}) for who in ("ana", "dispatcher", "admin")]

    assert statuses == [403, 403, 404]


@pytest.mark.parametrize("path", EVERYBODYS)
@pytest.mark.usefixtures("everything")
async def test_a_list_shows_each_caller_their_own(
    callers: dict[str, httpx.AsyncClient], path: str
) -> None:
    hers = (await callers["ana"].get(f"/api/v1{path}")).json()["items"]
    his = (await callers["bo"].get(f"/api/v1{path}")).json()["items"]
    refused = [await callers[who].get(f"/api/v1{path}") for who in ("kitchen", "viewer")]

    owners = {one.get("user_id", one["id"]) for one in hers}
    assert owners == {"ana"}
    assert {one.get("user_id", one["id"]) for one in his} <= {"bo"}
    assert [one.status_code for one in refused] == [403, 403]


async def test_a_device_sees_itself_and_no_other(doors: Doors) -> None:
    async with doors.client("kitchen") as device:
        itself = await device.get("/api/v1/devices/kitchen")
        other = await device.get("/api/v1/devices/study")
        who = await device.get("/api/v1/me")

    assert (itself.status_code, other.status_code, who.status_code) == (200, 404, 200)


async def test_each_caller_speaks_in_their_own_chat_alone(doors: Doors) -> None:
    path, hers = "/api/v1/chat/messages", "console:user.ana"
    async with doors.client("ana") as ana, doors.client("bo") as bo, doors.client("kitchen") as k:
        await ana.post(path, json={"text": "ana's secret", "chat_id": hers})
        seen = await ana.get(path)
        foreign = await bo.get(path, params={"chat_id": hers})
        said = await bo.post(path, json={"text": "bo in ana's chat", "chat_id": hers})
        after = await ana.get(path)
        device = await k.get(path), await k.post(path, json={"text": "x"})

    assert "ana's secret" in seen.text
    assert "ana's secret" not in foreign.text
    assert said.status_code == 202
    assert "bo in ana's chat" not in after.text
    assert {one.status_code for one in device} == {403}


async def test_no_route_is_forgotten(doors: Doors) -> None:
    known = {(r.method, shape(whole(r.path.partition("?")[0]))) for r in ROUTES + NO_SUCH}
    known |= {("GET", whole(path)) for path in EVERYBODYS}
    known |= {(method.upper(), shape(whole(path))) for method, path in ELSEWHERE}
    known |= {(method, shape(path)) for method, path in WITHOUT_A_TOKEN}
    known |= {(method, shape(path)) for method, path in OTHER_DOORS}

    asked = {(method, shape(path)) for method, path in every_route(doors.app.routes)}

    assert asked - known == set()
    assert known - asked == set(), "rows about routes that are gone"


async def test_a_new_route_is_noticed_wherever_it_is_added(doors: Doors) -> None:
    added = APIRouter(prefix="/api/v1/new")
    added.add_api_route("/thing", lambda: None, methods=["PUT"], include_in_schema=False)
    app = FastAPI(openapi_url=None)
    app.include_router(added)

    found = set(every_route(app.routes)) - set(every_route(doors.app.routes))

    assert ("PUT", "/api/v1/new/thing") in found


@pytest.mark.parametrize(("method", "path"), WITHOUT_A_TOKEN)
async def test_what_needs_no_token_tells_nothing_of_anybody(
    callers: dict[str, httpx.AsyncClient], everything: dict[str, str], method: str, path: str
) -> None:
    answer = await callers["nobody"].request(method, path.replace("{", "").replace("}", ""))

    assert answer.status_code not in {401, 403, 500}
    assert not [name for name in everything.values() if name in answer.text]


def whole(path: str) -> str:
    return path if path.startswith("/ai/") else f"/api/v1{path}"


def shape(path: str) -> str:
    """`/reminders/{reminder_id}/confirm` and `/users/ana` alike: names of things become a star."""
    named = {"ana", "new", "none", "zh", "1", "000000", "999"}
    steps = ["*" if step.startswith("{") or step in named else step for step in path.split("/")]
    return "/".join(steps)
