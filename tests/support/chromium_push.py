"""What a real Chromium subscribes at and is woken by, on loopback: check-in, tokens, a TLS line.

Chromium takes its push service from its command line (`switches`). It makes its own keys, and it
alone can open what was sealed for them: whatever arrives at `/push/{token}` is checked for its
head and signature and handed on as it is.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from tests.support.http import serving
from tests.support.push_double import PushedBrowser, PushService

VERSION = 41  # of the line's protocol
PING, PONG, LOGIN, LOGGED_IN, MESSAGE = 0, 1, 2, 3, 8
DEVICE = 4_711


def number(value: int) -> bytes:
    """A protobuf varint."""
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + number(rest) if rest else bytes([low])


def whole(at: int, value: int) -> bytes:
    return number(at << 3) + number(value)


def fixed(at: int, value: int) -> bytes:
    return number(at << 3 | 1) + value.to_bytes(8, "little")


def text(at: int, value: bytes) -> bytes:
    return number(at << 3 | 2) + number(len(value)) + value


@dataclass
class ChromiumPush:
    """`tokens`: who asked for each, by the sender's key and the name of its subscription."""

    service: PushService
    tokens: dict[str, dict[str, str]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    lines: set[asyncio.StreamWriter] = field(default_factory=set)
    switches: list[str] = field(default_factory=list)
    waiting: list[bytes] = field(default_factory=list)

    async def check_in(self, request: Request) -> Response:
        said = whole(1, 1) + fixed(7, DEVICE) + fixed(8, DEVICE)
        return Response(said, media_type="application/x-protobuf")

    async def register(self, request: Request) -> Response:
        asked = {name: str(value) for name, value in (await request.form()).items()}
        token = f"token-{len(self.tokens)}"
        named = {"app": asked.get("X-subtype", ""), "category": asked["app"]}
        self.tokens[token] = {"sender": asked["sender"], **named}
        return PlainTextResponse(f"token={token}")

    async def take(self, request: Request) -> Response:
        """From the application's server, by RFC 8030."""
        found = self.tokens.get(request.path_params["token"])
        if found is None:
            return Response(status_code=410)
        headers = request.headers
        signed = self.service.is_signed(
            headers.get("authorization", ""), PushedBrowser("chromium", found["sender"])
        )
        if not signed or headers.get("content-encoding") != "aes128gcm" or "ttl" not in headers:
            self.refused.append(str(dict(headers)))
            return Response(status_code=403)
        self.wake(found, await request.body())
        return Response(status_code=201)

    def wake(self, found: dict[str, str], body: bytes) -> None:
        facts = {"subtype": found["app"], "content-encoding": "aes128gcm"}
        named = (text(1, key.encode()) + text(2, value.encode()) for key, value in facts.items())
        stanza = (
            text(3, found["sender"].encode())
            + text(5, found["category"].encode())
            + b"".join(text(7, one) for one in named)
            + text(9, f"p{id(body)}".encode())
            + text(21, body)
        )
        self.waiting.append(frame(MESSAGE, stanza))
        self.send_on()

    def send_on(self) -> None:
        """What came while Chromium was away waits for it."""
        for line in self.lines:
            line.writelines(self.waiting)
            self.waiting.clear()

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """The line that stays open: it logs in, and is told what came."""
        await reader.readexactly(1)
        writer.write(bytes([VERSION]))
        try:
            while True:
                tag = (await reader.readexactly(1))[0]
                await reader.readexactly(await size_of(reader))
                if tag == LOGIN:
                    writer.write(frame(LOGGED_IN, text(1, b"chrome")))
                    self.lines = {writer}
                    self.send_on()
                elif tag == PING:
                    writer.write(frame(PONG, b""))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # Chromium was closed
        finally:
            self.lines.discard(writer)
            writer.close()


def frame(tag: int, body: bytes) -> bytes:
    return bytes([tag]) + number(len(body)) + body


async def size_of(reader: asyncio.StreamReader) -> int:
    size, shift = 0, 0
    while True:
        byte = (await reader.readexactly(1))[0]
        size |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return size


def certificate(folder: Path, now: datetime) -> ssl.SSLContext:
    """For this line alone; Chromium is told to take any."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    file = folder / "line.pem"
    plain = serialization.NoEncryption()
    file.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        + made.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@asynccontextmanager
async def chromium_push(folder: Path, now: Callable[[], datetime]) -> AsyncIterator[ChromiumPush]:
    push = ChromiumPush(PushService(now))
    app = Starlette(
        routes=[
            Route("/checkin", push.check_in, methods=["POST"]),
            Route("/register", push.register, methods=["POST"]),
            Route("/push/{token}", push.take, methods=["POST"]),
        ]
    )
    line = await asyncio.start_server(push.converse, "127.0.0.1", 0, ssl=certificate(folder, now()))
    async with serving(app) as url, line:
        push.service.url = url
        push.switches = list(switches(url, line.sockets[0].getsockname()[1]))
        yield push


def switches(url: str, port: int) -> Iterator[str]:
    yield f"--gcm-checkin-url={url}/checkin"
    yield f"--gcm-registration-url={url}/register"
    yield f"--gcm-mcs-endpoint=https://127.0.0.1:{port}"
    yield "--ignore-certificate-errors"
