"""Who is asking, and what they may do: the dependencies that every route uses.

    from clarion.doors.http.auth import Admin, Asking, Who, whose

    async def list_teams(who: Admin) -> ...           admins only, others 403
    async def get_reminder(actor: Asking, id: str)    an Actor for a service; devices 403
    async def get_me(who: Who) -> ...                 any good token: Identity(kind, user_id, …)

`identity(request)` is the function behind them. The token comes as `Authorization: Bearer …` or
as the console's cookie. The user is whom the token speaks for: `whose(who, asked)` lets only
admins name somebody else.

How much a caller may ask stands here too: requests a second for each token, failed tries for each
address. Both live in this process: a limit is there to keep us answering, not to bill anybody.
"""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

from clarion.access.tokens import (
    DESK,
    USUAL,
    Access,
    Identity,
    InsufficientScope,
    Scope,
    TokenKind,
    check_scope,
    speaks_for,
)
from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, Forbidden, TooMany, Unauthorised
from clarion.base.ids import UserId
from clarion.doors.http.conventions import PREFIX
from clarion.doors.http.problems import answer
from clarion.people.model import Actor

COOKIE = "clarion_session"
KEEPER = "clarion.doorkeeper"
IDENTITY = "clarion.identity"
LEFT = "clarion.requests_left"
CHALLENGE = b"www-authenticate"
NEEDED = "clarion.scope_needed"
SCHEME = "token"  # what OpenAPI calls it
BURST_SECONDS = 10  # a page of the console sends many requests at once and then none
KEPT_MAX = 20_000  # callers that are remembered; a household has far fewer
FAILURES_MAX = 20  # the default of CLARION_FAILED_TRIES
FAILURES_WINDOW = 60.0  # seconds


@dataclass(slots=True)
class CallerBucket:
    level: float
    at: float


