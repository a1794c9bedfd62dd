"""Sends one text to one Apprise address, in a thread that can reach nothing else."""

import asyncio
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from clarion.base.errors import ClarionError, Unavailable
from clarion.exits.reach import Reach
from clarion.exits.thread import GuardedThreads
from clarion.people.errors import BadAddress

if TYPE_CHECKING:
    from apprise import NotifyBase

SECONDS_MAX = 15
CALL_SECONDS_MAX = 8.0  # one step of a message
# They act on the machine we run on instead of calling somebody.
LOCAL = frozenset(
    {"blink1", "dbus", "glib", "gnome", "growl", "kde", "macosx", "qt", "syslog", "windows"}
)
FILES = frozenset({"attach", "file", "keyfile", "pgpkey", "pgpprivkey", "subfile", "template"})
HINT = "Use one of Apprise's, such as ntfy://topic or tgram://token/chat."


class Apprise:
    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._threads = GuardedThreads(reach)
        self._checks = GuardedThreads(
            reach
        )  # so that setting a contact does not wait for slow messages

    def close(self) -> None:
        self._threads.close()
        self._checks.close()

    async def check(self, address: str) -> None:
        """Raises BadAddress for what could never be told, PrivateAddress for a private host.

        A name is judged by its spelling; what it stands for is judged at each call.
        """
        check_kind(address)
        await asyncio.to_thread(load_plugins)
        await self._checks.run(lambda: self._named(address), SECONDS_MAX)

    async def read(self, address: str) -> "NotifyBase":
        """What the address names, by its plugin. Raises BadAddress."""
        check_kind(address)
        await asyncio.to_thread(load_plugins)
        return await self._checks.run(lambda: plugin_of(address), SECONDS_MAX)

    def _named(self, address: str) -> None:
        for host in hosts_of(plugin_of(address)):
            self._reach.refuse_now(host)

    async def send(self, address: str, title: str, text: str) -> None:
        """Raises BadAddress, PrivateAddress, or Unavailable when it was not taken."""
        check_kind(address)
        await asyncio.to_thread(load_plugins)

        def work() -> bool:
            # The package logs whole addresses with their passwords: it stays silent (base.log).
            return bool(plugin_of(address).notify(title=title, body=text))

        try:
            taken = await self._threads.run(work, SECONDS_MAX)
        except ClarionError:
            raise
        except Exception as error:
            # 170 plugins by many authors: one of them may raise anything.
            raise Unavailable("The notification was not taken.", retry_after=60) from error
        if not taken:
            raise Unavailable("The notification was not taken.", retry_after=60)


def check_kind(address: str) -> None:
    scheme, found, rest = address.partition("://")
    if not found or scheme.lower() in LOCAL:
        raise BadAddress("This is not an address that a contact can have.", hint=HINT)
    named = {name.lstrip("+-:").lower() for name in parse_qs(rest.partition("?")[2])}
    if named & FILES:
        raise BadAddress(
            "An address may not name a file to be read.", hint="Leave that parameter out."
        )


@cache
def load_plugins() -> None:
    """Once, for it takes a second. Not in a guarded thread, where modules could not load."""
    import apprise

    apprise.Apprise.instantiate("json://localhost")


def plugin_of(address: str) -> "NotifyBase":
    import apprise

    plugin = apprise.Apprise.instantiate(address, suppress_exceptions=True)
    if not isinstance(plugin, apprise.NotifyBase) or reads_files(plugin):
        kind = address.partition("://")[0]
        raise BadAddress(
            "Apprise does not know this kind of address.", hint=HINT, details={"kind": kind}
        )
    # An address can ask for other values; a thread is not held longer because of that.
    plugin.redirects = False
    plugin.socket_connect_timeout = min(plugin.socket_connect_timeout, CALL_SECONDS_MAX)
    plugin.socket_read_timeout = min(plugin.socket_read_timeout, CALL_SECONDS_MAX)
    return plugin


def reads_files(plugin: Any) -> bool:
    from apprise import AppriseAttachment

    return any(isinstance(one, AppriseAttachment) and len(one) for one in vars(plugin).values())


def hosts_of(plugin: Any) -> list[str]:
    """The hosts that the address itself names; those of a service are the service's own."""
    named = []
    if any("{host}" in str(template) for template in getattr(plugin, "templates", ())):
        named.append(getattr(plugin, "host", None))
    named.append(getattr(plugin, "smtp_host", None))
    return [host for host in named if isinstance(host, str) and host]
