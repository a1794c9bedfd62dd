"""One conversation with one device. Pure: what happened goes in, what to do comes out.

The same ring is told at most once in a session, whoever asks for it. Seconds are the monotonic
clock's. Every method answers with actions for the line to carry out in their order.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from clarion.doors.devices.session import messages
from clarion.doors.devices.session.actions import (
    NORMAL,
    POLICY,
    PROTOCOL_ERROR,
    Action,
    Ask,
    Close,
    CloseEar,
    Converse,
    FeedSound,
    HeardOut,
    OpenEar,
    Queued,
    RingDeliveredAction,
    Send,
    Speak,
    StopSound,
    Take,
    Utterance,
)
from clarion.doors.devices.session.agenda import Agenda
from clarion.doors.devices.session.codec import (
    Abort,
    Detect,
    Goodbye,
    Heard,
    Hello,
    Ignored,
    ListenMode,
    ListenStart,
    ListenStop,
    McpReply,
    Ping,
    Sound,
)
from clarion.doors.devices.session.limits import MessageBucket, SessionSettings
from clarion.doors.devices.session.tools import DeviceTools, Loudness
from clarion.reminders.ports import Reaction, Ring, RingId

SETTLED = frozenset({"confirmed", "snoozed", "denied", "cancelled", "over", "conversation"})


class Session:
    """`udp` is what an MQTT device has to know for its sound; None over WebSocket."""

    def __init__(
        self,
        manner: SessionSettings,
        now: float,
        *,
        language: str = "zh",
        udp: dict[str, Any] | None = None,
    ) -> None:
        self._manner = manner
        self._limits = manner.limits
        self._udp = udp
        self._opened_at = self._active_at = self._sent_at = now
        self._bucket = MessageBucket(self._limits.messages_per_second, self._limits.burst, now)
        self._malformed = 0
        self._tools = DeviceTools(manner.version)
        self._loudness = Loudness(self._tools)
        self._agenda = Agenda(language)
        self._ring: Ring | None = None
        self._inherited: list[Ring] = []
        self._handed_over = False
        self._ring_until = 0.0
        self._begun = False
        self._spoke = False
        self._waits_known = False
        self._words_came = False
        self._early = ""
        self._asking = 0
        self.hello: Hello | None = None
        self.woken = False
        """We opened it, so it is ours to close when everything is said."""
        self.mode: ListenMode | None = None
        self.speaking: Utterance | None = None
        self.closed = False

    # What the device says

    def heard(self, what: Heard, now: float) -> list[Action]:  # noqa: C901  one line a sentence
        if self.closed:
            return []
        if not self._bucket.take(now):
            return self._close(POLICY, "too many messages")
        if self.hello is None and not isinstance(what, Hello | Ping | Ignored | Sound):
            return self.malformed(now)  # but a hello may still come
        match what:
            case Hello():
                return self._greeted(what, now)
            case ListenStart(mode):
                return self._listen(mode, now)
            case ListenStop():
                return self._stop_listening()
            case Detect(text):
                return self._detected(text, now)
            case Abort():
                return self._aborted(now)
            case McpReply():
                return self._tools.replied(what) + self._loudness.replied(what)
            case Goodbye():
                return self._close(NORMAL, "goodbye")
            case Ping():
                return self._send(messages.pong(), now)
            case Sound(packet):
                return [FeedSound(packet)] if self._hears() else []
            case Ignored():
                return []
            case _:
                assert_never(what)

    def malformed(self, now: float) -> list[Action]:
        """Something came that is no message; forgiven a few times."""
        self._malformed += 1
        if self.closed or self._malformed <= self._limits.malformed:
            return []
        return self._close(PROTOCOL_ERROR, "not understood")

    def words(self, text: str, now: float) -> list[Action]:
        """What was understood from the microphone, or typed once the session runs."""
        if self.closed or not text:
            return []
        self._active_at = now
        stopped = self._stop_speaking(now)
        said = self._send(messages.stt(text), now)
        ring = self._ring
        self._asking += 1
        return [*stopped, *said, Ask(ring.id, text) if ring else Converse(text)]

    def voice(self, now: float) -> None:
        """Somebody is speaking: not the moment to hang up."""
        self._active_at = now

    # What the rest of Clarion says

    def take(self, rings: Sequence[Ring], now: float) -> list[Action]:
        """What waits for this device, asked for with `Take`."""
        self._waits_known = True
        newest = {ring.reminder_id for ring in rings}
        inherited, self._inherited = self._inherited, []
        unheard = [ring for ring in rings if not ring.heard]
        for ring in [*unheard, *(one for one in inherited if one.reminder_id not in newest)]:
            self._agenda.add(ring)
        self._ring = self._ring or self._agenda.unanswered(rings)
        early, self._early = self._early, ""
        begun = (self._first_words(early, now) if early else []) + self._next(now)
        return begun + [Queued(ring.id) for ring in unheard if self._agenda.has_waiting(ring.id)]

    def ring(self, ring: Ring, now: float) -> list[Action]:
        """Tell it as soon as may be; nothing when this session has it already."""
        self._agenda.add(ring)
        begun = self._next(now)
        waits = self.hello is not None and self._agenda.has_waiting(ring.id)
        return [*begun, Queued(ring.id)] if waits else begun

    def inherit(self, unheard: Sequence[Ring], unanswered: Ring | None) -> None:
        """The session before was cut while telling, or told and heard no answer yet."""
        self._inherited = list(unheard)
        self._ring = self._ring or unanswered

    def hand_over(self) -> tuple[list[Ring], Ring | None]:
        """What this session took on and has not told to the end, and what it awaits an answer to.

        For the device's next session, and only once: this one is lost.
        """
        if self._handed_over:
            return [], None
        self._handed_over = True
        now = [self.speaking.ring] if self.speaking and self.speaking.ring else []
        return [*now, *self._agenda.rings(), *self._inherited], self._ring

    def has(self, ring_id: RingId) -> bool:
        return self._agenda.knows(ring_id)

    def say(self, text: str, now: float) -> list[Action]:
        self._agenda.add_remark(text)
        return self._next(now)

    def hush(self, ring_id: RingId, now: float) -> list[Action]:
        """It was settled elsewhere: stop telling it, and wait for no answer to it."""
        done: list[Action] = []
        if self.speaking and self.speaking.ring and self.speaking.ring.id == ring_id:
            done = self._stop_speaking(now)
        self._agenda.drop(ring_id)
        if self._ring and self._ring.id == ring_id:
            self._ring = None
        return done + self._next(now)

    def reacted(self, reaction: Reaction, text: str, now: float) -> list[Action]:
        """What the answer asked for with `Ask` led to."""
        self._asking -= 1
        self._active_at = now
        if reaction.outcome in SETTLED:
            self._ring = None
        if reaction.outcome == "conversation" and not reaction.say:
            self._asking += 1
            return [Converse(text)]
        return self._reply(reaction.say, now)

    def replied(self, text: str, now: float) -> list[Action]:
        """What the conversation asked for with `Converse` answered; empty is a fine answer."""
        self._asking -= 1
        self._active_at = now
        return self._reply(text, now)

    # How speaking goes

    def begun(self, utterance: Utterance, now: float) -> list[Action]:
        """The sound is ready, the first frame follows."""
        if utterance is not self.speaking or self._begun:
            return []
        self._begun = True
        told: list[Action] = [RingDeliveredAction(utterance.ring.id)] if utterance.ring else []
        face = messages.emotion("happy" if utterance.ring else "neutral")
        start = self._send(messages.tts_start(), now)
        return [*self._loudness.begin(utterance.ring), *self._send(face, now), *start, *told]

    def sentence(self, utterance: Utterance, text: str, now: float) -> list[Action]:
        if utterance is not self.speaking:
            return []
        return self._send(messages.sentence_start(text), now)

    def spoken(self, utterance: Utterance, now: float) -> list[Action]:
        """The last frame has been played."""
        if utterance is not self.speaking:
            return []
        return self._after_speaking(utterance, now) + self._next(now)

    # How time goes

    def next_tick(self) -> float:
        """When `tick` has something to do at the earliest, if nothing happens before."""
        limits = self._limits
        if self.hello is None:
            return self._opened_at + limits.hello
        moments = [self._sent_at + limits.keep_alive]
        if not self.hello.persistent:
            moments.append(self._opened_at + limits.session)
        if self._ring and self._agenda and not self.speaking:
            moments.append(self._ring_until)
        if self._may_end():
            moments.append(self._active_at + self._patience())
        return min(moments)

    def tick(self, now: float) -> list[Action]:
        if self.closed:
            return []
        limits = self._limits
        if self.hello is None:
            late = now >= self._opened_at + limits.hello
            return self._close(PROTOCOL_ERROR, "no hello") if late else []
        if self._may_end() and now >= self._active_at + self._patience():
            return self._close(NORMAL, "nothing more to say")
        too_long = not self.hello.persistent and now >= self._opened_at + limits.session
        if too_long and not self.speaking:
            return self._close(NORMAL, "session is over")
        quiet = now >= self._sent_at + limits.keep_alive
        alive = self._send(messages.ping(), now) if quiet else []
        return alive + self._next(now)

    # Inside

    def _greeted(self, hello: Hello, now: float) -> list[Action]:
        if self.hello is not None:
            return []  # a device that says it twice gets one answer
        self.hello = hello
        self._active_at = now
        answer = self._send(messages.hello(hello.transport, self._manner.audio, self._udp), now)
        asks = self._tools.begin() if hello.has_mcp else []
        return [*answer, *asks, Take(), *self._next(now)]

    def _listen(self, mode: ListenMode, now: float) -> list[Action]:
        self.mode = mode
        assert self.hello is not None, "heard() lets nothing else through before the hello"
        # Firmware says it again after each of our sentences: that begins no new silence.
        ends_itself = mode is not ListenMode.MANUAL
        return [OpenEar(self.hello.audio.rate, ends_itself), *self._next(now)]

    def _stop_listening(self) -> list[Action]:
        if self.mode is None:
            return []
        self.mode = None
        return [CloseEar()]

    def _hears(self) -> bool:
        quiet = self.speaking is None or self.mode is ListenMode.REALTIME
        return self.mode is not None and quiet

    def _detected(self, text: str, now: float) -> list[Action]:
        first, self._words_came = not self._words_came, True
        self._active_at = now
        if not text:
            return []
        if not self._waits_known:
            self._early = text  # `take` will know what it was meant for
            return []
        if first and not self._spoke:
            return self._first_words(text, now)
        if self._manner.is_wake_word(text):
            return self._stop_speaking(now) + self._next(now)
        return self.words(text, now)

    def _first_words(self, text: str, now: float) -> list[Action]:
        """A wake word opens most sessions; "I have taken it" opens some."""
        pending = self._pending()
        if not pending:
            return [] if self.woken else self.words(text, now)
        if self._manner.is_wake_word(text) or not self._manner.is_answer(text, pending):
            return []  # they hear the reminder first
        stopped = self._stop_speaking(now)
        self._agenda.drop(pending.id)
        self._ring = pending
        return stopped + self.words(text, now)

    def _pending(self) -> Ring | None:
        if self.speaking and self.speaking.ring:
            return self.speaking.ring
        return self._agenda.first_ring() or self._ring

    def _aborted(self, now: float) -> list[Action]:
        self._active_at = now
        if self.speaking and self._begun:
            return self._stop_speaking(now) + self._next(now)
        # Clients wait for the stop even when they were faster than our first frame.
        return self._send(messages.tts_stop(), now)

    def _stop_speaking(self, now: float) -> list[Action]:
        utterance = self.speaking
        if utterance is None:
            return []
        if self._begun:
            return [StopSound(), *self._after_speaking(utterance, now)]
        # Nobody has heard a word of it yet: its turn comes again.
        self.speaking = None
        self._agenda.put_back(utterance)
        return [StopSound()]

    def _after_speaking(self, utterance: Utterance, now: float) -> list[Action]:
        self.speaking = None
        self._begun = False
        self._spoke = True
        self._active_at = now
        stop = self._send(messages.tts_stop(), now) + self._loudness.end()
        if utterance.ring is None:
            self._ring_until = max(self._ring_until, now + self._limits.window)
            return stop
        self._ring, self._ring_until = utterance.ring, now + self._limits.window
        return [*stop, HeardOut(utterance.ring.id)]

    def _reply(self, text: str, now: float) -> list[Action]:
        if text:
            self._agenda.add_reply(text)
        return self._next(now)

    def _next(self, now: float) -> list[Action]:
        """Begin the next thing to say, when it is its turn."""
        if self.closed or self.hello is None or self.speaking or self._asking:
            return []
        awaits = self._ring and self._ring.wants_confirmation and now < self._ring_until
        self.speaking = self._agenda.pop(self._ring if awaits else None)
        if self.speaking is None:
            return []
        self._begun = False
        return [Speak(self.speaking)]

    def _may_end(self) -> bool:
        """An open microphone costs power and privacy; a silent line costs nothing."""
        ours = self.mode is not None or self.woken
        busy = self.speaking or self._asking or self._agenda
        return bool(ours and not busy and self.hello and not self.hello.persistent)

    def _patience(self) -> float:
        """A session that we opened ends soon after the last word; the device's own later."""
        return self._limits.window if self.woken else self._limits.idle

    def _send(self, message: dict[str, Any], now: float) -> list[Action]:
        self._sent_at = now
        return [Send(message)]

    def _close(self, code: int, reason: str) -> list[Action]:
        self.closed = True
        hush: list[Action] = [StopSound(), *self._loudness.end()] if self.speaking else []
        self.speaking = None
        return [*hush, Close(code, reason)]
