"""A chat is a device: a reminder rings there as a message with buttons, edited when it is over."""

from clarion.base.clock import Clock
from clarion.chats.model import ChatId
from clarion.chats.ports import Outbox, Outgoing, Sent
from clarion.people.model import Device
from clarion.reminders.decisions.decision import is_call
from clarion.reminders.errors import Unreachable
from clarion.reminders.ports import ContactCall, Facts, Ring, RingId
from clarion.reminders.words import SAID
from clarion.tasks.model import Level

RING = "ring:"  # marks the keys of messages that are rings, so that their outcome can be reported
BUTTONS = {
    "zh": (("✅ 确认", "confirm"), ("⏰ 10 分钟后", "snooze"), ("❌ 取消", "cancel")),
    "en": (("✅ Done", "confirm"), ("⏰ In 10 minutes", "snooze"), ("❌ Cancel", "cancel")),
}
OVER = {"zh": "（已处理）", "en": "(settled)"}


class ChatChannel:
    """Rings in chats of every platform. The chat's name is the device's address."""

    def __init__(self, outbox: Outbox, clock: Clock) -> None:
        self._outbox = outbox
        self._clock = clock
        self.facts: Facts | None = None
        """Given once the reminders are there: they need us first."""

    async def ring(self, ring: Ring) -> None:
        language = "zh" if ring.language == "zh" else "en"
        shown = BUTTONS[language] if ring.wants_confirmation else BUTTONS[language][:2]
        outgoing = Outgoing(
            chat_id=_chat(ring.device),
            text=ring.text,
            base=int(Level.CRITICAL if ring.critical else Level.HIGH),
            buttons=tuple((label, f"{verb}:{ring.id}") for label, verb in shown),
            key=f"{RING}{ring.id}",
        )
        queued = await self._outbox.queue([outgoing], self._clock.now())
        if not queued and await self._outbox.sent_as(outgoing.key) is None:
            raise Unreachable(f"The chat {ring.device.address} takes no messages.")

    async def hush(self, device: Device, ring_id: RingId) -> None:
        """Remove the buttons and say that it is settled; a message not yet sent is withdrawn."""
        key = f"{RING}{ring_id}"
        sent = await self._outbox.sent_as(key)
        if sent is None:
            return
        if not sent.remote_id:
            await self._outbox.withdraw(key)
            return
        settled = Outgoing(
            chat_id=_chat(device),
            text=f"{sent.text}\n{OVER[_language(sent)]}",
            edits=sent.remote_id,
            key=f"hush:{ring_id}",
        )
        await self._outbox.queue([settled], self._clock.now())

    async def say(self, device: Device, text: str) -> None:
        await self._outbox.queue([Outgoing(chat_id=_chat(device), text=text)], self._clock.now())

    async def tell(self, chat_id: str, text: str) -> None:
        """For contacts: say something in any chat. Raises `Unreachable`."""
        to = Outgoing(chat_id=ChatId(chat_id), text=text, base=int(Level.CRITICAL))
        if not await self._outbox.queue([to], self._clock.now()):
            raise Unreachable(f"The chat {chat_id} takes no messages.")

    async def ask(self, chat_id: str, call: ContactCall) -> None:
        """For contacts: with the link once, and buttons that answer. Raises `Unreachable`."""
        said = SAID[call.language]
        to = Outgoing(
            chat_id=ChatId(chat_id),
            text=f"{call.text}\n{call.link}" if call.link else call.text,
            base=int(Level.CRITICAL),
            buttons=tuple(
                (f"{mark} {said[f'button {verb}']}", f"{verb}:{call.reminder.id}")
                for mark, verb in (("🙋", "take"), ("✅", "done"), ("🙅", "cannot"))
            ),
            key=call.id,
        )
        queued = await self._outbox.queue([to], self._clock.now())
        if not queued and await self._outbox.sent_as(to.key) is None:
            raise Unreachable(f"The chat {chat_id} takes no messages.")

    async def sent(self, outgoing: Outgoing) -> None:
        """The platform took it. Whether somebody has read it, only an answer tells."""
        if self.facts is not None and outgoing.key.startswith(RING):
            await self.facts.sent(RingId(outgoing.key.removeprefix(RING)))

    async def lost(self, outgoing: Outgoing, reason: str) -> None:
        if self.facts is None:
            return
        if outgoing.key.startswith(RING):
            await self.facts.unreachable(RingId(outgoing.key.removeprefix(RING)), reason)
        elif is_call(outgoing.key):
            await self.facts.unreachable(RingId(outgoing.key), reason)


def _language(sent: Sent) -> str:
    """That of the buttons under it."""
    shown = {label for label, _ in sent.buttons}
    return "en" if shown & {label for label, _ in BUTTONS["en"]} else "zh"


def _chat(device: Device) -> ChatId:
    return ChatId(device.address or device.id)
