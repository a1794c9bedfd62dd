from typing import Any

import pytest

from clarion.doors.devices.actions import (
    Action,
    Ask,
    Close,
    Converse,
    Delivered,
    Feed,
    HeardOut,
    Hush,
    OpenEar,
    Send,
    Speak,
    Take,
)
from clarion.doors.devices.codec import (
    Abort,
    Detect,
    Goodbye,
    Hello,
    Ignored,
    ListenMode,
    ListenStart,
    ListenStop,
    McpReply,
    Ping,
    Sound,
)
from clarion.doors.devices.limits import Limits
from clarion.doors.devices.manner import Manner
from clarion.doors.devices.session import Session
from clarion.doors.devices.words import is_wake_word
from clarion.reminders.ports import Reaction, Ring
from tests.support.devices import a_ring, says_yes

MANNER = Manner(Limits(), is_answer=says_yes, is_wake_word=is_wake_word)


def opened(*waiting: Ring, hello: Hello | None = None, now: float = 0.0) -> Session:
    session = Session(MANNER, now)
    session.heard(hello or Hello(), now)
    session.take(waiting, now)
    return session


def speak_out(session: Session, now: float) -> list[Action]:
    assert session.speaking is not None
    session.begun(session.speaking, now)
    return session.spoken(session.speaking, now)


def sent(actions: list[Action]) -> list[str]:
    """The types, and states where there are some, of what goes to the device."""

    def name(message: dict[str, Any]) -> str:
        return f"{message['type']} {message.get('state', '')}".strip()

    return [name(action.message) for action in actions if isinstance(action, Send)]


def spoken_texts(actions: list[Action]) -> list[str]:
    return [action.utterance.text for action in actions if isinstance(action, Speak)]


def test_a_hello_is_answered_and_what_waits_is_asked_for() -> None:
    actions = Session(MANNER, 0).heard(Hello(), 0)

    assert sent(actions) == ["hello"]
    assert isinstance(actions[0], Send)
    assert actions[0].message["transport"] == "websocket"
    assert actions[0].message["audio_params"]["sample_rate"] == 24_000
    assert Take() in actions


def test_a_second_hello_changes_nothing() -> None:
    assert opened().heard(Hello(), 1) == []


def test_speech_is_start_sentence_stop_and_reported() -> None:
    session = opened(a_ring())
    utterance = session.speaking
    assert utterance is not None

    begun = session.begun(utterance, 0)
    sentence = session.sentence(utterance, "该吃药了", 0)
    over = session.spoken(utterance, 3)

    assert sent(begun) == ["llm", "tts start"]
    assert Delivered(a_ring().id) in begun
    assert sent(sentence) == ["tts sentence_start"]
    assert sent(over) == ["tts stop"]
    assert HeardOut(a_ring().id) in over


def test_a_ring_is_told_once_in_a_session_whoever_asks() -> None:
    session = opened(a_ring())
    speak_out(session, 1)

    again = session.ring(a_ring(), 2) + session.take([a_ring()], 3) + session.tick(40)

    assert spoken_texts(again) == []


def test_a_ring_that_comes_before_the_hello_is_told_after_it() -> None:
    session = Session(MANNER, 0)
    before = session.ring(a_ring(), 0)

    after = session.heard(Hello(), 1)

    assert (spoken_texts(before), spoken_texts(after)) == ([], [a_ring().text])


@pytest.mark.parametrize("early", [True, False], ids=["before it is known", "after"])
def test_a_wake_word_is_no_answer_to_what_waits(early: bool) -> None:
    session = Session(MANNER, 0)
    session.heard(Hello(), 0)

    first = session.heard(Detect("你好小智"), 0) if early else []
    taken = session.take([a_ring()], 0)
    last = [] if early else session.heard(Detect("你好小智"), 0)

    assert spoken_texts(first + taken + last) == [a_ring().text]
    assert not [one for one in first + taken + last if isinstance(one, Ask | Converse)]


