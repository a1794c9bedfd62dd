"""Tokens and who they speak for: issue, recognise, list and revoke them; log in once with a code.

A token is written `tok_<id>.<secret>`. The id finds the row, the secret proves the holder; the
database keeps the secret's SHA-256 alone, which is enough for 256 random bits.
"""

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType, Protocol

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Forbidden, NotFound, Unauthorised
from clarion.base.ids import DeviceId, UserId, new_id

log = logging.getLogger(__name__)


class Scope(StrEnum):
    """Things an assistant may be allowed, from the harmless to the far-reaching."""

    READ = "read"
    """See reminders, series, figures and their changes."""
    SET = "set"
    """Set, change and cancel reminders."""
    CONFIRM = "confirm"
    """Say that something is done, or put it off."""
    PEOPLE = "people"
    """See and change people, devices and contacts."""
    DISPATCH = "dispatch"
    """Events and teams."""
    ADMIN = "admin"
    """The queue, tokens, webhooks, rules: everything else."""


USUAL = (Scope.READ, Scope.SET, Scope.CONFIRM)
"""What is asked for when an assistant names nothing."""
OF_A_PERSON = (*USUAL, Scope.PEOPLE)
"""What somebody can allow who is no admin; the rest is about everybody."""


class InsufficientScope(Forbidden):
    code = "insufficient_scope"

    def __init__(self, needed: Scope) -> None:
        super().__init__(
            f"This assistant was not allowed {needed.value!r}.",
            hint="Connect it again and allow that too.",
            details={"scope": needed.value},
        )


def scopes_in(text: str) -> tuple[Scope, ...]:
    """The scopes of a space-separated list, in our order. Raises ValueError for an unknown one."""
    return ordered(Scope(one) for one in text.split())


def ordered(scopes: Iterable[Scope]) -> tuple[Scope, ...]:
    wanted = set(scopes)
    return tuple(one for one in Scope if one in wanted)


def check_scope(allowed: Collection[Scope] | None, needed: Scope | None) -> None:
    """Raises InsufficientScope. None on either side asks for nothing."""
    if allowed is not None and needed is not None and needed not in allowed:
        raise InsufficientScope(needed)


TokenId = NewType("TokenId", str)

SECRET_BYTES = 32
PRESENTED_MAX = 200  # characters; ours have 74, and nobody should make us hash a megabyte
CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # read aloud and typed: no 0, 1, i, l, o
CODE_LETTERS = 20  # 99 bits: it may be written on a screen, it cannot be guessed
CODE_LIFE = timedelta(minutes=15)
SESSION_LIFE = timedelta(days=30)


class TokenKind(StrEnum):
    ADMIN = "admin"
    USER = "user"
    DEVICE = "device"
    DISPATCHER = "dispatcher"
    """Opens dispatch alone: reports, plans, approves, moves teams."""
    VIEWER = "viewer"
    """Sees dispatch, and changes nothing."""


DESK = frozenset({TokenKind.DISPATCHER, TokenKind.VIEWER})
"""Tokens that open the dispatcher's desk and no other door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    id: TokenId
    kind: TokenKind
    created_at: datetime
    user_id: UserId | None = None
    """Whom it speaks for; None for admins."""
    device_id: DeviceId | None = None
    name: str = ""
    """What its owner calls it: "Claude on the laptop"."""
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    used_at: datetime | None = None
    """When it was last used, to the minute."""
    client_id: str | None = None
    """The program that a person connected; None for a token made by hand."""
    scopes: tuple[Scope, ...] | None = None
    """What the person allowed it; None: all that its kind may."""
    resource: str = ""
    """The address it is for, and those below; empty: all of Clarion."""

    def is_good(self, now: datetime) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who is asking, as their token says. The user is never taken from an argument."""

    kind: TokenKind
    token_id: TokenId
    user_id: UserId | None = None
    device_id: DeviceId | None = None
    name: str = ""
    client_id: str | None = None
    scopes: tuple[Scope, ...] | None = None
    resource: str = ""

    @property
    def is_admin(self) -> bool:
        return self.kind is TokenKind.ADMIN


@dataclass(frozen=True, slots=True)
class NewToken:
    """What is shown once, when it is made, and never again."""

    token: Token
    secret: str

    @property
    def text(self) -> str:
        return f"{self.token.id}.{self.secret}"


@dataclass(frozen=True, slots=True)
class NewLogin:
    code: str
    expires_at: datetime


