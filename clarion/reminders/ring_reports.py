"""What channels report back: the class behind the port `Facts`.

Facts come twice, late, and for rings that are over; each then changes nothing.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.language import answer, assisted
from clarion.language.answer.model import Answer, Label
from clarion.language.answer.reader import affirms
from clarion.language.assisted import AnswerJudge, FollowUpWriter
from clarion.people.habits import ROUTINE, learned
from clarion.people.model import User
from clarion.people.ports import PeopleStore
from clarion.reminders import words
from clarion.reminders.decisions import answer as answers
from clarion.reminders.decisions import moves
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.decisions.decision import (
    BeginRing,
    Decide,
    Decision,
    Effect,
    Hush,
    RingId,
    reminder_of,
)
from clarion.reminders.effects import Effects, make_ring
from clarion.reminders.errors import NoSuchReminder, ReminderOver
from clarion.reminders.model import Patience, Reminder, ReminderStatus
from clarion.reminders.ports import Reaction, ReminderStore, Ring

log = logging.getLogger(__name__)

OVER = Reaction("over")
TALKING = frozenset({"conversation", "over"})
REPLY_LETTERS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class AnswerHelpers:
    """Helpers that understand answers. Each may be absent."""

    judge: AnswerJudge | None = None
    asks: FollowUpWriter | None = None


class RingReports:
    def __init__(
        self,
        store: ReminderStore,
        people: PeopleStore,
        clock: Clock,
        effects: Effects,
        *,
        patience: Patience,
        helpers: AnswerHelpers = AnswerHelpers(),  # noqa: B008  frozen and empty
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._effects = effects
        self._patience = patience
        self._helpers = helpers

    async def queued(self, ring_id: RingId) -> None:
        now = self._clock.now()
        await self._decide(
            ring_id, lambda scene: ringing.queued(scene, ring_id, now, self._patience)
        )

    async def sent(self, ring_id: RingId) -> None:
        now = self._clock.now()
        await self._decide(ring_id, lambda scene: ringing.sent(scene, ring_id, now, self._patience))

    async def delivered(self, ring_id: RingId) -> None:
        now = self._clock.now()
        await self._decide(
            ring_id, lambda scene: ringing.delivered(scene, ring_id, now, self._patience)
        )

    async def heard(self, ring_id: RingId) -> None:
        now = self._clock.now()
        await self._decide(
            ring_id, lambda scene: ringing.heard(scene, ring_id, now, self._patience)
        )

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        now = self._clock.now()
        await self._decide(
            ring_id,
            lambda scene: ringing.unreachable(scene, ring_id, reason, now, self._patience),
        )

    async def answered(
        self,
        ring_id: RingId,
        text: str,
        meant: Answer | None = None,
        *,
        language: str = "",
        last_told: RingId | None = None,
    ) -> Reaction:
        """`meant`: the meaning of the words, if the caller knows it already; `language`: in which
        they were said and are answered; `last_told`: what the device told last, when these words
        answer another ring.
        """
        reminder = await self._store.get(reminder_of(ring_id))
        user = await self._people.user(reminder.user_id) if reminder else None
        if reminder is None or user is None:
            return OVER
        user = replace(user, language=language or user.language)
        said = text[:REPLY_LETTERS_MAX]
        answer = meant or await self._understood(said, reminder, user)
        return await self._answer(ring_id, answer, said, user, last_told)

    async def pressed(self, ring_id: RingId, button: str) -> Reaction:
        """`confirm`, `snooze`, `cancel`; any other button is ignored."""
        reminder = await self._store.get(reminder_of(ring_id))
        user = await self._people.user(reminder.user_id) if reminder else None
        if reminder is None or user is None:
            return OVER
        if button == "confirm":
            return await self._answer(
                ring_id, Answer(Label.CONFIRMED, answers.BUTTON), button, user
            )
        if button == "snooze":
            later = Answer(Label.DENIED, answers.BUTTON, snooze=self._patience.snooze)
            return await self._answer(ring_id, later, button, user)
        return await self._cancel(ring_id, user) if button == "cancel" else OVER

    async def where(self, ring_id: RingId) -> tuple[UserId, DeviceId] | None:
        """Whose ring it is, and which device told it."""
        rings = await self._store.rings(reminder_of(ring_id))
        ring = next((one for one in rings if one.id == ring_id), None)
        return (ring.user_id, ring.device_id) if ring is not None else None

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        begun = await self._take(device_id)
        return [make_ring(one, one.facts.text) for one in begun]

    async def seen(
        self,
        device_id: DeviceId,
        *,
        online: bool,
        through: str,
        kept: Callable[[], None] = lambda: None,
    ) -> None:
        now = self._clock.now()
        before = await self._people.device_seen(device_id, online=online, through=through, now=now)
        kept()
        if before is None or not online or before.online:
            return
        unheard = [one for one in await self._take(device_id) if one.facts.heard_at is None]
        await self._carry_out(Decision(effects=tuple(unheard)))

    async def _take(self, device_id: DeviceId) -> list[BeginRing]:
        """Begin the rings that wait for this device. A second call gives the same rings."""
        now = self._clock.now()
        device = await self._people.device(device_id)
        if device is None or not device.enabled:
            return []
        begun: list[BeginRing] = []
        for reminder_id in await self._store.waiting_for(device_id, now):
            change = await self._change(
                reminder_id, lambda scene: ringing.take(scene, device, now, self._patience)
            )
            begun += [one for one in change.effects if isinstance(one, BeginRing)]
        return begun

    async def _understood(self, text: str, reminder: Reminder, user: User) -> Answer:
        if (reminder.asked_again or reminder.checked) and affirms(text):
            # Asked whether it is done, a plain yes says that it is.
            return Answer(Label.CONFIRMED, "yes, to whether it is done", kind="done")
        return await assisted.understand(
            text,
            reminder.to_do,
            self._helpers.judge,
            now=self._clock.now(),
            zone=ZoneInfo(user.zone),
            keywords=reminder.confirmation.confirm_keywords,
        )

    async def _answer(
        self,
        ring_id: RingId,
        answer: Answer,
        text: str,
        user: User,
        last_told: RingId | None = None,
    ) -> Reaction:
        now = self._clock.now()
        change = await self._change(
            reminder_of(ring_id),
            lambda scene: answers.answered(scene, ring_id, answer, text, now, self._patience),
        )
        # The device that answered continues with our reaction; only others are silenced.
        going_on = last_told or ring_id
        elsewhere = tuple(one for one in change.effects if not is_hush_of(one, going_on))
        await self._carry_out(Decision(effects=elsewhere))
        before = change.before
        if before is None:
            return OVER
        if change.outcome == "asked_again":
            return Reaction("asked_again", await self._question(before, text, user), listen=True)
        if change.outcome in TALKING:
            return Reaction(change.outcome)
        if change.outcome == "confirmed" and answer.kind not in answers.SOON:
            await self._learn(before, user, text, now)
        until = heard_again_at(change, before)
        said = words.acknowledge(acknowledged(change), user, now, until)
        return Reaction(change.outcome, said, listen=False)

    async def _learn(self, reminder: Reminder, user: User, text: str, now: datetime) -> None:
        """Learn their habits from the time of the answer; only if they allow it."""
        routine = reminder.context.get(ROUTINE)
        if routine is None:
            return  # its time was not told by a habit
        planned = reminder.planned_at or reminder.trigger_at
        context = learned(user, routine, planned, now, text)
        known = await self._people.user(user.id) if context is not None else None
        if context is None or known is None or known.version != user.version:
            return  # the user was changed at the same moment: skip it
        after = replace(known, context=context, version=known.version + 1)
        await self._people.save_user(after, now, ("context",))

    async def _question(self, reminder: Reminder, reply: str, user: User) -> str:
        return await assisted.question(
            reminder.content, reply, self._helpers.asks, lang=user.language, seed=reminder.id
        )

    async def _cancel(self, ring_id: RingId, user: User) -> Reaction:
        now = self._clock.now()
        try:
            await self._decide(
                ring_id, lambda scene: moves.cancel(scene, now, user.name or user.id)
            )
        except ReminderOver:
            return OVER
        return Reaction("cancelled", words.acknowledge("cancelled", user, now))

    async def _decide(self, ring_id: RingId, decide: Decide) -> Decision:
        change = await self._change(reminder_of(ring_id), decide)
        await self._carry_out(change)
        return change

    async def _carry_out(self, change: Decision) -> None:
        """Carry out effects. The report is already written, so a failed ring must not repeat it."""
        try:
            await self._effects.carry_out(change)
        except Exception:
            # The device may ring all the same; if not, the deadline notices.
            log.exception("left to the deadline")

    async def _change(self, reminder_id: ReminderId, decide: Decide) -> Decision:
        try:
            return await self._store.change(reminder_id, decide, self._clock.now())
        except NoSuchReminder:
            return Decision()  # a ring of a user who was removed


def heard_again_at(change: Decision, before: Reminder) -> datetime | None:
    """When they will hear of it again; None when nobody has to be told."""
    if change.outcome == "promised":
        return change.reminders[0].answer_by
    if change.outcome != "snoozed":
        return None
    return change.reminders[0].trigger_at if change.reminders else before.trigger_at


def acknowledged(change: Decision) -> str:
    """What is said back. A no to the last attempt ends it and must not announce another one."""
    ended = any(one.status is ReminderStatus.TIMEOUT for one in change.reminders)
    if change.outcome != "denied" or not ended:
        return change.outcome
    return "gave_up_told" if change.tasks else "gave_up"


def is_hush_of(effect: Effect, ring_id: RingId) -> bool:
    return isinstance(effect, Hush) and effect.ring_id == ring_id


def is_answer(text: str, ring: Ring) -> bool:
    """Whether the words clearly answer this ring, though this session has not told it yet.

    你好小智      no: a wake word
    我吃过了      yes: they heard it in the session before
    """
    return answer.read(text, ring.content).label is not Label.UNCLEAR
