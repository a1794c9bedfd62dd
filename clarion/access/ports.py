"""The stores that access needs; each method is one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from clarion.access.model import Token, TokenId
from clarion.access.oauth import CodeProof, GrantCode, NewPair, OAuthClient
from clarion.base.ids import UserId


@dataclass(frozen=True, slots=True)
class KeptToken:
    token: Token
    hash: str


class TokenStore(Protocol):
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


@dataclass(frozen=True, slots=True)
class Remembered:
    """The first answer to a request that named an idempotency key."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: str


class AnswerStore(Protocol):
    """Remembers answers by key, so that a request sent twice is done once."""

    async def begin(
        self, holder: str, key: str, fingerprint: str, now: datetime
    ) -> Remembered | None:
        """Claim the key, or the answer it already has. Raises `KeyUsedOtherwise` or `InFlight`.

        A claim whose answer never came, because the server died, is given to the next caller
        after a minute; the verb behind it takes the same key and does nothing twice.
        """
        ...

    async def finish(self, holder: str, key: str, begun_at: datetime, answer: Remembered) -> None:
        """`begun_at` is the instant given to `begin`: whose claim was given on keeps nothing."""
        ...

    async def release(self, holder: str, key: str, begun_at: datetime) -> None:
        """The request was refused: the key may be used again."""
        ...


class AddressStore(Protocol):
    """Secret addresses that programs without a token may read: a user's calendar."""

    async def set_calendar(self, user_id: UserId, hash_: str, now: datetime) -> None:
        """The address before stops working."""
        ...

    async def calendar_hash(self, user_id: UserId) -> str | None: ...


class ConnectionStore(Protocol):
    """Assistants that people connect: programs, a person's yes, and pairs of secrets."""

    async def add_client(self, client: OAuthClient, unused_max: int) -> None:
        """Of those that nobody ever connected only the latest are kept."""
        ...

    async def client(self, client_id: str) -> OAuthClient | None: ...

    async def add_code(self, hash_: str, code: GrantCode) -> None: ...

    async def redeem(
        self, hash_: str, proof: CodeProof, token_id: TokenId, pair: NewPair, now: datetime
    ) -> Token | None:
        """Use the code up and connect, both in one. None when it is no good.

        A code that comes a second time was stolen, by the first or the second sender: the
        connection that it made is ended.
        """
        ...

    async def renew(self, hash_: str, client_id: str, pair: NewPair, now: datetime) -> Token | None:
        """Use a refresh secret up for a new pair. One that comes twice ends the connection."""
        ...

    async def token_of(self, hash_: str) -> Token | None:
        """Whose access or refresh secret this is."""
        ...


class ClientDocuments(Protocol):
    """Fetches what a client says about itself at the address that is its id."""

    async def fetch(self, address: str) -> Mapping[str, Any]:
        """Raises OAuthRefused when there is none."""
        ...
