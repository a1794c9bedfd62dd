"""Stops devices that still ring for something that is over."""

import logging
from collections.abc import Sequence

from clarion.people.ports import PeopleStore
from clarion.reminders.decisions.decision import Effect, Hush
from clarion.reminders.ports import Channel

log = logging.getLogger(__name__)


class DeviceSilencer:
    """Stops devices. Whoever decided has already succeeded, so nothing is raised here."""

    def __init__(self, people: PeopleStore, channel: Channel | None) -> None:
        self._people = people
        self._channel = channel

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Hush):
                await self.hush(effect)

    async def hush(self, effect: Hush) -> None:
        if self._channel is None:
            return
        device = await self._people.device(effect.device_id)
        if device is None:
            return
        try:
            await self._channel.hush(device, effect.ring_id)
        except Exception:
            log.exception("could not be hushed", extra={"ring": effect.ring_id})
