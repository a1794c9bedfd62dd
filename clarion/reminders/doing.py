"""Carries out what a decision asked for once it is written: ring a device, hush it.

A crash before or in the middle loses nothing: the ring's deadline finds out.
"""

import logging
from collections.abc import Sequence

from clarion.reminders.change import Effect, Hush
from clarion.reminders.ports import Channel, PeopleStore

log = logging.getLogger(__name__)


class Hushing:
    """Stops devices. Whoever decided has already succeeded, so nothing is raised here."""

    def __init__(self, people: PeopleStore, channel: Channel | None) -> None:
        self._people = people
        self._channel = channel

    async def carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Hush):
                await self._hush(effect)

    async def _hush(self, effect: Hush) -> None:
        device = await self._people.device(effect.device_id)
        if device is None or self._channel is None:
            return
        try:
            await self._channel.hush(device, effect.ring_id)
        except Exception:
            log.exception("could not be hushed", extra={"ring": effect.ring_id})
