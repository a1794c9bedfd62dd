"""Passes what is said in a chat to reminders: a request, an answer, a pressed button."""

import re
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import ReminderId, UserId
from clarion.chats.model import ChatId, ChatKind, Message, PersonId
from clarion.chats.platforms import CONSOLE_PERSON
from clarion.chats.ports import Outbox, Outgoing
from clarion.language import answer
from clarion.language.readback import say_instant
from clarion.people.model import CHAT_PLATFORMS, Actor, Device, DeviceKind, User
from clarion.people.oncall import OnCall
from clarion.people.rotations import Rotations
from clarion.people.service import People
from clarion.reminders import words
from clarion.reminders.contact_calls import BUTTONS
from clarion.reminders.decisions.decision import RingFacts
from clarion.reminders.guarantee import Guarantee
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.ports import Facts, RingId
from clarion.reminders.service import Reminders
from clarion.talk.dialogue import Speaker
from clarion.talk.service import Talk

SHOWN_MAX = 10  # reminders in one list
DONE = {
    "zh": {"confirmed": "✅ 已确认", "snoozed": "⏰ 稍后再提醒", "cancelled": "❌ 已取消"},
    "en": {"confirmed": "✅ Confirmed", "snoozed": "⏰ Later", "cancelled": "❌ Cancelled"},
}


NONE_SUCH = {
    "zh": "没有这个提醒。用 /reminders 查看。",
    "en": "There is no such reminder. /reminders lists them.",
}
WHICH_ONE = {"zh": "取消哪一个？例如 /cancel 1", "en": "Which one? For example /cancel 1"}
NOT_YOURS = {
    "zh": "这是别人的提醒，只有设置的人和管理员可以处理。",
    "en": "That is somebody else's: only who set it and administrators may.",
}
ON_CALL = {
    "zh": {"colon": "：", "nobody": "没有人", "now": "{name}，到{until}", "next": "；接着是{name}"},
    "en": {
        "colon": ": ",
        "nobody": "nobody",
        "now": "{name} until {until}",
        "next": ", then {name}",
    },
}
SET_BY = re.compile(r"\((\w+:[^\s()]+)\)$")
IsAdmin: TypeAlias = Callable[[ChatId, PersonId], Awaitable[bool]]


