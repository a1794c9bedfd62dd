"""Assistants that can be given no token by hand connect, work, are refused, are disconnected."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.support.assistant import ERAS, over_http
from tests.support.client_documents import describing
from tests.support.clock import START, ManualClock
from tests.support.doors import ANA, Doors, open_doors
from tests.support.oauth_hosts import Host, Person, told_in

CLAUDE = "https://claude.ai/api/mcp/auth_callback"
CHATGPT = "https://chatgpt.com/connector_platform_oauth_redirect"
HOME = "https://my.home-assistant.io/redirect/oauth"
WORDS = "明天早上8点提醒我吃药"


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    """One Clarion for all of them, so each test disconnects what it connected."""
    folder = tmp_path_factory.mktemp("oauth")
    async with open_doors(
        folder, ManualClock(START), private_targets=True, failed_tries=0
    ) as opened:
        yield opened


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def alone(doors: Doors) -> AsyncIterator[None]:
    yield
    for one in await doors.access.connected():
        await doors.access.revoke(one.id)


async def at_browser(doors: Doors, user: str | None = "ana") -> Person:
    made = await doors.access.make_login(user_id=ANA if user == "ana" else None)
    return Person(doors.url, (await doors.access.log_in(made.code)).text)


@asynccontextmanager
async def host(doors: Doors, **options: Any) -> AsyncIterator[Host]:
    made = Host(doors.url, **options)
    try:
        yield made
    finally:
        await made.close()


@dataclass
class Life:
    """What became of an assistant that is connected, works, and is disconnected."""

    tools: set[str]
    made: dict[str, Any]
    listed: dict[str, Any]
    refused: dict[str, Any]
    seen: dict[str, Any]
    """As the person sees it in the list of those who are connected."""
    after: httpx.Response
    renewed: dict[str, Any]


async def lived(doors: Doors, host: Host, era: str, *, greets_anew: bool = False) -> Life:
    """List, set, be refused, and be disconnected by the person. `greets_anew`: for each call."""
    calls: list[tuple[str, str, dict[str, str]]] = [
        ("call", "reminder_create_natural", {"text": WORDS}),
        ("call", "reminder_list", {}),
        ("refused", "reminder_get", {"reminder_id": "rem_none"}),
    ]
    told, tools = [], set[str]()
    for part in [[one] for one in calls] if greets_anew else [calls]:
        async with over_http(doors.url, host.access, era) as assistant:
            tools |= {tool.name for tool in (await assistant.client.list_tools()).tools}
            told += [await getattr(assistant, how)(tool, **given) for how, tool, given in part]
    async with doors.client("ana") as client:
        [seen] = (await client.get("/api/v1/assistants")).json()["items"]
        gone = await client.delete(f"/api/v1/assistants/{seen['id']}")
        assert (gone.status_code, (await client.get("/api/v1/assistants")).json()["items"]) == (
            204,
            [],
        )
    headers = {"Authorization": f"Bearer {host.access}"}
    after = await host.http.post(f"{doors.url}/mcp", headers=headers, json={})
    renewed = await host.refresh(str(host.tokens["refresh_token"]))
    return Life(tools, told[0], told[1], told[2], seen, after, renewed.json())


def check_life(life: Life, name: str) -> None:
    assert {"reminder_list", "reminder_create_natural", "ask_person"} <= life.tools
    assert life.made["reminder"]["id"] in [one["id"] for one in life.listed["items"]]
    assert life.refused["code"] == "no_such_reminder"
    assert (life.seen["name"], life.seen["user_id"]) == (name, "ana")
    assert life.seen["used_at"]
    assert [deed["action"] for deed in life.seen["did"]] == ["reminder_create_natural"]
    assert life.after.status_code == 401
    assert 'error="invalid_token"' in life.after.headers["www-authenticate"]
    assert life.renewed["error"] == "invalid_grant"


@pytest.mark.parametrize("era", ERAS)
async def test_claude_connects_lists_sets_is_refused_and_is_disconnected(
    doors: Doors, era: str
) -> None:
    ana = await at_browser(doors)
    async with host(doors) as claude, doors.client("bo") as foreign:
        tokens = await claude.connect(ana)
        hidden = (await foreign.get("/api/v1/assistants")).json()["items"]
        [connected] = await doors.access.connected()
        kept = await foreign.delete(f"/api/v1/assistants/{connected.id}")
        life = await lived(doors, claude, era)

    check_life(life, "Claude")
    assert "Claude wants to read, set and confirm Ana's reminders." in ana.page.text
    assert "claude.ai" in ana.page.text
    assert tokens["scope"] == "read set confirm"
    assert (hidden, kept.status_code) == ([], 404)


async def test_chatgpt_connects_by_its_own_document_and_is_disconnected(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        describing(tmp_path) as site,
        host(
            doors, name="ChatGPT", redirect=CHATGPT, client_id=f"{site.url}/client.json"
        ) as chatgpt,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
        site.pages["/client.json"] = {
            "client_id": chatgpt.client_id,
            "client_name": "ChatGPT",
            "redirect_uris": [CHATGPT],
            "token_endpoint_auth_method": "none",
        }
        ana = await at_browser(doors)
        await chatgpt.connect(ana)
        life = await lived(doors, chatgpt, ERAS[0])

    check_life(life, "ChatGPT")
    assert "ChatGPT" in ana.page.text


@pytest.mark.parametrize(
    "document",
    [
        {"client_id": "https://other.example/client.json", "redirect_uris": [CHATGPT]},
        {"redirect_uris": ["http://evil.example/"]},
        {"redirect_uris": []},
        "text",
        None,
        {"redirect_uris": [CHATGPT], "padding": "x" * 20_000},
    ],
    ids=["another's", "plain HTTP", "no address", "no object", "nothing", "too long"],
)
async def test_a_document_that_is_none_is_said_to_the_person_and_nowhere_else(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, document: Any
) -> None:
    async with (
        describing(tmp_path) as site,
        host(doors, redirect=CHATGPT, client_id=f"{site.url}/client.json") as chatgpt,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
        if isinstance(document, dict):
            document = {"client_id": chatgpt.client_id, **document}
        if document is not None:
            site.pages["/client.json"] = document
        await chatgpt.discover()
        shown = await (await at_browser(doors)).look(chatgpt.link())

    assert shown.status_code == 400
    assert "location" not in shown.headers


async def test_nobody_makes_us_call_an_address_before_a_person_looks(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        describing(tmp_path) as site,
        host(doors, redirect=CHATGPT, client_id=f"{site.url}/client.json") as chatgpt,
        doors.client() as stranger,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
        await chatgpt.discover()
        led_on = await stranger.get(chatgpt.link())
        looked = await stranger.get(led_on.text.partition("url=")[2].partition('"')[0])
        fetched = await chatgpt.fetch("code")
        renewed = await chatgpt.refresh("tok_none.none")
        before = list(site.asked)
        await (await at_browser(doors)).look(chatgpt.link())

    assert (led_on.status_code, looked.status_code) == (200, 303)
    assert [one.json()["error"] for one in (fetched, renewed)] == ["invalid_client"] * 2
    assert (before, site.asked) == ([], ["/client.json"])


async def test_a_client_whose_own_site_is_down_still_renews(
    doors: Doors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host(doors, name="ChatGPT", redirect=CHATGPT) as chatgpt:
        async with describing(tmp_path) as site:
            monkeypatch.setenv("SSL_CERT_FILE", str(site.certificate))
            chatgpt.client_id = f"{site.url}/client.json"
            told = {"client_id": chatgpt.client_id, "redirect_uris": [CHATGPT]}
            site.pages["/client.json"] = told
            first = await chatgpt.connect(await at_browser(doors))
        doors.clock.jump(timedelta(hours=2))
        renewed = await chatgpt.refresh(first["refresh_token"])

    assert renewed.status_code == 200


async def test_a_document_in_a_private_network_is_not_fetched(
    tmp_path: Path, clock: ManualClock
) -> None:
    async with (
        open_doors(tmp_path, clock) as doors,
        host(doors, client_id="https://127.0.0.1:1/client.json") as claude,
    ):
        await claude.discover()
        shown = await (await at_browser(doors)).look(claude.link())

    assert shown.status_code == 400
    assert "private network" in shown.text


async def test_home_assistant_connects_with_a_secret_and_names_no_resource(doors: Doors) -> None:
    """It greets anew for each call, renews its token, and sends the secret in the form."""
    async with host(
        doors,
        name="Home Assistant",
        redirect=HOME,
        method="client_secret_post",
        sends_resource=False,
    ) as home:
        first = await home.connect(await at_browser(doors))
        doors.clock.jump(timedelta(hours=2))
        late = await home.http.get(
            f"{doors.url}/mcp", headers={"Authorization": f"Bearer {home.access}"}
        )
        home.tokens = (await home.refresh(first["refresh_token"])).json()
        life = await lived(doors, home, "legacy", greets_anew=True)

    check_life(life, "Home Assistant")
    assert late.status_code == 401
    assert home.tokens["refresh_token"] != first["refresh_token"]


async def test_a_person_may_allow_less_and_what_is_left_out_is_refused(doors: Doors) -> None:
    async with host(doors) as claude:
        tokens = await claude.connect(await at_browser(doors), ticks={"may_read"})
        async with over_http(doors.url, claude.access, ERAS[1]) as assistant:
            tools = {tool.name for tool in (await assistant.client.list_tools()).tools}
            refused = await assistant.refused("reminder_create_natural", text=WORDS)

    assert tokens["scope"] == "read"
    assert tools == {"reminder_get", "reminder_list", "question_result"}
    assert refused["code"] == "insufficient_scope"


async def test_an_admin_chooses_for_whom(doors: Doors) -> None:
    root = await at_browser(doors, None)
    async with host(doors) as claude:
        await claude.connect(root, owner="bo")
        async with over_http(doors.url, claude.access, ERAS[0]) as assistant:
            made = await assistant.call("reminder_create_natural", text=WORDS)

    assert root.page.choices == ["ana", "bo", ""]
    assert made["reminder"]["user_id"] == "bo"


async def test_who_is_not_logged_in_logs_in_and_comes_back(doors: Doors) -> None:
    async with host(doors) as claude:
        await claude.discover()
        await claude.register()
        sent = await Person(doors.url).look(claude.link())

    assert sent.status_code == 303
    assert sent.headers["location"].startswith("/login?next=%2Foauth%2Fconsent%3F")


async def test_a_no_is_told_to_the_assistant(doors: Doors) -> None:
    ana = await at_browser(doors)
    async with host(doors) as claude:
        await claude.discover()
        await claude.register()
        await ana.look(claude.link())
        answer = await ana.press(**ana.page.fields, do="deny")

    told = told_in(answer.headers["location"])
    assert (told["error"], told["state"]) == ("access_denied", claude.state)
    assert told["iss"] == doors.url


async def test_an_assistant_that_leaves_disconnects_itself(doors: Doors) -> None:
    async with host(doors) as claude, doors.client("ana") as client:
        tokens = await claude.connect(await at_browser(doors))
        left = await claude.revoke(tokens["refresh_token"])
        again = await claude.revoke(tokens["refresh_token"])
        unknown = await claude.revoke("tok_none.none")
        listed = (await client.get("/api/v1/assistants")).json()["items"]

    assert [one.status_code for one in (left, again, unknown)] == [200, 200, 200]
    assert listed == []


async def test_an_app_on_this_machine_may_use_any_port(doors: Doors) -> None:
    async with host(doors, redirect="http://localhost:1455/callback") as code:
        await code.discover()
        await code.register()
        code.redirect = "http://localhost:49152/callback"
        callback = await (await at_browser(doors)).allow(code.link())
        fetched = await code.fetch(code.code_from(callback))

    assert fetched.status_code == 200


async def test_the_public_address_is_what_is_told(tmp_path: Path, clock: ManualClock) -> None:
    public = "https://clarion.example"
    async with open_doors(tmp_path, clock, public_url=public) as doors, httpx.AsyncClient() as http:
        refused = await http.post(f"{doors.url}/mcp", headers={"Host": "clarion.example"})
        server = await http.get(f"{doors.url}/.well-known/oauth-authorization-server")

    assert (
        f'resource_metadata="{public}/.well-known/oauth-protected-resource/mcp"'
        in (refused.headers["www-authenticate"])
    )
    assert server.json()["issuer"] == public
