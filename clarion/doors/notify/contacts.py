"""Tells contacts: any Apprise address, another device, a chat. Implements reminders' Notifier."""

from collections.abc import Awaitable, Callable, Mapping

from clarion.base.errors import Unavailable
from clarion.doors.notify.answering import HomeAssistant, Pushover, with_buttons
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.doors.notify.webpush import read_subscription
from clarion.people.model import Contact, DeviceKind
from clarion.reminders.ports import ContactCall, MessageFate
from clarion.webhooks.service import check_url

Say = Callable[[str, str, str, ContactCall | None], Awaitable[None]]
"""Says a text to the device or chat of that id, and shows a link where links can be shown; a call
that asks for an answer is put so that it can be answered there.

Raises Unavailable when it cannot."""


class Contacts:
    """`say` maps the prefix of an address (`device`, `chat`) to the function that speaks there."""

    def __init__(
        self, apprise: Apprise, sender: HttpSender, say: Mapping[str, Say], *, pushover: str = ""
    ) -> None:
        self._apprise = apprise
        self._say = say
        self._app = HomeAssistant(apprise, sender)
        self._alarm = Pushover(apprise, sender, *([pushover] if pushover else []))

    async def tell(self, call: ContactCall) -> str:
        contact, title = call.contact, call.reminder.content
        scheme = contact.address.partition("://")[0]
        if not call.asks or not call.link or "://" not in contact.address:
            await self._send(contact, title, call.text, call.link, call if call.asks else None)
            return ""
        if scheme == "pover" and (receipt := await self._alarm.tell(call)):
            return receipt
        if scheme in ("hassio", "hassios") and await self._app.tell(call):
            return ""
        address = with_buttons(call) if scheme in ("ntfy", "ntfys") else contact.address
        await self._apprise.send(address, title, f"{call.text}\n{call.link}")
        return ""

    async def look_up(self, contact: Contact, receipt: str) -> MessageFate:
        return await self._alarm.look_up(contact.address, receipt)

    async def withdraw(self, contact: Contact, receipt: str) -> None:
        await self._alarm.withdraw(contact.address, receipt)

    async def send(self, contact: Contact, title: str, text: str, link: str) -> None:
        """Raises Unavailable when the contact cannot be told now; telling twice tells twice."""
        await self._send(contact, title, text, link, None)

    async def _send(
        self, contact: Contact, title: str, text: str, link: str, call: ContactCall | None
    ) -> None:
        kind, _, rest = contact.address.partition(":")
        if (say := self._say.get(kind)) is not None:
            await say(rest, text, link, call)
            return
        if "://" not in contact.address:
            raise Unavailable(f"{contact.name} has an address that nobody here can reach.")
        await self._apprise.send(contact.address, title, f"{text}\n{link}" if link else text)


class AddressBook:
    """Implements reminders' `Addresses`."""

    def __init__(self, apprise: Apprise, sender: HttpSender) -> None:
        self._apprise = apprise
        self._sender = sender

    async def check(self, kind: DeviceKind, address: str) -> None:
        if kind is DeviceKind.WEBHOOK:
            check_url(address)
            self._sender.check(address)
        elif kind is DeviceKind.PUSH:
            endpoint = read_subscription(address).endpoint
            check_url(endpoint)
            self._sender.check(endpoint)
        elif kind is DeviceKind.NOTIFY:
            await self._apprise.check(address)
