"""HTTP that leaves: pinned to checked addresses, or to an endpoint that the operator has set.

Neither follows a redirect: where it leads was checked by nobody.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from clarion.exits.reach import Reach

if TYPE_CHECKING:
    import httpx

CONNECTIONS_MAX = 50
IDLE_CONNECTIONS_MAX = 10


def guarded_client(reach: Reach, timeout: float) -> "httpx.AsyncClient":
    """A client for addresses that users name. It asks `reach` at each connection.

    Environment proxies are not used: they would look the name up again, past the check.
    Raises PrivateAddress out of a request, besides httpx's own errors.
    """
    import httpx

    return httpx.AsyncClient(
        timeout=timeout, follow_redirects=False, trust_env=False, transport=_pinned(reach)
    )


def operator_client(
    timeout: float, *, base_url: str = "", headers: Mapping[str, str] | None = None
) -> "httpx.AsyncClient":
    """A client for an endpoint of the settings: a model on this machine, a speech service.

    The operator's word is enough to call a private address, and their proxy is used.
    """
    import httpx

    return httpx.AsyncClient(
        base_url=base_url, headers=dict(headers or {}), timeout=timeout, follow_redirects=False
    )


def _pinned(reach: Reach) -> "httpx.AsyncHTTPTransport":
    """The packages are imported when first needed: they take a fifth of a start."""
    import httpcore
    import httpx

    class Pinned(httpcore.AsyncNetworkBackend):
        """Connects to an address that was checked, under the name that was asked for."""

        def __init__(self) -> None:
            self._real = httpcore.AnyIOBackend()

        async def connect_tcp(
            self,
            host: str,
            port: int,
            timeout: float | None = None,
            local_address: str | None = None,
            socket_options: Iterable[Any] | None = None,
        ) -> httpcore.AsyncNetworkStream:
            *others, last = await reach.resolve(host, port)
            for address in others:
                try:
                    return await self._real.connect_tcp(
                        address, port, timeout, local_address, socket_options
                    )
                except (httpcore.ConnectError, httpcore.ConnectTimeout):
                    continue
            return await self._real.connect_tcp(last, port, timeout, local_address, socket_options)

        async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
            raise httpcore.ConnectError("A socket of this machine is never called.")

        async def sleep(self, seconds: float) -> None:
            await self._real.sleep(seconds)

    transport = httpx.AsyncHTTPTransport(trust_env=False)
    # Its pool is the one place where a backend can be given. Were the name to change, nothing
    # would be guarded any more: then we had rather not start.
    assert isinstance(transport._pool, httpcore.AsyncConnectionPool)
    transport._pool = httpcore.AsyncConnectionPool(
        ssl_context=httpx.create_ssl_context(),
        max_connections=CONNECTIONS_MAX,
        max_keepalive_connections=IDLE_CONNECTIONS_MAX,
        keepalive_expiry=5.0,
        network_backend=Pinned(),
    )
    return transport