class ChatRequests:
    """A chat owns its reminders, and everybody in it may set some. A person's own chat in the
    console is no device: reminders set there are theirs and ring on all their devices.

    In a group, the person who set a reminder and the administrators may confirm, put off and
    cancel it; with `anyone_answers` everybody may, and also when nobody there has set it.
    """

    def __init__(
        self,
        reminders: Reminders,
        people: People,
        talk: Talk,
        facts: Facts,
        outbox: Outbox,
        clock: Clock,
        rotations: Rotations,
        *,
        is_admin: IsAdmin,
        anyone_answers: bool = False,
    ) -> None:
        self._reminders = reminders
        self._people = people
        self._talk = talk
        self._facts = facts
        self._outbox = outbox
        self._clock = clock
        self._rotations = rotations
        self._is_admin = is_admin
        self._anyone_answers = anyone_answers

    async def press(self, message: Message) -> str | None:
        """May be repeated: a ring that is over does not change."""
        verb, _, ring = message.button.partition(":")
        if verb in BUTTONS:
            return await self._help(message, verb, ReminderId(ring))
        ring_id = RingId(ring)
        pressed = await self._ring(message, ring_id)
        if pressed is None:
            return None
        if not await self._is_theirs(message, pressed.reminder_id):
            return NOT_YOURS[_language(message)]
        reaction = await self._facts.pressed(ring_id, verb)
        said = DONE[_language(message)].get(reaction.outcome, "")
        if said and message.message_id:
            await self._settle(message, pressed, said)
        return reaction.say or said

    async def _help(self, message: Message, verb: str, reminder_id: ReminderId) -> str | None:
        """A contact's answer to a call, where the chat is one of their ways."""
        chat, private = message.chat.id, message.chat.kind is ChatKind.PRIVATE
        here = frozenset({f"chat:{chat}", f"device:{(await self._device(message)).id}"})
        by = "" if private else message.sender.name
        found = await self._reminders.calls.pressed_at(reminder_id, here, verb, by)
        if found is None:
            return None
        reaction, contact = found
        if reaction.say and message.message_id:
            label = words.SAID[contact.language or _language(message)][f"button {verb}"]
            shown = f"{message.text}\n{label} · {message.sender.name}".lstrip("\n")
            await self._outbox.queue(
                [Outgoing(chat_id=chat, text=shown, edits=message.message_id)], self._clock.now()
            )
        return reaction.say

    async def answer(self, message: Message) -> str | None:
        """Handle any words. None: they were not meant for us."""
        to_us = is_to_us(message)
        if await self._answers_anothers(message):
            return NOT_YOURS[_language(message)] if to_us else None
        speaker = await self._speaker(message)
        reaction = await self._talk.hear(speaker, message.text, to_us=to_us)
        if reaction is None:
            return None
        return reaction.say or DONE[_language(message)].get(reaction.outcome)

    async def remind(self, message: Message, text: str, *, asked: bool) -> str | None:
        """With the command, the words count as a request, however they are phrased."""
        if not asked:
            return None  # `answer` has handled it already
        reaction = await self._talk.set_reminder(await self._speaker(message), text)
        return f"❓ {reaction.say}" if reaction.listen else reaction.say

    async def upcoming(self, message: Message) -> str:
        actor = await self._actor(message)
        coming = await self._coming(actor)
        if not coming:
            return "没有待办的提醒。" if _language(message) == "zh" else "Nothing is planned."
        zone = await self._zone(actor)
        now = self._clock.now().astimezone(zone)
        heard = await self._reminders.guarantees(coming)
        lines = [
            f"{number}. {say_instant(each.trigger_at.astimezone(zone), now, _language(message))}"
            f" {each.content}{_warned(heard.get(each.id))}"
            for number, each in enumerate(coming, 1)
        ]
        return "\n".join(lines)

    async def on_call(self, message: Message) -> str:
        """The chat's own rotations, and those of the people whose contact it is."""
        actor, language = await self._actor(message), _language(message)
        assert actor.user_id is not None
        found = await self._rotations.known_to(actor.user_id)
        now = self._clock.now()
        lines = [say_on_call(user, one, now, language) for user, one in found]
        nobody = "没有值班表。" if language == "zh" else "There is no rotation."
        return "\n".join(lines) or nobody

    async def cancel(self, message: Message, which: str) -> str:
        """By id, by number in the list, or by part of its words. Of several none goes unasked."""
        actor = await self._actor(message)
        meant = _find(await self._coming(actor), which.strip())
        if not meant:
            return f"❌ {NONE_SUCH[_language(message)]}"
        if len(meant) > 1:
            return f"❓ {WHICH_ONE[_language(message)]}\n{await self.upcoming(message)}"
        found = meant[0]
        if not await self._is_theirs(message, found.id):
            return f"❌ {NOT_YOURS[_language(message)]}"
        await self._reminders.cancel(actor, found.id)
        return f"{DONE[_language(message)]['cancelled']}: {found.content}"

    async def _speaker(self, message: Message) -> Speaker:
        """In a group each person has a dialogue of their own."""
        chat, actor = message.chat, await self._actor(message)
        own = await self._own_chat_of(message) is not None
        assert actor.user_id is not None
        private = chat.kind is ChatKind.PRIVATE
        place = str(chat.id) if private else f"{chat.id}|{message.sender.id}"
        key = f"chat:{message.update}"
        return Speaker(
            actor,
            actor.user_id,
            None if own else (await self._device(message)).id,
            place,
            in_group=not private,
            said_at=message.sent_at,
            key=key,
        )

    async def _device(self, message: Message) -> Device:
        """The chat as a device, made with its first message: it rings in the writer's language."""
        chat, sender = message.chat, message.sender
        nobody = sender.is_channel or sender.anonymous  # their language is not known
        kind = CHAT_PLATFORMS.get(chat.id.partition(":")[0], DeviceKind.CONSOLE_CHAT)
        return await self._people.chat_device(
            chat.id, kind, chat.title, "" if nobody else sender.language
        )

    async def _actor(self, message: Message) -> Actor:
        """The person whose own chat it is, else the chat as the user whose device it is."""
        owner = await self._own_chat_of(message) or await self._owner(message)
        sender = message.sender
        private = message.chat.kind is ChatKind.PRIVATE
        # Names can be reused, so in a group the history has the number too.
        return Actor(owner, name=sender.name if private else f"{sender.name} ({sender.id})")

    async def _owner(self, message: Message) -> UserId:
        return (await self._device(message)).user_id or UserId(message.chat.id)

    async def _own_chat_of(self, message: Message) -> UserId | None:
        if not message.chat.id.startswith(CONSOLE_PERSON):
            return None
        person = UserId(message.chat.id.removeprefix(CONSOLE_PERSON))
        try:
            return (await self._people.user(Actor(person), person)).id
        except NotFound:
            return None

    async def _is_theirs(self, message: Message, reminder_id: ReminderId) -> bool:
        """Whether the sender may confirm, put off and cancel it."""
        if self._anyone_answers or message.chat.kind is ChatKind.PRIVATE:
            return True
        reminder = await self._reminders.get(await self._actor(message), reminder_id)
        set_by = SET_BY.search(reminder.created_by)
        if set_by is None or set_by.group(1) == message.sender.id:
            return True
        return await self._is_admin(message.chat.id, message.sender.id)

    async def _answers_anothers(self, message: Message) -> bool:
        """Whether they clearly answer what rings here for somebody else, not for them."""
        if self._anyone_answers or message.chat.kind is ChatKind.PRIVATE:
            return False
        actor = await self._actor(message)
        assert actor.user_id is not None
        ringing = await self._reminders.list(
            actor, user_id=actor.user_id, status=(ReminderStatus.TRIGGERED,), limit=SHOWN_MAX
        )
        answered = [
            each
            for each in ringing.items
            if answer.read(message.text, each.content).label is not answer.Label.UNCLEAR
        ]
        return bool(answered) and not any(
            [await self._is_theirs(message, each.id) for each in answered]
        )

    async def _coming(self, actor: Actor) -> list[Reminder]:
        assert actor.user_id is not None
        page = await self._reminders.list(
            actor,
            user_id=actor.user_id,
            status=(ReminderStatus.PENDING, ReminderStatus.TRIGGERED),
            limit=SHOWN_MAX,
        )
        return list(page.items)

    async def _ring(self, message: Message, ring_id: RingId) -> RingFacts | None:
        """The ring, when it rang in this chat: a button works only where it was shown."""
        device = await self._device(message)
        actor = Actor(await self._owner(message))
        try:
            rings = await self._reminders.rings(actor, ReminderId(ring_id.rpartition(":")[0]))
        except NotFound:
            return None
        here = [ring for ring in rings if ring.id == ring_id and ring.device_id == device.id]
        return here[0] if here else None

    async def _settle(self, message: Message, ring: RingFacts, said: str) -> None:
        shown = Outgoing(
            chat_id=message.chat.id,
            text=f"{ring.text}\n{said} · {message.sender.name}",
            edits=message.message_id,
            key=f"hush:{ring.id}",
        )
        await self._outbox.queue([shown], self._clock.now())

    async def _zone(self, actor: Actor) -> ZoneInfo:
        assert actor.user_id is not None
        return ZoneInfo((await self._people.user(actor, actor.user_id)).zone)


