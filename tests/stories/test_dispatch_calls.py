"""Teams are called until they say yes; who says no or nothing is replaced, and somebody is told."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from clarion.base.errors import Unavailable
from clarion.base.ids import DeviceId, ReminderId, TaskId, UserId
from clarion.dispatch.model import (
    AssignmentId,
    CallStatus,
    EventId,
    EventStatus,
    Need,
    Severity,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.reconciler import Reconciler
from clarion.flows.deployed_team_is_called import CallPolicy, CallsHearAnswers, DeployedTeamIsCalled
from clarion.flows.officer_is_told_about_dispatch import OfficerIsTold
from clarion.people.model import DeviceKind
from clarion.reminders.model import ReminderStatus
from clarion.store.sql.dispatch.store import SqlDispatch, SqlRecords
from clarion.tasks.kinds import Kind, Kinds
from clarion.tasks.ports import Claim
from clarion.tasks.workers import DueTasks, Workers
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.dispatching import Desk, event, team
from tests.support.drive import Driver

OFFICER = UserId("officer")


@dataclass
class Station:
    """A house in which teams live, each with a radio, and an officer with a phone."""

    clarion: ClarionByHand
    desk: Desk
    driver: Driver

    async def report(self) -> None:
        await self.desk.add(event(officer=OFFICER, severity=Severity.CRITICAL, title="火情"))
        await self.desk.service.request(EventId("event-1"))

    async def live(self, **by: float) -> None:
        await self.driver.fast_forward(timedelta(**by))

    async def say(self, name: str, words: str) -> None:
        """The team answers what its radio said last."""
        ring = [one.ring for one in self.clarion.outside.spoken if one.device == f"radio-{name}"][
            -1
        ]
        await self.clarion.facts.answered(ring.id, words)

    async def calls(self) -> dict[str, CallStatus]:
        return {one.team_id: one.call for one in await self.desk.store.assignments()}

    def restart(self) -> None:
        self.driver = driver_of(self.clarion, self.desk, self.clarion.clock)

    def heard_on(self, device: str) -> list[str]:
        return [one.ring.content for one in self.clarion.outside.spoken if one.device == device]


@pytest.fixture
async def station(tmp_path: Path, clock: ManualClock) -> AsyncIterator[Station]:
    async with open_by_hand(await sqlite_file(tmp_path), clock) as clarion:
        desk = Desk(clarion.database, clock)
        for name in ("near", "far"):
            await radio(clarion, name)
            await desk.add(
                team(
                    name,
                    km=1 if name == "near" else 9,
                    user_id=UserId(name),
                    device_id=DeviceId(f"radio-{name}"),
                )
            )
        await radio(clarion, OFFICER)
        yield Station(clarion, desk, driver_of(clarion, desk, clock))


async def radio(clarion: ClarionByHand, name: str) -> None:
    await clarion.people.ensure_user(UserId(name), name)
    await clarion.people.update_user(ADMIN, UserId(name), language="zh")
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=UserId(name), device_id=DeviceId(f"radio-{name}")
    )


def driver_of(clarion: ClarionByHand, desk: Desk, clock: ManualClock) -> Driver:
    async def plan(claim: Claim) -> None:
        await desk.service.run(TaskId(claim.task.payload["run_id"]))

    async def end_rest(claim: Claim) -> None:
        given = claim.task.payload
        await desk.records.end_rest(given["team_id"], given["fence"], clock.now())

    policy = CallPolicy(timeout=timedelta(seconds=60), pause=timedelta(seconds=10), tries=2)
    calls = DeployedTeamIsCalled(
        desk.store, desk.records, clarion.reminders, clarion.people, clock, policy
    )
    told = OfficerIsTold(desk.records, clarion.reminders, clarion.people, clock)
    kinds = Kinds(
        *clarion.ring_tasks.kinds(),
        Kind("dispatch.plan", plan),
        Kind("dispatch.call", calls.call),
        Kind("dispatch.tell", told.tell),
        Kind("dispatch.rest", end_rest),
    )
    workers = Workers(clarion.tasks, kinds, clock)
    return Driver(clock, CallsHearAnswers(desk.store, clock), DueTasks(workers))


async def test_the_team_that_says_yes_goes(station: Station) -> None:
    await station.report()
    await station.live(seconds=1)

    await station.say("near", "收到，马上出发")
    await station.live(seconds=1)

    assert station.heard_on("radio-near") == ["出动：火情，任务医疗，约2分钟路程"]
    assert await station.calls() == {"near": CallStatus.ACCEPTED}
    assert station.heard_on("radio-officer") == []


async def test_everybody_is_called_and_told_in_their_own_language(station: Station) -> None:
    for name in ("near", OFFICER):
        await station.clarion.people.update_user(ADMIN, UserId(name), language="en")
    await station.report()
    await station.live(seconds=1)

    await station.say("near", "no, we cannot come")
    await station.live(seconds=1)

    assert station.heard_on("radio-near") == ["Go to 火情: medical, about 2 min away"]
    assert station.heard_on("radio-officer") == [
        "火情: team near does not go, somebody else is being sent"
    ]
    assert station.heard_on("radio-far") == ["出动：火情，任务医疗，约13分钟路程"]


async def test_the_call_is_critical_and_wants_an_answer(station: Station) -> None:
    await station.report()

    await station.live(seconds=1)

    ring = station.clarion.outside.last
    assert (ring.critical, ring.wants_confirmation) == (True, True)


async def test_a_team_that_says_no_is_replaced_at_once_and_the_officer_told(
    station: Station,
) -> None:
    await station.report()
    await station.live(seconds=1)

    await station.say("near", "不行，去不了")
    await station.live(seconds=1)

    assert await station.calls() == {"near": CallStatus.DECLINED, "far": CallStatus.CALLING}
    assert await station.desk.statuses() == {"near": "standby", "far": "deployed"}
    assert station.heard_on("radio-officer") == ["火情：队伍 near 拒绝出动，正在重新派遣"]


async def test_a_team_that_does_not_answer_is_replaced_after_its_tries(station: Station) -> None:
    await station.report()

    await station.live(minutes=4)

    rings = [one for one in station.clarion.outside.rings if one[1] == "radio-near"]
    assert [attempt for _, _, attempt in rings] == [1, 2]
    assert (await station.calls())["near"] is CallStatus.UNANSWERED
    assert (await station.desk.statuses())["near"] == "unavailable"
    assert "radio-far" in [device for _, device, _ in station.clarion.outside.rings]
    assert "火情：队伍 near 无应答，正在重新派遣" in station.heard_on("radio-officer")


async def test_a_silent_team_is_counted_on_again_after_a_while_but_not_by_this_event(
    station: Station,
) -> None:
    await station.report()
    await station.live(minutes=4)
    silent = await station.desk.statuses()

    await station.live(minutes=40)

    assert silent["near"] == "unavailable"
    assert await station.desk.statuses() == {"near": "standby", "far": "standby"}
    parts = await station.desk.store.assignments()
    assert sorted((one.team_id, one.outcome) for one in parts) == [
        ("far", "unanswered"),
        ("near", "unanswered"),
    ]


async def test_a_silent_team_that_somebody_spoke_to_is_left_alone(station: Station) -> None:
    await station.report()
    await station.live(minutes=4)
    now = station.clarion.clock.now()

    await station.desk.records.move_team(TeamId("near"), TeamStatus.UNAVAILABLE, "休整", now)
    await station.live(minutes=60)

    found = await station.desk.records.team(TeamId("near"))
    assert found is not None
    assert (found.status, found.reason) == (TeamStatus.UNAVAILABLE, "休整")


async def test_a_yes_that_comes_after_somebody_else_was_sent_sends_nobody_and_is_told(
    station: Station,
) -> None:
    await station.report()
    await station.live(minutes=4)

    await station.say("near", "收到，马上出发")
    await station.live(seconds=5)

    assert await station.desk.statuses() == {"near": "standby", "far": "deployed"}
    assert station.heard_on("radio-near")[-1] == "火情：应答已超时，请留在原地待命"
    told = "火情：队伍 near 迟到应答，已恢复待命"
    assert station.heard_on("radio-officer").count(told) == 1


async def test_a_late_yes_helps_an_event_that_still_lacks_somebody(station: Station) -> None:
    await station.desk.records.drop_team(TeamId("far"), station.clarion.clock.now())
    await station.report()
    await station.live(minutes=4)

    await station.say("near", "收到，马上出发")
    station.restart()  # just after the answer was kept
    await station.live(seconds=5)
    await Reconciler(station.desk.store, station.clarion.clock).run_once()
    await station.live(seconds=5)

    assert await station.desk.statuses() == {"near": "deployed"}
    assert station.heard_on("radio-near")[-1].startswith("出动：火情")


async def test_when_nobody_is_left_the_officer_hears_that_too(station: Station) -> None:
    await station.report()
    await station.live(seconds=1)
    await station.say("near", "不行，去不了")
    await station.live(seconds=1)

    await station.say("far", "我们去不了")
    await station.live(seconds=1)

    assert station.heard_on("radio-officer")[-1] == "火情：可派队伍不足，请查看缺口"
    found = await station.desk.records.event(EventId("event-1"))
    assert found is not None
    assert found.status is EventStatus.SHORT


async def test_a_call_that_is_no_longer_needed_falls_silent(station: Station) -> None:
    await station.report()
    await station.live(seconds=1)
    [part] = await station.desk.store.assignments()
    found = await station.desk.records.event(EventId("event-1"))
    assert found is not None
    assert part.reminder_id is not None

    await station.desk.records.change_event(
        replace(found, status=EventStatus.CANCELLED), None, station.clarion.clock.now()
    )
    await station.live(minutes=10)

    reminder = await station.clarion.reminders.get(ADMIN, ReminderId(part.reminder_id))
    assert reminder.status is ReminderStatus.CANCELLED
    assert len(station.heard_on("radio-near")) == 1


class CutOff(SqlDispatch):
    """Its server dies between placing a call and noting it."""

    async def note_call(
        self, assignment_id: AssignmentId, call: CallStatus, reminder_id: str | None, now: datetime
    ) -> bool:
        if reminder_id is not None:
            raise Unavailable("gone")
        return await super().note_call(assignment_id, call, reminder_id, now)


class CancelledMeanwhile(SqlDispatch):
    """Somebody cancels the event while its team's call is being placed."""

    async def note_call(
        self, assignment_id: AssignmentId, call: CallStatus, reminder_id: str | None, now: datetime
    ) -> bool:
        if reminder_id is not None:
            await cancel(SqlRecords(self._db), now)
        return await super().note_call(assignment_id, call, reminder_id, now)


