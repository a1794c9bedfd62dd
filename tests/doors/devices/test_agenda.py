"""One device has one agenda: urgent first, told together, at a pause, and never forgotten."""

from typing import Any

import pytest

from clarion.doors.devices.session.actions import Ask, HeardOut, Queued
from clarion.doors.devices.session.codec import Abort, Detect, ListenStart
from clarion.doors.devices.session.session import HELD_MAX, PAUSE, QUEUED_EVERY, URGENT_HELD_MAX
from clarion.reminders.ports import Reaction, Ring
from tests.support.devices import a_ring
from tests.support.sessions import opened, speak_out, spoken_texts


def tea(**changes: Any) -> Ring:
    return a_ring(2, text="喝茶", wants_confirmation=False, **changes)


def gas(**changes: Any) -> Ring:
    return a_ring(3, text="关煤气", wants_confirmation=False, **changes)


def test_the_urgent_comes_first_and_what_wants_an_answer_last() -> None:
    session = opened(a_ring(4, text="锁门"))
    for ring in (a_ring(1), tea(), gas(base=60), a_ring(5, text="着火了", critical=True, base=100)):
        session.ring(ring, 0.5)

    told = []
    for second in range(1, 5):
        told += spoken_texts(speak_out(session, second))

    assert told == ["着火了", "关煤气", "喝茶"]
    assert spoken_texts(session.tick(40)) == [a_ring(1).text], "锁门 had its time to be answered"


def test_several_at_the_same_minute_are_told_one_sentence_each_without_a_wait() -> None:
    session = opened(tea(), gas())

    assert spoken_texts(speak_out(session, 2)) == ["关煤气"]


def test_what_is_only_told_does_not_wait_for_the_answer_to_a_question() -> None:
    session = opened(a_ring(1))
    speak_out(session, 4)

    told = session.ring(gas(), 22)

    assert spoken_texts(told) == ["关煤气"]
    assert [one for one in told if isinstance(one, Queued)] == []


def test_the_answer_after_something_was_told_beside_it_is_the_questions() -> None:
    session = opened(a_ring(1))
    speak_out(session, 4)
    session.ring(gas(), 10)
    speak_out(session, 12)

    assert Ask(a_ring(1).id, "吃过了") in session.heard(Detect("吃过了"), 14)


def test_a_yes_just_after_a_hush_is_no_yes_to_the_next_pill() -> None:
    session = opened(a_ring(1), a_ring(2, text="吃红色的药"))
    speak_out(session, 4)
    session.words("别吵了", 5)
    session.reacted(Reaction("denied", "好的，先不响了。"), "别吵了", 5)
    told = spoken_texts(speak_out(session, 6))

    assert told == ["吃红色的药"]
    assert Ask(a_ring(1).id, "吃了") in session.words("吃了", 6.3)


@pytest.mark.parametrize(("second", "answered"), [(10.5, 1), (12.0, 3)])
def test_an_answer_that_meets_the_next_ring_belongs_to_the_question_before(
    second: float, answered: int
) -> None:
    """Who says yes to the pills while something urgent begins has not said yes to that."""
    session = opened(a_ring(1))
    speak_out(session, 4)
    session.ring(a_ring(3, text="着火了", critical=True), 9.9)
    urgent = session.speaking
    assert urgent is not None
    session.begun(urgent, 10)
    session.sentence(urgent, urgent.text, 10)

    told = session.heard(Detect("吃过了"), second)

    assert Ask(a_ring(answered).id, "吃过了") in told


def test_a_second_question_waits_for_the_first_answer() -> None:
    session = opened(a_ring(1), a_ring(4, text="锁门"))
    assert spoken_texts(speak_out(session, 2)) == []
    session.heard(Detect("吃过了"), 5)

    assert spoken_texts(session.reacted(Reaction("confirmed", "好的。"), "吃过了", 6)) == ["好的。"]
    assert spoken_texts(speak_out(session, 7)) == ["锁门"]


@pytest.mark.parametrize(("ring", "most"), [(gas(), HELD_MAX), (tea(critical=True), 3.0)])
def test_a_ring_waits_for_a_pause_and_not_for_ever(ring: Ring, most: float) -> None:
    session = opened()
    session.heard(ListenStart(), 0)
    session.voice(1.0)
    first = session.ring(ring, 1.1)

    talking, second = [], 1.1
    while second < 1.1 + most:
        session.voice(second)
        talking += session.tick(second)
        second += 0.3
    in_the_end = session.tick(second + 0.1)

    assert spoken_texts(first + talking) == []
    assert spoken_texts(in_the_end) == [ring.text]


def test_at_a_pause_it_is_told_at_once() -> None:
    session = opened()
    session.heard(ListenStart(), 0)
    session.voice(5.0)
    session.ring(gas(), 5.2)

    assert session.next_tick() == 5.0 + PAUSE
    assert spoken_texts(session.tick(5.0 + PAUSE)) == ["关煤气"]


def test_who_keeps_talking_about_one_thing_does_not_keep_out_another() -> None:
    """Each reply begins the wait for an answer anew; the other question waits half a minute."""
    session = opened(a_ring(1))
    speak_out(session, 2)
    session.ring(a_ring(4, text="锁门"), 5)

    told = []
    for second in range(10, 60, 10):
        session.heard(Detect("那是什么药"), second)
        told += spoken_texts(session.reacted(Reaction("asked_again", "白色的。"), "", second + 1))
        told += spoken_texts(speak_out(session, second + 3))
        if "锁门" in told:
            break

    assert told.count("锁门") == 1
    assert second <= 40


def test_a_ring_that_waits_for_its_turn_says_so_again_and_again() -> None:
    """Whoever counts the minutes must not take a busy device for one that is away."""
    session = opened(a_ring(1))
    first = session.ring(a_ring(4, text="锁门"), 1)

    later = session.tick(QUEUED_EVERY + 1)

    assert Queued(a_ring(4).id) in first
    assert Queued(a_ring(4).id) in later


@pytest.mark.parametrize(("second", "heard"), [(0.5, False), (1.1, False), (1.3, True)])
def test_it_was_heard_when_most_of_it_was_played(second: float, heard: bool) -> None:
    session = opened(a_ring(text="该吃药了。白色的那一片。"))
    utterance = session.speaking
    assert utterance is not None
    session.prepared(utterance, "该吃药了。", 1.0)
    session.prepared(utterance, "白色的那一片。", 1.4)
    session.begun(utterance, 0)
    session.sentence(utterance, "该吃药了。", 0)

    cut = session.heard(Abort(), second)

    assert (HeardOut(a_ring().id) in cut) is heard


def test_what_could_only_be_shown_was_seen() -> None:
    session = opened(a_ring())
    utterance = session.speaking
    assert utterance is not None
    session.prepared(utterance, utterance.text, 0.0)
    session.begun(utterance, 0)
    session.sentence(utterance, utterance.text, 0)

    assert HeardOut(a_ring().id) in session.heard(Abort(), 0.1)


def test_the_longest_wait_of_what_is_critical_is_seconds() -> None:
    assert URGENT_HELD_MAX <= 3.0
