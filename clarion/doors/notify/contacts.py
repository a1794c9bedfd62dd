"""Tells contacts: any Apprise address, another device, a chat. Implements reminders' Notifier."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from clarion.base.errors import BadInput, Unavailable
from clarion.doors.notify.safety import Guard
from clarion.reminders.model import Contact, Reminder

log = logging.getLogger(__name__)

SECONDS_MAX = 15
# They act on the machine we run on instead of calling somebody.
LOCAL = frozenset(
    {"blink1", "dbus", "glib", "gnome", "growl", "kde", "macosx", "qt", "syslog", "windows"}
)

Say = Callable[[str, str], Awaitable[None]]
"""Says a text to the device or chat of that id; raises Unavailable when it cannot."""


class BadAddress(BadInput):
    code = "bad_address"


class Apprise:
    """Sends one text to one Apprise address."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def send(self, address: str, title: str, text: str) -> None:
        """Raises BadAddress, Forbidden, or Unavailable when it was not taken."""
        target = await self._target(address)
        # The package logs whole addresses, and those hold passwords: it stays silent (base.log).
        result = await target.async_notify(title=title, body=text, timeout=SECONDS_MAX)
        if not result:
            raise Unavailable("The notification was not taken.", retry_after=60)

    async def _target(self, address: str) -> Any:
        target, plugin = await asyncio.to_thread(_read, address)
        for host, port in hosts_of(plugin):
            await self._check(host, port)
        return target

    async def _check(self, host: str, port: int) -> None:
        try:
            await self._guard.resolve(host, port)
        except Unavailable:
            # Not a name: a topic or a bot's id in the same place. Nobody can be called by it.
            log.debug("no such host in a contact's address")


def _read(address: str) -> tuple[Any, Any]:
    import apprise

    scheme = address.partition("://")[0].lower()
    if "://" not in address or scheme in LOCAL:
        raise BadAddress(
            "This is not an address that a contact can have.",
            hint="Use one of Apprise's, such as ntfy://topic or tgram://token/chat.",
        )
    target = apprise.Apprise()
    plugin = target.instantiate(address, suppress_exceptions=True)
    if plugin is None or not target.add(plugin):
        raise BadAddress("Apprise does not know this kind of address.", details={"kind": scheme})
    return target, plugin


def hosts_of(plugin: Any) -> list[tuple[str, int]]:
    """The hosts that the address itself names; those of a service are the service's own."""
    named = []
    if any("{host}" in str(template) for template in getattr(plugin, "templates", ())):
        named.append(getattr(plugin, "host", None))
    named.append(getattr(plugin, "smtp_host", None))
    port = getattr(plugin, "port", None) or 443
    return [(host, port) for host in named if isinstance(host, str) and host]


class Contacts:
    """`say` maps the prefix of an address to whoever can speak there: `device`, `chat`."""

    def __init__(self, apprise: Apprise, say: Mapping[str, Say]) -> None:
        self._apprise = apprise
        self._say = say

    async def tell(self, contact: Contact, reminder: Reminder, text: str, link: str) -> None:
        """Raises Unavailable when the contact cannot be told now; telling twice tells twice."""
        whole = f"{text}\n{link}" if link else text
        kind, _, rest = contact.address.partition(":")
        if (say := self._say.get(kind)) is not None:
            await say(rest, text)
            return
        if "://" not in contact.address:
            raise Unavailable(f"{contact.name} has an address that nobody here can reach.")
        await self._apprise.send(contact.address, reminder.content, whole)
