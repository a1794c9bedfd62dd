"""Messages for a push service: encrypted for one browser and signed by us. Pure.

RFC 8291 (encryption), RFC 8188 (its framing) and RFC 8292 (VAPID) need two key agreements and a
signature, which `cryptography` has: a package for it would bring a second HTTP client that knows
nothing of the guarded exit.
"""

import base64
import binascii
import hashlib
import json
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from clarion.base.errors import BadInput

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

PLAIN_BYTES_MAX = 3_000  # services take 4 096 with head, key and seal
RECORD_BYTES = 4_096
POINT_BYTES = 65  # an uncompressed point of P-256
AUTH_BYTES = 16
SALT_BYTES = 16
NUMBER_BYTES = 32
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256
SIGNED_FOR = timedelta(hours=12)  # services refuse more than a day


class BadSubscription(BadInput):
    code = "bad_subscription"


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where a browser is reached, and the keys it gave us. As text: `endpoint#p256dh.auth`."""

    endpoint: str
    public: bytes
    auth: bytes

    @property
    def origin(self) -> str:
        parts = urlsplit(self.endpoint)
        return f"{parts.scheme}://{parts.netloc}"


def read_subscription(address: str) -> Subscription:
    """Raises BadSubscription."""
    from cryptography.hazmat.primitives.asymmetric import ec

    endpoint, _, keys = address.partition("#")
    public, _, auth = keys.partition(".")
    try:
        made = Subscription(endpoint, from_text(public), from_text(auth))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), made.public)
    except ValueError:
        raise BadSubscription("The browser's key is not one.") from None
    if len(made.auth) != AUTH_BYTES or len(made.public) != POINT_BYTES:
        raise BadSubscription("The browser's keys have a wrong length.")
    return made


class PushKey:
    """The key by which a push service knows us. The same secret gives the same key."""

    def __init__(self, secret: bytes, contact: str) -> None:
        """`contact`: a `mailto:` or `https:` address that a push service may complain to."""
        self._secret = secret
        self._contact = contact

    @cached_property
    def _key(self) -> "EllipticCurvePrivateKey":
        """Made when first needed: most starts send nothing."""
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(hashlib.sha256(b"clarion push " + self._secret).digest(), "big")
        return ec.derive_private_key(number % (ORDER - 1) + 1, ec.SECP256R1())

    @property
    def public(self) -> str:
        """What a browser subscribes with."""
        return to_text(point_of(self._key))

    def authorisation(self, origin: str, now: datetime) -> str:
        """Good for one push service, for half a day."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        until = int((now + SIGNED_FOR).timestamp())
        claims = {"aud": origin, "exp": until, "sub": self._contact}
        said = ".".join(to_text(compact(one)) for one in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key.sign(said.encode(), ec.ECDSA(hashes.SHA256())))
        signature = r.to_bytes(NUMBER_BYTES, "big") + s.to_bytes(NUMBER_BYTES, "big")
        return f"vapid t={said}.{to_text(signature)}, k={self.public}"


def sealed(
    text: bytes,
    to: Subscription,
    *,
    once: "EllipticCurvePrivateKey | None" = None,
    salt: bytes | None = None,
) -> bytes:
    """`text` as only this browser can read it. The key and the salt are for one message."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    assert len(text) <= PLAIN_BYTES_MAX, "a longer message was to be shortened before"
    once = once or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(SALT_BYTES)
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), to.public)
    ours = point_of(once)
    shared = once.exchange(ec.ECDH(), theirs)
    seed = derived(to.auth, shared, b"WebPush: info\0" + to.public + ours, 32)
    key = derived(salt, seed, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, seed, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + ours
    # The 2 says that this record is the last one.
    return head + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def point_of(key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def compact(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def to_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def from_text(text: str) -> bytes:
    """Raises ValueError."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
