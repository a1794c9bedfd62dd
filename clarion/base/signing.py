"""Signed texts for links: a person with the link may do what it says, until it expires."""

import base64
import binascii
import hashlib
import hmac
from datetime import UTC, datetime

from clarion.base.errors import NotFound

SIGNATURE_BYTES = 16  # 128 bits: nobody guesses it within a link's life


class BadLink(NotFound):
    """A link that we did not sign, or that has expired: we do not tell which."""

    code = "bad_link"


def signed(key: bytes, text: str, expires_at: datetime) -> str:
    body = f"{text} {int(expires_at.timestamp())}".encode()
    return base64.urlsafe_b64encode(_seal(key, body) + body).decode().rstrip("=")


def opened(key: bytes, token: str, now: datetime) -> str:
    """Raises BadLink."""
    try:
        raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        signature, body = raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, _seal(key, body)):
            raise BadLink("This link is not valid.")
        text, _, until = body.decode().rpartition(" ")
        expires_at = datetime.fromtimestamp(int(until), UTC)
    except (ValueError, binascii.Error):
        raise BadLink("This link is not valid.") from None
    if now >= expires_at:
        raise BadLink("This link has run out.")
    return text


def _seal(key: bytes, body: bytes) -> bytes:
    return hmac.new(key, body, hashlib.sha256).digest()[:SIGNATURE_BYTES]
