"""How a session ends, and what the next one inherits from it."""

from clarion.doors.devices.session.actions import Ask, Close, Converse
from clarion.doors.devices.session.codec import Detect, Hello, ListenStart
from clarion.doors.devices.session.session import Session
from clarion.reminders.ports import Reaction
from tests.support.devices import a_ring
from tests.support.sessions import MANNER, opened, sent, speak_out, spoken_texts


def test_a_session_that_we_opened_ends_thirty_seconds_after_the_last_word() -> None:
    session = opened(a_ring(wants_confirmation=False), hello=Hello())
    session.woken = True
    speak_out(session, 10)

    assert session.next_tick() == 40
    assert session.tick(39) == []
    assert session.tick(40) == [Close(1000, "nothing more to say")]


def test_an_open_microphone_is_closed_when_nobody_speaks_for_two_minutes() -> None:
    session = opened(a_ring(wants_confirmation=False), hello=Hello())
    session.heard(ListenStart(), 0)
    speak_out(session, 10)
    session.tick(100)

    assert session.tick(129) == []
    assert session.tick(130) == [Close(1000, "nothing more to say")]


def test_a_silent_line_is_kept_alive() -> None:
    session = opened()

    assert session.next_tick() == 60
    assert sent(session.tick(60)) == ["ping"]
    assert session.next_tick() == 120


def test_a_persistent_line_has_no_end() -> None:
    session = opened(a_ring(), hello=Hello(persistent=True))
    session.heard(ListenStart(), 0)
    speak_out(session, 1)

    assert sent(session.tick(100_000)) == ["ping"]


def test_every_other_session_has_an_end() -> None:
    assert opened().tick(3_600) == [Close(1000, "session is over")]


def test_after_a_confirmation_there_is_time_to_talk() -> None:
    session = opened(a_ring())
    session.woken = True
    speak_out(session, 1)
    session.words("吃过了", 2)
    session.reacted(Reaction("confirmed", "好的。", listen=False), "吃过了", 2)
    speak_out(session, 3)

    assert session.tick(20) == []
    assert Converse("今天天气怎么样") in session.words("今天天气怎么样", 21)


def test_malformed_messages_are_forgiven_a_few_times() -> None:
    session = opened()

    forgiven = [session.malformed(0) for _ in range(20)]

    assert forgiven == [[]] * 20
    assert session.malformed(0) == [Close(1002, "not understood")]


def test_words_may_answer_what_the_session_before_has_told() -> None:
    session = Session(MANNER, 0)
    session.inherit([], a_ring())
    session.heard(Hello(), 0)
    told_again = session.take([], 0)
    wake_word = session.heard(Detect("你好小智"), 1)

    actions = session.heard(Detect("吃过了"), 5)

    assert spoken_texts(told_again) == []
    assert not [one for one in wake_word if isinstance(one, Ask | Converse)]
    assert Ask(a_ring().id, "吃过了") in actions


def test_what_was_cut_off_in_the_session_before_is_told_from_the_beginning() -> None:
    before = opened(a_ring(1), a_ring(2))
    assert before.speaking is not None
    before.begun(before.speaking, 0)
    session = Session(MANNER, 0)

    session.inherit(*before.hand_over())
    session.heard(Hello(), 0)
    told = session.take([], 0)
    told += speak_out(session, 1) + session.tick(40)

    assert spoken_texts(told) == [a_ring(1).text, a_ring(2).text]


def test_a_newer_attempt_is_told_instead_of_the_one_that_was_cut_off() -> None:
    session = Session(MANNER, 0)
    session.inherit([a_ring(1)], None)
    session.heard(Hello(), 0)

    told = session.take([a_ring(1, attempt=2, text="再说一次")], 0)
    told += speak_out(session, 1) + session.tick(40)

    assert spoken_texts(told) == ["再说一次"]