def identity_of(token: Token) -> Identity:
    return Identity(
        kind=token.kind,
        token_id=token.id,
        user_id=token.user_id,
        device_id=token.device_id,
        name=token.name,
        client_id=token.client_id,
        scopes=token.scopes,
        resource=token.resource,
    )


def speaks_for(own: UserId | None, *, is_admin: bool, asked: str | None) -> UserId:
    """The user something is done for: the token's own. An admin has to name one, and nobody
    else may name another.
    """
    if is_admin:
        if not asked:
            raise BadInput("An admin token has to say for whom: add `user_id`.")
        return UserId(asked)
    if own is None:
        raise Forbidden("This token speaks for nobody.")
    if asked and asked != own:
        raise Forbidden("This token speaks for another user.", hint="Leave `user_id` out.")
    return own


def new_token_id(now: datetime) -> TokenId:
    return TokenId(new_id("tok", now))


def new_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def new_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LETTERS))


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, kept: str) -> bool:
    """Takes the same time wherever the two differ."""
    return hmac.compare_digest(hashed(secret), kept)


def split(text: str) -> tuple[TokenId, str] | None:
    """The id and the secret of what somebody presented; None when it is no token of ours."""
    if len(text) > PRESENTED_MAX or not text.isascii():
        return None
    name, dot, secret = text.partition(".")
    if not dot or not secret or not name.startswith("tok_"):
        return None
    return TokenId(name), secret


@dataclass(frozen=True, slots=True)
class KeptToken:
    token: Token
    hash: str


class TokenStore(Protocol):
    """Each method is one transaction."""

    async def add(self, token: Token, hash_: str) -> None: ...

    async def find(self, token_id: TokenId, presented: str = "") -> KeptToken | None:
        """`presented` is the hash of a secret: one of a connected assistant's is then the
        answer's, with its own end.
        """
        ...

    async def all(self, *, user_id: UserId | None, after: str, limit: int) -> list[Token]:
        """By id, those of `user_id` or everybody's; revoked ones included, assistants not."""
        ...

    async def connected(self, *, user_id: UserId | None) -> list[Token]:
        """The assistants that are connected now, the latest first."""
        ...

    async def revoke(self, token_id: TokenId, at: datetime) -> Token | None:
        """None when there is no such token. Revoking twice keeps the first instant."""
        ...

    async def touch(self, token_id: TokenId, at: datetime) -> None: ...

    async def add_login(self, hash_: str, expires_at: datetime, user_id: UserId | None) -> None: ...

    async def take_login(self, hash_: str, session: Token, session_hash: str) -> Token | None:
        """Use the code up and add its session, both or neither; None when it is no good.

        The session speaks for whom the code was made: its kind and user are set here.
        """
        ...

    async def forget_expired(self, before: datetime) -> int:
        """Drop what ended before: codes, sessions, remembered answers. For the daily cleaning."""
        ...


REMEMBER_SECONDS = 5.0  # after this, a token whose revocation signal was lost is refused too
REMEMBERED_MAX = 10_000
TOUCH_EVERY = timedelta(minutes=1)
ENDED_KEPT = timedelta(days=30)  # a revoked token is listed this long


@dataclass(slots=True)
class CachedToken:
    token: Token
    until: float
    """On the monotonic clock."""


