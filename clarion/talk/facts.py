"""The port `Facts` for doors where people speak: what they say goes to `Talk`, the rest past it."""

from clarion.base.ids import DeviceId, UserId
from clarion.reminders.access import Actor
from clarion.reminders.hearing import Hearing
from clarion.reminders.ports import Reaction, Ring, RingId
from clarion.talk.exchange import Speaker
from clarion.talk.service import Talk

OVER = Reaction("over")


class SpokenFacts:
    """Implements `Facts` and `Conversation`."""

    def __init__(self, hearing: Hearing, talk: Talk) -> None:
        self._hearing = hearing
        self._talk = talk

    async def answered(self, ring_id: RingId, text: str) -> Reaction:
        where = await self._hearing.where(ring_id)
        if where is None:
            return OVER
        return await self._talk.hear(on_device(*where), text, ring_id) or OVER

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str:
        """Words that answer nothing this device was told."""
        reaction = await self._talk.hear(on_device(user_id, device_id), text)
        return reaction.say if reaction is not None else ""

    async def delivered(self, ring_id: RingId) -> None:
        await self._hearing.delivered(ring_id)

    async def heard(self, ring_id: RingId) -> None:
        await self._hearing.heard(ring_id)

    async def queued(self, ring_id: RingId) -> None:
        await self._hearing.queued(ring_id)

    async def sent(self, ring_id: RingId) -> None:
        await self._hearing.sent(ring_id)

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        await self._hearing.unreachable(ring_id, reason)

    async def pressed(self, ring_id: RingId, button: str) -> Reaction:
        return await self._hearing.pressed(ring_id, button)

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        return await self._hearing.waiting_for(device_id)

    async def seen(self, device_id: DeviceId, *, online: bool, through: str) -> None:
        await self._hearing.seen(device_id, online=online, through=through)


def on_device(user_id: UserId, device_id: DeviceId) -> Speaker:
    """Whoever speaks to a device speaks as its owner."""
    return Speaker(Actor(user_id, name="device"), user_id, device_id, place=device_id)
