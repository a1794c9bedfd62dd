"""Web Push: rings phones and browsers even when no page of ours is open.

The push service takes a message (`sent`); the browser's own call says that it arrived
(`delivered`), and the buttons of the notification answer without a page.
"""

import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.doors.notify.webpush import (
    PLAIN_BYTES_MAX,
    PushKey,
    compact,
    read_subscription,
    sealed,
)
from clarion.people.model import Device
from clarion.reminders.decisions.decision import RingId
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import Facts, Ring
from clarion.webhooks.ports import WebhookSender

log = logging.getLogger(__name__)

TAKEN = range(200, 300)
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
"""The browser has unsubscribed, or the service has forgotten it: it never comes back."""
LETTERS_MAX = 600  # of each text; three bytes a letter still fit
SAID_LIFE = timedelta(hours=12)  # a notice that nobody answers; older than that it only disturbs
HUSH_LIFE = timedelta(minutes=10)
AWAY_SHOWN = 600.0  # seconds; a browser of a service that is gone for good must not alarm for ever
BUTTONS = {
    "zh": {
        "done": "已完成",
        "later": "{n} 分钟后",
        "failed": "没有送到，请再点一次。",
        "over": "已处理",
    },
    "en": {
        "done": "Done",
        "later": "In {n} minutes",
        "failed": "That did not get through. Press again.",
        "over": "Taken care of",
    },
}
Forget = Callable[[Device], Awaitable[None]]


class PushChannel:
    """Implements `Channel`. `ticket` makes what a service worker reports and answers with."""

    def __init__(
        self,
        sender: WebhookSender,
        key: PushKey,
        facts: Facts,
        clock: Clock,
        *,
        ticket: Callable[[Ring], str],
        forget: Forget,
        snooze: timedelta,
    ) -> None:
        self._sender = sender
        self._key = key
        self._facts = facts
        self._clock = clock
        self._ticket = ticket
        self._forget = forget
        self._snooze = snooze
        self._away: dict[str, tuple[float, str]] = {}
        """Services that did not take the last message: since when, and why."""

    def away(self) -> str:
        """Which push service failed lately and has taken nothing since; empty when all take."""
        since = self._clock.monotonic() - AWAY_SHOWN
        found = (f"{where}: {why}" for where, (at, why) in self._away.items() if at >= since)
        return ", ".join(found)

    async def ring(self, ring: Ring) -> None:
        words = BUTTONS.get(ring.language, BUTTONS["en"])
        minutes = round(self._snooze.total_seconds() / 60)
        message = {
            "kind": "ring",
            "reminder": ring.reminder_id,
            "ring": ring.id,
            "ticket": self._ticket(ring),
            "title": ring.content,
            "text": ring.text,
            "language": ring.language,
            **buttons_of(ring, words, minutes),
            "failed": words["failed"],
        }
        await self._send(ring.device, message, ring.answer_by - self._clock.now(), ring.reminder_id)
        await self._facts.sent(ring.id)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """Silence the notification. A failure does not matter: the reminder is over."""
        reminder = ring_id.rpartition(":")[0]
        over = {language: words["over"] for language, words in BUTTONS.items()}
        message = {"kind": "hush", "reminder": reminder, "over": over}
        try:
            await self._send(device, message, HUSH_LIFE, reminder)
        except Unreachable as error:
            log.info("not hushed: %s", error, extra={"ring": ring_id})

    async def say(self, device: Device, text: str) -> None:
        said, _, last = text.rpartition("\n")
        is_link = bool(said) and last.startswith(("https://", "http://"))
        shown = {"text": said, "link": last} if is_link else {"text": text}
        await self._send(device, {"kind": "said", "title": "Clarion", **shown}, SAID_LIFE)

    async def _send(
        self, device: Device, message: Mapping[str, Any], life: timedelta, topic: str = ""
    ) -> None:
        try:
            to = read_subscription(device.address)
            headers = {
                "content-encoding": "aes128gcm",
                "content-type": "application/octet-stream",
                "ttl": str(max(0, int(life.total_seconds()))),
                "urgency": "high",
                "authorization": self._key.authorisation(to.origin, self._clock.now()),
            }
            if topic:
                # What waits at the service for the same reminder is replaced, not added to.
                headers["topic"] = hashlib.sha256(topic.encode()).hexdigest()[:32]
            status = await self._sender.post(to.endpoint, sealed(fitting(message), to), headers)
        except ClarionError as error:
            self._note(device, error.message)
            raise Unreachable(error.message, retry_after=error.retry_after) from error
        self._note(device, "" if status in (*TAKEN, *GONE) else f"it answered {status}")
        if status in GONE:
            await self._forget(device)
            raise Unreachable("The browser no longer takes notifications; it was removed.")
        if status not in TAKEN:
            raise Unreachable(f"The push service answered {status}.", retry_after=60)

    def _note(self, device: Device, why: str) -> None:
        where = urlsplit(device.address).netloc
        self._away.pop(where, None)
        if why:
            self._away[where] = (self._clock.monotonic(), why)


def buttons_of(ring: Ring, words: Mapping[str, str], minutes: int) -> dict[str, Any]:
    """The usual two, or those of a call to a contact, whose page a touch opens."""
    if ring.buttons:
        return {"actions": list(ring.buttons), "link": ring.link}
    later = words["later"].format(n=minutes)
    return {"done": words["done"] if ring.wants_confirmation else "", "later": later}


def fitting(message: Mapping[str, Any]) -> bytes:
    """A message that every service takes: too long a text ends in dots."""
    short = {name: shortened(value) for name, value in message.items()}
    made = compact(short)
    assert len(made) <= PLAIN_BYTES_MAX, "the letters that we allow fit"
    return made


def shortened(value: Any) -> Any:
    is_long = isinstance(value, str) and len(value) > LETTERS_MAX
    return f"{value[: LETTERS_MAX - 1]}…" if is_long else value
