"""How contacts are told: in rounds, several at once, one or all, at several ways, not at night."""

from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.people.model import EscalationPolicy, FurtherWay, QuietHours
from clarion.reminders.model import ConfirmationConfig
from clarion.tasks.model import Level
from tests.support.build import ANA
from tests.support.house import ADMIN, House, at
from tests.support.power_cuts import PowerCuts

ONCE = ConfirmationConfig(required=True, timeout=60, max_retries=1)
"""Due at 08:30, given up at 08:31."""


async def contact(house: House, name: str, **fields: Any) -> None:
    await house.people.add_contact(
        ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", **fields
    )


async def policy(house: House, **fields: Any) -> None:
    await house.people.update_user(ADMIN, ANA, escalation=EscalationPolicy(**fields))


async def pill(house: House, **fields: Any) -> None:
    await house.remind(at=at(8, 30), confirmation=ONCE, **fields)


def told(house: House) -> list[str]:
    return [name for name, _ in house.outside.told]


def tokens(house: House) -> list[str]:
    return [link.rpartition("/")[2] for link in house.outside.links if link]


async def test_a_step_of_two_is_told_at_once(house: House) -> None:
    await contact(house, "son", order=1)
    await contact(house, "daughter", order=1)
    await contact(house, "neighbour", order=2, delay=600)
    await pill(house)

    await house.until(8, 32)
    first = sorted(told(house))
    await house.until(9)

    assert first == ["daughter", "son"]
    assert told(house)[-1] == "neighbour"


async def test_the_ladder_is_climbed_as_often_as_the_person_wants(house: House) -> None:
    await contact(house, "son")
    await contact(house, "neighbour", order=1, delay=300)
    await policy(house, rounds=3, pause=600)
    await pill(house)

    await house.until(12)

    assert told(house) == ["son", "neighbour"] * 3


async def test_a_reminder_has_a_policy_of_its_own(house: House) -> None:
    await contact(house, "son")
    await policy(house, rounds=3)
    asks = ConfirmationConfig(
        required=True, timeout=60, max_retries=1, escalation=EscalationPolicy(rounds=2, pause=60)
    )
    await house.remind(at=at(8, 30), confirmation=asks)

    await house.until(12)

    assert told(house) == ["son"] * 2


async def test_a_yes_ends_the_rounds(house: House) -> None:
    await contact(house, "son")
    await policy(house, rounds=5, pause=600)
    await pill(house)
    await house.until(8, 45)

    await house.reminders.links.confirm(tokens(house)[0])
    await house.until(12)

    assert told(house) == ["son"] * 2


async def test_who_is_on_it_and_does_not_come_back_is_rung_again(house: House) -> None:
    await contact(house, "son")
    await pill(house)
    await house.until(8, 32)

    await house.reminders.links.take(tokens(house)[0], timedelta(minutes=30))
    await house.until(9, 1)
    silent = told(house)
    await house.until(9, 10)

    assert silent == ["son"]
    assert told(house) == ["son"] * 2


async def test_when_all_must_answer_one_is_not_enough(house: House) -> None:
    await contact(house, "son", order=1)
    await contact(house, "daughter", order=1)
    await contact(house, "neighbour", order=2, delay=600)
    await policy(house, all_must=(1,))
    await pill(house)
    await house.until(8, 32)
    first, second = tokens(house)

    await house.reminders.links.take(first, timedelta(hours=2))
    await house.until(8, 50)
    after_one = told(house)
    shown = await house.reminders.links.take(second, timedelta(hours=2))

    assert after_one.count("neighbour") == 1
    assert shown.all_must
    assert len([one for _, one in shown.told if one.said == "took"]) == 2


async def test_when_all_have_answered_nobody_further_is_told(house: House) -> None:
    await contact(house, "son", order=1)
    await contact(house, "daughter", order=1)
    await contact(house, "neighbour", order=2, delay=600)
    await policy(house, all_must=(1,))
    await pill(house)
    await house.until(8, 32)

    for token in tokens(house):
        await house.reminders.links.take(token, timedelta(hours=2))
    await house.until(10)

    assert "neighbour" not in told(house)


async def test_who_says_nothing_is_told_at_their_next_way(house: House) -> None:
    await contact(house, "son", ways=(FurtherWay("mailto://son", 300),))
    await pill(house)

    await house.until(8, 35)
    first = len(told(house))
    await house.until(8, 40)

    assert (first, len(told(house))) == (1, 2)


async def test_who_has_answered_is_not_told_at_the_next_way(house: House) -> None:
    await contact(house, "son", ways=(FurtherWay("mailto://son", 300),))
    await pill(house)
    await house.until(8, 32)

    await house.reminders.links.decline(tokens(house)[0])
    await house.until(9)

    assert told(house) == ["son"]


async def test_a_way_that_is_dead_leads_to_the_next_at_once(house: House) -> None:
    await contact(house, "son", ways=(FurtherWay("mailto://son", 3_600),))
    house.outside.dead.add("ntfy://son")
    await pill(house)

    await house.until(8, 33)

    assert told(house) == ["son"]


async def test_in_quiet_hours_somebody_else_is_told_first(house: House) -> None:
    await contact(house, "son", quiet=QuietHours(time(22), time(9)))
    await contact(house, "neighbour", order=1, delay=3_600)
    await pill(house)

    await house.until(8, 32)
    first = told(house)
    await house.until(9, 1)

    assert first == ["neighbour"]
    assert told(house) == ["neighbour", "son"]


@pytest.mark.parametrize("base", [Level.NORMAL, Level.CRITICAL])
async def test_quiet_hours_do_not_count_when_it_is_critical_or_nobody_else_is_there(
    house: House, base: Level
) -> None:
    await contact(house, "son", quiet=QuietHours(time(22), time(9)))
    if base is Level.CRITICAL:
        await contact(house, "neighbour", order=1, delay=3_600)
    await pill(house, base=base)

    await house.until(8, 32)

    assert told(house) == ["son"]


@pytest.mark.timeout(120)
async def test_a_crash_after_any_commit_leaves_no_round_and_no_way_out(tmp_path: Path) -> None:
    cuts = PowerCuts(tmp_path, until=at(11))
    async with cuts.furnishing() as house:
        await contact(house, "son", ways=(FurtherWay("mailto://son", 60),))
        await contact(house, "neighbour", order=1, delay=120)
        await policy(house, rounds=2, pause=300)
        await pill(house)
    async with cuts.life() as house:
        assert sorted(told(house)) == ["neighbour"] * 2 + ["son"] * 4

    for after in range(1, cuts.commits + 1):
        async with cuts.life(after) as house:
            names = told(house)
        said = f"power cut after commit {after}: {names}"
        # Told at least once each time; once more when the power went before it was noted.
        assert 4 <= names.count("son") <= 5, said
        assert 2 <= names.count("neighbour") <= 3, said
