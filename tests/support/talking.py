"""Ana speaks: to a device through a real session, or in a chat. The same words either way."""

import itertools
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol

from clarion.base.errors import NotFound
from clarion.base.ids import DeviceId
from clarion.chats.model import Chat, ChatId, ChatKind, ChatSender, Message, PersonId
from clarion.doors.devices.session.actions import Action, Ask, Converse, Speak
from clarion.doors.devices.session.codec import Hello
from clarion.doors.devices.session.limits import DOWNLINK, SessionSettings
from clarion.doors.devices.session.session import Session
from clarion.people.errors import AlreadyThere
from clarion.people.model import DeviceKind
from clarion.store.sql.chats.outbox import SqlOutbox
from clarion.talk.chat_requests import ChatRequests
from tests.support.build import ANA, KITCHEN
from tests.support.clarion_by_hand import ADMIN, ClarionByHand

PRIVATE = Chat(id=ChatId("telegram:7"), kind=ChatKind.PRIVATE, title="Ana")


class Mouth(Protocol):
    async def say(self, text: str) -> str:
        """What Clarion says back."""
        ...


@dataclass
class AtDevice:
    """The kitchen's device, whose session is open all the time."""

    clarion: ClarionByHand
    told: int = 0
    hushed: int = 0
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.session = Session(SessionSettings(), self.clarion.clock.monotonic(), language="zh")
        hello = Hello(transport="websocket", version=1, audio=DOWNLINK, has_mcp=False)
        self.session.heard(hello, self.clarion.clock.monotonic())
        self.session.take((), self.clarion.clock.monotonic())

    async def say(self, text: str) -> str:
        now = self.clarion.clock.monotonic()
        for spoken in self.clarion.outside.spoken[self.told :]:
            await self._carry_out(self.session.ring(spoken.ring, now))
        self.told = len(self.clarion.outside.spoken)
        self.said.clear()
        await self._carry_out(self.session.words(text, now))
        return " ".join(self.said)

    async def _hush(self) -> None:
        """What was settled meanwhile is told no longer."""
        hushed = self.clarion.outside.hushed
        for ring_id in hushed[self.hushed :]:
            self.session.hush(ring_id, self.clarion.clock.monotonic())
        self.hushed = len(hushed)

    async def _carry_out(self, actions: list[Action]) -> None:
        facts, session = self.clarion.facts, self.session
        for action in actions:
            now = self.clarion.clock.monotonic()
            match action:
                case Ask(ring_id, text):
                    reaction = await facts.answered(ring_id, text)
                    await self._hush()
                    await self._carry_out(session.reacted(reaction, text, now))
                case Converse(text):
                    said = await facts.reply(ANA, KITCHEN, text)
                    await self._carry_out(session.replied(said, now))
                case Speak(utterance):
                    self.said.append(utterance.text)
                    await self._carry_out(session.begun(utterance, now))
                    await self._carry_out(session.spoken(utterance, now))
                case _:
                    pass


async def nobody_is_admin(_chat: ChatId, _person: PersonId) -> bool:
    return False


class InChat:
    """Ana's private chat with the bot, which is one of her devices."""

    def __init__(self, clarion: ClarionByHand, chat: Chat = PRIVATE) -> None:
        self.clarion = clarion
        self.chat = chat
        self.requests = ChatRequests(
            clarion.reminders,
            clarion.people,
            clarion.talk,
            clarion.facts,
            SqlOutbox(clarion.database),
            clarion.clock,
            clarion.rotations,
            is_admin=nobody_is_admin,
        )
        self._numbers = itertools.count(1)

    def message(self, text: str, *, addressed: bool = False) -> Message:
        return Message(
            update=f"telegram:{next(self._numbers)}",
            chat=self.chat,
            sender=ChatSender(id=PersonId("telegram:7"), name="Ana"),
            text=text,
            sent_at=self.clarion.clock.now(),
            addressed=addressed,
        )

    async def say(self, text: str, *, addressed: bool = False) -> str:
        return await self.requests.answer(self.message(text, addressed=addressed)) or ""


def way_to(mouth: Mouth) -> str:
    """The address of whoever speaks there, as somebody's contact has it."""
    return "chat:telegram:7" if mouth.__dict__.get("chat") == PRIVATE else f"device:{KITCHEN}"


async def mouth_of(clarion: ClarionByHand, where: str) -> Mouth:
    """`device`, `chat` (Telegram) or `console`, whose chat is no device: the kitchen rings."""
    await clarion.people.update_user(ADMIN, ANA, language="zh")
    if where == "device":
        return AtDevice(clarion)
    if where == "console":
        return InChat(clarion, Chat(id=ChatId(f"console:user.{ANA}"), kind=ChatKind.PRIVATE))
    with suppress(NotFound, AlreadyThere):  # done before a restart
        await clarion.people.remove_device(ADMIN, KITCHEN)
        await clarion.people.add_device(
            ADMIN,
            kind=DeviceKind.TELEGRAM,
            user_id=ANA,
            device_id=DeviceId(PRIVATE.id),
            address=PRIVATE.id,
        )
    return InChat(clarion)
