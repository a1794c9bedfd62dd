"""Hosts that connect by OAuth as theirs do, written from their documents: nothing of ours is used.

Each one knows one address, that of `/mcp`, and finds the rest. A `Person` sits at a browser: it
follows pages, keeps a cookie as browsers do, and presses what is on the page.
"""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from html.parser import HTMLParser
from re import findall
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx

PATIENCE = 30.0


def s256(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


@dataclass
class Host:
    """What Claude, ChatGPT and Home Assistant have in common: the standard."""

    url: str
    name: str = "Claude"
    redirect: str = "https://claude.ai/api/mcp/auth_callback"
    method: str = "none"
    sends_resource: bool = True
    client_id: str = ""
    secret: str = ""
    scope: str = ""
    resource: str = ""
    server: dict[str, Any] = field(default_factory=dict)
    verifier: str = ""
    state: str = ""
    tokens: dict[str, Any] = field(default_factory=dict)
    http: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=PATIENCE))

    async def discover(self) -> None:
        """401, RFC 9728, RFC 8414, as the specification of MCP has it."""
        refused = await self.http.post(f"{self.url}/mcp", json={})
        assert refused.status_code == 401, refused.text
        [challenge] = refused.headers.get_list("www-authenticate")
        assert challenge.startswith("Bearer ")
        told = dict(findall(r'(\w+)="([^"]*)"', challenge))
        protected = (await self.http.get(told["resource_metadata"])).json()
        assert protected["resource"] == f"{self.url}/mcp"
        self.resource = protected["resource"]
        self.scope = told.get("scope") or " ".join(protected["scopes_supported"])
        [issuer] = protected["authorization_servers"]
        found = await self.http.get(f"{issuer}/.well-known/oauth-authorization-server")
        self.server = found.json()
        assert self.server["issuer"] == issuer
        assert "S256" in self.server["code_challenge_methods_supported"]

    async def register(self) -> None:
        """RFC 7591."""
        answer = await self.http.post(
            self.server["registration_endpoint"],
            json={
                "client_name": self.name,
                "redirect_uris": [self.redirect],
                "grant_types": ["authorization_code", "refresh_token"],
                "response_types": ["code"],
                "token_endpoint_auth_method": self.method,
                "client_uri": "https://claude.ai",
            },
        )
        assert answer.status_code == 201, answer.text
        told = answer.json()
        self.client_id, self.secret = told["client_id"], told.get("client_secret", "")

    def link(self, **changed: str) -> str:
        """Where the person is sent."""
        self.verifier, self.state = secrets.token_urlsafe(48), secrets.token_urlsafe(16)
        asked = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect,
            "state": self.state,
            "code_challenge": s256(self.verifier),
            "code_challenge_method": "S256",
            "scope": self.scope,
        }
        if self.sends_resource:
            asked["resource"] = self.resource
        asked |= changed
        url = httpx.URL(self.server["authorization_endpoint"])
        return str(url.copy_merge_params({name: text for name, text in asked.items() if text}))

    def code_from(self, callback: str) -> str:
        """The code of an answer that is ours: our state, and the issuer we went to."""
        told = dict(parse_qsl(urlsplit(callback).query))
        assert callback.startswith(self.redirect), callback
        assert told["state"] == self.state
        assert told["iss"] == self.server["issuer"]
        assert "error" not in told, told
        return told["code"]

    async def fetch(self, code: str, **changed: str) -> httpx.Response:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect,
            "code_verifier": self.verifier,
        }
        if self.sends_resource:
            form["resource"] = self.resource
        return await self.post("token_endpoint", form | changed)

    async def refresh(self, refresh: str, **changed: str) -> httpx.Response:
        return await self.post(
            "token_endpoint", {"grant_type": "refresh_token", "refresh_token": refresh} | changed
        )

    async def revoke(self, token: str) -> httpx.Response:
        return await self.post("revocation_endpoint", {"token": token})

    async def post(self, endpoint: str, form: dict[str, str]) -> httpx.Response:
        sent = {"client_id": self.client_id, **form}
        auth: Any = None
        if self.method == "client_secret_post":
            sent["client_secret"] = self.secret
        elif self.method == "client_secret_basic":
            auth = (self.client_id, self.secret)
            del sent["client_id"]
        return await self.http.post(self.server[endpoint], data=sent, auth=auth)

    async def connect(self, person: "Person", **choices: Any) -> dict[str, Any]:
        """All of it; the answer of the token endpoint."""
        await self.discover()
        if not self.client_id:
            await self.register()
        code = self.code_from(await person.allow(self.link(), **choices))
        answer = await self.fetch(code)
        assert answer.status_code == 200, answer.text
        assert answer.headers["cache-control"] == "no-store"
        self.tokens = answer.json()
        assert self.tokens["token_type"] == "Bearer"
        return self.tokens

    @property
    def access(self) -> str:
        return str(self.tokens["access_token"])

    async def close(self) -> None:
        await self.http.aclose()


class Form(HTMLParser):
    """What is on a page: hidden fields, boxes with their ticks, choices, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.boxes: dict[str, bool] = {}
        self.choices: list[str] = []
        self.onward = ""
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "meta" and given.get("http-equiv") == "refresh":
            self.onward = given["content"].partition("url=")[2]
        elif tag == "input" and given.get("type") == "hidden":
            self.fields[given["name"]] = given["value"]
        elif tag == "input" and given.get("type") == "checkbox":
            self.boxes[given["name"]] = "checked" in given
        elif tag == "option":
            self.choices.append(given["value"])

    def handle_data(self, data: str) -> None:
        self.text += data


class Person:
    """At a browser, logged in to the console or not."""

    def __init__(self, url: str, session: str = "") -> None:
        self.url = url
        self.cookies = {"clarion_session": session} if session else {}
        self.page = Form("")

    async def look(self, link: str) -> httpx.Response:
        """Another site leads to `link`: the strict cookie is not sent, then it is."""
        async with httpx.AsyncClient(timeout=PATIENCE) as there:
            first = await there.get(link)
        if first.status_code != 200:
            return first
        async with self.browser() as here:
            shown = await here.get(Form(first.text).onward)
        self.page = Form(shown.text)
        return shown

    def browser(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(base_url=self.url, cookies=self.cookies, timeout=PATIENCE)

    async def press(self, **fields: str) -> httpx.Response:
        async with self.browser() as here:
            return await here.post("/oauth/consent", data=fields, headers={"Origin": self.url})

    async def allow(self, link: str, *, ticks: set[str] | None = None, owner: str = "") -> str:
        """Press the button; the address that the answer leads to."""
        shown = await self.look(link)
        assert shown.status_code == 200, shown.text
        wanted = {name for name, on in self.page.boxes.items() if on} if ticks is None else ticks
        fields = {**self.page.fields, **dict.fromkeys(wanted, "1"), "do": "allow"}
        if owner or "owner" not in fields:
            fields["owner"] = owner
        answer = await self.press(**fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]


def told_in(callback: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(callback).query).items()}
