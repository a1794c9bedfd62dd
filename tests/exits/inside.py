"""What leaves, tried inside a network of its own: two receivers and a name server that lies.

Run by test_range.py within a network namespace. Prints, for each address, what came of the call
and which receivers it reached.
"""

import asyncio
import contextlib
import json
import socket
import struct
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from clarion.base.errors import ClarionError
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.exits.reach import Reach

PUBLIC, PRIVATE, NAMES = "93.184.215.14", "10.9.8.7", "127.0.0.53"
PORT = 8099
reached: list[str] = []
A, AAAA = 1, 28


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        public = self.connection.getsockname()[0] == PUBLIC
        reached.append("public" if public else "private")
        if self.path.startswith("/moved"):
            self.send_response(307)
            self.send_header("Location", f"http://{PRIVATE}:{PORT}/")
        else:
            self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST  # noqa: N815  the name that the base class looks for

    def log_message(self, *_: object) -> None:
        """Nothing: what came is told at the end."""


class SixServer(ThreadingHTTPServer):
    address_family = socket.AF_INET6


def answers() -> dict[str, Iterator[str]]:
    def turns(*addresses: str) -> Iterator[str]:
        yield from addresses
        while True:
            yield addresses[-1]

    return {
        "public.example": turns(PUBLIC),
        "private.example": turns(PRIVATE),
        "rebinds.example": turns(PUBLIC, PRIVATE),
        "rebinds-again.example": turns(PUBLIC, PRIVATE),
    }


def serve_names() -> None:
    """Answers one A record, or none. A name that rebinds is private from its second answer on."""
    known = answers()
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind((NAMES, 53))
    while True:
        asked, client = server.recvfrom(512)
        labels, at = [], 12
        while asked[at]:
            labels.append(asked[at + 1 : at + 1 + asked[at]].decode())
            at += asked[at] + 1
        question = asked[12 : at + 5]
        (kind,) = struct.unpack("!H", asked[at + 1 : at + 3])
        known_as = known.get(".".join(labels).lower())
        found = [next(known_as)] if known_as is not None and kind == A else []
        flags = 0x8180 if known_as is not None else 0x8183
        head = asked[:2] + struct.pack("!HHHHH", flags, 1, len(found), 0, 0)
        record = struct.pack("!HHHIH", 0xC00C, A, 1, 0, 4)
        server.sendto(
            head + question + b"".join(record + socket.inet_aton(one) for one in found), client
        )


async def tried(address: str, apprise: Apprise, sender: HttpSender) -> dict[str, object]:
    reached.clear()
    outcome = "sent"
    try:
        if address.startswith("http"):
            outcome = str(await sender.post(address, b"{}", {}))
        else:
            await apprise.send(address, "title", "text")
    except ClarionError as error:
        outcome = error.code
    return {"outcome": outcome, "reached": list(reached)}


async def main(addresses: list[str]) -> None:
    reach = Reach()
    apprise, sender = Apprise(reach), HttpSender(reach)
    told = {one: await tried(one, apprise, sender) for one in addresses}
    await sender.close()
    apprise.close()
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    with contextlib.ExitStack() as stack:
        for kind, host in (
            (ThreadingHTTPServer, PUBLIC),
            (ThreadingHTTPServer, PRIVATE),
            (ThreadingHTTPServer, "127.0.0.1"),
            (SixServer, "::1"),
        ):
            server = stack.enter_context(kind((host, PORT), Receiver))
            threading.Thread(target=server.serve_forever, daemon=True).start()
            stack.callback(server.shutdown)
        threading.Thread(target=serve_names, daemon=True).start()
        asyncio.run(main(json.loads(sys.argv[1])))
