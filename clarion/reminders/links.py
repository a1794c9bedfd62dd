"""Signed links: whoever holds one may confirm one reminder as one contact, until it runs out."""

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime

from clarion.base.ids import ContactId, ReminderId
from clarion.reminders.errors import BadLink

SIGNATURE_BYTES = 16  # 128 bits: nobody guesses it within a link's life


@dataclass(frozen=True, slots=True)
class Grant:
    reminder_id: ReminderId
    contact_id: ContactId


class Links:
    """`address` is where the door listens: `https://clarion.example`. Empty: no links at all."""

    def __init__(self, key: bytes, address: str = "") -> None:
        self._key = key
        self._address = address.rstrip("/")

    def url(self, grant: Grant, expires_at: datetime) -> str:
        return f"{self._address}/c/{self.token(grant, expires_at)}" if self._address else ""

    def token(self, grant: Grant, expires_at: datetime) -> str:
        body = f"{grant.reminder_id} {grant.contact_id} {int(expires_at.timestamp())}".encode()
        return base64.urlsafe_b64encode(self._sign(body) + body).decode().rstrip("=")

    def read(self, token: str, now: datetime) -> Grant:
        """Raises BadLink."""
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
            signature, body = raw[:SIGNATURE_BYTES], raw[SIGNATURE_BYTES:]
            if not hmac.compare_digest(signature, self._sign(body)):
                raise BadLink("This link is not valid.")
            reminder_id, contact_id, until = body.decode().split(" ")
            expires_at = datetime.fromtimestamp(int(until), UTC)
        except (ValueError, binascii.Error):
            raise BadLink("This link is not valid.") from None
        if now >= expires_at:
            raise BadLink("This link has run out.")
        return Grant(ReminderId(reminder_id), ContactId(contact_id))

    def _sign(self, body: bytes) -> bytes:
        return hmac.new(self._key, body, hashlib.sha256).digest()[:SIGNATURE_BYTES]
