"""Carries one session over a connection: reads, plays sound, reports, keeps time. Decides nothing.

Every action of a session is begun at once and in order; only the writer and the reporter wait. What
was said is reported even when the connection is lost meanwhile.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.doors.devices.ports import Directory, Ear, Ears, Guest, Voice, Wire
from clarion.doors.devices.session import codec, words
from clarion.doors.devices.session.actions import (
    GOING_AWAY,
    POLICY,
    Action,
    Ask,
    Close,
    CloseEar,
    Converse,
    FeedSound,
    HeardOut,
    Learn,
    OpenEar,
    Queued,
    RingDeliveredAction,
    Send,
    Speak,
    StopSound,
    Take,
    Utterance,
)
from clarion.doors.devices.session.leftovers import Left
from clarion.doors.devices.session.limits import SessionSettings
from clarion.doors.devices.session.session import Session
from clarion.doors.devices.wire.pacing import Phases, Playback
from clarion.reminders.ports import Conversation, Facts, Reaction, Ring, RingId

log = logging.getLogger(__name__)

SEND_SECONDS_MAX = 10.0  # a device that accepts nothing for this long counts as gone
REPORT_SECONDS_MAX = 30.0  # an answer may wait for a language model
OUTBOX_MAX = 400  # frames and messages: some twenty seconds of sound to a stalled device


@dataclass(frozen=True, slots=True)
class LineServices:
    """What every line shares."""

    facts: Facts
    conversation: Conversation
    directory: Directory
    clock: Clock
    voice: Voice
    ears: Ears | None = None
    settings: SessionSettings = SessionSettings()  # noqa: RUF009  frozen, and it has only defaults
    phases: Phases = field(default_factory=Phases)


@dataclass(frozen=True, slots=True)
class Frame:
    utterance: Utterance
    packet: bytes
    at_ms: int


Outgoing: TypeAlias = Send | Frame | Close


@dataclass(frozen=True, slots=True)
class Opened:
    """The device said hello: tell those who wait for it."""


Report: TypeAlias = Opened | Take | Queued | RingDeliveredAction | HeardOut | Ask | Converse | Learn


class DeviceLine:
    def __init__(
        self, services: LineServices, guest: Guest, wire: Wire, session_id: str, session: Session
    ) -> None:
        self._services = services
        self._wire = wire
        self._session_id = session_id
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._outbox: asyncio.Queue[Outgoing] = asyncio.Queue()
        self._reports: asyncio.Queue[Report | None] = asyncio.Queue()
        self._playback: Playback | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._frame = services.settings.audio.frame_ms / 1000
        self._sound_until = 0.0
        self._ear: Ear | None = None
        self._ear_ends_itself = True
        self._timer: asyncio.TimerHandle | None = None
        self._gone = False
        self.guest = guest
        self.opened = asyncio.Event()
        """Set when the device has said hello."""
        self.counted = asyncio.Event()
        """Set when it is kept that the device can be reached: our hello says that it can."""
        self.on_open: Callable[[DeviceLine], Awaitable[None]] | None = None

    @property
    def door(self) -> str:
        return self._wire.door

    async def serve(self, incoming: AsyncIterator[str | bytes]) -> None:
        """Serve until the device leaves or is disconnected."""
        writing = asyncio.create_task(self._write(), name="line-write")
        reporting = asyncio.create_task(self._report(), name="line-report")
        self._keep_time()
        try:
            async for frame in incoming:
                self.receive(frame)
        finally:
            self._gone = True
            self._fall_silent()
            self._reports.put_nowait(None)
            writing.cancel()
            with suppress(TimeoutError):
                async with asyncio.timeout(REPORT_SECONDS_MAX):
                    await asyncio.shield(reporting)
            await asyncio.gather(writing, return_exceptions=True)

    def receive(self, frame: str | bytes) -> None:
        now = self._services.clock.monotonic()
        try:
            if isinstance(frame, str):
                heard: codec.Heard = codec.read_text(frame)
            else:
                heard = codec.read_frame(frame, self._wire.version)
        except codec.BadMessage as error:
            log.debug("not understood: %s", error, extra={"device": self.guest.device_id})
            self._perform(self._session.malformed(now))
            return
        self._perform(self._session.heard(heard, now))
        if self._session.hello and not self.opened.is_set():
            self._wire.agree(self._session.hello.version)
            self.opened.set()
            self._reports.put_nowait(Opened())

    def ring(self, ring: Ring) -> None:
        self._perform(self._session.ring(ring, self._services.clock.monotonic()))

    def has(self, ring_id: RingId) -> bool:
        return self._session.has(ring_id)

    def inherit(self, left: Left) -> None:
        """What the device's last session left undone."""
        self._session.inherit(left.unheard, left.unanswered)

    def hand_over(self) -> Left:
        """What the device's next session has to do in place of this one."""
        return Left(*self._session.hand_over())

    def hush(self, ring_id: RingId) -> None:
        self._perform(self._session.hush(ring_id, self._services.clock.monotonic()))

    def say(self, text: str) -> None:
        self._perform(self._session.say(text, self._services.clock.monotonic()))

    def look(self) -> None:
        """Something may wait for this device: ask."""
        self._reports.put_nowait(Take())

    def mark_woken(self) -> None:
        self._session.woken = True

    def close(self, reason: str) -> None:
        self._perform([Close(GOING_AWAY, reason)])

    def tick(self) -> None:
        self._timer = None
        self._perform(self._session.tick(self._services.clock.monotonic()))
        self._keep_time()

    def _keep_time(self) -> None:
        if self._gone or self._session.closed:
            return
        wait = self._session.next_tick() - self._services.clock.monotonic()
        if self._timer is not None:
            if self._timer.when() <= self._loop.time() + wait:
                return  # the timer fires early enough, and is set again then
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0.01, wait), self.tick)

    def _perform(self, actions: Sequence[Action]) -> None:
        for action in actions:
            self._do(action)
        if actions:
            self._keep_time()

    def _do(self, action: Action) -> None:
        match action:
            case Send() | Close():
                self._put(action)
            case Speak(utterance):
                self._preparing = asyncio.create_task(self._speak(utterance), name="line-speak")
            case StopSound():
                self._stop_sound()
            case FeedSound(packet):
                if self._ear is not None:
                    self._ear.feed(packet)
            case OpenEar(rate, ends_itself):
                self._open_ear(rate, ends_itself)
            case CloseEar():
                if self._ear is not None:
                    self._ear.finish()
            case (
                Take()
                | Queued()
                | RingDeliveredAction()
                | HeardOut()
                | Ask()
                | Converse()
                | Learn()
            ):
                self._reports.put_nowait(action)
            case _:
                assert_never(action)

    # Out

    def _put(self, outgoing: Outgoing) -> None:
        if self._outbox.qsize() >= OUTBOX_MAX and not isinstance(outgoing, Close):
            outgoing = Close(POLICY, "takes nothing")
        self._outbox.put_nowait(outgoing)

    async def _write(self) -> None:
        last = False
        while not last:
            outgoing = await self._outbox.get()
            last = isinstance(outgoing, Close)
            if self.opened.is_set() and not self.counted.is_set():
                await self._until_counted()
            try:
                async with asyncio.timeout(SEND_SECONDS_MAX):
                    await self._send(outgoing)
            except (OSError, RuntimeError, TimeoutError) as error:
                log.debug("line broke: %s", error, extra={"device": self.guest.device_id})
                last = True
        self._gone = True
        with suppress(OSError, RuntimeError, TimeoutError):
            async with asyncio.timeout(SEND_SECONDS_MAX):
                await self._wire.close(GOING_AWAY, "")

    async def _until_counted(self) -> None:
        # Who sets a reminder as soon as the device is greeted must not hear that nobody is there.
        with suppress(TimeoutError):
            async with asyncio.timeout(self._services.settings.limits.counted):
                await self.counted.wait()
        self.counted.set()

    async def _send(self, outgoing: Outgoing) -> None:
        match outgoing:
            case Frame(utterance, packet, at_ms):
                if utterance is self._session.speaking:  # what was stopped sends no further frame
                    await self._wire.send_audio(packet, at_ms)
                    begins = max(self._sound_until, self._loop.time())
                    self._sound_until = begins + self._frame
            case Send(message):
                await self._wire.send({**message, "session_id": self._session_id})
            case Close(code, reason):
                await self._wire.close(code, reason)

    # Sound

    async def _speak(self, utterance: Utterance) -> None:
        """Prepare sentence after sentence while the ones before are being played."""

        def send(packet: bytes, at_ms: int) -> None:
            self._put(Frame(utterance, packet, at_ms))

        def over() -> None:
            self._perform(self._session.spoken(utterance, self._services.clock.monotonic()))

        lead = self._wire.lead
        delay = self._services.phases.delay(self._loop.time(), self._frame) + lead
        playback = Playback(self._frame, send, over, delay=delay, played=self._played)
        is_heard = await self._wire.ready()
        for text in words.sentences(utterance.text):
            packets = await self._sound(text, utterance.language) if is_heard else ()
            if utterance is not self._session.speaking:
                return
            self._session.prepared(utterance, text, len(packets) * self._frame)
            if self._playback is not playback:
                self._playback = playback
                if lead:
                    self._begin(utterance)
                else:
                    playback.add(lambda: self._begin(utterance), ())
            playback.add(lambda text=text: self._begin_sentence(utterance, text), packets)  # type: ignore[misc]  # the default binds this round's text
        playback.finish()

    def _played(self) -> float:
        """When the device has played everything; while more waits to be written, a frame later."""
        waits = not self._outbox.empty()
        return self._loop.time() + self._frame if waits else self._sound_until

    def _begin(self, utterance: Utterance) -> None:
        self._perform(self._session.begun(utterance, self._services.clock.monotonic()))

    def _begin_sentence(self, utterance: Utterance, text: str) -> None:
        now = self._services.clock.monotonic()
        self._perform(self._session.sentence(utterance, text, now))

    async def _sound(self, text: str, language: str) -> Sequence[bytes]:
        try:
            return await self._services.voice.packets(text, language)
        except ClarionError as error:
            # The words are still shown: better read than lost.
            log.warning("no voice: %s", error, extra={"device": self.guest.device_id})
            return ()

    def _stop_sound(self) -> None:
        if self._playback is not None:
            self._playback.stop()
            self._playback = None
            self._sound_until = 0.0  # the device drops what it has not played
        if self._preparing is not None and self._preparing is not asyncio.current_task():
            self._preparing.cancel()
        self._preparing = None

    def _open_ear(self, rate: int, ends_itself: bool) -> None:
        if self._services.ears is None or (self._ear and self._ear_ends_itself == ends_itself):
            return
        if self._ear is not None:
            self._ear.close()
        self._ear_ends_itself = ends_itself
        self._ear = self._services.ears.open(
            rate=rate, ends_itself=ends_itself, voice=self._voice, words=self._words
        )

    def _voice(self) -> None:
        self._session.voice(self._services.clock.monotonic())

    def _words(self, text: str) -> None:
        if not self._gone:
            self._perform(self._session.words(text, self._services.clock.monotonic()))

    def _fall_silent(self) -> None:
        self._stop_sound()
        self._session.closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._ear is not None:
            self._ear.close()
            self._ear = None

    # Reports

    async def _report(self) -> None:
        while (report := await self._reports.get()) is not None:
            try:
                async with asyncio.timeout(REPORT_SECONDS_MAX):
                    await self._tell(report)
            except Exception:
                log.exception("report failed", extra={"device": self.guest.device_id})
                self._perform(self._unreported(report))

    async def _tell(self, report: Report) -> None:
        services, session, guest = self._services, self._session, self.guest
        actions: list[Action] = []
        match report:
            case Opened():
                try:
                    if self.on_open is not None:
                        await self.on_open(self)
                finally:
                    self.counted.set()
            case Take():
                rings = await services.facts.waiting_for(guest.device_id)
                actions = session.take(rings, services.clock.monotonic())
            case Queued(ring_id):
                await services.facts.queued(ring_id)
            case RingDeliveredAction(ring_id):
                await services.facts.delivered(ring_id)
            case HeardOut(ring_id):
                await services.facts.heard(ring_id)
            case Ask(ring_id, text):
                reaction = await services.facts.answered(ring_id, text)
                actions = session.reacted(reaction, text, services.clock.monotonic())
            case Converse(text):
                said = await services.conversation.reply(guest.user_id, guest.device_id, text)
                actions = session.replied(said, services.clock.monotonic())
            case Learn(facts):
                await services.directory.learn(guest.device_id, facts)
            case _:
                assert_never(report)
        self._perform(actions)

    def _unreported(self, report: Report) -> list[Action]:
        """Say so when an answer could not be stored."""
        now = self._services.clock.monotonic()
        match report:
            case Ask() | Converse():
                sorry = Reaction("asked_again", words.sorry(self.guest.language), listen=True)
                return self._session.reacted(sorry, "", now)
            case Take():
                return self._session.take((), now)
            case _:
                return []
