"""Routes about tokens: who am I, make, list, revoke; log in to the console once."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeAlias

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from clarion.access.tokens import (
    SESSION_LIFE,
    Access,
    Identity,
    NewToken,
    Token,
    TokenId,
    TokenKind,
)
from clarion.base.errors import Forbidden
from clarion.base.ids import DeviceId, UserId
from clarion.base.paging import unwrap_cursor, wrap_cursor
from clarion.doors.http.auth import COOKIE, Admin, Anybody, Asking, Who, keeper_of
from clarion.doors.http.conventions import (
    PREFIX,
    Cursor,
    Id,
    Limit,
    Name,
    Shape,
    answer_json,
    nothing,
    refusals,
    removes,
    said,
    shaped,
)
from clarion.people.errors import NoSuchUser

LIFE_MOST = 3650 * 86400  # ten years


class TokenIn(Shape):
    kind: Literal["admin", "user", "device", "dispatcher", "viewer"] = "user"
    user_id: Id | None = None
    device_id: Id | None = None
    name: Name = Field("", examples=["Claude on the laptop"])
    expires_in: int | None = Field(
        None, ge=60, le=LIFE_MOST, description="Seconds; without it, it never expires."
    )


class TokenOut(Shape):
    id: str
    kind: TokenKind
    user_id: str | None
    device_id: str | None
    name: str
    created_at: str
    expires_at: str | None
    revoked_at: str | None
    used_at: str | None


class NewTokenOut(TokenOut):
    token: str = Field(description="The token itself. It is shown this once.")


class TokenPage(Shape):
    items: list[TokenOut]
    next_cursor: str | None


class Me(Shape):
    kind: TokenKind
    token_id: str
    user_id: str | None
    device_id: str | None
    name: str


class LoginIn(Shape):
    code: str = Field(min_length=1, max_length=100, examples=["k7m2-xq9t-…"])


class LoginCodeIn(Shape):
    user_id: Id | None = Field(None, description="Log in as this user; without it, as an admin.")


class LoginCode(Shape):
    code: str
    path: str = Field(description="Open this address of the console within the time.")
    expires_at: str


def about_me(who: Identity) -> Response:
    return answer_json(shaped(Me, who))


Knows: TypeAlias = Callable[[UserId], Awaitable[bool]]
"""Whether there is such a user."""


def token_routes(access: Access, knows: Knows) -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["tokens"])

    @router.get("/me", response_model=Me, summary="Who am I?")
    async def me(who: Anybody) -> Response:
        return about_me(who)

    @router.get("/tokens", response_model=TokenPage, summary="Tokens, yours or everybody's")
    async def list_tokens(actor: Asking, limit: Limit = 50, cursor: Cursor = None) -> Response:
        after = unwrap_cursor(cursor, str)[0] if cursor else ""
        tokens = await access.list(user_id=actor.user_id, after=after, limit=limit + 1)
        more = wrap_cursor(tokens[limit - 1].id) if len(tokens) > limit else None
        return answer_json(
            {"items": [shown(token) for token in tokens[:limit]], "next_cursor": more}
        )

    add_making(router, access, knows)
    add_session(router, access)
    return router


def add_making(router: APIRouter, access: Access, knows: Knows) -> None:
    @router.post(
        "/tokens",
        response_model=NewTokenOut,
        status_code=HTTPStatus.CREATED,
        summary="Make a token",
        responses=refusals(HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND),
    )
    async def make_token(_: Admin, body: TokenIn) -> Response:
        if body.user_id and not await knows(UserId(body.user_id)):
            raise NoSuchUser(body.user_id)
        made = await access.issue(
            TokenKind(body.kind),
            user_id=UserId(body.user_id) if body.user_id else None,
            device_id=DeviceId(body.device_id) if body.device_id else None,
            name=body.name,
            life=timedelta(seconds=body.expires_in) if body.expires_in else None,
        )
        return answer_json({**shown(made.token), "token": made.text}, HTTPStatus.CREATED)

    @router.delete(
        "/tokens/{token_id}",
        summary="Revoke a token, at once and for good",
        **removes(),
    )
    async def revoke_token(
        actor: Asking, token_id: Annotated[str, Path(max_length=64)]
    ) -> Response:
        await access.revoke(TokenId(token_id), user_id=actor.user_id)
        return nothing()


def add_session(router: APIRouter, access: Access) -> None:
    @router.post(
        "/login-codes",
        response_model=LoginCode,
        status_code=HTTPStatus.CREATED,
        summary="Make a code that opens the console once",
    )
    async def make_login(_: Admin, body: LoginCodeIn) -> Response:
        made = await access.make_login(user_id=UserId(body.user_id) if body.user_id else None)
        found = {
            "code": made.code,
            "path": login_path(made.code),
            "expires_at": said(made.expires_at),
        }
        return answer_json(found, HTTPStatus.CREATED)

    @router.post(
        "/session",
        response_model=TokenOut,
        status_code=HTTPStatus.CREATED,
        summary="Log in with a one-time code; the answer sets a cookie",
        responses=refusals(HTTPStatus.UNAUTHORIZED),
    )
    async def log_in(request: Request, body: LoginIn) -> Response:
        failures = keeper_of(request).failures
        address = request.client.host if request.client else ""
        failures.check(address)
        try:
            made = await access.log_in(body.code)
        except Exception:
            failures.note(address)
            raise
        response = answer_json(shown(made.token), HTTPStatus.CREATED)
        set_session(response, made, secure=request.url.scheme == "https")
        return response

    @router.delete(
        "/session",
        status_code=HTTPStatus.NO_CONTENT,
        response_class=Response,
        summary="Log out: the session's token is revoked",
    )
    async def log_out(who: Who) -> Response:
        if who.name != "console":
            raise Forbidden("This token is no session.", hint="Revoke it under /api/v1/tokens.")
        await access.revoke(who.token_id)
        response = nothing()
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response


def set_session(response: Response, made: NewToken, *, secure: bool) -> None:
    response.set_cookie(
        COOKIE,
        made.text,
        max_age=int(SESSION_LIFE.total_seconds()),
        path="/",
        httponly=True,
        samesite="strict",
        secure=secure,
    )


def login_path(code: str) -> str:
    """Behind the `#`, so that it is in no server's log and no preview uses it up."""
    return f"/login#{code}"


def shown(token: Token) -> dict[str, Any]:
    return shaped(TokenOut, token)
