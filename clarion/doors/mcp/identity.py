"""Whom a call is made for: decided by its token, never by an argument."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken

from clarion.access.tokens import DESK, Access, Identity
from clarion.base.errors import Unauthorised
from clarion.people.model import Actor


class Verifier:
    """The SDK's `TokenVerifier`: a session belongs to the token that opened it."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            who = await self._access.recognise(token)
        except Unauthorised:
            return None
        if who.kind in DESK:
            return None  # they open the dispatcher's desk and no other door
        return AccessToken(
            token="",  # no inner layer needs it
            client_id=who.token_id,
            scopes=list(who.scopes or ()),
            subject=who.user_id or "admin",
            claims={"who": who},
        )


_outside: ContextVar[Identity | None] = ContextVar("clarion_outside", default=None)


@contextmanager
def speaking_as(who: Identity) -> Iterator[None]:
    """Calls inside come from `who`, over a line that brings no token with each message."""
    before = _outside.set(who)
    try:
        yield
    finally:
        _outside.reset(before)


def is_outside() -> bool:
    """Whether the call came over such a line: nobody can be asked anything back there."""
    return _outside.get() is not None


def asking() -> Identity:
    """Who is calling now."""
    if (outside := _outside.get()) is not None:
        return outside
    token = get_access_token()
    who = token.claims.get("who") if token is not None and token.claims else None
    if not isinstance(who, Identity):
        raise Unauthorised("This needs a token.")
    return who


def actor_of(who: Identity) -> Actor:
    return Actor(user_id=who.user_id, admin=who.is_admin, name=who.name or who.kind.value)
