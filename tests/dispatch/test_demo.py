"""The city of the demo: as large as promised, always the same, and worth looking at."""

from clarion.base.ids import TaskId
from clarion.dispatch import demo
from clarion.dispatch.model import EventId, EventStatus, TeamStatus
from clarion.store.sql.engine.database import Database
from tests.support.clock import START, ManualClock
from tests.support.dispatching import Desk


def test_forty_teams_with_names_of_their_own_and_a_few_that_rest() -> None:
    teams = demo.teams()

    assert len(teams) == 40
    assert len({team.id for team in teams}) == len({team.name for team in teams}) == 40
    assert {team.status for team in teams} == {TeamStatus.STANDBY, TeamStatus.UNAVAILABLE}
    assert demo.teams() == teams


async def test_its_events_are_served_and_the_greatest_lacks_somebody(
    sqlite: Database, clock: ManualClock
) -> None:
    desk = Desk(sqlite, clock)
    await desk.add(*demo.teams(), *demo.events(START))

    for event in demo.events(START):
        run = await desk.service.request(EventId(event.id))
        await desk.service.run(TaskId(run.id))

    found = {one.id: one for one in await desk.records.events((), 10)}
    covered = [one.id for one in found.values() if one.status is EventStatus.SENT]
    assert len(covered) == 4
    assert found[EventId("event-demo-5")].status is EventStatus.SHORT
    assert found[EventId("event-demo-3")].type == "flood"
