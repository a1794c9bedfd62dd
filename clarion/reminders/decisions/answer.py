"""Decides what follows from an answer: done, promised, put off, asked again, given up. Pure."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.language.answer.model import Answer, Label
from clarion.reminders.decisions import moves
from clarion.reminders.decisions.decision import (
    NOTHING,
    Decision,
    LockedReminder,
    RingId,
    deadline_moves,
    planned,
)
from clarion.reminders.decisions.endings import complete, give_up, retry
from clarion.reminders.events import ReminderAskedAgain, ReminderPromised, RingAnswered
from clarion.reminders.model import DONE, FINAL, HEARD, Patience, ReminderStatus, wait_of

SOON = frozenset({"doing", "will"})
"""Kinds of yes that say it is not done yet."""
BUTTON = "button"
"""The reason of an answer that was pressed, not said."""
CONVERSATION = Decision(outcome="conversation")
OVER = Decision(outcome="over")
TOLD = frozenset({ReminderStatus.COMPLETED, ReminderStatus.TIMEOUT, ReminderStatus.FAILED})
UNANSWERED = frozenset({ReminderStatus.TIMEOUT, ReminderStatus.FAILED})


def answered(
    scene: LockedReminder,
    ring_id: RingId,
    answer: Answer,
    text: str,
    now: datetime,
    patience: Patience,
) -> Decision:
    """An answer counts for whichever ring of the reminder it comes, also a late one."""
    decide: Callable[[LockedReminder, RingId, Answer, datetime, Patience], Decision]
    if scene.reminder.status in FINAL:
        decide = _after_the_end
    elif scene.reminder.confirmation.required:
        decide = _asked
    else:
        decide = _plain
    return _noted(scene, ring_id, answer, text, now) + decide(scene, ring_id, answer, now, patience)


def _asked(
    scene: LockedReminder, ring_id: RingId, answer: Answer, now: datetime, patience: Patience
) -> Decision:
    """An answer to a reminder that needs a yes."""
    reminder = scene.reminder
    rings = reminder.status is ReminderStatus.TRIGGERED
    if answer.label is Label.CONFIRMED:
        return _said_yes(scene, answer, now, patience)
    if answer.label is Label.DENIED:
        until = _until(scene, answer, now)
        if until is not None:
            return _snooze(scene, now, until)
        if not rings:
            return Decision(outcome="denied")  # the next ring is planned anyway
        if reminder.attempt < reminder.confirmation.max_retries:
            return retry(scene, now, "denied")
        return Decision(outcome="denied") + give_up(scene, now, "denied")
    if rings and not reminder.asked_again:
        return _ask_again(scene, ring_id, now, patience)
    return CONVERSATION


def _said_yes(scene: LockedReminder, answer: Answer, now: datetime, patience: Patience) -> Decision:
    """Done confirms. "On my way" confirms only what has to be heard, else it is a promise."""
    yes = HEARD if answer.kind in SOON else DONE
    reminder = scene.reminder
    rings = reminder.status is ReminderStatus.TRIGGERED
    if yes == HEARD and reminder.needs == DONE and rings:
        return _promise(scene, now, patience)
    if yes == HEARD and reminder.needs == DONE:
        return Decision(outcome="denied")  # the next ring is planned anyway
    return moves.confirm(scene, now, _name(scene), yes=yes)


def _promise(scene: LockedReminder, now: datetime, patience: Patience) -> Decision:
    """The device falls silent, and we ask about it soon. It still counts as ringing."""
    reminder = scene.reminder
    by = now + patience.check_back
    after = replace(
        reminder,
        version=reminder.version + 1,
        promised_at=now,
        asked_again=False,
        answer_by=by,
    )
    event = ReminderPromised(
        subject=reminder.id,
        user=reminder.user_id,
        by=_name(scene),
        attempt=reminder.attempt,
        check_at=by,
    )
    promised = Decision(
        reminders=(after,), events=(event,), effects=moves.hushed(scene), outcome="promised"
    )
    return promised + deadline_moves(reminder, after, now)


def _plain(
    scene: LockedReminder, _ring_id: RingId, answer: Answer, now: datetime, _patience: Patience
) -> Decision:
    """A reminder that needs no yes: an answer means that it was heard, and the talk goes on."""
    until = _until(scene, answer, now)
    if until is not None:
        return _snooze(scene, now, until)
    if scene.reminder.status is ReminderStatus.TRIGGERED:
        return CONVERSATION + complete(scene, now, "answered")
    if answer.label is Label.CONFIRMED:
        yes = HEARD if answer.kind in SOON else DONE
        return moves.confirm(scene, now, _name(scene), yes=yes)
    return CONVERSATION


def _after_the_end(
    scene: LockedReminder, _ring_id: RingId, answer: Answer, now: datetime, _patience: Patience
) -> Decision:
    """A late yes still counts; a late "in ten minutes" becomes a reminder of its own."""
    reminder = scene.reminder
    if reminder.status in UNANSWERED and answer.label is Label.CONFIRMED:
        yes = HEARD if answer.kind in SOON else DONE
        if yes == HEARD and reminder.needs == DONE:
            return OVER  # it was given up and a contact was told: only "done" takes that back
        return moves.confirm(scene, now, _name(scene), yes=yes)
    if answer.reason == BUTTON and reminder.status is ReminderStatus.CONFIRMED:
        return Decision(outcome="confirmed")  # people press buttons twice
    until = _until(scene, answer, now)
    if until is not None and reminder.status in TOLD:
        return planned(moves.once_more(reminder, until, now, _name(scene)), now) + Decision(
            outcome="snoozed"
        )
    return OVER


def _snooze(scene: LockedReminder, now: datetime, until: datetime) -> Decision:
    """A repeated request is answered with `snoozed` too."""
    return moves.snooze(scene, now, until, _name(scene)) + Decision(outcome="snoozed")


def _ask_again(
    scene: LockedReminder, ring_id: RingId, now: datetime, patience: Patience
) -> Decision:
    """Ask one follow-up question and wait again. Only once per attempt."""
    reminder = scene.reminder
    by = now + wait_of(reminder, patience)
    after = replace(reminder, version=reminder.version + 1, asked_again=True, answer_by=by)
    event = ReminderAskedAgain(
        subject=reminder.id, user=reminder.user_id, ring=ring_id, answer_by=by
    )
    asked = Decision(reminders=(after,), events=(event,), outcome="asked_again")
    return asked + deadline_moves(reminder, after, now)


def _noted(
    scene: LockedReminder, ring_id: RingId, answer: Answer, text: str, now: datetime
) -> Decision:
    """The facts of the ring: an answer proves that it was heard."""
    ring = scene.ring
    if ring is None:
        return NOTHING
    event = RingAnswered(
        subject=ring.reminder_id,
        user=ring.user_id,
        ring=ring_id,
        device=ring.device_id,
        label=answer.label.value,
        reason=answer.reason,
        text=text[:500],
    )
    if ring.id != ring_id:
        return Decision(events=(event,))
    facts = replace(
        ring,
        delivered_at=ring.delivered_at or now,
        heard_at=ring.heard_at or now,
        answered_at=now,
        label=answer.label.value,
    )
    return Decision(rings=(facts,), events=(event,), proved=(ring.device_id,))


def _until(scene: LockedReminder, answer: Answer, now: datetime) -> datetime | None:
    until = answer.snooze_at(now, ZoneInfo(scene.user.zone))
    # "In no time at all" would ring at the same moment as the answer.
    return max(until, now + timedelta(seconds=5)) if until is not None else None


def _name(scene: LockedReminder) -> str:
    return scene.user.name or scene.user.id
