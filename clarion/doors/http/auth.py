"""Who is asking: the dependencies that every route leans on.

    from clarion.doors.http.auth import Admin, Asking, Who, whose

    async def list_teams(who: Admin) -> ...           admins only, others 403
    async def get_reminder(actor: Asking, id: str)    an Actor for a service; devices 403
    async def get_me(who: Who) -> ...                 any good token: Identity(kind, user_id, …)

`identity(request)` is the function behind them. The token comes as `Authorization: Bearer …` or
as the console's cookie. The user is whom the token speaks for: `whose(who, asked)` lets only
admins name somebody else.
"""

from typing import Annotated

from fastapi import Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clarion.access.model import Identity, TokenKind, speaks_for
from clarion.access.service import Access
from clarion.base.errors import ClarionError, Forbidden, Unauthorised
from clarion.base.ids import UserId
from clarion.doors.http.limits import FailedTries, RateLimit
from clarion.doors.http.problems import answer
from clarion.people.access import Actor

__all__ = ["Actor", "Admin", "Asking", "Doorkeeper", "Identity", "Who", "identity", "whose"]

COOKIE = "clarion_session"
KEEPER = "clarion.doorkeeper"
IDENTITY = "clarion.identity"
LEFT = "clarion.requests_left"
SCHEME = "token"  # what OpenAPI calls it


class Doorkeeper:
    """Recognises tokens, and slows down who asks too much or guesses."""

    def __init__(self, access: Access, rate: RateLimit, failures: FailedTries) -> None:
        self.access = access
        self.failures = failures
        self.rate = rate

    async def recognise(self, text: str, address: str) -> tuple[Identity, int]:
        """Whose token this is, and how many requests it has left. Raises Unauthorised or TooMany.

        An address with too many failures is not even looked up, unless the very token was
        good before: one guest must not lock out the family behind the same router.
        """
        if self.failures.is_over(address) and not self.access.has_let_in(text):
            self.failures.check(address)
        try:
            who = await self.access.recognise(text)
        except Unauthorised:
            self.failures.note(address)
            raise
        return who, self.rate.take(who.token_id)


class Attended:
    """Puts the doorkeeper where `identity` finds it, for every request and every socket.

    Who has a token hears with each answer how many requests are left.
    """

    def __init__(self, app: ASGIApp, keeper: Doorkeeper) -> None:
        self._app = app
        self._keeper = keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[KEEPER] = self._keeper
        policy = self._keeper.rate.policy
        if scope["type"] != "http" or not policy:
            await self._app(scope, receive, send)
            return

        async def limited(message: Message) -> None:
            if message["type"] == "http.response.start" and LEFT in scope:
                left = f'"token";r={scope[LEFT]}'.encode()
                more = [(b"ratelimit-policy", policy.encode()), (b"ratelimit", left)]
                message = {**message, "headers": [*message.get("headers", ()), *more]}
            await send(message)

        await self._app(scope, receive, limited)


def keeper_of(connection: HTTPConnection) -> Doorkeeper:
    keeper = connection.scope[KEEPER]
    assert isinstance(keeper, Doorkeeper)
    return keeper


def presented(connection: HTTPConnection) -> str:
    """The token as it came, or nothing."""
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return text.strip()
    return connection.cookies.get(COOKIE, "")


async def identity(connection: HTTPConnection) -> Identity:
    """Who is asking. Works for requests and for WebSockets; asked twice, it looks once."""
    found = connection.scope.get(IDENTITY)
    if isinstance(found, Identity):
        return found
    text = presented(connection)
    if not text:
        raise Unauthorised(
            "This needs a token.", hint="Send `Authorization: Bearer <token>`, or log in."
        )
    address = connection.client.host if connection.client else ""
    who, left = await keeper_of(connection).recognise(text, address)
    connection.scope[IDENTITY], connection.scope[LEFT] = who, left
    return who


class _ByToken(SecurityBase):
    """A dependency that documents itself: one call, where a tree of them would cost as much
    as the rest of the request.
    """

    def __init__(self) -> None:
        self.scheme_name = SCHEME
        self.model = HTTPBearer(description="From `clarion token create`: `tok_….…`.")


class _Who(_ByToken):
    async def __call__(self, request: Request) -> Identity:
        return await identity(request)


class _Admin(_ByToken):
    async def __call__(self, request: Request) -> Identity:
        who = await identity(request)
        if not who.is_admin:
            raise Forbidden("Only an admin token may do this.")
        return who


class _Asking(_ByToken):
    async def __call__(self, request: Request) -> Actor:
        return actor_of(await identity(request))


def actor_of(who: Identity) -> Actor:
    if who.kind is TokenKind.DEVICE:
        raise Forbidden(
            "A device's token opens the device's own door only.",
            hint="Use the token of the user it belongs to.",
        )
    return Actor(user_id=who.user_id, admin=who.is_admin, name=who.name or who.kind.value)


Who = Annotated[Identity, Security(_Who())]
Admin = Annotated[Identity, Security(_Admin())]
Asking = Annotated[Actor, Security(_Asking())]


def whose(actor: Actor, asked: str | None) -> UserId:
    """The user something is done for: the token's own; an admin has to name one."""
    return speaks_for(actor.user_id, is_admin=actor.admin, asked=asked)


class KnownCallers:
    """Lets only callers with a good token through to another application, such as MCP's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            actor_of(await identity(HTTPConnection(scope)))
        except ClarionError as error:
            challenge = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorised) else {}
            await answer(error, instance=scope["path"], headers=challenge)(scope, receive, send)
            return
        await self._app(scope, receive, send)