async def cancel(records: SqlRecords, now: datetime) -> None:
    found = await records.event(EventId("event-1"))
    assert found is not None
    if not found.is_over:
        await records.change_event(replace(found, status=EventStatus.CANCELLED), None, now)


@pytest.mark.parametrize("store", [CutOff, CancelledMeanwhile])
async def test_a_call_that_was_being_placed_when_its_event_ended_falls_silent(
    station: Station, store: type[SqlDispatch]
) -> None:
    clarion, clock = station.clarion, station.clarion.clock
    await station.report()
    desk = Desk(clarion.database, clock)
    desk.store = store(clarion.database)
    await driver_of(clarion, desk, clock).fast_forward(timedelta(seconds=1))

    await cancel(station.desk.records, clock.now())
    await station.live(minutes=10)

    assert len(station.heard_on("radio-near")) <= 1
    called = await clarion.reminders.list(ADMIN, user_id=UserId("near"))
    assert [one.status for one in called.items] == [ReminderStatus.CANCELLED]


async def test_a_team_without_a_radio_is_marked_for_somebody_to_tell(station: Station) -> None:
    await station.desk.records.change_team(team("near", km=1), None, station.clarion.clock.now())
    await station.report()

    await station.live(seconds=1)

    assert await station.calls() == {"near": CallStatus.UNCALLED}
    assert await station.desk.statuses() == {"near": "deployed", "far": "standby"}
    assert station.heard_on("radio-officer") == ["火情：队伍 near 无法呼叫，请另行通知"]


