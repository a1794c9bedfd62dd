"""What a person says to a device besides answers: a new request, or just talk."""

import re
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError
from clarion.base.ids import DeviceId, UserId
from clarion.reminders.access import Actor
from clarion.reminders.ports import Ring
from clarion.reminders.service import Reminders

ASKS = re.compile(
    r"提醒我|提醒一下|叫我|喊我|叫醒|闹钟|别让我忘|\bremind me\b|\bwake me\b|\balarm\b",
    re.IGNORECASE,
)
GREETS = re.compile(r"^\W*(你好|您好|嗨|喂|小智|hi\b|hello\b|hey\b)", re.IGNORECASE)
WORDS = {
    "zh": {
        "greeting": "我在。要我提醒，就说几点提醒您做什么。",
        "close": "好的，有事再叫我。",
    },
    "en": {
        "greeting": "I am here. Tell me what to remind you of, and when.",
        "close": "All right. Call me when you need me.",
    },
}
TALKS_REMEMBERED = 1_000
TURNS_REMEMBERED = 10
FORGET_AFTER = 600.0  # seconds; who comes back later begins anew


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: `role` is `user` or `assistant`."""

    role: str
    text: str


class Chat(Protocol):
    """Somebody to talk to: a language model."""

    async def reply(
        self, history: Sequence[Said], reminder_content: str, user_text: str, lang: str
    ) -> str | None:
        """None when it is away."""
        ...


@dataclass(slots=True)
class Talk:
    turns: deque[Said] = field(default_factory=lambda: deque(maxlen=TURNS_REMEMBERED))
    about: str = ""
    at: float = 0.0


class DeviceConversation:
    """Implements `Conversation`. Without a language model it sets reminders and is polite."""

    def __init__(self, clock: Clock, chat: Chat | None = None) -> None:
        self.reminders: Reminders | None = None
        """Given once they are there: they need us first."""
        self._clock = clock
        self._chat = chat
        self._talks: OrderedDict[DeviceId, Talk] = OrderedDict()

    def remember(self, ring: Ring) -> None:
        """What a device is told now is what its talk is about."""
        self._talk(ring.device.id).about = ring.content

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str:
        actor = Actor(user_id, name="device")
        if self.reminders is not None and ASKS.search(text):
            return await self._set_reminder(self.reminders, actor, device_id, text)
        language = language_of(text)
        talk = self._talk(device_id)
        said = None
        if self._chat is not None:
            said = await self._chat.reply(tuple(talk.turns), talk.about, text, language)
        if said is None:
            said = WORDS[language]["greeting" if GREETS.search(text) else "close"]
        talk.turns += [Said("user", text), Said("assistant", said)]
        return said

    async def _set_reminder(
        self, reminders: Reminders, actor: Actor, device_id: DeviceId, text: str
    ) -> str:
        """Said back either way: what will ring and when, or what is missing."""
        assert actor.user_id is not None, "a device that is let in is somebody's"
        try:
            made = await reminders.create_natural(
                actor, user_id=actor.user_id, text=text, device_id=device_id
            )
        except ClarionError as error:
            return str(error.details.get("readback") or error.hint or error.message)
        kept = made.reminder or made.series
        said = f"{made.readback}，{kept.content}" if kept else made.readback
        return f"{said}。{made.warning}" if made.warning else said

    def _talk(self, device_id: DeviceId) -> Talk:
        now = self._clock.monotonic()
        talk = self._talks.get(device_id)
        if talk is None or now - talk.at > FORGET_AFTER:
            talk = self._talks[device_id] = Talk()
        talk.at = now
        self._talks.move_to_end(device_id)
        if len(self._talks) > TALKS_REMEMBERED:
            self._talks.popitem(last=False)
        return talk


def language_of(text: str) -> str:
    return "en" if text.isascii() else "zh"
