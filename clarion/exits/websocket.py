"""An outgoing WebSocket: to a checked address, and never to a redirect."""

import asyncio
import logging
import socket
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clarion.base.errors import Unavailable
from clarion.exits.reach import Reach

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

# At DEBUG the library logs every frame and the address with its secret.
quiet = logging.getLogger(f"{__name__}.frames")
quiet.setLevel(logging.ERROR)
PORTS = {"ws": 80, "wss": 443}
FRAME_BYTES_MAX = 1_048_576


async def guarded_websocket(reach: Reach, url: str, seconds_max: float) -> "ClientConnection":
    """Connected, or PrivateAddress, Unavailable, or what `websockets` says of the handshake.

    The library is handed a connected socket: a redirect cannot lead it anywhere else.
    """
    from websockets.asyncio.client import connect

    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    async with asyncio.timeout(seconds_max):
        made = await _connected(await reach.resolve(host, port), port)
        try:
            return await connect(
                url,
                sock=made,
                proxy=None,
                compression=None,
                max_size=FRAME_BYTES_MAX,
                open_timeout=seconds_max,
                close_timeout=2,
                user_agent_header="Clarion",
                logger=quiet,
            )
        except BaseException:
            made.close()
            raise


async def _connected(addresses: list[str], port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    for address in addresses:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setblocking(False)
        try:
            with suppress(OSError):
                await loop.sock_connect(made, (address, port))
                return made
        except BaseException:
            made.close()
            raise
        made.close()
    raise Unavailable("Nobody answers there.", retry_after=60)
