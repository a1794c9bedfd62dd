"""Posts a message to an address outside: guarded, bounded, never redirected."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from clarion.base.errors import Unavailable
from clarion.doors.notify.safety import Guard

if TYPE_CHECKING:
    import httpx

SECONDS_MAX = 10.0
USER_AGENT = "Clarion"


class HttpSender:
    """Implements webhooks' `Sender`. What the receiver says beyond its status is not read."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._made: httpx.AsyncClient | None = None

    async def close(self) -> None:
        if self._made is not None:
            await self._made.aclose()

    @property
    def _client(self) -> "httpx.AsyncClient":
        """Made when first needed: the package takes a fifth of a start to import."""
        import httpx

        if self._made is None:
            self._made = httpx.AsyncClient(
                timeout=httpx.Timeout(SECONDS_MAX),
                follow_redirects=False,
                trust_env=False,  # a proxy would resolve the name again, past the guard
                limits=httpx.Limits(max_connections=50, max_keepalive_connections=10),
            )
        return self._made

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> int:
        import httpx

        parts = urlsplit(url)
        host = parts.hostname or ""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        address = await self._guard.resolve(host, port)
        shown = f"[{address}]" if ":" in address else address
        direct = urlunsplit((parts.scheme, f"{shown}:{port}", parts.path, parts.query, ""))
        sent = {**headers, "host": parts.netloc, "user-agent": USER_AGENT}
        request = self._client.build_request(
            "POST", direct, content=body, headers=sent, extensions={"sni_hostname": host}
        )
        try:
            response = await self._client.send(request, stream=True)
            await response.aclose()
        except httpx.HTTPError as error:
            said = str(error) or type(error).__name__
            raise Unavailable(f"{host} did not answer: {said}", retry_after=60) from None
        return response.status_code
