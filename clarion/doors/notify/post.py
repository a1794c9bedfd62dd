"""Posts a message to an address outside: guarded, bounded, never redirected."""

from urllib.parse import urlsplit

from clarion.exits.http import SECONDS_MAX, GuardedHttp, HttpAnswer
from clarion.exits.reach import Reach

USER_AGENT = "Clarion"


class HttpSender:
    """Implements webhooks' `WebhookSender`."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._http = GuardedHttp(reach)

    async def close(self) -> None:
        self._http.close()

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
    ) -> HttpAnswer:
        """Returns at most this many bytes of the answer, and one more if there were more."""
        sent = {**headers, "user-agent": USER_AGENT}
        return await self._http.ask(method, url, sent, body, bytes_max=bytes_max, seconds=seconds)


def host_of(url: str) -> str:
    """Without a password that may stand in the address."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]