class Access:
    """Tokens that were just recognised are remembered for some seconds.

    `forget` makes it look again: call it when the store says that a token has changed, on whichever
    server, and a revoked token is refused at once.
    """

    def __init__(self, store: TokenStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[str, CachedToken] = {}
        self.on_refused: Callable[[], None] = lambda: None
        """Told each time a token is refused: for metrics."""

    async def issue(
        self,
        kind: TokenKind,
        *,
        user_id: UserId | None = None,
        device_id: DeviceId | None = None,
        name: str = "",
        life: timedelta | None = None,
    ) -> NewToken:
        check_owner(kind, user_id, device_id)
        now = self._clock.now()
        secret = new_secret()
        token = Token(
            id=new_token_id(now),
            kind=kind,
            created_at=now,
            user_id=user_id,
            device_id=device_id,
            name=name,
            expires_at=now + life if life is not None else None,
        )
        await self._store.add(token, hashed(secret))
        log.info("token made", extra={"id": token.id, "kind": kind.value})
        return NewToken(token, secret)

    async def recognise(self, text: str) -> Identity:
        """Whose token this is. Raises Unauthorised, always with the same words."""
        now = self._clock.now()
        token = await self._find(text)
        if token is None or not token.is_good(now):
            self.on_refused()
            raise Unauthorised(
                "This token is not known, has expired or was revoked.",
                hint="Make one with `clarion token create`.",
            )
        if token.used_at is None or now - token.used_at >= TOUCH_EVERY:
            if known := self._known.get(hashed(text)):
                known.token = replace(token, used_at=now)
            await self._store.touch(token.id, now)
        return identity_of(token)

    async def _find(self, text: str) -> Token | None:
        fingerprint = hashed(text)
        known = self._known.get(fingerprint)
        if known is not None and self._clock.monotonic() < known.until:
            return known.token
        parts = split(text)
        if parts is None:
            return None
        kept = await self._store.find(parts[0], hashed(parts[1]))
        # A missing row is compared too, so that timing does not reveal which ids exist.
        if not matches(parts[1], kept.hash if kept else "") or kept is None:
            self._known.pop(fingerprint, None)
            return None
        if len(self._known) >= REMEMBERED_MAX:
            self._known.clear()
        until = self._clock.monotonic() + REMEMBER_SECONDS
        self._known[fingerprint] = CachedToken(kept.token, until)
        return kept.token

    def forget(self, _signal: str = "") -> None:
        """Ask the store again for every token: one of them has changed."""
        for known in self._known.values():
            known.until = 0.0

    def has_let_in(self, text: str) -> bool:
        """Whether this token was valid before; it may have been revoked since."""
        return hashed(text) in self._known

    async def list(
        self, *, user_id: UserId | None = None, after: str = "", limit: int = 50
    ) -> list[Token]:
        return await self._store.all(user_id=user_id, after=after, limit=limit)

    async def connected(self, *, user_id: UserId | None = None) -> Sequence[Token]:
        """The assistants that are connected to a person, or to anybody."""
        return await self._store.connected(user_id=user_id)

    async def disconnect(self, token_id: TokenId, *, user_id: UserId | None = None) -> None:
        """End an assistant's connection: all its secrets are worthless at once."""
        if token_id not in {one.id for one in await self.connected(user_id=user_id)}:
            raise NotFound("There is no such assistant.")
        await self.revoke(token_id, user_id=user_id)

    async def revoke(self, token_id: TokenId, *, user_id: UserId | None = None) -> Token:
        """`user_id` limits it to that user's own tokens. Twice is harmless."""
        kept = await self._store.find(token_id)
        if kept is None or (user_id is not None and kept.token.user_id != user_id):
            raise NotFound("There is no such token.")
        revoked = await self._store.revoke(token_id, self._clock.now())
        assert revoked is not None, "tokens are never deleted while they are good"
        self.forget()
        log.info("token revoked", extra={"id": token_id})
        return revoked

    async def make_login(self, *, user_id: UserId | None = None) -> NewLogin:
        """A code that opens the console once, as an admin or as `user_id`."""
        code = new_code()
        expires_at = self._clock.now() + CODE_LIFE
        await self._store.add_login(hashed(code), expires_at, user_id)
        return NewLogin(code, expires_at)

    async def log_in(self, code: str) -> NewToken:
        """Exchange a code for a session. The second try with the same code is refused."""
        now = self._clock.now()
        secret = new_secret()
        session = Token(
            id=new_token_id(now),
            kind=TokenKind.ADMIN,
            created_at=now,
            name="console",
            expires_at=now + SESSION_LIFE,
        )
        made = await self._store.take_login(hashed(tidy_code(code)), session, hashed(secret))
        if made is None:
            self.on_refused()
            raise Unauthorised(
                "This login code is not known, was used, or is too old.",
                hint="`clarion token login` prints a new one.",
            )
        return NewToken(made, secret)

    async def is_good(self, text: str) -> bool:
        token = await self._find(text)
        return token is not None and token.is_good(self._clock.now())

    async def clean(self, now: datetime) -> int:
        """Forget tokens, codes and keys that ended long ago."""
        return await self._store.forget_expired(now - ENDED_KEPT)


def tidy_code(code: str) -> str:
    return code.strip().lower().replace("-", "").replace(" ", "")


def check_owner(kind: TokenKind, user_id: UserId | None, device_id: DeviceId | None) -> None:
    if kind is TokenKind.USER and user_id is None:
        raise BadInput("A user token needs the user it speaks for.")
    if kind is TokenKind.DEVICE and device_id is None:
        raise BadInput("A device token needs the device it speaks for.")
    if kind is TokenKind.ADMIN and (user_id is not None or device_id is not None):
        raise BadInput("An admin token speaks for nobody in particular.")
    if kind in DESK and (user_id is not None or device_id is not None):
        raise BadInput("A token of the dispatcher's desk speaks for nobody in particular.")
