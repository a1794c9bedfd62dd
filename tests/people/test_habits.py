"""A person's day: their own hours, and what is learned from their answers."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from clarion.base.errors import BadInput
from clarion.people.habits import checked_habits, learned
from clarion.people.model import habits_of
from tests.support.build import user

PLANNED = datetime(2030, 1, 7, 19, 0, tzinfo=UTC)  # half an hour after dinner


def after(minutes: int, words: str = "吃了", routine: str = "dinner", **habits: Any) -> time | None:
    """The hour of that routine after such an answer; None: nothing was learned."""
    person = user(context={"habits": {"learn": True, **habits}})
    context = learned(person, routine, PLANNED, PLANNED + timedelta(minutes=minutes), words)
    if context is None:
        return None
    routines = habits_of(user(context=context)).routines
    return routines[routine] if routines else None


@pytest.mark.parametrize(
    ("minutes", "hour"),
    [
        pytest.param(40, time(18, 40), id="a late answer moves it a quarter of the way"),
        pytest.param(4, None, id="an answer in time moves nothing"),
        pytest.param(150, None, id="an answer hours later tells of another day"),
    ],
)
def test_an_hour_moves_towards_when_answers_come(minutes: int, hour: time | None) -> None:
    assert after(minutes) == hour


def test_what_was_done_long_before_moves_it_back() -> None:
    assert after(1, "早就吃了") == time(18, 20)
    assert after(1, "already took it") == time(18, 20)


def test_an_hour_never_passes_the_next_one() -> None:
    assert after(60, sleeping="19:00") is None


def test_nothing_is_learned_unless_it_is_allowed() -> None:
    late = PLANNED + timedelta(minutes=40)

    assert learned(user(context={}), "dinner", PLANNED, late, "吃了") is None
    assert after(40, routine="work") is None


def test_who_may_learn_is_yes_or_no() -> None:
    with pytest.raises(BadInput, match="learn"):
        checked_habits({"habits": {"learn": "often"}})