def say_on_call(user: User, one: OnCall, now: datetime, language: str) -> str:
    """A line for a chat: `Mother · Nights: Sue until Mon 08:00, then Tom`."""
    words, zone = ON_CALL[language], ZoneInfo(user.zone)
    head = f"{user.name or user.id} · {one.rotation.name}{words['colon']}"
    if one.now is None:
        return f"{head}{words['nobody']}"
    if one.next is None:
        return f"{head}{one.now.contact.name}"
    until = say_instant(one.now.ends_at.astimezone(zone), now.astimezone(zone), language)
    said = words["now"].format(name=one.now.contact.name, until=until)
    return f"{head}{said}{words['next'].format(name=one.next.contact.name)}"


def _warned(heard: Guarantee | None) -> str:
    """A short list shows only problems."""
    return f" ⚠️ {heard.warning}" if heard and heard.warning else ""


def is_to_us(message: Message) -> bool:
    """In a group of Telegram people also talk to one another; in the console only to us."""
    private = message.chat.kind is ChatKind.PRIVATE
    return private or message.addressed or message.chat.id.startswith("console:")


def _language(message: Message) -> str:
    return "zh" if message.sender.language == "zh" else "en"


def _find(coming: list[Reminder], which: str) -> list[Reminder]:
    """Those that are meant: one when it is clear."""
    number = which.removeprefix("#")
    if number.isdecimal():
        return coming[int(number) - 1 : int(number)] if number.strip("0") else []
    named = [each for each in coming if each.id == which]
    return named or [each for each in coming if which.casefold() in each.content.casefold()]