class RateLimit:
    """`per_second` requests for each key over time, ten seconds' worth at once; 0 is no limit."""

    def __init__(self, per_second: float, clock: Clock) -> None:
        self._per_second = per_second
        self._most = per_second * BURST_SECONDS
        self._clock = clock
        self._buckets: dict[str, CallerBucket] = {}

    @property
    def policy(self) -> str:
        """As the `RateLimit-Policy` header has it: how many at once, in how many seconds."""
        return f'"token";q={int(self._most)};w={BURST_SECONDS}' if self._per_second else ""

    def take(self, key: str) -> int:
        """How many are left at once. Raises TooMany, with the seconds until one more is free."""
        if not self._per_second:
            return 0
        now = self._clock.monotonic()
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= KEPT_MAX:
                self._buckets.clear()
            bucket = self._buckets[key] = CallerBucket(self._most, now)
        bucket.level = min(self._most, bucket.level + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.level < 1:
            wait = (1 - bucket.level) / self._per_second
            raise TooMany("Too many requests with this token.", retry_after=max(1.0, wait))
        bucket.level -= 1
        return int(bucket.level)


class FailedTries:
    """After this many wrong tokens a minute from one address none is checked; codes likewise.

    0 is no limit. `what` is the name of what was tried, for the sentence.
    """

    def __init__(
        self,
        clock: Clock,
        most: int = FAILURES_MAX,
        *,
        window: float = FAILURES_WINDOW,
        what: str = "wrong tokens from this address",
    ) -> None:
        self._clock = clock
        self._most = most
        self._window = window
        self._what = what
        self._seen: dict[str, list[float]] = {}

    def note(self, address: str) -> None:
        if len(self._seen) >= KEPT_MAX:
            self._seen.clear()
        self._seen.setdefault(address, []).append(self._clock.monotonic())

    def is_over(self, address: str) -> bool:
        return bool(self._most) and len(self._recent(address)) >= self._most

    def check(self, address: str) -> None:
        if self.is_over(address):
            wait = self._window - (self._clock.monotonic() - self._recent(address)[0])
            raise TooMany(f"Too many {self._what}.", retry_after=max(1.0, wait))

    def _recent(self, address: str) -> list[float]:
        since = self._clock.monotonic() - self._window
        recent = [at for at in self._seen.get(address, ())[-max(self._most, 1) :] if at > since]
        if recent:
            self._seen[address] = recent
        else:
            self._seen.pop(address, None)
        return recent


class Doorkeeper:
    """Recognises tokens, and slows down callers that ask too often or guess."""

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

    A caller with a token sees in each answer how many requests are left; one without a token, or
    with too few rights, sees where to get one.
    """

    def __init__(self, app: ASGIApp, keeper: Doorkeeper, public_url: str = "") -> None:
        self._app = app
        self._keeper = keeper
        self._public_url = public_url

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        scope[KEEPER] = self._keeper
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        policy = self._keeper.rate.policy

        async def send_with_limits(message: Message) -> None:
            if message["type"] == "http.response.start":
                more = []
                if policy and LEFT in scope:
                    left = f'"token";r={scope[LEFT]}'.encode()
                    more = [(b"ratelimit-policy", policy.encode()), (b"ratelimit", left)]
                if message["status"] in (401, 403):
                    more += self._challenge(scope, message["status"])
                said = [one for one in message.get("headers", ()) if one[0] != CHALLENGE]
                message = {**message, "headers": [*said, *more]}
            await send(message)

        await self._app(scope, receive, send_with_limits)

    def _challenge(self, scope: AsgiScope, status: int) -> list[tuple[bytes, bytes]]:
        asked, connection = " ".join(USUAL), HTTPConnection(scope)
        error = "invalid_token" if presented(connection) else ""
        if status == 403:
            if NEEDED not in scope:
                return []
            asked, error = scope[NEEDED], "insufficient_scope"
        text = challenge(connection, self._public_url, error, asked)
        return [(CHALLENGE, text.encode())]


def keeper_of(connection: HTTPConnection) -> Doorkeeper:
    keeper = connection.scope[KEEPER]
    assert isinstance(keeper, Doorkeeper)
    return keeper


def presented(connection: HTTPConnection) -> str:
    """The token that was sent, or nothing."""
    scheme, _, text = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return text.strip()
    return connection.cookies.get(COOKIE, "")


async def identity(connection: HTTPConnection) -> Identity:
    """Who is asking, for requests and WebSockets; looked up once per request."""
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
    try:
        check_reach(who, connection.scope.get("method", "GET"), connection.scope["path"])
    except InsufficientScope as error:
        connection.scope[NEEDED] = error.details["scope"]
        raise
    connection.scope[IDENTITY], connection.scope[LEFT] = who, left
    return who


class _ByToken(SecurityBase):
    """A dependency that documents itself: one call, where a tree of them would cost as much
    as the rest of the request.
    """

    def __init__(self) -> None:
        self.scheme_name = SCHEME
        self.model = HTTPBearer(description="From `clarion token create`: `tok_….…`.")


class _Anybody(_ByToken):
    async def __call__(self, request: Request) -> Identity:
        return await identity(request)


class _Who(_ByToken):
    async def __call__(self, request: Request) -> Identity:
        return not_of_the_desk(await identity(request))


class _Of(_ByToken):
    """Admins, and tokens of these kinds."""

    def __init__(self, *kinds: TokenKind) -> None:
        super().__init__()
        self._kinds = kinds

    async def __call__(self, request: Request) -> Identity:
        who = await identity(request)
        if not who.is_admin and who.kind not in self._kinds:
            raise Forbidden(f"This needs a token of an admin or {self._kinds[0].value}.")
        return who


class _Admin(_ByToken):
    async def __call__(self, request: Request) -> Identity:
        who = await identity(request)
        if not who.is_admin:
            raise Forbidden("Only an admin token may do this.")
        return who


class _Asking(_ByToken):
    async def __call__(self, request: Request) -> Actor:
        return actor_of(await identity(request))


def not_of_the_desk(who: Identity) -> Identity:
    if who.kind in DESK:
        raise Forbidden("This token opens the dispatcher's desk only: what begins with /ai.")
    return who


def actor_of(who: Identity) -> Actor:
    not_of_the_desk(who)
    if who.kind is TokenKind.DEVICE:
        raise Forbidden(
            "A device's token opens the device's own door only.",
            hint="Use the token of the user it belongs to.",
        )
    return Actor(user_id=who.user_id, admin=who.is_admin, name=who.name or who.kind.value)


Who = Annotated[Identity, Security(_Who())]
Anybody = Annotated[Identity, Security(_Anybody())]
Admin = Annotated[Identity, Security(_Admin())]
Dispatcher = Annotated[Identity, Security(_Of(TokenKind.DISPATCHER))]
Viewer = Annotated[Identity, Security(_Of(TokenKind.VIEWER, TokenKind.DISPATCHER))]
Asking = Annotated[Actor, Security(_Asking())]


def whose(actor: Actor, asked: str | None) -> UserId:
    """The user something is done for: the token's own; an admin has to name one."""
    return speaks_for(actor.user_id, is_admin=actor.admin, asked=asked)


class KnownCallers:
    """Lets only callers with a good token through to another application, such as MCP's."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        try:
            actor_of(await identity(HTTPConnection(scope)))
        except ClarionError as error:
            await answer(error, instance=scope["path"])(scope, receive, send)
            return
        await self._app(scope, receive, send)


READING = frozenset({"GET", "HEAD"})
FREE = frozenset({"/mcp", f"{PREFIX}/me"})
"""The assistants' door asks at each tool; who one is everybody may know."""
CONFIRMING = ("/confirm", "/snooze")
PREVIEW = f"{PREFIX}/reminders/preview"
CONTEXT = "/xiaozhi/context"
FIGURES = ("/adherence", "/export", "/upcoming")


def needed_scope(method: str, path: str) -> Scope | None:
    """None: any token will do. A path that is not listed needs `admin`."""
    if path in FREE:
        return None
    if path == CONTEXT:
        return Scope.READ
    if path.startswith("/ai/"):
        return Scope.DISPATCH
    reads = method in READING
    match path.removeprefix(PREFIX).split("/")[1:2]:
        case ["reminders"] | ["series"]:
            if reads or path == PREVIEW:
                return Scope.READ
            return Scope.CONFIRM if path.endswith(CONFIRMING) else Scope.SET
        case ["events"]:
            return Scope.READ
        case ["users"] if reads and path.endswith(FIGURES):
            return Scope.READ
        case ["questions"]:
            return Scope.READ if reads else Scope.SET
        case ["users"] | ["devices"] | ["contacts"] | ["rotations"] | ["oncall"]:
            return Scope.PEOPLE
        case _:
            return Scope.ADMIN


def check_reach(who: Identity, method: str, path: str) -> None:
    """Raises Unauthorised for a token of another address, InsufficientScope for too little."""
    if who.client_id is None:
        return
    below = urlsplit(who.resource).path
    if below and path != below and not path.startswith(f"{below}/"):
        raise Unauthorised(
            "This token is for another address.", hint=f"It is good at {who.resource} only."
        )
    check_scope(who.scopes, needed_scope(method, path))


RESOURCE_PATH = "/.well-known/oauth-protected-resource"
DOOR = "/mcp"


def base_of(connection: HTTPConnection, public_url: str) -> str:
    """Our own address as the caller knows it. `Hosts` has checked the name."""
    if public_url:
        return public_url.rstrip("/")
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return f"{scheme}://{connection.url.netloc}"


def challenge(connection: HTTPConnection, public_url: str, error: str, scope: str) -> str:
    """What a 401 or 403 says to a client that can connect by itself (RFC 9728)."""
    path = f"{RESOURCE_PATH}{DOOR}" if connection.scope["path"] == DOOR else RESOURCE_PATH
    where = f"{base_of(connection, public_url)}{path}"
    parts = [f'resource_metadata="{where}"', f'scope="{scope}"']
    if error:
        parts.insert(0, f'error="{error}"')
    return f"Bearer {', '.join(parts)}"


__all__ = ["Actor", "Admin", "Asking", "Doorkeeper", "Identity", "Who", "identity", "whose"]
