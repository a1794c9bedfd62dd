"""What an event needs, who could go, and why the others cannot."""

from datetime import timedelta
from typing import Any

import pytest

from clarion.dispatch.errors import InvalidInput
from clarion.dispatch.model import (
    Assignment,
    AssignmentId,
    EventId,
    Need,
    SchemeId,
    Severity,
    TeamId,
    TeamStatus,
)
from clarion.dispatch.plan.needs import (
    TeamLimits,
    find,
    guess_severity,
    guess_type,
    limits_of,
    needs_of,
    still_missing,
)
from clarion.dispatch.plan.rules import Rules, read
from clarion.dispatch.plan.travel import UNKNOWN_ROADS, distance_km, eta
from tests.support.clock import START
from tests.support.dispatching import HERE, event, team

RULES = read(
    {
        "types": {
            "fire": {"needs": {"water": 3}, "words": ["火", "着火", "fire"], "range_km": 50},
            "flood": {"needs": {"boat": 1}, "words": ["水", "flood"], "deadline_minutes": 30},
            "other": {"needs": {"medical": 1}},
        },
        "severity_percent": {"low": 50, "critical": 200},
    }
)
ANYWHERE = TeamLimits(None, None)


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("三楼着火了", "fire"),
        ("There is a FLOOD in the basement", "flood"),
        ("着火，楼下有水", "fire"),
        ("猫在树上", "other"),
        ("", "other"),
    ],
)
def test_a_report_is_read_by_the_words_of_the_rules(report: str, expected: str) -> None:
    assert guess_type(report, RULES) == expected


def test_grave_words_make_an_event_graver() -> None:
    assert guess_severity("多人被困，危急") is Severity.CRITICAL
    assert guess_severity("一人被困") is Severity.HIGH
    assert guess_severity("小火") is None


@pytest.mark.parametrize(
    ("severity", "amount"),
    [(Severity.LOW, 2), (Severity.MEDIUM, 3), (Severity.CRITICAL, 6)],
)
def test_needs_grow_with_severity_and_are_rounded_up(severity: Severity, amount: int) -> None:
    fire = event(type="fire", needs=(), severity=severity)

    assert needs_of(fire, RULES) == (Need("water", amount),)


def test_needs_that_were_asked_for_are_taken_as_they_are() -> None:
    asked = event(type="fire", needs=(Need("dog", 1),), severity=Severity.CRITICAL)

    assert needs_of(asked, RULES) == (Need("dog", 1),)


def test_a_type_without_a_rule_needs_what_other_events_need() -> None:
    assert needs_of(event(type="ufo", needs=()), RULES) == (Need("medical", 1),)
    with pytest.raises(InvalidInput):
        Rules(types={"fire": RULES.types["fire"]}).rule("ufo")


def part(**amounts: int) -> Assignment:
    return Assignment(
        id=AssignmentId("asg"),
        scheme_id=SchemeId("scm"),
        event_id=EventId("e"),
        team_id=TeamId("t"),
        role="",
        eta_seconds=1,
        amounts=amounts,
        fence=1,
        opened_at=START,
    )


def test_only_what_is_not_on_its_way_is_missing() -> None:
    needs = (Need("medical", 3), Need("boat", 1))

    assert still_missing(needs, [part(medical=1), part(boat=2)]) == (Need("medical", 2),)


@pytest.mark.parametrize(
    ("changes", "limits", "why"),
    [
        ({"status": TeamStatus.DEPLOYED, "current_task_id": "x"}, ANYWHERE, "busy"),
        ({"status": TeamStatus.UNAVAILABLE, "reason": "tyres"}, ANYWHERE, "unavailable"),
        ({"km": 40, "range_km": 20}, ANYWHERE, "too_far"),
        ({"km": 40}, TeamLimits(None, 20.0), "too_far"),
        ({"km": 40}, TeamLimits(START + timedelta(minutes=5), None), "too_late"),
        ({}, TeamLimits(None, None, excluded=frozenset({TeamId("t1")})), "excluded"),
        (
            {"held_by": "r", "held_until": START + timedelta(minutes=1), "held_for": "e2"},
            ANYWHERE,
            "held",
        ),
    ],
)
def test_who_cannot_go_is_named_with_the_reason(
    changes: dict[str, Any], limits: TeamLimits, why: str
) -> None:
    found = find(event(), [team("t1", **changes)], [Need("medical", 1)], limits, START)

    assert not found.candidates
    [(refusal, lost)] = found.refusals
    assert (refusal.why, lost) == (why, ("medical",))


def test_a_hold_of_our_own_or_one_that_ran_out_is_in_nobodys_way() -> None:
    ours = team("t1", held_by="me", held_until=START + timedelta(minutes=1))
    old = team("t2", held_by="them", held_until=START)

    found = find(event(), [ours, old], [Need("medical", 1)], ANYWHERE, START, owner="me")

    assert [one.team_id for one in found.candidates] == ["t1", "t2"]


def test_who_has_nothing_that_is_needed_is_not_mentioned() -> None:
    found = find(
        event(), [team("t1", capabilities={"dog": 1})], [Need("medical", 1)], ANYWHERE, START
    )

    assert (found.candidates, found.refusals) == ((), ())


def test_where_teams_are_named_nobody_else_is_mentioned() -> None:
    named = TeamLimits(None, None, only=frozenset({TeamId("t2")}))

    found = find(event(), [team("t1"), team("t2")], [Need("medical", 1)], named, START)

    assert [one.team_id for one in found.candidates] == ["t2"]
    assert found.refusals == ()


def test_the_deadline_is_the_events_own_or_the_rules() -> None:
    flood = event(type="flood")
    own = event(type="flood", deadline_at=START + timedelta(hours=3))

    assert limits_of(flood, RULES, ()).latest_at == START + timedelta(minutes=30)
    assert limits_of(own, RULES, ()).latest_at == START + timedelta(hours=3)


def test_a_road_is_longer_than_the_air_and_starting_takes_time() -> None:
    ten = team("t1", km=10, speed_kmh=60, ready_seconds=120)

    assert distance_km(ten.place, HERE) == pytest.approx(13, abs=0.1)
    assert eta(ten, HERE, START, UNKNOWN_ROADS).seconds == pytest.approx(120 + 13 * 60, abs=10)
