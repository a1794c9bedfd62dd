"""Whom a call speaks for: the token that came with it, never an argument."""

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken

from clarion.access.model import Identity, TokenId, TokenKind
from clarion.access.service import Access
from clarion.base.errors import Unauthorised
from clarion.base.ids import UserId
from clarion.people.access import Actor


class Verifier:
    """The SDK's `TokenVerifier`: a session belongs to the token that opened it."""

    def __init__(self, access: Access) -> None:
        self._access = access

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            who = await self._access.recognise(token)
        except Unauthorised:
            return None
        return AccessToken(
            token="",  # nobody further in needs it
            client_id=who.token_id,
            scopes=[who.kind.value],
            subject=who.user_id or "admin",
            claims={"user_id": who.user_id, "name": who.name},
        )


def asking() -> Identity:
    """Who is calling now."""
    token = get_access_token()
    if token is None or token.claims is None:
        raise Unauthorised("This needs a token.")
    user = token.claims["user_id"]
    return Identity(
        kind=TokenKind(token.scopes[0]),
        token_id=TokenId(token.client_id),
        user_id=UserId(user) if user else None,
        name=token.claims["name"],
    )


def actor_of(who: Identity) -> Actor:
    return Actor(user_id=who.user_id, admin=who.is_admin, name=who.name or who.kind.value)
