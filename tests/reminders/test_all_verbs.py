"""Every verb, every answer and any passing of time, in any order: what must hold always holds."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable
from contextlib import suppress
from datetime import time, timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    MultipleResults,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)
from sqlalchemy import Connection, text

from clarion.base.errors import BadInput, Conflict
from clarion.base.ids import ReminderId, SeriesId
from clarion.people.model import QuietHours
from clarion.reminders.decisions.decision import deadline_key, ring_key
from clarion.reminders.model import MOVES, ConfirmationConfig, Reminder, ReminderStatus, Series
from clarion.store.sql.opening import open_database
from tests.support.build import ANA, BEDROOM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, AS_ANA, assemble, introduce_ana
from tests.support.clock import START, ManualClock
from tests.support.databases import sqlite_file
from tests.support.fakes.channel import Outside

T = TypeVar("T")
MINUTES = st.integers(1, 90)
PILL = ConfirmationConfig(required=True, timeout=60, retry_interval=30, max_retries=2)
WORDS = st.sampled_from(["吃过了", "还没", "十分钟后再叫我", "天气不错", "不吃", "好的"])
EVENT_MOVES = {
    "reminder.triggered": ReminderStatus.TRIGGERED,
    "reminder.snoozed": ReminderStatus.PENDING,
    "reminder.retried": ReminderStatus.PENDING,
    "reminder.waits": ReminderStatus.PENDING,
    "reminder.confirmed": ReminderStatus.CONFIRMED,
    "reminder.completed": ReminderStatus.COMPLETED,
    "reminder.timeout": ReminderStatus.TIMEOUT,
    "reminder.failed": ReminderStatus.FAILED,
    "reminder.cancelled": ReminderStatus.CANCELLED,
}


def open_tasks(conn: Connection) -> dict[str, int]:
    query = "SELECT key, due_at FROM tasks WHERE status IN ('scheduled', 'ready') AND key <> ''"
    return {row.key: row.due_at for row in conn.execute(text(query))}


class Evenings(RuleBasedStateMachine):
    reminders: Bundle[ReminderId] = Bundle("reminders")
    series: Bundle[SeriesId] = Bundle("series")

    @initialize()
    def move_in(self) -> None:
        self.runner = asyncio.Runner()
        self.folder = Path(tempfile.mkdtemp(prefix="clarion-evenings-"))
        self.clock = ManualClock(START)
        self.outside = Outside(self.clock)
        self.run(self._open())

    async def _open(self) -> None:
        self.database = await open_database(await sqlite_file(self.folder))
        self.clarion = assemble(self.database, self.clock, self.outside)
        await introduce_ana(self.clarion)
        await self.clarion.people.add_contact(ADMIN, user_id=ANA, name="boris", address="chat:1")

    def run(self, work: Awaitable[T]) -> T:
        async def awaited() -> T:
            return await work

        return self.runner.run(awaited())

    def attempted(self, work: Awaitable[object]) -> None:
        """A refusal is an answer too; anything else that is raised is a defect."""
        with suppress(Conflict, BadInput):
            self.run(work)

    @rule(target=reminders, minutes=MINUTES, confirm=st.booleans(), base=st.sampled_from([10, 100]))
    def create(self, minutes: int, confirm: bool, base: int) -> ReminderId:
        made = self.run(
            self.clarion.reminders.create(
                ADMIN,
                user_id=ANA,
                content="吃药",
                trigger_at=self.clock.now() + timedelta(minutes=minutes),
                confirmation=PILL if confirm else None,
                base=base,
            )
        )
        return made.id

    @rule(target=series, pattern=st.sampled_from(["*/20 * * * *", "0 * * * *", "0 9 * * *"]))
    def create_series(self, pattern: str) -> SeriesId:
        made = self.run(
            self.clarion.reminders.series.create(
                AS_ANA, user_id=ANA, content="喝水", pattern=pattern
            )
        )
        return made.id

    @rule(target=reminders)
    def notice_what_a_series_made(self) -> MultipleResults[ReminderId]:
        page = self.run(self.clarion.reminders.list(AS_ANA, limit=500))
        return multiple(*(one.id for one in page.items if one.series_id))

    @rule(reminder=reminders)
    def confirm(self, reminder: ReminderId) -> None:
        self.attempted(self.clarion.reminders.confirm(AS_ANA, reminder))

    @rule(reminder=reminders)
    def cancel(self, reminder: ReminderId) -> None:
        self.attempted(self.clarion.reminders.cancel(AS_ANA, reminder))

    @rule(reminder=reminders, minutes=MINUTES)
    def snooze(self, reminder: ReminderId, minutes: int) -> None:
        by = timedelta(minutes=minutes)
        self.attempted(self.clarion.reminders.snooze(AS_ANA, reminder, by))

    @rule(reminder=reminders, minutes=MINUTES)
    def update(self, reminder: ReminderId, minutes: int) -> None:
        at = self.clock.now() + timedelta(minutes=minutes)
        self.attempted(
            self.clarion.reminders.update(AS_ANA, reminder, trigger_at=at, content="吃两片药")
        )

    @rule(series=series, verb=st.sampled_from(["pause", "resume", "skip_next", "end"]))
    def change_series(self, series: SeriesId, verb: str) -> None:
        self.attempted(getattr(self.clarion.reminders.series, verb)(AS_ANA, series))

    @rule(series=series)
    def move_series(self, series: SeriesId) -> None:
        self.attempted(
            self.clarion.reminders.series.update(AS_ANA, series, pattern="30 * * * *", content="茶")
        )

    @rule(words=WORDS)
    def answer(self, words: str) -> None:
        if self.outside.spoken:
            self.run(self.clarion.answer(words))

    @rule(button=st.sampled_from(["confirm", "snooze", "cancel"]))
    def press(self, button: str) -> None:
        if self.outside.spoken:
            self.run(self.clarion.press(button))

    @rule(seconds=st.sampled_from([5, 15, 30, 60, 300, 1800, 7200]))
    def live_on(self, seconds: int) -> None:
        self.run(self.clarion.fast_forward(seconds=seconds))

    @rule(hours=st.sampled_from([1, 3, 6]))
    def be_switched_off(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))
        self.outside.sessions.clear()

    @rule(device=st.sampled_from([KITCHEN, BEDROOM]))
    def go_away(self, device: str) -> None:
        self.outside.away.add(device)

    @rule()
    def come_back(self) -> None:
        self.run(self.clarion.come_back())

    @rule(quiet=st.sampled_from([None, QuietHours(time(22), time(7))]))
    def want_quiet(self, quiet: QuietHours | None) -> None:
        self.run(self.clarion.people.update_user(ADMIN, ANA, quiet=quiet))

    @invariant()
    def whoever_waits_has_exactly_one_task_and_nobody_else_has_any(self) -> None:
        if not hasattr(self, "clarion"):
            return
        page = self.run(self.clarion.reminders.list(ADMIN, user_id=ANA, limit=500))
        tasks = self.run(self.database.read(open_tasks))
        rings = {key for key in tasks if key.startswith("ring:")}
        deadlines = {key for key in tasks if key.startswith("deadline:")}
        pending = [one for one in page.items if one.status is ReminderStatus.PENDING]
        ringing = [one for one in page.items if one.status is ReminderStatus.TRIGGERED]
        free = [one for one in pending if one.held_until is None]
        assert {ring_key(one) for one in free} <= rings
        assert {deadline_key(one) for one in ringing} <= deadlines
        held = [one for one in pending if one.held_until is not None]
        assert all(self._digest_of(one) in tasks for one in held)

    def _digest_of(self, reminder: Reminder) -> str:
        assert reminder.held_until is not None
        return f"digest:{ANA}:{reminder.held_until.timestamp():.0f}"

    @invariant()
    def a_series_that_goes_on_has_one_reminder_that_waits(self) -> None:
        if not hasattr(self, "clarion"):
            return
        page = self.run(self.clarion.reminders.series.list(AS_ANA, limit=500))
        for one in page.items:
            self._check_series(one)

    def _check_series(self, series: Series) -> None:
        if not series.enabled or series.ended_at is not None:
            assert series.current is None
            return
        assert series.current is not None
        waits = self.run(self.clarion.reminders.get(AS_ANA, series.current))
        assert waits.status is ReminderStatus.PENDING
        assert waits.trigger_at == series.next_at

    def teardown(self) -> None:
        if not hasattr(self, "clarion"):
            return
        self.run(self._check_stories())
        self.run(self.database.close())
        self.runner.close()
        shutil.rmtree(self.folder)

    async def _check_stories(self) -> None:
        """Every life is a path through the table of moves, and ends where the record says."""
        page = await self.clarion.reminders.list(ADMIN, user_id=ANA, limit=500)
        for one in page.items:
            events = await self.clarion.reminders.history(ADMIN, one.id)
            path = [EVENT_MOVES[event.kind] for event in events if event.kind in EVENT_MOVES]
            steps = zip([ReminderStatus.PENDING, *path], path, strict=False)
            assert all(after in MOVES[before] for before, after in steps), (one, path)
            assert not path or path[-1] is one.status
            rings = await self.clarion.reminders.rings(ADMIN, one.id)
            assert [ring.number for ring in rings] == list(range(1, one.rings + 1))


TestEvenings = pytest.mark.timeout(120)(Evenings.TestCase)
TestEvenings.settings = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)
