"""Tells contacts: any Apprise address, another device, a chat. Implements reminders' Notifier."""

from collections.abc import Awaitable, Callable, Mapping

from clarion.base.errors import Unavailable
from clarion.doors.notify.apprise import Apprise
from clarion.doors.notify.post import HttpSender
from clarion.doors.notify.webpush import read_subscription
from clarion.people.model import Contact, DeviceKind
from clarion.reminders.model import Reminder
from clarion.webhooks.service import check_url

Say = Callable[[str, str, str], Awaitable[None]]
"""Says a text to the device or chat of that id, and shows a link where links can be shown.

Raises Unavailable when it cannot."""


class Contacts:
    """`say` maps the prefix of an address to whoever can speak there: `device`, `chat`."""

    def __init__(self, apprise: Apprise, say: Mapping[str, Say]) -> None:
        self._apprise = apprise
        self._say = say

    async def tell(self, contact: Contact, reminder: Reminder, text: str, link: str) -> None:
        await self.send(contact, reminder.content, text, link)

    async def send(self, contact: Contact, title: str, text: str, link: str) -> None:
        """Raises Unavailable when the contact cannot be told now; telling twice tells twice."""
        whole = f"{text}\n{link}" if link else text
        kind, _, rest = contact.address.partition(":")
        if (say := self._say.get(kind)) is not None:
            await say(rest, text, link)
            return
        if "://" not in contact.address:
            raise Unavailable(f"{contact.name} has an address that nobody here can reach.")
        await self._apprise.send(contact.address, title, whole)


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
