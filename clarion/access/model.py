"""Tokens and who they speak for. Plain values; secrets are known only by their hash.

A token is written `tok_<id>.<secret>`. The id finds the row, the secret proves the holder; the
database keeps the secret's SHA-256 alone, which is enough for 256 random bits.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType

from clarion.base.errors import BadInput, Forbidden
from clarion.base.ids import DeviceId, UserId, new_id


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
