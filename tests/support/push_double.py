"""A push service on loopback, written from RFC 8030, 8188, 8291 and 8292, and the browser behind.

It refuses what a real one refuses: no TTL, a wrong signature, a key that the subscription was not
made with, a body that its browser cannot open.
"""

import base64
import hmac
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.support.http import serving

CURVE = ec.SECP256R1()
BODY_BYTES_MAX = 4_096
DAY = 86_400


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class PushedBrowser:
    """One browser's subscription: its private key never leaves it."""

    name: str
    application_key: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = b"0123456789abcdef"
    messages: list[dict[str, Any]] = field(default_factory=list)
    topics: list[str] = field(default_factory=list)
    lives: list[int] = field(default_factory=list)

    @property
    def public(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def open(self, body: bytes) -> bytes:
        """RFC 8188 with the keys of RFC 8291. Raises ValueError or InvalidTag."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        if length != 65 or not 18 <= len(record) <= size:
            raise ValueError("the head is wrong")
        theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        shared = self.key.exchange(ec.ECDH(), theirs)
        seed = expand(extract(self.auth, shared), b"WebPush: info\x00" + self.public + sender, 32)
        root = extract(salt, seed)
        key = expand(root, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = expand(root, b"Content-Encoding: nonce\x00", 12)
        plain = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\x00")
        if not plain.endswith(b"\x02"):
            raise ValueError("the last record does not say so")
        return plain[:-1]


def extract(salt: bytes, secret: bytes) -> bytes:
    """The first half of HKDF, by hand: this side must not share code with ours."""
    return hmac.new(salt, secret, "sha256").digest()


def expand(key: bytes, info: bytes, length: int) -> bytes:
    return HKDFExpand(hashes.SHA256(), length, info).derive(key)


@dataclass
class PushService:
    now: Callable[[], datetime]
    url: str = ""
    away: int = 0
    """What it answers instead of taking anything; 0: it takes."""
    browsers: dict[str, PushedBrowser] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def subscribe(self, name: str, application_key: str) -> str:
        """A device's address: what a page would make of the browser's subscription."""
        made = self.browsers[name] = PushedBrowser(name, application_key)
        return f"{self.url}/push/{name}#{b64(made.public)}.{b64(made.auth)}"

    async def take(self, request: Request) -> Response:
        if self.away:
            return Response(status_code=self.away)
        browser = self.browsers.get(request.path_params["name"])
        if browser is None:
            return Response(status_code=410)
        body = await request.body()
        wrong = self.wrong(request, browser, body)
        if wrong:
            self.refused.append(wrong)
            return Response(wrong, status_code=403 if "signature" in wrong else 400)
        browser.messages.append(json.loads(browser.open(body)))
        browser.topics.append(request.headers.get("topic", ""))
        browser.lives.append(int(request.headers["ttl"]))
        return Response(status_code=201, headers={"Location": f"{self.url}/m/1"})

    def wrong(self, request: Request, browser: PushedBrowser, body: bytes) -> str:
        headers = request.headers
        if headers.get("content-encoding") != "aes128gcm":
            return "the encoding is not aes128gcm"
        if not headers.get("ttl", "").isdecimal():
            return "no TTL"
        if not re.fullmatch(r"[\w-]{0,32}", headers.get("topic", "")):
            return "the topic is no topic"
        if len(body) > BODY_BYTES_MAX:
            return "too large"
        if not self.is_signed(headers.get("authorization", ""), browser):
            return "the signature is wrong"
        try:
            json.loads(browser.open(body))
        except (ValueError, InvalidTag, IndexError):
            return "the browser cannot open it"
        return ""

    def is_signed(self, authorization: str, browser: PushedBrowser) -> bool:
        found = re.fullmatch(r"vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), ?k=([\w-]+)", authorization)
        if found is None or found[4] != browser.application_key:
            return False
        head, claims = json.loads(unb64(found[1])), json.loads(unb64(found[2]))
        raw = unb64(found[3])
        signature = encode_dss_signature(
            int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
        )
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, unb64(found[4]))
        try:
            said = f"{found[1]}.{found[2]}".encode()
            key.verify(signature, said, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            return False
        left = claims["exp"] - self.now().timestamp()
        named = str(claims["sub"]).startswith(("mailto:", "https://"))
        ours = bool(head["alg"] == "ES256" and claims["aud"] == self.url)
        return ours and named and 0 < left <= DAY


@asynccontextmanager
async def push_service(now: Callable[[], datetime]) -> AsyncIterator[PushService]:
    service = PushService(now)
    app = Starlette(routes=[Route("/push/{name}", service.take, methods=["POST"])])
    async with serving(app) as url:
        service.url = url
        yield service