async def test_a_call_that_was_delayed_for_an_hour_still_rings_once(station: Station) -> None:
    await station.report()
    run = (await station.desk.service.tasks())[0]
    await station.desk.service.run(run.id)
    [part] = await station.desk.store.assignments()
    await station.desk.store.note_call(
        part.id, CallStatus.CALLING, None, station.clarion.clock.now()
    )
    station.clarion.clock.advance(timedelta(hours=1))  # the server was down just before the call

    await station.live(seconds=1)

    assert len(station.heard_on("radio-near")) == 1
    assert TeamId("near") in await station.calls()


async def test_a_radio_that_is_off_costs_no_more_than_one_that_nobody_answers(
    station: Station,
) -> None:
    station.clarion.outside.away.add("radio-near")
    await station.report()

    await station.live(seconds=125)  # two tries of a minute, ten seconds between
    before = await station.calls()
    await station.live(seconds=20)

    assert before == {"near": CallStatus.CALLING}
    assert (await station.calls())["near"] is CallStatus.UNANSWERED
    assert (await station.desk.statuses())["far"] == "deployed"


async def test_an_event_is_covered_when_everybody_has_said_yes(station: Station) -> None:
    await station.desk.add(event("big", officer=OFFICER, needs=(Need("medical", 2),)))
    await station.desk.service.request(EventId("big"))
    await station.live(seconds=1)
    seen = [await status_of(station, "big")]

    await station.say("near", "收到，马上出发")
    await station.live(seconds=1)
    seen.append(await status_of(station, "big"))
    await station.say("far", "收到，马上出发")
    await station.live(seconds=1)
    seen.append(await status_of(station, "big"))

    assert seen == [EventStatus.SENT, EventStatus.SENT, EventStatus.COVERED]


async def status_of(station: Station, name: str) -> EventStatus:
    found = await station.desk.records.event(EventId(name))
    assert found is not None
    return found.status
