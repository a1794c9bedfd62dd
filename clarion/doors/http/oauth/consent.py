"""The pages a person sees: what an assistant wants, of whom, and two buttons.

The console's cookie is not sent along when another site leads here, so `/oauth/authorize` only
leads on to `/oauth/consent`, which then is a step within our own site. No script is needed. The
form carries a seal over who looks at it and what was asked: nobody else's page can press its
button, and nothing can be changed between looking and pressing.
"""

import hashlib
import hmac
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from clarion.access.connecting import Connecting, allowable
from clarion.access.oauth import (
    AccessRequest,
    OAuthClient,
    OAuthRefused,
    destination,
    is_document,
)
from clarion.access.tokens import Identity, Scope, ordered
from clarion.base.errors import ClarionError, Forbidden, Unauthorised
from clarion.base.ids import UserId
from clarion.doors.http.auth import actor_of, base_of, identity
from clarion.doors.http.oauth.endpoints import once_each, small_body
from clarion.doors.http.oauth.words import WORDS, sentence
from clarion.doors.http.pages.frame import browser_language
from clarion.doors.http.pages.login import STYLE, digest
from clarion.people.model import User
from clarion.people.service import People

PEOPLE_MAX = 100  # that an admin can choose from
EVERYBODY = ""
DOUBTFUL = (Scope.PEOPLE, Scope.DISPATCH, Scope.ADMIN)
"""Scopes that are not ticked in advance."""
LOOK = f"""{STYLE}
ul {{ padding: 0; list-style: none; }} li label {{ display: flex; gap: .5rem; }}
select {{ font: inherit; padding: .5rem; }} small {{ display: block; opacity: .8; }}
button.no {{ background: transparent; color: inherit; }}
"""
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>Clarion</title>
<meta name="viewport" content="width=device-width, initial-scale=1">{head}
<link rel="icon" href="/console/icon.svg"><style>{look}</style></head>
<body><main><h1>Clarion</h1>{body}</main></body></html>
"""


@dataclass(frozen=True, slots=True)
class Consent:
    """What the pages lean on. `key` seals forms, and is the same on every server."""

    connecting: Connecting
    people: People
    key: bytes
    public_url: str

    async def asked(self, given: Mapping[str, str], base: str) -> tuple[AccessRequest, OAuthClient]:
        """What is asked for. Raises OAuthRefused, or SentBack with where to say so."""
        client, redirect = await self.connecting.destination(
            given.get("client_id", ""), given.get("redirect_uri", "")
        )
        try:
            return self.connecting.request(given, client, redirect, base), client
        except OAuthRefused as error:
            state = given.get("state", "")
            raise SentBack(answer_to(redirect, base, state, error=error.error)) from None

    def seal(self, who: Identity, asked: AccessRequest) -> str:
        text = "\n".join([who.token_id, *fields_of(asked).values()])
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()

    async def owners(self, who: Identity) -> list[User]:
        page = await self.people.users(actor_of(who), limit=PEOPLE_MAX)
        return list(page.items)


class SentBack(Exception):
    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


def consent_routes(consent: Consent) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/oauth/authorize")
    async def authorize(request: Request) -> Response:
        return await shown(request, led_on(request, consent))

    @router.get("/oauth/consent")
    async def look(request: Request) -> Response:
        return await shown(request, looked(request, consent))

    @router.post("/oauth/consent")
    async def press(request: Request) -> Response:
        return await shown(request, pressed(request, consent))

    return router


async def shown(request: Request, work: Awaitable[Response]) -> Response:
    """An error is shown to the person; only what is in order is ever sent to another site."""
    try:
        return await work
    except SentBack as back:
        return sent(back.address)
    except OAuthRefused as error:
        return refused(request, error.description)
    except ClarionError as error:
        return refused(request, error.message, error.status)


async def led_on(request: Request, consent: Consent) -> Response:
    given = once_each(request.url.query)
    if not is_document(given.get("client_id", "")):
        # Nobody is logged in yet: a client's description is fetched only for a person who is.
        await consent.asked(given, base_of(request, consent.public_url))
    onward = escape(f"/oauth/consent?{urlencode(given)}")
    word = WORDS[browser_language(request, "en")]["go on"]
    head = f'<meta http-equiv="refresh" content="0;url={onward}">'
    return page(request, f'<p><a href="{onward}">{word}</a></p>', head=head)


async def looked(request: Request, consent: Consent) -> Response:
    try:
        who = await session_of(request)
    except Unauthorised:
        onward = f"/oauth/consent?{request.url.query}"
        return RedirectResponse(f"/login?{urlencode({'next': onward})}", 303)
    given = once_each(request.url.query)
    asked, client = await consent.asked(given, base_of(request, consent.public_url))
    return await form(request, consent, who, asked, client)


async def session_of(request: Request) -> Identity:
    """The viewer of the page: a person who is logged in to the console, not a program."""
    if "authorization" in request.headers:
        raise Forbidden("Only a person can allow this, in a browser.")
    who = await identity(request)
    allowable(who, who.user_id)
    actor_of(who)
    return who


async def pressed(request: Request, consent: Consent) -> Response:
    who = await session_of(request)
    said = once_each((await small_body(request)).decode("utf-8", "replace"))
    base = base_of(request, consent.public_url)
    asked, client = await consent.asked(said, base)
    if not hmac.compare_digest(said.get("seal", ""), consent.seal(who, asked)):
        raise Forbidden("This page is too old or not ours. Begin again in the assistant.")
    if said.get("do") != "allow":
        return sent(answer_to(asked.redirect, base, asked.state, error="access_denied"))
    owner = UserId(said["owner"]) if said.get("owner") else None
    if owner is not None:
        await consent.people.user(actor_of(who), owner)
    scopes = ordered(one for one in Scope if said.get(f"may_{one}"))
    code = await consent.connecting.allow(asked, client, who, owner, scopes)
    return sent(answer_to(asked.redirect, base, asked.state, code=code))


def fields_of(asked: AccessRequest) -> dict[str, str]:
    return {
        "response_type": "code",
        "client_id": asked.client_id,
        "redirect_uri": asked.redirect,
        "scope": " ".join(asked.scopes),
        "state": asked.state,
        "code_challenge": asked.challenge,
        "code_challenge_method": "S256",
        "resource": asked.resource,
    }


def answer_to(redirect: str, base: str, state: str, **parameters: str) -> str:
    """RFC 9207: `iss` names us, so that a client with two servers does not confuse them."""
    more = {**parameters, "iss": base}
    if state:
        more["state"] = state
    return f"{redirect}{'&' if '?' in redirect else '?'}{urlencode(more)}"


def sent(address: str) -> Response:
    safe = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return RedirectResponse(address, 303, headers=safe)


async def form(
    request: Request, consent: Consent, who: Identity, asked: AccessRequest, client: OAuthClient
) -> Response:
    language = browser_language(request, "en")
    words = WORDS[language]
    owners = await consent.owners(who)
    grantable = [one for one in asked.scopes if who.is_admin or one in allowable(who, who.user_id)]
    named = next((one for one in owners if one.id == who.user_id), None)
    whose = (named.name or named.id) if named else ""
    hidden = {**fields_of(asked), "seal": consent.seal(who, asked)}
    goes = words["goes to"].format(host=destination(asked.redirect))
    body = "".join(
        [
            f"<p><b>{escape(sentence(language, client.name, whose, grantable))}</b></p>",
            f"<p><small>{escape(goes)}</small></p>",
            '<form method="post" action="/oauth/consent">',
            *(
                f'<input type="hidden" name="{name}" value="{escape(value)}">'
                for name, value in hidden.items()
            ),
            owner_field(who, owners, words, asked.scopes),
            "<ul>",
            *(tick(one, words) for one in grantable),
            "</ul>",
            f'<button name="do" value="allow">{words["allow"]}</button>',
            f'<button class="no" name="do" value="deny">{words["deny"]}</button>',
            f"<small>{words['later']}</small></form>",
        ]
    )
    return page(request, body, leads_to=asked.redirect)


def tick(scope: Scope, words: Mapping[str, str]) -> str:
    on = "" if scope in DOUBTFUL else " checked"
    box = f'<input type="checkbox" name="may_{scope}" value="1"{on}>'
    return f"<li><label>{box} {words[scope]}</label></li>"


def owner_field(
    who: Identity, owners: list[User], words: Mapping[str, str], scopes: tuple[Scope, ...]
) -> str:
    if not who.is_admin:
        return f'<input type="hidden" name="owner" value="{escape(who.user_id or "")}">'
    options = [
        f'<option value="{escape(one.id)}">{escape(one.name or one.id)}</option>' for one in owners
    ]
    everybody = f'<option value="{EVERYBODY}">{words["everybody"]}</option>'
    first = (
        [everybody, *options]
        if set(scopes) & {Scope.DISPATCH, Scope.ADMIN}
        else [*options, everybody]
    )
    return f'<label>{words["for"]} <select name="owner">{"".join(first)}</select></label>'


def page(
    request: Request, body: str, *, head: str = "", leads_to: str = "", status: int = 200
) -> Response:
    headers = {
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'sha256-{digest(LOOK)}'; img-src 'self';"
            # Browsers hold a form to this all the way, our answer's redirect included.
            f" form-action 'self' {site_of(leads_to)}; base-uri 'none'; frame-ancestors 'none'"
        ),
        "X-Frame-Options": "DENY",
        # With `no-referrer` browsers would hide from us that the form is our own.
        "Referrer-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
    text = PAGE.format(language=browser_language(request, "en"), head=head, look=LOOK, body=body)
    return HTMLResponse(text, status_code=status, headers=headers)


def site_of(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme in ("http", "https"):
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:" if parts.scheme else ""


def refused(request: Request, why: str, status: int = 400) -> Response:
    words: Mapping[str, Any] = WORDS[browser_language(request, "en")]
    return page(request, f"<p>{words['refused']}</p><p>{escape(why)}</p>", status=status)
