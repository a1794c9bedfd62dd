"""Which addresses we may call: not the machines around us, unless the operator says so.

Somebody who may set a webhook could otherwise let us read the router's page or a cloud's
metadata for them. The name is resolved once and the connection goes to that very address, so
that a name which changes its mind in between gains nothing.
"""

import asyncio
import ipaddress
import socket
from dataclasses import dataclass

from clarion.base.errors import Forbidden, Unavailable

RESOLVE_SECONDS_MAX = 5.0
SHARED = ipaddress.ip_network("100.64.0.0/10")  # a provider's own network: neither public nor ours


class PrivateAddress(Forbidden):
    code = "private_address"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is an address of a private network.",
            hint="Set CLARION_PRIVATE_TARGETS=yes if that is meant.",
        )


@dataclass(frozen=True, slots=True)
class Guard:
    private_allowed: bool = False

    async def resolve(self, host: str, port: int) -> str:
        """One address of `host` that may be called. Raises PrivateAddress or Unavailable."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(RESOLVE_SECONDS_MAX):
                found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError, TimeoutError):
            raise Unavailable(f"{host} cannot be found.", retry_after=60) from None
        addresses = [str(entry[4][0]) for entry in found]
        # All of them: a name with one good and one private address is not a mistake.
        if not self.private_allowed and not all(is_public(one) for one in addresses):
            raise PrivateAddress(host)
        return addresses[0]


def is_public(address: str) -> bool:
    one = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(one, ipaddress.IPv6Address):
        one = one.ipv4_mapped or one.sixtofour or one
    if one.version == 4 and one in SHARED:
        return False
    return one.is_global and not (one.is_multicast or one.is_reserved or one.is_unspecified)
