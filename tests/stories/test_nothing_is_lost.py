"""Tasks that go astray, clocks that are set back: the promise is in the record, not in the task."""

from datetime import timedelta

from sqlalchemy import Connection, text

from clarion.base.ids import TaskId
from clarion.people.model import DeviceKind
from clarion.reminders.decisions.decision import RING
from clarion.reminders.keeper import Keeper
from clarion.reminders.model import ReminderStatus
from clarion.tasks.model import Task
from clarion.tasks.ports import Again, Claim
from tests.support.build import ANA, BEDROOM, CONFIRM, KITCHEN
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at


def lose_all_tasks(conn: Connection) -> None:
    conn.execute(text("DELETE FROM tasks"))


async def test_a_reminder_whose_task_was_lost_rings_all_the_same(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    clarion.driver.add(Keeper(clarion.store, clarion.clock, clarion.patience))

    await clarion.database.write(lose_all_tasks)
    await clarion.until(8, 40)

    (spoken,) = clarion.outside.spoken
    assert at(8, 32) <= spoken.at <= at(8, 34)


async def test_a_deadline_that_was_lost_is_kept_all_the_same(clarion: ClarionByHand) -> None:
    pill = await clarion.remind(at=at(8, 30), confirmation=CONFIRM)
    clarion.driver.add(Keeper(clarion.store, clarion.clock, clarion.patience))

    await clarion.until(8, 31)
    await clarion.database.write(lose_all_tasks)
    await clarion.until(9, 30)

    assert (await clarion.look(pill)).status is ReminderStatus.TIMEOUT
    assert len(clarion.outside.rings) == 3


async def test_the_key_of_a_request_is_forgotten_after_a_week(clarion: ClarionByHand) -> None:
    first = await clarion.remind("tea", key="k")
    clarion.driver.add(Keeper(clarion.store, clarion.clock, clarion.patience))

    await clarion.database.write(lose_all_tasks)
    clarion.clock.move_to(at(8) + timedelta(days=8))
    await clarion.driver.settle()
    second = await clarion.remind("milk", key="k")

    assert first.id != second.id


async def test_the_keeper_leaves_alone_what_has_its_task(clarion: ClarionByHand) -> None:
    await clarion.remind("tea", at=at(8, 30))
    clarion.clock.move_to(at(8, 40))

    found = await clarion.store.put_back(at(8, 38), clarion.clock.now())

    assert found == 0


async def test_a_clock_that_is_set_back_after_the_claim_loses_nothing(
    clarion: ClarionByHand,
) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    task = Task(TaskId("tsk_1"), RING, tea.trigger_at, {"reminder": tea.id})
    clarion.clock.move_to(at(8, 30))
    clarion.clock.jump(-timedelta(minutes=5))

    again = await clarion.ring_tasks.ring(Claim(task, 1, fence=1))

    assert again == Again(at(8, 30))
    assert (await clarion.look(tea)).status is ReminderStatus.PENDING


async def test_a_ring_that_broke_on_its_way_is_begun_again_in_seconds(
    clarion: ClarionByHand,
) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    clarion.outside.broken = 2

    await clarion.until(8, 31)

    (spoken,) = clarion.outside.spoken
    assert spoken.at < at(8, 30) + timedelta(seconds=10)
    assert (await clarion.story(tea)).count("reminder.triggered") == 1


async def test_what_breaks_when_another_device_is_tried_is_begun_again(
    clarion: ClarionByHand,
) -> None:
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TERMINAL, user_id=ANA, device_id=BEDROOM, name="bedroom"
    )
    clarion.outside.mute.add(KITCHEN)
    await clarion.remind("tea", at=at(8, 30))
    await clarion.driver.until(at(8, 30) + timedelta(seconds=10))
    clarion.outside.broken = 1

    await clarion.until(8, 31)

    (spoken,) = clarion.outside.spoken
    assert spoken.device == BEDROOM
    assert spoken.at < at(8, 30) + timedelta(seconds=20)


async def test_a_ring_that_always_breaks_is_left_to_its_deadline(clarion: ClarionByHand) -> None:
    tea = await clarion.remind("tea", at=at(8, 30))
    clarion.outside.broken = 1_000

    await clarion.until(9, 30)

    assert (await clarion.look(tea)).status is ReminderStatus.FAILED


async def test_a_device_that_comes_back_is_here_though_its_ring_breaks(
    clarion: ClarionByHand,
) -> None:
    clarion.outside.away.add(KITCHEN)
    await clarion.remind("tea", at=at(8, 30))
    await clarion.until(8, 33)
    clarion.outside.broken = 1

    await clarion.come_back()
    await clarion.until(8, 36)

    (spoken,) = clarion.outside.spoken
    assert spoken.device == KITCHEN
