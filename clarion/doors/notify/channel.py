"""One-way devices: an Apprise address or a webhook. People answer by a link."""

import json
from collections.abc import Callable

from clarion.base.errors import ClarionError
from clarion.doors.notify.apprise import Apprise
from clarion.people.model import Device, DeviceKind
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import Facts, Ring, RingId
from clarion.webhooks.ports import WebhookSender

OK = range(200, 300)


class NotifyChannel:
    """Implements `Channel`. A message that was taken is `sent`: nobody has seen it yet.

    A ring told twice after a crash carries the same id, so a webhook can drop the second.
    """

    def __init__(
        self, apprise: Apprise, sender: WebhookSender, facts: Facts, link: Callable[[Ring], str]
    ) -> None:
        self._apprise = apprise
        self._sender = sender
        self._facts = facts
        self._link = link

    async def ring(self, ring: Ring) -> None:
        link = self._link(ring) if ring.wants_confirmation else ""
        try:
            await self._send(ring.device, ring.text, link, ring)
        except ClarionError as error:
            raise Unreachable(error.message, retry_after=error.retry_after) from error
        await self._facts.sent(ring.id)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """What was sent cannot be taken back."""

    async def say(self, device: Device, text: str) -> None:
        await self._send(device, text, "", None)

    async def _send(self, device: Device, text: str, link: str, ring: Ring | None) -> None:
        if device.kind is DeviceKind.WEBHOOK:
            await self._post(device, text, link, ring)
            return
        title = ring.content if ring else ""
        await self._apprise.send(device.address, title, f"{text}\n{link}" if link else text)

    async def _post(self, device: Device, text: str, link: str, ring: Ring | None) -> None:
        body = {"text": text, "device_id": device.id}
        if ring is not None:
            body |= {
                "ring_id": ring.id,
                "reminder_id": ring.reminder_id,
                "content": ring.content,
                "answer_by": ring.answer_by.isoformat(),
                "confirm_url": link,
            }
        content = json.dumps(body, ensure_ascii=False).encode()
        headers = {"content-type": "application/json"}
        status = await self._sender.post(device.address, content, headers)
        if status not in OK:
            raise Unreachable(f"The webhook answered {status}.")
