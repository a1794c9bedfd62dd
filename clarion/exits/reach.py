"""Which addresses we may call: not the machines around us, unless the operator says so.

Somebody who may set a webhook could otherwise let us read the router's page or a cloud's
metadata for them. Names are looked up by us, and the connection goes to the very address that
was checked, so a name that changes its answer in between gains nothing.
"""

import asyncio
import ipaddress
import socket
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from clarion.base.errors import Forbidden, Unavailable

RESOLVE_SECONDS_MAX = 5.0
SHARED = ipaddress.ip_network("100.64.0.0/10")  # a provider's own network: neither public nor ours
TRANSLATED = ipaddress.ip_network("64:ff9b::/96")  # IPv4 behind a gateway: its last four bytes
LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa")
# A look-up cannot be cut short: while the name servers are away these threads hang, and no others.
LOOKUPS = ThreadPoolExecutor(8, thread_name_prefix="clarion-lookup")


class PrivateAddress(Forbidden):
    code = "private_address"

    def __init__(self, host: str) -> None:
        super().__init__(
            f"{host} is an address of a private network.",
            hint="Set CLARION_PRIVATE_TARGETS=yes if that is meant.",
        )


@dataclass(frozen=True, slots=True)
class Reach:
    """How far we may call on a user's behalf."""

    private_allowed: bool = False

    def allows(self, address: str) -> bool:
        """Whether this numeric address may be called. What is not numeric may not."""
        try:
            return is_public(address) or (self.private_allowed and bool(parsed(address)))
        except ValueError:
            return False

    def refuse_now(self, host: str) -> None:
        """What can be told without a network: raises PrivateAddress for a literal or local name.

        A name that cannot be judged yet passes: it is judged at each call.
        """
        if self.private_allowed:
            return
        # What a look-up would make of it: ①②⑦.⓪.⓪.① and 127。0。0。1 are this machine too.
        folded = unicodedata.normalize("NFKC", host).replace("。", ".")
        plain = folded.strip("[]").rstrip(".").lower()
        if f".{plain}".endswith(LOCAL_NAMES):
            raise PrivateAddress(host)
        try:
            literal = literal_of(plain)
        except ValueError:
            return
        if not is_public(literal):
            raise PrivateAddress(host)

    async def resolve(self, host: str, port: int) -> list[str]:
        """The addresses of `host`, each of which may be called.

        Raises PrivateAddress if any may not: a name with one good and one private address is no
        mistake. Raises Unavailable when there is none.
        """
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(RESOLVE_SECONDS_MAX):
                found = await loop.run_in_executor(LOOKUPS, look_up, host, port)
        except (OSError, UnicodeError, TimeoutError):
            raise Unavailable(f"{host} cannot be found.", retry_after=60) from None
        addresses = [str(entry[4][0]) for entry in found]
        if not addresses or not all(self.allows(one) for one in addresses):
            raise PrivateAddress(host)
        return list(dict.fromkeys(addresses))


def look_up(host: str, port: int) -> list[tuple[Any, ...]]:
    return list(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))


def literal_of(host: str) -> str:
    """The address that a host's spelling stands for by itself: `127.1` and `0x7f000001` too.

    Raises ValueError for a name.
    """
    if ":" in host:
        return str(parsed(host))
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        raise ValueError(host) from None


def parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address.partition("%")[0])


def is_public(address: str) -> bool:
    """Whether a numeric address is one of the open internet. Raises ValueError for a name."""
    one = parsed(address)
    if isinstance(one, ipaddress.IPv6Address):
        if one.is_site_local or one.teredo is not None:
            return False
        inner = one.ipv4_mapped or one.sixtofour
        if one in TRANSLATED:
            inner = ipaddress.IPv4Address(one.packed[-4:])
        one = inner or one
    if one.version == 4 and one in SHARED:
        return False
    return one.is_global and not (one.is_multicast or one.is_reserved or one.is_unspecified)
