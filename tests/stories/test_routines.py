"""A person's day is theirs: told by them, and learned from their answers where they allow it."""

from pathlib import Path

from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, introduce_ana, open_by_hand
from tests.support.clock import ManualClock
from tests.support.databases import sqlite_file
from tests.support.talking import mouth_of


async def dinners(tmp_path: Path, clock: ManualClock, **habits: object) -> list[str]:
    """When two reminders "after dinner" were set, the first of which was answered late."""
    async with open_by_hand(await sqlite_file(tmp_path), clock, chat=None) as clarion:
        await introduce_ana(clarion)
        ana = await mouth_of(clarion, "device")
        await clarion.people.update_user(ADMIN, ANA, context={"habits": habits})
        await ana.say("晚饭后提醒我吃药，要确认")
        await clarion.until(19, 1)
        await ana.say("等我半小时")
        await clarion.until(19, 40)
        await ana.say("吃了")
        await ana.say("明天晚饭后提醒我散步")
        return await hours(clarion)


async def hours(clarion: ClarionByHand) -> list[str]:
    page = await clarion.reminders.list(AS_ANA)
    planned = sorted(one.planned_at for one in page.items if one.planned_at)
    return [f"{at:%H:%M}" for at in planned]


async def test_dinner_comes_later_when_answers_do(tmp_path: Path, clock: ManualClock) -> None:
    assert await dinners(tmp_path, clock, learn=True) == ["19:00", "19:10"]


async def test_nobodys_day_is_learned_unasked(tmp_path: Path, clock: ManualClock) -> None:
    assert await dinners(tmp_path, clock) == ["19:00", "19:00"]
