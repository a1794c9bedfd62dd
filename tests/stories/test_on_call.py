"""Contacts who take turns: whoever is on call is called, also when it was just handed over."""

from datetime import date, time
from pathlib import Path
from typing import Any

import pytest

from clarion.base.ids import ContactId
from clarion.people.model import (
    AwayDays,
    DeviceKind,
    EscalationPolicy,
    Override,
    Rotation,
    ShiftLength,
)
from clarion.reminders.model import ConfirmationConfig
from tests.support.build import ANA
from tests.support.clarion_by_hand import ADMIN, AS_ANA, ClarionByHand, at
from tests.support.power_cuts import PowerCuts
from tests.support.talking import InChat

ONCE = ConfirmationConfig(required=True, timeout=60, max_retries=1)
"""Due at 08:30, given up at 08:31."""


async def contact(clarion: ClarionByHand, name: str, **fields: Any) -> ContactId:
    made = await clarion.people.add_contact(
        ADMIN, user_id=ANA, name=name, address=f"ntfy://{name}", **fields
    )
    return made.id


async def turns(clarion: ClarionByHand, *members: ContactId, **fields: Any) -> Rotation:
    given = {
        "name": "Days",
        "every": ShiftLength.DAY,
        "hands_over": time(8),
        "begins_on": date(2030, 1, 7),
        **fields,
    }
    return await clarion.rotations.add(AS_ANA, user_id=ANA, members=members, **given)


async def pill(clarion: ClarionByHand, day: int = 7, **fields: Any) -> None:
    await clarion.remind(at=at(8, 30, day=day), confirmation=ONCE, **fields)


def told(clarion: ClarionByHand) -> list[str]:
    return [name for name, _ in clarion.outside.told]


async def live_until(clarion: ClarionByHand, day: int, hour: int, minute: int = 0) -> None:
    await clarion.driver.until(at(hour, minute, day=day))


async def test_each_day_another_one_is_called_first(clarion: ClarionByHand) -> None:
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    await turns(clarion, sue, tom)
    for day in (7, 8):
        await pill(clarion, day)

    await live_until(clarion, 7, 8, 32)
    first = told(clarion)
    await live_until(clarion, 8, 8, 32)

    assert first == ["sue"]
    assert told(clarion)[-1] == "tom"


async def test_the_others_of_a_rotation_are_called_when_nobody_answers(
    clarion: ClarionByHand,
) -> None:
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    await contact(clarion, "neighbour", order=5, delay=60)
    await turns(clarion, sue, tom)
    await pill(clarion)

    await clarion.until(9)

    assert told(clarion) == ["sue", "neighbour", "tom"]


async def test_when_it_was_handed_over_meanwhile_the_new_one_is_called(
    clarion: ClarionByHand,
) -> None:
    await contact(clarion, "neighbour", order=-1)
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    # Given up at 08:31 while Sue is on call; her step comes at 08:41, and Tom is on call by then.
    await turns(clarion, sue, tom, hands_over=time(8, 35), begins_on=date(2030, 1, 6), delay=600)
    await pill(clarion)

    await clarion.until(8, 45)
    first = told(clarion)
    await clarion.until(9, 30)

    assert first == ["neighbour", "tom"]
    assert told(clarion) == ["neighbour", "tom", "sue"]


async def test_somebody_stands_in(clarion: ClarionByHand) -> None:
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    await turns(clarion, sue, tom, overrides=(Override(tom, at(8), at(9)),))
    await pill(clarion)

    await clarion.until(8, 32)

    assert told(clarion) == ["tom"]


async def test_who_is_on_holiday_is_not_called(clarion: ClarionByHand) -> None:
    away = (AwayDays(date(2030, 1, 7), date(2030, 1, 7)),)
    await contact(clarion, "sue", away=away)
    await contact(clarion, "tom", order=1, delay=60)
    await pill(clarion)

    await clarion.until(10)

    assert told(clarion) == ["tom"]


async def test_a_reminder_calls_only_whom_its_policy_names(clarion: ClarionByHand) -> None:
    await contact(clarion, "sue")
    tom = await contact(clarion, "tom")
    asks = ConfirmationConfig(
        required=True, timeout=60, max_retries=1, escalation=EscalationPolicy(only=(tom,))
    )
    await clarion.remind(at=at(8, 30), confirmation=asks)

    await clarion.until(10)

    assert told(clarion) == ["tom"]


async def test_the_guarantee_names_who_is_on_call_then(clarion: ClarionByHand) -> None:
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    await turns(clarion, sue, tom)
    made = await clarion.remind(at=at(8, 30, day=8), confirmation=ONCE)

    found = (await clarion.reminders.guarantees([made]))[made.id]

    assert [one.name for one in found.ways if one.kind == "contact"] == ["tom", "sue"]


async def test_a_chat_says_who_is_on_call(clarion: ClarionByHand) -> None:
    sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
    await turns(clarion, sue, tom)
    chat = InChat(clarion)
    await clarion.people.add_device(
        ADMIN, kind=DeviceKind.TELEGRAM, user_id=ANA, address=str(chat.chat.id)
    )

    said = await chat.requests.on_call(chat.message("/oncall"))

    assert said == "Ana · Days：sue，到明天（1月8日 周二）08:00；接着是tom"


@pytest.mark.timeout(120)
async def test_a_crash_after_any_commit_leaves_nobody_of_a_rotation_out(tmp_path: Path) -> None:
    cuts = PowerCuts(tmp_path, until=at(10))
    async with cuts.furnishing() as clarion:
        sue, tom = await contact(clarion, "sue"), await contact(clarion, "tom")
        await contact(clarion, "neighbour", order=5, delay=60)
        await turns(clarion, sue, tom)
        await pill(clarion)
    async with cuts.life() as clarion:
        whole = told(clarion)
    assert whole == ["sue", "neighbour", "tom"]

    for after in range(1, cuts.commits + 1):
        async with cuts.life(after) as clarion:
            names = told(clarion)
        said = f"power cut after commit {after}: {names}"
        # Told at least once each; once more when the power went before it was noted. A task that
        # was begun waits until its lease is over, so the others may overtake it.
        assert set(names) == set(whole), said
        assert len(names) <= 4, said
