"""Passes what devices report, and what people say to them, to the dialogue or a contact's call."""

from collections.abc import Callable
from typing import Protocol

from clarion.base.ids import DeviceId, UserId
from clarion.language import answer as answers
from clarion.people.model import Actor
from clarion.people.ports import PeopleStore
from clarion.reminders.contact_calls import ContactCalls
from clarion.reminders.decisions.decision import is_call
from clarion.reminders.ports import Reaction, Ring, RingId
from clarion.reminders.ring_reports import OVER, RingReports
from clarion.talk.dialogue import Speaker

CAN_YOU_GO = "去看看"
BUTTON_OF_CALL = {"confirm": "take", "snooze": "cannot", "cancel": "cannot"}
"""A device that knows only the usual buttons answers a call with them."""


class SpokenTo(Protocol):
    """The talk, as far as devices need it."""

    async def hear(
        self, speaker: Speaker, text: str, ring_id: RingId | None = None
    ) -> Reaction | None: ...
    def note_press(self, speaker: Speaker, ring_id: RingId, reaction: Reaction) -> None: ...


class SpokenFacts:
    """Implements `Facts` and `Conversation`. What concerns a call to a contact goes to `calls`."""

    def __init__(
        self, hearing: RingReports, talk: SpokenTo, calls: ContactCalls, people: PeopleStore
    ) -> None:
        self._hearing = hearing
        self._talk = talk
        self._calls = calls
        self._people = people

    async def answered(self, ring_id: RingId, text: str) -> Reaction:
        if is_call(ring_id):
            label = answers.read(text, CAN_YOU_GO).label
            clear = {answers.Label.CONFIRMED: True, answers.Label.DENIED: False}
            return await self._calls.answered(ring_id, clear.get(label))
        where = await self._hearing.where(ring_id)
        if where is None:
            return OVER
        return await self._talk.hear(on_device(*where), text, ring_id) or OVER

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str:
        """Words that answer nothing this device was told."""
        reaction = await self._talk.hear(on_device(user_id, device_id), text)
        return reaction.say if reaction is not None else ""

    async def delivered(self, ring_id: RingId) -> None:
        if is_call(ring_id):
            await self._calls.receipt(ring_id, through="device")
        else:
            await self._hearing.delivered(ring_id)

    async def heard(self, ring_id: RingId) -> None:
        if is_call(ring_id):
            await self._calls.receipt(ring_id, opened=True, through="device")
        else:
            await self._hearing.heard(ring_id)

    async def queued(self, ring_id: RingId) -> None:
        if not is_call(ring_id):
            await self._hearing.queued(ring_id)

    async def sent(self, ring_id: RingId) -> None:
        if not is_call(ring_id):
            await self._hearing.sent(ring_id)

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        if is_call(ring_id):
            await self._calls.unreachable(ring_id, reason)
        else:
            await self._hearing.unreachable(ring_id, reason)

    async def pressed(self, ring_id: RingId, button: str) -> Reaction:
        if is_call(ring_id):
            return await self._calls.pressed(ring_id, BUTTON_OF_CALL.get(button, button))
        where = await self._hearing.where(ring_id)
        reaction = await self._hearing.pressed(ring_id, button)
        if where is not None and reaction.outcome != OVER.outcome:
            self._talk.note_press(on_device(*where), ring_id, reaction)
        return reaction

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        device = await self._people.device(device_id)
        calls = await self._calls.waiting_for(device) if device else []
        return [*await self._hearing.waiting_for(device_id), *calls]

    async def seen(
        self,
        device_id: DeviceId,
        *,
        online: bool,
        through: str,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        await self._hearing.seen(device_id, online=online, through=through, kept=kept)


def on_device(user_id: UserId, device_id: DeviceId) -> Speaker:
    """A person who speaks to a device speaks as its owner."""
    return Speaker(Actor(user_id, name="device"), user_id, device_id, place=device_id)
