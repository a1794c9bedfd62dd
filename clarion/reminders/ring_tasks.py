"""Carries out the tasks of reminders: ring, deadline, escalation, digest.

No handler waits. Each makes one decision on the locked reminder; the second time it runs, it finds
that nothing is left to do.
"""

import logging
from dataclasses import replace
from datetime import datetime

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.ids import ReminderId, UserId
from clarion.people.model import Contact
from clarion.people.ports import PeopleStore
from clarion.reminders import words
from clarion.reminders.contact_calls import contact_language
from clarion.reminders.decisions import digest as digests
from clarion.reminders.decisions import endings, escalation
from clarion.reminders.decisions import ring as ringing
from clarion.reminders.decisions.decision import (
    DEADLINE,
    DIGEST,
    ESCALATE,
    INFORM,
    NOTHING,
    RECEIPT,
    RING,
    ROUND,
    TEST_CONTACT,
    CallContact,
    Decide,
    Decision,
    LockedReminder,
    call_id,
)
from clarion.reminders.effects import Effects
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.links import LINK_LIFE, Grant, Links
from clarion.reminders.model import Patience, Reminder, ReminderStatus
from clarion.reminders.ports import ContactCall, Notifier, ReminderStore
from clarion.tasks.kinds import SLOWLY, TELL_RETRIES, Kind
from clarion.tasks.ports import Again, Claim

log = logging.getLogger(__name__)