def test_words_that_open_a_session_may_answer_what_waits() -> None:
    session = Session(MANNER, 0)
    session.heard(Hello(), 0)
    session.heard(Detect("吃过了"), 0)

    actions = session.take([a_ring()], 0)

    assert Ask(a_ring().id, "吃过了") in actions
    assert spoken_texts(actions) == []


def test_the_reason_of_our_own_wake_up_is_no_answer() -> None:
    session = Session(MANNER, 0)
    session.heard(Hello(), 0)
    session.heard(Detect("clarion rem_1:1"), 0)

    assert spoken_texts(session.take([a_ring()], 0)) == [a_ring().text]


def test_words_after_the_ring_are_its_answer() -> None:
    session = opened(a_ring())
    speak_out(session, 1)

    actions = session.heard(Detect("好像还没"), 5)

    assert sent(actions) == ["stt"]
    assert Ask(a_ring().id, "好像还没") in actions


def test_words_into_the_middle_of_the_ring_stop_it_and_answer_it() -> None:
    session = opened(a_ring())
    session.heard(ListenStart(), 0)
    assert session.speaking is not None
    session.begun(session.speaking, 0)

    actions = session.words("吃过了", 1)

    assert isinstance(actions[0], Hush)
    assert sent(actions) == ["tts stop", "stt"]
    assert Ask(a_ring().id, "吃过了") in actions


def test_words_before_the_next_ring_has_begun_answer_the_one_before() -> None:
    session = opened(a_ring(1, wants_confirmation=False), a_ring(2))
    speak_out(session, 1)
    assert session.speaking is not None

    actions = session.words("好的", 2)
    after = session.reacted(Reaction("confirmed"), "好的", 2)

    assert Ask(a_ring(1).id, "好的") in actions
    assert spoken_texts(after) == [a_ring(2).text]


def test_words_without_a_ring_are_conversation() -> None:
    session = opened()

    actions = session.heard(Detect("今天天气怎么样"), 1)
    reply = session.replied("晴天。", 2)

    assert Converse("今天天气怎么样") in actions
    assert spoken_texts(reply) == ["晴天。"]


def test_a_settled_answer_is_acknowledged_and_the_next_ring_follows() -> None:
    session = opened(a_ring(1), a_ring(2))
    speak_out(session, 1)
    session.heard(Detect("吃过了"), 2)

    said = session.reacted(Reaction("confirmed", "好的。"), "吃过了", 2)
    then = speak_out(session, 3)

    assert spoken_texts(said) == ["好的。"]
    assert spoken_texts(then) == [a_ring(2).text]


def test_an_unclear_answer_keeps_the_ring_open() -> None:
    session = opened(a_ring())
    speak_out(session, 1)
    session.words("嗯？", 2)
    session.reacted(Reaction("asked_again", "吃了吗？", listen=True), "嗯？", 2)
    speak_out(session, 3)

    assert Ask(a_ring().id, "吃过了") in session.words("吃过了", 4)


def test_the_next_ring_waits_until_the_answer_or_the_end_of_its_window() -> None:
    session = opened(a_ring(1), a_ring(2))

    over = speak_out(session, 1)
    early = session.tick(30)
    late = session.tick(31)

    assert spoken_texts(over + early) == []
    assert spoken_texts(late) == [a_ring(2).text]


def test_a_critical_ring_waits_for_no_answer_to_another() -> None:
    session = opened(a_ring(1), a_ring(2))
    speak_out(session, 1)

    actions = session.ring(a_ring(3, critical=True), 2)

    assert spoken_texts(actions) == [a_ring(3).text]


def test_the_second_attempt_is_told_in_the_same_session() -> None:
    session = opened(a_ring(1))
    speak_out(session, 1)

    actions = session.ring(a_ring(1, attempt=2, text="药还没吃呢"), 10)

    assert spoken_texts(actions) == ["药还没吃呢"]


