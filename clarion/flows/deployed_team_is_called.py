"""A deployed team is called until it says yes; a team that declines or stays silent is replaced.

The call is a critical reminder that has to be confirmed. Its task checks it whenever the reminder
was answered, and every half minute in case that signal was lost.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, NotFound, TimedOut, Unavailable
from clarion.base.events import StoredEvent
from clarion.base.ids import ReminderId
from clarion.dispatch.desk import declined, unanswered
from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    CallStatus,
    DispatchEvent,
    Team,
)
from clarion.dispatch.plan.words import named
from clarion.dispatch.ports import Answers, DispatchStore, Records
from clarion.people.model import CLARION
from clarion.people.service import People
from clarion.reminders.errors import TimePast
from clarion.reminders.model import (
    FINAL,
    ConfirmationConfig,
    Reminder,
    ReminderStatus,
)
from clarion.reminders.service import Reminders
from clarion.tasks.model import Level
from clarion.tasks.ports import Again, Claim

log = logging.getLogger(__name__)

LOOK_EVERY = timedelta(seconds=30)
LOOKS_BACK = 1_000  # events; far more than a server writes while it stops
A_MOMENT = timedelta(seconds=1)  # a call is set for the instant that was kept before it
YES = frozenset({ReminderStatus.CONFIRMED, ReminderStatus.COMPLETED})


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPolicy:
    """How often and how long a team is called: `tries` × `timeout` and the waits between."""

    timeout: timedelta = timedelta(seconds=60)
    pause: timedelta = timedelta(seconds=15)
    tries: int = 3
    approval: bool = False
    rest: timedelta | None = timedelta(minutes=30)
    """How long nobody counts on a team that did not answer; None: until somebody says so."""

    @property
    def whole(self) -> timedelta:
        """How long a team is called in all, whether its radio is on or not."""
        return self.tries * self.timeout + (self.tries - 1) * self.pause

    def confirmation(self) -> ConfirmationConfig:
        return ConfirmationConfig(
            required=True,
            timeout=int(self.timeout.total_seconds()),
            retry_interval=int(self.pause.total_seconds()),
            max_retries=self.tries,
        )


class DeployedTeamIsCalled:
    def __init__(
        self,
        store: DispatchStore,
        records: Records,
        reminders: Reminders,
        people: People,
        clock: Clock,
        policy: CallPolicy | None = None,
    ) -> None:
        self._store = store
        self._records = records
        self._reminders = reminders
        self._people = people
        self._clock = clock
        self._policy = policy or CallPolicy()

    async def call(self, claim: Claim) -> Again | None:
        """Handler of `dispatch.call`. It may run again and again: the reminder is made once."""
        part = await self._store.assignment(AssignmentId(claim.task.payload["assignment_id"]))
        if part is None:
            return None
        if part.closed_at is not None or part.call is CallStatus.ACCEPTED:
            await self._hush(part)
            return None
        reminder = await self._placed(part)
        if reminder is None:
            return None
        return await self._judged(part, reminder)

    async def _placed(self, part: Assignment) -> Reminder | None:
        """The reminder that calls the team; None when we cannot call it at all."""
        if part.reminder_id is not None:
            return await self._reminders.get(CLARION, ReminderId(part.reminder_id))
        team = await self._records.team(part.team_id)
        event = await self._records.event(part.event_id)
        if team is None or event is None or team.user_id is None:
            await self._note(part, CallStatus.UNCALLED)
            return None
        try:
            reminder = await self._call_once(part, team, event)
        except NotFound as error:
            log.warning("team cannot be called: %s", error, extra={"team": team.id})
            await self._note(part, CallStatus.UNCALLED)
            return None
        if await self._note(part, CallStatus.CALLING, reminder.id):
            return reminder
        # It ended while the call was being placed.
        await self._hush(replace(part, reminder_id=reminder.id))
        return None

    async def _call_once(self, part: Assignment, team: Team, event: DispatchEvent) -> Reminder:
        """Make the call once, also after a crash: the instant is stored before it is used."""
        at = part.called_at or self._clock.now()
        if part.called_at is None:
            await self._store.note_call(part.id, CallStatus.CALLING, None, at)
        try:
            return await self._ring(part, team, event, at)
        except TimePast:
            # Stored long ago and never used, or the key would have found the reminder.
            now = self._clock.now()
            await self._store.note_call(part.id, CallStatus.CALLING, None, now)
            return await self._ring(part, team, event, now)

    async def _ring(
        self, part: Assignment, team: Team, event: DispatchEvent, at: datetime
    ) -> Reminder:
        assert team.user_id is not None, "asked before"
        called = await self._people.user(CLARION, team.user_id)
        return await self._reminders.create(
            CLARION,
            user_id=team.user_id,
            content=order(part, event, called.language),
            trigger_at=at,
            device_id=team.device_id,
            confirmation=self._policy.confirmation(),
            base=Level.CRITICAL,
            context={"event_id": event.id, "assignment_id": part.id, "team_id": team.id},
            key=f"dispatch:{part.id}",
        )

    async def _judged(self, part: Assignment, reminder: Reminder) -> Again | None:
        now = self._clock.now()
        if reminder.status in YES:
            await self._note(part, CallStatus.ACCEPTED)
            return None
        history = await self._reminders.history(CLARION, reminder.id)
        if said_no(history) or reminder.status is ReminderStatus.CANCELLED:
            await self._store.end(part.id, declined(approval=self._policy.approval), now)
            await self._hush(part)
            return None
        # A radio that is off gets no more time than one that nobody answers.
        away = reminder.unreached_since
        over_at = None if away is None else away + self._policy.whole
        if reminder.status in FINAL or (over_at is not None and now >= over_at):
            how = unanswered(approval=self._policy.approval, rest=self._policy.rest)
            await self._store.end(part.id, how, now)
            await self._hush(part)
            return None
        look_at = now + LOOK_EVERY
        return Again(look_at if over_at is None else min(look_at, over_at))

    async def _note(
        self, part: Assignment, call: CallStatus, reminder_id: str | None = None
    ) -> bool:
        return await self._store.note_call(part.id, call, reminder_id, self._clock.now())

    async def _hush(self, part: Assignment) -> None:
        """Stop calling a team that no longer has to go."""
        try:
            found = await self._call_of(part)
            if found is not None and found.status not in FINAL:
                await self._reminders.cancel(CLARION, found.id)
        except (Unavailable, TimedOut):
            raise  # the task comes again
        except ClarionError as error:
            log.info("call not hushed: %s", error, extra={"assignment": part.id})

    async def _call_of(self, part: Assignment) -> Reminder | None:
        """The reminder that calls the team, also one whose server died before storing its id."""
        if part.reminder_id is not None:
            return await self._reminders.get(CLARION, ReminderId(part.reminder_id))
        team = await self._records.team(part.team_id)
        if part.called_at is None or team is None or team.user_id is None:
            return None
        placed = await self._reminders.list(
            CLARION, user_id=team.user_id, since=part.called_at, until=part.called_at + A_MOMENT
        )
        return next((one for one in placed.items if _is_for(one, part)), None)


def _is_for(reminder: Reminder, part: Assignment) -> bool:
    return reminder.context.get("assignment_id") == part.id


def said_no(history: Sequence[StoredEvent]) -> bool:
    """Somebody answered no, rather than not at all or later."""
    return any(
        (event.kind == "reminder.retried" and event.data.get("why") == "denied")
        or (event.kind == "reminder.timeout" and event.data.get("reason") == "denied")
        for event in history
    )


def order(part: Assignment, event: DispatchEvent, language: str) -> str:
    minutes, task = max(1, round(part.eta_seconds / 60)), named(part.role, language)
    where = event.title or named(event.type, language) or event.id
    if language == "zh":
        return f"出动：{where}，任务{task}，约{minutes}分钟路程"
    return f"Go to {where}: {task}, about {minutes} min away"


class CallsHearAnswers:
    """The pass that wakes calls as soon as their reminder was answered."""

    name = "dispatch-answers"

    def __init__(self, answers: Answers, clock: Clock) -> None:
        self._answers = answers
        self._clock = clock
        self._seen: int | None = None

    async def run_once(self) -> datetime | None:
        if self._seen is None:
            # Answers from just before a restart are read once more; that is harmless.
            self._seen = max(0, await self._answers.latest_event() - LOOKS_BACK)
        self._seen = await self._answers.wake_calls(self._seen, self._clock.now())
        return None
