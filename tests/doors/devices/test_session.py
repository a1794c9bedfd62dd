import pytest

from clarion.doors.devices.session.actions import (
    Ask,
    Close,
    Converse,
    FeedSound,
    HeardOut,
    Learn,
    OpenEar,
    Queued,
    RingDeliveredAction,
    Send,
    StopSound,
    Take,
)
from clarion.doors.devices.session.codec import (
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
from clarion.doors.devices.session.session import Session
from clarion.reminders.ports import Reaction
from tests.support.devices import a_ring
from tests.support.sessions import MANNER, opened, sent, speak_out, spoken_texts


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
    assert RingDeliveredAction(a_ring().id) in begun
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

    assert isinstance(actions[0], StopSound)
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


def test_a_ring_that_has_to_wait_says_that_the_device_has_it() -> None:
    session = opened(a_ring(1))
    speak_out(session, 1)

    waits = session.ring(a_ring(2), 2)

    assert waits == [Queued(a_ring(2).id)]
    assert Queued(a_ring(3).id) not in session.ring(a_ring(3, critical=True), 3)


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
    assert RingDeliveredAction(a_ring().id) in session.begun(session.speaking, 1)


def test_hush_silences_what_was_settled_elsewhere() -> None:
    session = opened(a_ring(1), a_ring(2))
    assert session.speaking is not None
    session.begun(session.speaking, 0)

    actions = session.hush(a_ring(1).id, 1)
    after = session.words("好的", 2)

    assert isinstance(actions[0], StopSound)
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

    assert (idle, listening, speaking) == ([], [FeedSound(b"b")], [])


def test_full_duplex_hears_while_it_speaks() -> None:
    session = opened()
    session.heard(ListenStart(ListenMode.REALTIME), 0)
    session.ring(a_ring(), 0)

    assert session.heard(Sound(b"c"), 0) == [FeedSound(b"c")]


def test_only_a_button_ends_the_turn_in_manual_mode() -> None:
    session = opened()

    assert OpenEar(16_000, ends_itself=False) in session.heard(ListenStart(ListenMode.MANUAL), 0)
    assert session.heard(ListenStop(), 1) != []
    assert session.heard(Sound(b"d"), 2) == []


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
    assert last == [Learn({"tools": ["a", "b"]})]
