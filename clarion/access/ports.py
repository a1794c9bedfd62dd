"""The stores that access needs beside that of tokens; each method is one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from clarion.access.oauth import CodeProof, GrantCode, NewPair, OAuthClient
from clarion.access.tokens import Token, TokenId
from clarion.base.ids import UserId


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
