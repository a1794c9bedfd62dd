"""What somebody tries who wants another person's reminders by way of an assistant."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.support.clock import START, ManualClock
from tests.support.doors import ANA, BO, Doors, open_doors
from tests.support.oauth_hosts import Host, Person, s256, told_in

pytestmark = pytest.mark.asyncio(loop_scope="module")
EVIL = "https://evil.example/callback"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def doors(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Doors]:
    folder = tmp_path_factory.mktemp("oauth")
    async with open_doors(folder, ManualClock(START), failed_tries=0) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def claude(doors: Doors) -> AsyncIterator[Host]:
    """Has found its way and is registered, but not connected."""
    made = Host(doors.url)
    await made.discover()
    await made.register()
    yield made
    await made.close()


@pytest_asyncio.fixture(loop_scope="module")
async def ana(doors: Doors) -> Person:
    login = await doors.access.make_login(user_id=ANA)
    return Person(doors.url, (await doors.access.log_in(login.code)).text)


async def opens(doors: Doors, token: str, path: str = "/mcp") -> int:
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(base_url=doors.url, headers=headers) as http:
        return (await http.request("POST" if path == "/mcp" else "GET", path)).status_code


async def test_a_code_used_twice_ends_what_it_opened(
    doors: Doors, claude: Host, ana: Person
) -> None:
    code = claude.code_from(await ana.allow(claude.link()))
    first = (await claude.fetch(code)).json()
    before = await opens(doors, first["access_token"], "/mcp")
    replayed = await claude.fetch(code)

    assert replayed.json()["error"] == "invalid_grant"
    assert before != 401
    assert await opens(doors, first["access_token"]) == 401
    assert (await claude.refresh(first["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_code_is_too_old_after_two_minutes(doors: Doors, claude: Host, ana: Person) -> None:
    code = claude.code_from(await ana.allow(claude.link()))
    doors.clock.jump(timedelta(minutes=3))

    assert (await claude.fetch(code)).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(
    "changed",
    [
        {"code_challenge_method": "plain"},
        {"code_challenge_method": ""},
        {"code_challenge": ""},
        {"code_challenge": "short"},
        {"code_challenge": "", "code_challenge_method": ""},
    ],
    ids=["plain", "no method", "no challenge", "short", "no PKCE at all"],
)
async def test_pkce_cannot_be_talked_away(
    claude: Host, ana: Person, changed: dict[str, str]
) -> None:
    answer = await ana.look(claude.link(**changed))

    assert answer.status_code == 303
    assert told_in(answer.headers["location"])["error"] == "invalid_request"


@pytest.mark.parametrize("verifier", ["", "x" * 43, "the challenge"])
async def test_a_stolen_code_is_worthless_without_the_verifier(
    claude: Host, ana: Person, verifier: str
) -> None:
    code = claude.code_from(await ana.allow(claude.link()))
    given = s256(claude.verifier) if verifier == "the challenge" else verifier
    stolen = await claude.fetch(code, code_verifier=given)
    late = await claude.fetch(code)

    assert stolen.json()["error"] == "invalid_grant"
    assert late.json()["error"] == "invalid_grant", "what was tried is used up"


@pytest.mark.parametrize(
    "redirect",
    [
        EVIL,
        "https://claude.ai/api/mcp/auth_callback/",
        "https://claude.ai/api/mcp/auth_callback?x=1",
        "https://claude.ai.evil.example/api/mcp/auth_callback",
        "https://claude.ai@evil.example/api/mcp/auth_callback",
        "https://CLAUDE.ai/api/mcp/auth_callback",
        "http://claude.ai/api/mcp/auth_callback",
    ],
)
async def test_no_answer_goes_where_the_client_did_not_register(
    claude: Host, ana: Person, redirect: str
) -> None:
    shown = await ana.look(claude.link(redirect_uri=redirect))

    assert shown.status_code == 400
    assert "location" not in shown.headers


@pytest.mark.parametrize(
    "redirect",
    [
        "http://evil.example/",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https://user@evil.example/",
        "https://evil.example/#fragment",
        "//evil.example",
        "https://evil.example/\r\nSet-Cookie: a=b",
        "",
    ],
)
async def test_addresses_that_leak_cannot_be_registered(claude: Host, redirect: str) -> None:
    answer = await claude.http.post(
        claude.server["registration_endpoint"], json={"redirect_uris": [redirect]}
    )

    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_redirect_uri")


async def test_a_code_is_its_clients_and_its_addresss_own(
    doors: Doors, claude: Host, ana: Person
) -> None:
    other = Host(doors.url, name="Other", redirect=EVIL)
    await other.discover()
    await other.register()
    code = claude.code_from(await ana.allow(claude.link()))
    other.verifier = claude.verifier
    mixed_up = await other.fetch(code, redirect_uri=claude.redirect)
    second = claude.code_from(await ana.allow(claude.link()))
    elsewhere = await claude.fetch(second, redirect_uri=EVIL)
    await other.close()

    assert mixed_up.json()["error"] == "invalid_grant"
    assert elsewhere.json()["error"] == "invalid_grant"


async def test_a_token_for_another_resource_is_not_given(claude: Host, ana: Person) -> None:
    answer = await ana.look(claude.link(resource="https://evil.example/mcp"))
    code = claude.code_from(await ana.allow(claude.link()))
    fetched = await claude.fetch(code, resource="https://evil.example/mcp")

    assert told_in(answer.headers["location"])["error"] == "invalid_target"
    assert fetched.json()["error"] == "invalid_grant"


async def test_a_token_for_the_assistants_door_opens_no_other(
    doors: Doors, claude: Host, ana: Person
) -> None:
    narrow = await claude.connect(ana)
    claude.resource = doors.url
    code = claude.code_from(await ana.allow(claude.link()))
    wide = (await claude.fetch(code)).json()

    assert await opens(doors, narrow["access_token"], "/api/v1/reminders") == 401
    assert await opens(doors, wide["access_token"], "/api/v1/reminders") == 200
    assert await opens(doors, wide["access_token"], "/api/v1/contacts") == 403
    assert await opens(doors, wide["access_token"], "/api/v1/tokens") == 403


async def test_a_refresh_token_used_twice_ends_the_connection(
    doors: Doors, claude: Host, ana: Person
) -> None:
    first = await claude.connect(ana)
    second = (await claude.refresh(first["refresh_token"])).json()
    stolen = await claude.refresh(first["refresh_token"])
    own = await claude.refresh(second["refresh_token"])

    assert stolen.json()["error"] == "invalid_grant"
    assert own.json()["error"] == "invalid_grant"
    assert await opens(doors, second["access_token"]) == 401


async def test_a_refresh_token_is_its_clients_own_and_gives_no_more(
    doors: Doors, claude: Host, ana: Person
) -> None:
    tokens = await claude.connect(ana)
    more = await claude.refresh(tokens["refresh_token"], scope="read admin")
    other = Host(doors.url, name="Other", redirect=EVIL)
    await other.discover()
    await other.register()
    foreign = await other.refresh(tokens["refresh_token"])
    await other.close()

    assert more.json()["error"] == "invalid_scope"
    assert foreign.json()["error"] == "invalid_grant"
    assert (await claude.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"


async def test_a_wrong_secret_and_an_unknown_client_are_refused(doors: Doors, ana: Person) -> None:
    home = Host(doors.url, method="client_secret_basic")
    tokens = await home.connect(ana)
    home.secret = "guessed"
    wrong = await home.refresh(tokens["refresh_token"])
    home.client_id = "cli_none"
    unknown = await home.refresh(tokens["refresh_token"])
    await home.close()

    assert [wrong.status_code, unknown.status_code] == [401, 401]
    assert wrong.json()["error"] == unknown.json()["error"] == "invalid_client"


async def test_no_other_page_can_press_the_button(claude: Host, ana: Person) -> None:
    await ana.look(claude.link())
    fields = {**ana.page.fields, "may_read": "1", "do": "allow"}

    async with ana.browser() as here:
        foreign = await here.post("/oauth/consent", data=fields, headers={"Origin": EVIL[:20]})
        hidden = await here.post("/oauth/consent", data=fields, headers={"Origin": "null"})
        unsealed = await here.post("/oauth/consent", data={**fields, "seal": "0" * 64})
        without = await here.post("/oauth/consent", data={**fields, "seal": ""})

    assert [one.status_code for one in (foreign, hidden, unsealed, without)] == [403] * 4


@pytest.mark.parametrize("name", ["state", "scope", "code_challenge", "resource", "redirect_uri"])
async def test_nothing_changes_between_looking_and_pressing(
    claude: Host, ana: Person, name: str
) -> None:
    changed: dict[str, Any] = {
        "state": "other",
        "scope": "read set confirm people",
        "code_challenge": s256("y" * 50),
        "resource": claude.url,
        "redirect_uri": EVIL,
    }
    await ana.look(claude.link())
    answer = await ana.press(
        **{**ana.page.fields, "may_read": "1", "do": "allow", name: changed[name]}
    )

    assert answer.status_code in (400, 403)


async def test_the_seal_of_one_session_is_worthless_in_another(
    doors: Doors, claude: Host, ana: Person
) -> None:
    login = await doors.access.make_login(user_id=BO)
    bo = Person(doors.url, (await doors.access.log_in(login.code)).text)
    await ana.look(claude.link())
    answer = await bo.press(**{**ana.page.fields, "may_read": "1", "do": "allow"})

    assert answer.status_code == 403


async def test_ana_cannot_connect_an_assistant_to_bo_or_to_everybody(
    claude: Host, ana: Person
) -> None:
    await ana.look(claude.link())
    fields = {**ana.page.fields, "may_read": "1", "do": "allow"}

    for owner in ("bo", ""):
        answer = await ana.press(**{**fields, "owner": owner})
        assert answer.status_code in (403, 404), owner


async def test_what_was_not_asked_for_or_may_not_be_allowed_is_not_given(
    claude: Host, ana: Person
) -> None:
    ticks = {"may_read", "may_set", "may_admin", "may_people"}
    link = claude.link(scope="read set admin")
    code = claude.code_from(await ana.allow(link, ticks=ticks))

    assert (await claude.fetch(code)).json()["scope"] == "read set"


async def test_the_page_is_framed_by_nobody(claude: Host, ana: Person) -> None:
    shown = await ana.look(claude.link())

    assert shown.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
    assert shown.headers["cache-control"] == "no-store"


async def test_a_name_is_shown_as_text(doors: Doors, ana: Person) -> None:
    rude = Host(doors.url, name="<script>alert(1)</script>\u202eClaude")
    await rude.discover()
    await rude.register()
    shown = await ana.look(rude.link())
    await rude.close()

    assert "<script>alert" not in shown.text
    assert "\u202e" not in shown.text


async def test_an_assistant_connects_no_other_and_is_no_session(
    doors: Doors, claude: Host, ana: Person
) -> None:
    tokens = await claude.connect(ana)
    link = claude.link()
    async with httpx.AsyncClient() as http:
        by_header = await http.get(
            link.replace("/authorize", "/consent"),
            headers={"Authorization": f"Bearer {tokens['access_token']}"},
        )
    by_cookie = await Person(doors.url, tokens["access_token"]).look(link)

    assert by_header.status_code == 403
    assert by_cookie.status_code != 200


async def test_a_parameter_that_comes_twice_is_refused(claude: Host, ana: Person) -> None:
    shown = await ana.look(f"{claude.link()}&client_id=cli_other")

    assert shown.status_code == 400


async def test_a_crowd_of_new_clients_is_slowed_down_and_forgotten(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("crowd")
    async with open_doors(folder, ManualClock(START), failed_tries=5) as doors:
        crowd = Host(doors.url)
        await crowd.discover()
        url, body = crowd.server["registration_endpoint"], {"redirect_uris": [crowd.redirect]}
        statuses = [(await crowd.http.post(url, json=body)).status_code for _ in range(7)]
        await crowd.close()

    assert statuses == [201] * 5 + [429] * 2
