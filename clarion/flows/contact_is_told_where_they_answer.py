"""Tells a contact on a device or in a chat, each so that it can be answered there.

A loudspeaker asks and listens, a phone or a chat shows buttons, everything else is only told.
"""

from collections.abc import Awaitable, Callable

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.ids import DeviceId
from clarion.people.model import CHAT_PLATFORMS
from clarion.people.ports import PeopleStore
from clarion.people.service import TOLD_AT_ADDRESS
from clarion.reminders.contact_calls import spoken
from clarion.reminders.effects import Channels
from clarion.reminders.guarantee import MESSAGES
from clarion.reminders.ports import ContactCall

Tell = Callable[[str, str], Awaitable[None]]
Ask = Callable[[str, ContactCall], Awaitable[None]]


class ContactIsTold:
    """`tell` and `ask` write into a chat."""

    def __init__(
        self, people: PeopleStore, channels: Channels, tell: Tell, ask: Ask, clock: Clock
    ) -> None:
        self._people = people
        self._channels = channels
        self._tell = tell
        self._ask = ask
        self._clock = clock

    async def on_device(
        self, device_id: str, text: str, link: str, call: ContactCall | None = None
    ) -> None:
        device = await self._people.device(DeviceId(device_id))
        if device is None:
            raise Unavailable(f"There is no device {device_id!r}.")
        if call is not None and device.kind in CHAT_PLATFORMS.values():
            await self._ask(device.address or device.id, call)
            return
        if call is not None and device.kind not in TOLD_AT_ADDRESS:
            await self._channels.ring(spoken(call, device, self._clock.now()))
            return
        # Nobody can do anything with an address that is read aloud.
        shows = link and device.kind in MESSAGES
        await self._channels.say(device, f"{text}\n{link}" if shows else text)

    async def in_chat(
        self, chat_id: str, text: str, link: str, call: ContactCall | None = None
    ) -> None:
        if call is not None:
            await self._ask(chat_id, call)
            return
        await self._tell(chat_id, f"{text}\n{link}" if link else text)
