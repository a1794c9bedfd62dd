"""A subscription: who is told of which events, and how the message is signed. Plain values.

Messages follow Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), or
CloudEvents 1.0 in its structured form when asked for. Both are signed alike.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NewType

from clarion.base.events import StoredEvent
from clarion.base.ids import UserId

HookId = NewType("HookId", str)

SECRET_BYTES = 32
SECRET_PREFIX = "whsec_"  # noqa: S105  the scheme's own mark, not a secret
OLD_SECRET_LIFE = timedelta(hours=24)  # both signatures are sent this long after a rotation
FAILURES_MAX = 100  # in a row, over all messages: the receiver is gone
DELIVER = "webhook.deliver"
TEST_KIND = "webhook.test"


class Format(StrEnum):
    STANDARD = "standard"
    CLOUDEVENTS = "cloudevents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    id: HookId
    url: str
    secret: str
    created_at: datetime
    user_id: UserId | None = None
    """Whose events it hears; None: everybody's, for admins."""
    kinds: tuple[str, ...] = ()
    """`reminder.confirmed`, `reminder.*`; none means all."""
    format: Format = Format.STANDARD
    name: str = ""
    enabled: bool = True
    old_secret: str = ""
    old_secret_until: datetime | None = None
    failures: int = 0
    """In a row."""
    reason: str = ""
    """Why it was switched off: `gone`, `failing`, or nothing when a person did."""
    version: int = 1

    def wants(self, event: StoredEvent) -> bool:
        if not self.enabled or (self.user_id is not None and event.user != self.user_id):
            return False
        if event.kind == TEST_KIND:
            return event.subject == self.id
        return not self.kinds or any(covers(kind, event.kind) for kind in self.kinds)

    def secrets_at(self, now: datetime) -> tuple[str, ...]:
        if self.old_secret and self.old_secret_until and now < self.old_secret_until:
            return self.secret, self.old_secret
        return (self.secret,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """What became of one event on its way to one subscriber."""

    sequence: int
    status: str
    """`waiting`, `running`, `done`, `dead`: as of the task that carries it."""
    attempt: int
    error: str
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """What is sent: the body's bytes are what was signed."""

    body: bytes
    headers: Mapping[str, str]


def covers(pattern: str, kind: str) -> bool:
    if pattern.endswith(".*"):
        return kind.startswith(pattern[:-1])
    return pattern == kind


def new_secret() -> str:
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def message(hook: Hook, event: StoredEvent, now: datetime) -> WebhookMessage:
    """The same event has the same id each time it is tried: receivers drop the second one."""
    message_id = f"msg_{hook.id}_{event.sequence}"
    body = json.dumps(_said(hook, event), ensure_ascii=False, separators=(",", ":")).encode()
    timestamp = int(now.timestamp())
    signatures = [sign(secret, message_id, timestamp, body) for secret in hook.secrets_at(now)]
    cloud = hook.format is Format.CLOUDEVENTS
    return WebhookMessage(
        body,
        {
            "content-type": "application/cloudevents+json" if cloud else "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": " ".join(signatures),
        },
    )


def _said(hook: Hook, event: StoredEvent) -> dict[str, Any]:
    data = {**event.data, "subject": event.subject, "user_id": event.user, "id": event.sequence}
    if hook.format is Format.STANDARD:
        return {"type": event.kind, "timestamp": event.at.isoformat(), "data": data}
    return {
        "specversion": "1.0",
        "id": str(event.sequence),
        "source": "clarion",
        "type": event.kind,
        "subject": event.subject,
        "time": event.at.isoformat(),
        "datacontenttype": "application/json",
        "data": data,
    }