def test_abort_before_the_first_frame_loses_no_ring() -> None:
    session = opened(a_ring())

    actions = session.heard(Abort(), 0)

    assert sent(actions) == ["tts stop"]
    assert session.speaking is not None
    assert Delivered(a_ring().id) in session.begun(session.speaking, 1)


def test_hush_silences_what_was_settled_elsewhere() -> None:
    session = opened(a_ring(1), a_ring(2))
    assert session.speaking is not None
    session.begun(session.speaking, 0)

    actions = session.hush(a_ring(1).id, 1)
    after = session.words("好的", 2)

    assert isinstance(actions[0], Hush)
    assert sent(actions) == ["tts stop"]
    assert spoken_texts(actions) == [a_ring(2).text]
    assert not [one for one in after if isinstance(one, Ask) and one.ring_id == a_ring(1).id]


def test_hush_of_a_ring_that_waits_means_it_is_never_told() -> None:
    session = opened(a_ring(1), a_ring(2))

    session.hush(a_ring(2).id, 0)
    after = speak_out(session, 1) + session.tick(60) + session.ring(a_ring(2), 61)

    assert spoken_texts(after) == []


def test_sound_is_heard_only_while_listening_and_not_while_speaking() -> None:
    session = opened()
    idle = session.heard(Sound(b"a"), 0)
    session.heard(ListenStart(ListenMode.AUTO), 0)
    listening = session.heard(Sound(b"b"), 0)
    session.ring(a_ring(), 0)
    speaking = session.heard(Sound(b"c"), 0)

    assert (idle, listening, speaking) == ([], [Feed(b"b")], [])


def test_full_duplex_hears_while_it_speaks() -> None:
    session = opened()
    session.heard(ListenStart(ListenMode.REALTIME), 0)
    session.ring(a_ring(), 0)

    assert session.heard(Sound(b"c"), 0) == [Feed(b"c")]


def test_only_a_button_ends_the_turn_in_manual_mode() -> None:
    session = opened()

    assert OpenEar(16_000, ends_itself=False) in session.heard(ListenStart(ListenMode.MANUAL), 0)
    assert session.heard(ListenStop(), 1) != []
    assert session.heard(Sound(b"d"), 2) == []


def test_an_open_microphone_is_closed_thirty_seconds_after_the_last_word() -> None:
    session = opened(a_ring(wants_confirmation=False), hello=Hello())
    session.heard(ListenStart(), 0)
    speak_out(session, 10)

    assert session.next_tick() == 40
    assert session.tick(39) == []
    assert session.tick(40) == [Close(1000, "nothing more to say")]


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


def test_a_session_that_we_opened_ends_when_all_is_said() -> None:
    session = opened(a_ring())
    session.woken = True
    speak_out(session, 1)
    session.words("吃过了", 2)
    session.reacted(Reaction("confirmed", "好的。", listen=False), "吃过了", 2)
    speak_out(session, 3)

    assert session.tick(4) == [Close(1000, "nothing more to say")]


def test_small_things_are_answered_or_ignored() -> None:
    session = opened()

    assert sent(session.heard(Ping(), 0)) == ["pong"]
    assert session.heard(Ignored("iot"), 0) == []
    assert session.heard(Goodbye(), 0) == [Close(1000, "goodbye")]
    assert session.heard(Ping(), 0) == []


def test_tools_are_read_page_by_page() -> None:
    session = Session(MANNER, 0)
    first = session.heard(Hello(has_mcp=True), 0)
    second = session.heard(McpReply(1, {"capabilities": {}}), 0)
    third = session.heard(McpReply(2, {"tools": [{"name": "a"}], "nextCursor": "a"}), 0)
    last = session.heard(McpReply(3, {"tools": [{"name": "b"}, "junk"]}), 0)

    assert sent(first) == ["hello", "mcp"]
    assert sent(second) == ["mcp", "mcp"]
    assert isinstance(third[0], Send)
    assert third[0].message["payload"]["params"]["cursor"] == "a"
    assert [getattr(one, "tools", None) for one in last] == [("a", "b")]


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

    session.inherit(before.unheard, before.unanswered)
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
