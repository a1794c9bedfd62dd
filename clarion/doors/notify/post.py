"""Posts a message to an address outside: guarded, bounded, never redirected."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clarion.base.errors import Unavailable
from clarion.exits.http import guarded_client
from clarion.exits.reach import Reach

if TYPE_CHECKING:
    import httpx

SECONDS_MAX = 10.0
USER_AGENT = "Clarion"


@dataclass(frozen=True, slots=True)
class PostAnswer:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes


class HttpSender:
    """Implements webhooks' `WebhookSender`."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._made: httpx.AsyncClient | None = None

    async def close(self) -> None:
        if self._made is not None:
            await self._made.aclose()

    @property
    def _client(self) -> "httpx.AsyncClient":
        if self._made is None:
            self._made = guarded_client(self._reach, SECONDS_MAX)
        return self._made

    def check(self, url: str) -> None:
        """Raises PrivateAddress for what may not be called, as far as its spelling tells."""
        self._reach.refuse_now(urlsplit(url).hostname or "")

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        return (await self.ask(url, body, headers, bytes_max=0)).status

    async def ask(
        self,
        url: str,
        body: bytes,
        headers: dict[str, str],
        *,
        bytes_max: int,
        method: str = "POST",
        seconds: float = SECONDS_MAX,
    ) -> PostAnswer:
        """Returns at most this many bytes of the answer, and one more if there were more."""
        import httpx

        sent = {**headers, "user-agent": USER_AGENT}
        try:
            asking = self._client.stream(method, url, content=body, headers=sent, timeout=seconds)
            async with asking as response:
                said = await _beginning(response, bytes_max) if bytes_max else b""
                return PostAnswer(response.status_code, dict(response.headers), said)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise Unavailable(f"{host_of(url)} did not answer: {why}", retry_after=60) from None


def host_of(url: str) -> str:
    """Without a password that may stand in the address."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]


async def _beginning(response: "httpx.Response", bytes_max: int) -> bytes:
    said = bytearray()
    async for some in response.aiter_bytes():
        said += some
        if len(said) > bytes_max:
            break
    return bytes(said[: bytes_max + 1])
