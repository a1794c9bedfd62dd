"""The verbs: issue, recognise, list and revoke tokens; log in once with a code."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clarion.access.model import (
    CODE_LIFE,
    DESK,
    SESSION_LIFE,
    Identity,
    NewLogin,
    NewToken,
    Token,
    TokenId,
    TokenKind,
    hashed,
    identity_of,
    matches,
    new_code,
    new_secret,
    new_token_id,
    split,
)
from clarion.access.ports import TokenStore
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, NotFound, Unauthorised
from clarion.base.ids import DeviceId, UserId

log = logging.getLogger(__name__)

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
