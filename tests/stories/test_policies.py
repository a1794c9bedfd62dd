"""How contacts are told: in rounds, several at once, one or all, at several ways, not at night."""

from datetime import time, timedelta
from pathlib import Path
from typing import Any

import pytest

from clarion.people.model import EscalationPolicy, FurtherWay, QuietHours
from clarion.reminders.model import ConfirmationConfig
from clarion.tasks.model import Level
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, ClarionByHand, at
from tests.support.power_cuts import PowerCuts

ONCE = ConfirmationConfig(required=True, timeout=60, max_retries=1)
"""Due at 08:30, given up at 08:31."""


async def contact(clarion: ClarionByHand, name: str, **fields: Any) -> None:
    await clarion.people.add_contact(
        ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", **fields
    )


async def policy(clarion: ClarionByHand, **fields: Any) -> None:
    await clarion.people.update_user(ADMIN, ANA, escalation=EscalationPolicy(**fields))


async def pill(clarion: ClarionByHand, **fields: Any) -> None:
    await clarion.remind(at=at(8, 30), confirmation=ONCE, **fields)


def told(clarion: ClarionByHand) -> list[str]:
    return [name for name, _ in clarion.outside.told]


def tokens(clarion: ClarionByHand) -> list[str]:
    return [link.rpartition("/")[2] for link in clarion.outside.links if link]


async def test_a_step_of_two_is_told_at_once(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", order=1)
    await contact(clarion, "daughter", order=1)
    await contact(clarion, "neighbour", order=2, delay=600)
    await pill(clarion)

    await clarion.until(8, 32)
    first = sorted(told(clarion))
    await clarion.until(9)

    assert first == ["daughter", "son"]
    assert told(clarion)[-1] == "neighbour"


async def test_the_ladder_is_climbed_as_often_as_the_person_wants(clarion: ClarionByHand) -> None:
    await contact(clarion, "son")
    await contact(clarion, "neighbour", order=1, delay=300)
    await policy(clarion, rounds=3, pause=600)
    await pill(clarion)

    await clarion.until(12)

    assert told(clarion) == ["son", "neighbour"] * 3


async def test_a_reminder_has_a_policy_of_its_own(clarion: ClarionByHand) -> None:
    await contact(clarion, "son")
    await policy(clarion, rounds=3)
    asks = ConfirmationConfig(
        required=True, timeout=60, max_retries=1, escalation=EscalationPolicy(rounds=2, pause=60)
    )
    await clarion.remind(at=at(8, 30), confirmation=asks)

    await clarion.until(12)

    assert told(clarion) == ["son"] * 2


async def test_a_yes_ends_the_rounds(clarion: ClarionByHand) -> None:
    await contact(clarion, "son")
    await policy(clarion, rounds=5, pause=600)
    await pill(clarion)
    await clarion.until(8, 45)

    await clarion.reminders.links.confirm(tokens(clarion)[0])
    await clarion.until(12)

    assert told(clarion) == ["son"] * 2


async def test_who_is_on_it_and_does_not_come_back_is_rung_again(clarion: ClarionByHand) -> None:
    await contact(clarion, "son")
    await pill(clarion)
    await clarion.until(8, 32)

    await clarion.reminders.links.take(tokens(clarion)[0], timedelta(minutes=30))
    await clarion.until(9, 1)
    silent = told(clarion)
    await clarion.until(9, 10)

    assert silent == ["son"]
    assert told(clarion) == ["son"] * 2


async def test_when_all_must_answer_one_is_not_enough(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", order=1)
    await contact(clarion, "daughter", order=1)
    await contact(clarion, "neighbour", order=2, delay=600)
    await policy(clarion, all_must=(1,))
    await pill(clarion)
    await clarion.until(8, 32)
    first, second = tokens(clarion)

    await clarion.reminders.links.take(first, timedelta(hours=2))
    await clarion.until(8, 50)
    after_one = told(clarion)
    shown = await clarion.reminders.links.take(second, timedelta(hours=2))

    assert after_one.count("neighbour") == 1
    assert shown.all_must
    assert len([one for _, one in shown.told if one.said == "took"]) == 2


async def test_when_all_have_answered_nobody_further_is_told(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", order=1)
    await contact(clarion, "daughter", order=1)
    await contact(clarion, "neighbour", order=2, delay=600)
    await policy(clarion, all_must=(1,))
    await pill(clarion)
    await clarion.until(8, 32)

    for token in tokens(clarion):
        await clarion.reminders.links.take(token, timedelta(hours=2))
    await clarion.until(10)

    assert "neighbour" not in told(clarion)


async def test_who_says_nothing_is_told_at_their_next_way(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", ways=(FurtherWay("mailto://son", 300),))
    await pill(clarion)

    await clarion.until(8, 35)
    first = len(told(clarion))
    await clarion.until(8, 40)

    assert (first, len(told(clarion))) == (1, 2)


async def test_who_has_answered_is_not_told_at_the_next_way(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", ways=(FurtherWay("mailto://son", 300),))
    await pill(clarion)
    await clarion.until(8, 32)

    await clarion.reminders.links.decline(tokens(clarion)[0])
    await clarion.until(9)

    assert told(clarion) == ["son"]


async def test_a_way_that_is_dead_leads_to_the_next_at_once(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", ways=(FurtherWay("mailto://son", 3_600),))
    clarion.outside.dead.add("ntfy://son")
    await pill(clarion)

    await clarion.until(8, 33)

    assert told(clarion) == ["son"]


async def test_in_quiet_hours_somebody_else_is_told_first(clarion: ClarionByHand) -> None:
    await contact(clarion, "son", quiet=QuietHours(time(22), time(9)))
    await contact(clarion, "neighbour", order=1, delay=3_600)
    await pill(clarion)

    await clarion.until(8, 32)
    first = told(clarion)
    await clarion.until(9, 1)

    assert first == ["neighbour"]
    assert told(clarion) == ["neighbour", "son"]


@pytest.mark.parametrize("base", [Level.NORMAL, Level.CRITICAL])
async def test_quiet_hours_do_not_count_when_it_is_critical_or_nobody_else_is_there(
    clarion: ClarionByHand, base: Level
) -> None:
    await contact(clarion, "son", quiet=QuietHours(time(22), time(9)))
    if base is Level.CRITICAL:
        await contact(clarion, "neighbour", order=1, delay=3_600)
    await pill(clarion, base=base)

    await clarion.until(8, 32)

    assert told(clarion) == ["son"]


@pytest.mark.timeout(120)
async def test_a_crash_after_any_commit_leaves_no_round_and_no_way_out(tmp_path: Path) -> None:
    cuts = PowerCuts(tmp_path, until=at(11))
    async with cuts.furnishing() as clarion:
        await contact(clarion, "son", ways=(FurtherWay("mailto://son", 60),))
        await contact(clarion, "neighbour", order=1, delay=120)
        await policy(clarion, rounds=2, pause=300)
        await pill(clarion)
    async with cuts.life() as clarion:
        assert sorted(told(clarion)) == ["neighbour"] * 2 + ["son"] * 4

    for after in range(1, cuts.commits + 1):
        async with cuts.life(after) as clarion:
            names = told(clarion)
        said = f"power cut after commit {after}: {names}"
        # Told at least once each time; once more when the power went before it was noted.
        assert 4 <= names.count("son") <= 5, said
        assert 2 <= names.count("neighbour") <= 3, said
