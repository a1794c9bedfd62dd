"""A site over HTTPS where programs describe themselves, with a certificate for this machine."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

BEGINS = datetime(2020, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Site:
    url: str
    pages: dict[str, Any]
    """Path to what is served there as JSON."""
    certificate: Path
    asked: list[str]
    """The paths that somebody fetched."""


def self_signed(folder: Path) -> Path:
    """A certificate for `localhost` with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(BEGINS)
        .not_valid_after(BEGINS + timedelta(days=36_500))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / "localhost.pem"
    file.write_bytes(secret + made.public_bytes(serialization.Encoding.PEM))
    return file


@asynccontextmanager
async def describing(folder: Path) -> AsyncIterator[Site]:
    certificate = self_signed(folder)
    pages: dict[str, Any] = {}
    asked: list[str] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        asked.append(head.split()[1].decode())
        page = pages.get(asked[-1])
        body = json.dumps(page).encode()
        status = "200 OK" if page is not None else "404 Not Found"
        lines = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        writer.write(lines.encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "localhost", 0, ssl=context)
    async with server:
        port = server.sockets[0].getsockname()[1]
        yield Site(f"https://localhost:{port}", pages, certificate, asked)
