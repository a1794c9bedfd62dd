"""Signed links and tickets: each allows answering one reminder until it expires."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from clarion.base.ids import ContactId, ReminderId
from clarion.base.signing import opened, signed
from clarion.reminders.decisions.decision import RingId

LINK_LIFE = timedelta(days=7)  # a contact on holiday still finds it working


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
        return signed(self._key, f"{grant.reminder_id} {grant.contact_id}", expires_at)

    def read(self, token: str, now: datetime) -> Grant:
        """Raises BadLink."""
        reminder_id, _, contact_id = opened(self._key, token, now).partition(" ")
        return Grant(ReminderId(reminder_id), ContactId(contact_id))


class RingTickets:
    """With a ticket, a notification reports and answers one ring until it expires."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def issue(self, ring_id: RingId, expires_at: datetime) -> str:
        return signed(self._key, ring_id, expires_at)

    def read(self, ticket: str, now: datetime) -> RingId:
        """Raises BadLink."""
        return RingId(opened(self._key, ticket, now))
