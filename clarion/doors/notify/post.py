"""Posts a message to an address outside: guarded, bounded, never redirected."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clarion.base.errors import Unavailable
from clarion.exits.http import guarded_client
from clarion.exits.reach import Reach

if TYPE_CHECKING:
    import httpx

SECONDS_MAX = 10.0
USER_AGENT = "Clarion"


class HttpSender:
    """Implements webhooks' `Sender`. What the receiver says beyond its status is not read."""

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
        import httpx

        sent = {**headers, "user-agent": USER_AGENT}
        try:
            async with self._client.stream("POST", url, content=body, headers=sent) as response:
                return response.status_code
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            said = str(error) or type(error).__name__
            host = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
            raise Unavailable(f"{host} did not answer: {said}", retry_after=60) from None
