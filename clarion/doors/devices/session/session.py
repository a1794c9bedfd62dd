"""One conversation with one device. Pure: what happened goes in, what to do comes out.

The same ring is told at most once in a session. Seconds are those of the monotonic clock. Every
method returns actions for the connection to carry out in order.
"""

from collections.abc import Sequence
from typing import Any, assert_never

from clarion.doors.devices.session import messages
from clarion.doors.devices.session.actions import (
    NORMAL,
    POLICY,
    PROTOCOL_ERROR,
    Action,
    Agenda,
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

PAUSE = 1.0  # seconds of silence after which a sentence counts as finished
HELD_MAX, URGENT_HELD_MAX = 20.0, 3.0  # seconds that a ring waits for such a pause
REACTION = 1.0  # seconds from the first sound until words can be an answer to it
QUEUED_EVERY = 60.0  # half of what a ring may wait for its turn without a word from us
SETTLED = frozenset({"confirmed", "snoozed", "denied", "cancelled", "over", "conversation"})

PUT_OFF = frozenset({"denied", "snoozed"})


class Session:
    """`udp` is what an MQTT device has to know for its sound; None over WebSocket."""

    def __init__(
        self,
        settings: SessionSettings,
        now: float,
        *,
        language: str = "zh",
        tools: frozenset[str] = frozenset(),
        volume: int | None = None,
        udp: dict[str, Any] | None = None,
    ) -> None:
        """`tools` and `volume`: what the device's last session learned, and left too loud."""
        self._settings = settings
        self._limits = settings.limits
        self._udp = udp
        self._opened_at = self._active_at = self._sent_at = now
        self._bucket = MessageBucket(self._limits.messages_per_second, self._limits.burst, now)
        self._malformed = 0
        self._tools = DeviceTools(settings.version, tools)
        self._loudness = Loudness(self._tools, volume)
        self._agenda = Agenda(language)
        self._ring: Ring | None = None
        self._put_off: Ring | None = None
        """What was told last, and is to be asked about later."""
        self._inherited: list[Ring] = []
        self._handed_over = False
        self._ring_until = 0.0
        self._voice_at = now - PAUSE
        self._held_since: float | None = None
        self._queued_at = now
        self._sounds: list[tuple[int, float]] = []
        self._sounds_since: float | None = None
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
                return self._tools.replied(what) + self._louder(what)
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
        before = self._ring if self._awaits(now) else self._put_off
        meant = before if self._has_barely_begun(now) else None
        stopped = self._stop_speaking(now)
        self._ring = meant or self._ring
        said = self._send(messages.stt(text), now)
        ring = self._ring
        self._asking += 1
        return [*stopped, *said, Ask(ring.id, text) if ring else Converse(text)]

    def voice(self, now: float) -> None:
        """Somebody is speaking: not the moment to hang up, nor to talk over them."""
        self._active_at = self._voice_at = now

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
        """Tell it as soon as possible; nothing when this session has it already."""
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
        """It was settled elsewhere: stop telling it, and no longer wait for an answer."""
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
            self._put_off = self._ring if reaction.outcome in PUT_OFF else None
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
        delivered: list[Action] = [RingDeliveredAction(utterance.ring.id)] if utterance.ring else []
        face = messages.emotion("happy" if utterance.ring else "neutral")
        start = self._send(messages.tts_start(), now)
        return [*self._send(face, now), *start, *delivered]

    def prepared(self, utterance: Utterance, text: str, seconds: float) -> None:
        """One more sentence of it is ready, and so long to listen to."""
        if utterance is self.speaking:
            self._sounds.append((len(text), seconds))

    def sentence(self, utterance: Utterance, text: str, now: float) -> list[Action]:
        """Its first frame follows."""
        if utterance is not self.speaking:
            return []
        self._sounds_since = now if self._sounds_since is None else self._sounds_since
        return self._send(messages.sentence_start(text), now)

    def spoken(self, utterance: Utterance, now: float) -> list[Action]:
        """The last frame has been played."""
        if utterance is not self.speaking:
            return []
        return self._after_speaking(utterance, now, heard=True) + self._next(now)

    # How time goes

    def next_tick(self) -> float:
        """When `tick` has something to do at the earliest, if nothing happens before."""
        limits = self._limits
        if self.hello is None:
            return self._opened_at + limits.hello
        moments = [self._sent_at + limits.keep_alive]
        if not self.hello.persistent:
            moments.append(self._opened_at + limits.session)
        if self._loudness.waits_until is not None:
            moments.append(self._loudness.waits_until)
        if self._agenda and not self.speaking and not self._asking:
            moments.append(self._turn_at())
        if self._agenda.rings():
            moments.append(self._queued_at + QUEUED_EVERY)
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
        return alive + self._loud_enough(now) + self._next(now) + self._still_queued(now)

    # Inside

    def _greeted(self, hello: Hello, now: float) -> list[Action]:
        if self.hello is not None:
            return []  # a device that says it twice gets one answer
        self.hello = hello
        self._active_at = now
        answer = self._send(messages.hello(hello.transport, self._settings.audio, self._udp), now)
        asks = [*self._loudness.end(), *self._tools.begin()] if hello.has_mcp else []
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
        if self._settings.is_wake_word(text):
            return self._stop_speaking(now) + self._next(now)
        return self.words(text, now)

    def _first_words(self, text: str, now: float) -> list[Action]:
        """A wake word opens most sessions; "I have taken it" opens some."""
        pending = self._pending()
        if not pending:
            return [] if self.woken else self.words(text, now)
        if self._settings.is_wake_word(text) or not self._settings.is_answer(text, pending):
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
            heard = self._is_mostly_heard(utterance, now)
            return [StopSound(), *self._after_speaking(utterance, now, heard=heard)]
        # Nobody has heard a word of it yet: it is told later.
        self.speaking = None
        self._agenda.put_back(utterance)
        return [StopSound(), *self._loudness.end()]

    def _has_barely_begun(self, now: float) -> bool:
        """It has played for less than a second: an answer means what was said before it."""
        since = self._sounds_since
        return self.speaking is not None and (since is None or now - since < REACTION)

    def _is_mostly_heard(self, utterance: Utterance, now: float) -> bool:
        """Whether more than half of it was played before it was stopped."""
        if self._sounds_since is None:
            return False
        left, letters = now - self._sounds_since, 0.0
        for size, seconds in self._sounds:
            letters += size * (min(1.0, left / seconds) if seconds else 1.0)
            left = max(0.0, left - seconds)
        return letters > len(utterance.text) / 2

    def _after_speaking(self, utterance: Utterance, now: float, *, heard: bool) -> list[Action]:
        self.speaking = None
        self._begun = False
        self._spoke = True
        self._active_at = now
        stop = self._send(messages.tts_stop(), now) + self._loudness.end()
        if utterance.ring is None:
            self._ring_until = max(self._ring_until, now + self._limits.window)
            return stop
        asks = utterance.ring.wants_confirmation or not self._awaits(now)
        self._ring = utterance.ring if asks else self._ring  # a question stays open beside it
        self._ring_until = now + self._limits.window
        return [*stop, HeardOut(utterance.ring.id)] if heard else stop

    def _reply(self, text: str, now: float) -> list[Action]:
        if text:
            self._agenda.add_reply(text)
        return self._next(now)

    def _next(self, now: float) -> list[Action]:
        """Begin the next thing to say, when it is its turn."""
        if self.closed or self.hello is None or self.speaking or self._asking:
            return []
        first = self._agenda.first
        if first is None:
            return []
        self._held_since = now if self._held_since is None else self._held_since
        if first.ring and now < self._pause_at(first.urgent):
            return []
        self.speaking = self._agenda.pop(self._ring if now < self._answer_until() else None)
        if self.speaking is None:
            return []
        if self.speaking.ring or not self._agenda:
            self._held_since = None
        self._begun, self._sounds, self._sounds_since = False, [], None
        return self._loudness.begin(self.speaking.ring, now) or [Speak(self.speaking)]

    def _awaits(self, now: float) -> bool:
        ring = self._ring
        return ring is not None and ring.wants_confirmation and now < self._ring_until

    def _pause_at(self, urgent: bool) -> float:
        """When the person stops speaking; one who never stops is interrupted in the end."""
        most = URGENT_HELD_MAX if urgent else HELD_MAX
        since = self._held_since if self._held_since is not None else self._voice_at
        return min(self._voice_at + PAUSE, since + most)

    def _answer_until(self) -> float:
        """Until when we wait for an answer. Continued talk does not extend it for ever."""
        if not self._ring or not self._ring.wants_confirmation:
            return 0.0
        if self._held_since is None:
            return self._ring_until
        return min(self._ring_until, self._held_since + self._limits.window)

    def _turn_at(self) -> float:
        ring = self._agenda.first.ring if self._agenda.first else None
        if ring is None:
            return self._answer_until()
        pause = self._pause_at(ring.critical)
        return max(pause, self._answer_until()) if ring.wants_confirmation else pause

    def _louder(self, reply: McpReply) -> list[Action]:
        waited = self._loudness.waits_until is not None
        done = self._loudness.replied(reply)
        over = waited and self._loudness.waits_until is None
        return [*done, Speak(self.speaking)] if over and self.speaking else done

    def _loud_enough(self, now: float) -> list[Action]:
        """A device that does not say how loud it is speaks all the same."""
        until = self._loudness.waits_until
        if until is None or now < until or self.speaking is None:
            return []
        self._loudness.waits_until = None
        return [Speak(self.speaking)]

    def _still_queued(self, now: float) -> list[Action]:
        """Report that rings are still queued, so that their deadline is extended."""
        if now < self._queued_at + QUEUED_EVERY:
            return []
        self._queued_at = now
        return [Queued(ring.id) for ring in self._agenda.rings()]

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
