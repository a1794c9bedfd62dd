"""Carries out the effects of a decision after it is written: ring a device, silence it.

A crash before or in the middle loses nothing: the task of the ring or of its deadline is tried
again, and with it the same ring; in all other cases the ring's deadline notices.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import assert_never
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.language import assisted
from clarion.language.assisted import Occasion, PhraseWriter
from clarion.people.model import Device, DeviceKind, User
from clarion.people.ports import PeopleStore
from clarion.reminders.decisions.decision import BeginRing, Decision, Effect, Hush, RingFacts
from clarion.reminders.decisions.ring import unreachable
from clarion.reminders.errors import Unreachable
from clarion.reminders.guarded import DeviceSilencer
from clarion.reminders.model import Patience, Reminder
from clarion.reminders.ports import Channel, ReminderStore, Ring, RingId
from clarion.tasks.model import Level

log = logging.getLogger(__name__)

DEVICES_TRIED_MAX = 50  # at a time; with more devices, the search goes on in a minute
REMEMBERED_MAX = 20


class Effects:
    """Rings and silences devices. An unreachable one leads to the next decision and its effects."""

    def __init__(
        self,
        store: ReminderStore,
        people: PeopleStore,
        channel: Channel,
        clock: Clock,
        patience: Patience,
        writer: PhraseWriter | None = None,
    ) -> None:
        self._store = store
        self._channel = channel
        self._clock = clock
        self._patience = patience
        self._writer = writer
        self._hushing = DeviceSilencer(people, channel)

    async def carry_out(self, change: Decision) -> None:
        """Raises, after all other effects, the error that kept a ring from beginning: mostly a
        database or broker that could not be reached for a moment.
        """
        effects, failures = list(change.effects), list[Exception]()
        for _ in range(DEVICES_TRIED_MAX):
            if not effects:
                break
            try:
                effects.extend(await self._one(effects.pop(0)))
            except Exception as error:
                log.exception("could not be carried out")
                failures.append(error)
        if failures:
            raise failures[0]

    async def _one(self, effect: Effect) -> Sequence[Effect]:
        match effect:
            case BeginRing():
                return await self._ring(effect)
            case Hush():
                await self._hushing.hush(effect)
                return ()
            case _:
                assert_never(effect)

    async def _ring(self, begin: BeginRing) -> Sequence[Effect]:
        try:
            await self._channel.ring(make_ring(begin, await self._words(begin)))
        except Unreachable as error:
            return await self._next(begin.facts, error.message)
        return ()

    async def _next(self, facts: RingFacts, reason: str) -> Sequence[Effect]:
        now = self._clock.now()
        change = await self._store.change(
            facts.reminder_id,
            lambda scene: unreachable(scene, facts.id, reason, now, self._patience),
            now,
        )
        return change.effects

    async def _words(self, begin: BeginRing) -> str:
        """The LLM's words if they come in time, else those of the template."""
        reminder = begin.reminder
        plain = "digest" in reminder.context or reminder.is_test or reminder.checked
        if self._writer is None or plain:
            return begin.facts.text
        moment = occasion(begin, self._clock.now())
        return await assisted.words(moment, self._writer, seed=begin.reminder.id)


def occasion(begin: BeginRing, now: datetime) -> Occasion:
    reminder, user = begin.reminder, begin.user
    return Occasion(
        content=reminder.content,
        attempt=begin.facts.attempt,
        confirm=reminder.confirmation.required,
        local_hour=now.astimezone(ZoneInfo(user.zone)).hour,
        name=user.name,
        lang=user.language,
        late=begin.late,
        context=remembered(user, reminder),
    )


def remembered(user: User, reminder: Reminder) -> tuple[str, ...]:
    """What the model should know when we speak to them, as short lines."""
    facts = {**user.context, **reminder.context}
    return tuple(f"{name}: {value}" for name, value in facts.items())[:REMEMBERED_MAX]


def make_ring(begin: BeginRing, text: str) -> Ring:
    reminder, facts = begin.reminder, begin.facts
    device: Device = begin.device
    return Ring(
        id=facts.id,
        reminder_id=reminder.id,
        attempt=facts.attempt,
        user_id=reminder.user_id,
        device=device,
        text=text,
        content=reminder.content,
        language=begin.user.language,
        wants_confirmation=reminder.confirmation.required,
        critical=reminder.base >= Level.CRITICAL,
        base=reminder.base,
        answer_by=facts.answer_by,
        heard=facts.heard_at is not None,
    )


class Channels:
    """One `Channel` made of several. `ways` may be filled after reminders have been built."""

    def __init__(self, ways: Mapping[DeviceKind, Channel]) -> None:
        self._ways = ways

    async def ring(self, ring: Ring) -> None:
        await self._to(ring.device).ring(ring)

    async def hush(self, device: Device, ring_id: RingId) -> None:
        way = self._ways.get(device.kind)
        if way is not None:
            await way.hush(device, ring_id)

    async def say(self, device: Device, text: str) -> None:
        await self._to(device).say(device, text)

    def _to(self, device: Device) -> Channel:
        way = self._ways.get(device.kind)
        if way is None:
            raise Unreachable(f"Nothing here leads to a device of the kind {device.kind.value}.")
        return way
