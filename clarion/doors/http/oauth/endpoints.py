"""What programs call: register, fetch and renew a token, disconnect. RFC 7591, 6749, 7009."""

import base64
import binascii
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote_plus

from fastapi import APIRouter, Request, Response

from clarion.access.connecting import Connecting, Credentials
from clarion.access.oauth import Issued, OAuthClient, OAuthRefused
from clarion.base.clock import Clock
from clarion.base.errors import TooMany
from clarion.doors.http.auth import FailedTries
from clarion.doors.http.conventions import answer_json

FIELDS_MAX = 30
BODY_BYTES_MAX = 16_384
NO_STORE = {"Cache-Control": "no-store", "Pragma": "no-cache"}

Verb = Callable[[Credentials, Mapping[str, str]], Awaitable[dict[str, Any]]]


def endpoint_routes(connecting: Connecting, clock: Clock, tries: int) -> APIRouter:
    """`tries` a minute from one address may fail, and as many may register."""
    router = APIRouter(include_in_schema=False)
    failed = FailedTries(clock, tries, what="refused requests for a token")
    registered = FailedTries(clock, tries, what="new assistants")

    @router.post("/oauth/register")
    async def register(request: Request) -> Response:
        address = address_of(request)
        try:
            registered.check(address)
            client, secret = await connecting.register(await json_of(request))
        except OAuthRefused as error:
            return refused(error)
        except TooMany as error:
            return slowed(error)
        registered.note(address)
        return answer_json(registration(client, secret), 201, headers=NO_STORE)

    @router.post("/oauth/token")
    async def token(request: Request) -> Response:
        async def give(credentials: Credentials, form: Mapping[str, str]) -> dict[str, Any]:
            match form.get("grant_type"):
                case "authorization_code":
                    issued = await connecting.redeem(
                        credentials,
                        form.get("code", ""),
                        form.get("redirect_uri", ""),
                        form.get("code_verifier", ""),
                        form.get("resource", "").rstrip("/"),
                    )
                case "refresh_token":
                    issued = await connecting.renew(
                        credentials, form.get("refresh_token", ""), form.get("scope", "")
                    )
                case _:
                    raise OAuthRefused("unsupported_grant_type", "Send a code or a refresh token.")
            return pair(issued)

        return await served(request, failed, give)

    @router.post("/oauth/revoke")
    async def revoke(request: Request) -> Response:
        async def end(credentials: Credentials, form: Mapping[str, str]) -> dict[str, Any]:
            await connecting.disconnect(credentials, form.get("token", ""))
            return {}

        return await served(request, failed, end)

    return router


async def served(request: Request, failed: FailedTries, verb: Verb) -> Response:
    address = address_of(request)
    try:
        failed.check(address)
        form = await form_of(request)
        answer = await verb(credentials_of(request, form), form)
    except OAuthRefused as error:
        failed.note(address)
        return refused(error)
    except TooMany as error:
        return slowed(error)
    return answer_json(answer, headers=NO_STORE)


def pair(issued: Issued) -> dict[str, Any]:
    return {
        "access_token": issued.access,
        "token_type": "Bearer",
        "expires_in": issued.expires_in,
        "refresh_token": issued.refresh,
        "scope": " ".join(issued.token.scopes or ()),
    }


def registration(client: OAuthClient, secret: str) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "client_id": client.id,
        "client_id_issued_at": int(client.created_at.timestamp()),
        "client_name": client.name,
        "redirect_uris": list(client.redirects),
        "token_endpoint_auth_method": client.method,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
    }
    return {**fields, "client_secret": secret, "client_secret_expires_at": 0} if secret else fields


def refused(error: OAuthRefused) -> Response:
    body = {"error": error.error, "error_description": error.description}
    return answer_json(body, error.status, headers=NO_STORE)


def slowed(error: TooMany) -> Response:
    wait = str(max(1, round(error.retry_after or 1)))
    body = {"error": "temporarily_unavailable", "error_description": error.message}
    return answer_json(body, 429, headers={**NO_STORE, "Retry-After": wait})


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


async def json_of(request: Request) -> Mapping[str, Any]:
    try:
        body = json.loads(await small_body(request))
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise OAuthRefused("invalid_client_metadata", "Send a JSON object.")
    return body


async def form_of(request: Request) -> dict[str, str]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise OAuthRefused("invalid_request", "Send application/x-www-form-urlencoded.")
    return once_each((await small_body(request)).decode("utf-8", "replace"))


def once_each(text: str) -> dict[str, str]:
    """The parameters. One that comes twice could be read differently by two readers."""
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        raise OAuthRefused("invalid_request", "Too many parameters.") from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise OAuthRefused("invalid_request", "A parameter comes twice.")
    return dict(pairs)


async def small_body(request: Request) -> bytes:
    body = await request.body()
    if len(body) > BODY_BYTES_MAX:
        raise OAuthRefused("invalid_request", "That is too long.")
    return body


def credentials_of(request: Request, form: Mapping[str, str]) -> Credentials:
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return Credentials(form.get("client_id", ""), form.get("client_secret", ""))
    try:
        name, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, ValueError):
        name, colon, secret = "", "", ""
    client_id = unquote_plus(name)
    if not colon or form.get("client_id", client_id) != client_id:
        raise OAuthRefused("invalid_client", "The client is named in two ways.", 401)
    return Credentials(client_id, unquote_plus(secret))