class RingTasks:
    def __init__(
        self,
        store: ReminderStore,
        clock: Clock,
        effects: Effects,
        notifier: Notifier,
        *,
        links: Links | None = None,
        people: PeopleStore | None = None,
        patience: Patience,
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._effects = effects
        self._notifier = notifier
        self._links = links
        self._patience = patience

    def kinds(self) -> list[Kind]:
        """The kinds of task for the workers."""
        return [
            Kind(RING, self.ring),
            Kind(DEADLINE, self.deadline),
            Kind(ESCALATE, self.escalate, retries=TELL_RETRIES, backoff=SLOWLY),
            Kind(ROUND, self.round),
            Kind(RECEIPT, self.receipt, retries=TELL_RETRIES, backoff=SLOWLY),
            Kind(INFORM, self.inform, retries=TELL_RETRIES, backoff=SLOWLY),
            Kind(DIGEST, self.digest),
            Kind(TEST_CONTACT, self.test_contact),
        ]

    async def ring(self, claim: Claim) -> Again | None:
        """It is due. After a crash in the middle, the same ring is begun once more."""
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)  # the clock was set back since it was claimed
        was_cut_off = claim.attempt > 1

        def decide(scene: LockedReminder) -> Decision:
            if was_cut_off and scene.reminder.status is ReminderStatus.TRIGGERED:
                return ringing.ring_again(scene)
            return ringing.fire(scene, now, self._patience)

        return await self._decide(claim, decide, now)

    async def deadline(self, claim: Claim) -> Again | None:
        """Nobody answered. After a crash in the middle, the ring it led to is begun once more."""
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        was_cut_off = claim.attempt > 1

        def decide(scene: LockedReminder) -> Decision:
            if was_cut_off and ringing.is_under_way(scene, now):
                return ringing.ring_again(scene)
            return ringing.deadline(scene, now, self._patience)

        return await self._decide(claim, decide, now)

    async def digest(self, claim: Claim) -> Again | None:
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        user_id = UserId(claim.task.payload["user"])
        change = await self._store.change_user(
            user_id, lambda scene: digests.gather(scene, now), now
        )
        await self._effects.carry_out(change)
        return None

    async def escalate(self, claim: Claim) -> Again | None:
        """Tell one contact. First told, then written: twice is better than never."""
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        payload = claim.task.payload
        number, way = payload.get("round", 1), payload.get("way", 0)

        def look(scene: LockedReminder) -> Decision:
            contact = escalation.next_contact(scene, payload["contact"], now, number, way)
            if contact is None and claim.attempt > 1:
                return escalation.cut_off(scene, payload["contact"], now, number, way)
            if contact is None:
                return NOTHING
            waits = escalation.quiet_for(scene, contact, now, number)
            if waits.retry_at is not None:
                return waits
            return waits + Decision(call=CallContact(contact, scene.reminder, scene.user))

        reminder_id = ReminderId(payload["reminder"])
        looked = await self._change(reminder_id, look, now)
        if looked.retry_at is not None:
            return Again(looked.retry_at)
        if looked.call is None:
            return None
        contact, reminder = looked.call.contact, looked.call.reminder
        call = await self._call(looked.call, now, number)
        try:
            receipt = await self._notifier.tell(call)
        except ClarionError as error:
            why = error.message
            await self._change(
                reminder_id,
                lambda scene: escalation.not_told(scene, contact, why, now, number, way),
                now,
            )
            raise
        asks_on = escalation.receipt_task(reminder, contact, receipt, number, way, now)
        await self._change(
            reminder_id,
            lambda scene: escalation.told(scene, contact, now, number, way) + asks_on,
            now,
        )
        log.info("contact told", extra={"reminder": reminder.id, "contact": contact.id})
        return None

    async def receipt(self, claim: Claim) -> Again | None:
        """Ask a messaging service how far a message got, until it was seen or the reminder is over;
        then the contact is no longer called.
        """
        payload, now = claim.task.payload, self._clock.now()
        reminder_id, receipt = ReminderId(payload["reminder"]), payload["receipt"]

        def look(scene: LockedReminder) -> Decision:
            open_ = scene.reminder.status in escalation.UNANSWERED
            waits = open_ and not escalation.is_held(scene, now)
            return called(scene, payload["contact"], "waits" if waits else "")

        looked = await self._change(reminder_id, look, now)
        if looked.call is None:
            return None
        contact = at_way(looked.call.contact, payload["way"])
        if not looked.outcome:
            await self._notifier.withdraw(contact, receipt)
            return None
        fate = await self._notifier.look_up(contact, receipt)
        known = (("delivered", fate.delivered), ("opened", fate.opened))
        facts = [name for name, happened in known if happened]
        number, through = payload["round"], contact.address.partition(":")[0]
        await self._change(
            reminder_id, lambda s: escalation.reached(s, contact, now, number, facts, through), now
        )
        return None if fate.over else Again(now + escalation.ASK_EVERY)

    async def round(self, claim: Claim) -> Again | None:
        """The ladder once more: nobody answered, or who was on it has run out of time."""
        now = self._clock.now()
        if claim.task.due_at > now:
            return Again(claim.task.due_at)
        number = claim.task.payload["round"]
        return await self._decide(claim, lambda s: escalation.next_round(s, now, number), now)

    async def inform(self, claim: Claim) -> Again | None:
        """Tell a contact who was told before: somebody is on it, or it is done."""
        payload = claim.task.payload
        now = self._clock.now()
        looked = await self._change(
            ReminderId(payload["reminder"]), lambda s: called(s, payload["contact"]), now
        )
        if looked.call is None:
            return None
        contact, reminder, user = looked.call.contact, looked.call.reminder, looked.call.user
        language = await contact_language(contact, user, self._people)
        text = words.informed(
            payload["what"], payload["by"], user, reminder, language, claim.task.due_at
        )
        call = await self._call(looked.call, now)
        await self._notifier.tell(replace(call, text=text, link="", asks=False))
        return None

    async def test_contact(self, claim: Claim) -> Again | None:
        """Tell a contact that it is a test. Only once: the tester sees whether it failed."""
        payload, now = claim.task.payload, self._clock.now()
        reminder_id = ReminderId(payload["reminder"])

        def look(scene: LockedReminder) -> Decision:
            waits = scene.reminder.status is ReminderStatus.TRIGGERED
            return called(scene, payload["contact"]) if waits else NOTHING

        looked = await self._change(reminder_id, look, now)
        if looked.call is None:
            return None
        contact, call = looked.call.contact, await self._call(looked.call, now)
        text = words.test_of(looked.call.user, call.language, "test_message")
        try:
            await self._notifier.tell(replace(call, text=text, asks=False))
        except ClarionError as error:
            why = error.message
            await self._change(
                reminder_id,
                lambda s: escalation.not_told(s, contact, why) + endings.fail_test(s, now),
                now,
            )
            return None
        await self._change(reminder_id, lambda scene: escalation.told(scene, contact, now), now)
        return None

    async def _call(self, asked: CallContact, now: datetime, number: int = 1) -> ContactCall:
        contact, reminder, user = asked.contact, asked.reminder, asked.user
        language = await contact_language(contact, user, self._people)
        return ContactCall(
            id=call_id(reminder.id, contact.id, number),
            contact=contact,
            reminder=reminder,
            text=words.to_contact(user, reminder, language),
            link=self._link(reminder, contact, now),
            language=language,
        )

    async def _decide(self, claim: Claim, decide: Decide, now: datetime) -> Again | None:
        try:
            change = await self._store.change(
                ReminderId(claim.task.payload["reminder"]), decide, now
            )
        except NoSuchReminder:
            return None  # its user was removed, and it with them
        await self._effects.carry_out(change)
        return Again(change.retry_at) if change.retry_at else None

    async def _change(self, reminder_id: ReminderId, decide: Decide, now: datetime) -> Decision:
        """Nothing is decided when its user was removed, and it with them."""
        try:
            return await self._store.change(reminder_id, decide, now)
        except NoSuchReminder:
            return NOTHING

    def _link(self, reminder: Reminder, contact: Contact, now: datetime) -> str:
        if self._links is None:
            return ""
        return self._links.url(Grant(reminder.id, contact.id), now + LINK_LIFE)


def called(scene: LockedReminder, contact_id: str, outcome: str = "") -> Decision:
    """Nobody when the contact is gone."""
    contact = next((one for one in scene.contacts if one.id == contact_id), None)
    if contact is None:
        return NOTHING
    return Decision(call=CallContact(contact, scene.reminder, scene.user), outcome=outcome)


def at_way(contact: Contact, way: int) -> Contact:
    ways = contact.agreed_ways
    return replace(contact, address=ways[way].address) if way < len(ways) else contact
