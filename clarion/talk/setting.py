"""New reminders by talking: set, the missing time asked for and filled in, and corrected."""

import re
from collections.abc import Iterator

from clarion.base.errors import ClarionError
from clarion.base.ids import ReminderId, SeriesId
from clarion.language import request as requests
from clarion.language.needs import DONE
from clarion.language.when.model import Once, Recurring
from clarion.language.when.parse import read as read_time
from clarion.people.access import Actor
from clarion.people.model import User
from clarion.people.service import People
from clarion.reminders.errors import ImpossibleTime, MissingTime, RingsTooOften
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.natural import NO_TIME, Created, habits_of, spoken_at
from clarion.reminders.service import Reminders
from clarion.talk.exchange import Exchange
from clarion.talk.memory import Act, Question
from clarion.talk.moment import new_time

CLOCK = re.compile(
    r"[零一二两三四五六七八九十\d]{1,3}点(?:半|钟|[零一二三四五六七八九十\d]{1,3}分?|一刻|三刻)?|\d{1,2}[:：]\d\d|"
    r"\bat \d{1,2}(?::\d\d)?(?: ?[ap]m)?|\b\d{1,2}(?::\d\d)? ?[ap]m\b",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    r"^\W*(?:不对|不是|错了|说错了|我是说|我说的是)?[\W啊呀哦]*(?:应该)?(?:是|改成|叫)|"
    r"^\W*(?:no|sorry|wait|actually)?\W*(?:i meant|i said|it's|it is|make (?:it|that)|to)\s+",
    re.IGNORECASE,
)
YES_PLEASE = re.compile(
    r"^\W*(?:好|行|可以|要|嗯|对|是|成|麻烦|没问题)|\b(?:yes|yeah|ok|okay|please|sure|do)\b",
    re.IGNORECASE,
)
NO_THANKS = re.compile(r"不用|不要|算了|不了|别|\b(?:no|never ?mind|don't)\b", re.IGNORECASE)
NO_THING = re.compile(
    r"[的啊呀哦呢吧嘛哈噢呗喽吗了么]*|什么.*|谁.*|\b(?:what|who|why)\b.*", re.IGNORECASE
)
"""What 是的, 是啊 or 是什么意思 leaves behind 是: no new name for a reminder."""
BUT_NOT = re.compile(r"[，, ]*(?:不是|而不是|,? ?not ).*$", re.IGNORECASE)


class SetByTalk:
    def __init__(self, reminders: Reminders, people: People) -> None:
        self._reminders = reminders
        self._people = people

    async def create(self, turn: Exchange, text: str) -> str:
        """Sets what the sentence asks for, one thing or several, or asks for what is missing."""
        base, habits = spoken_at(turn.speaker.said_at, turn.now), habits_of(turn.user)
        things = requests.read_all(text, base, turn.zone, habits)
        if len(things) == 1:
            return await self.create_read(turn, text)
        return " ".join([await self.create_read(turn, one.words, one) for one in things])

    async def create_read(
        self, turn: Exchange, text: str, asked: requests.Request | None = None
    ) -> str:
        person = (asked or requests.read(text, turn.now, turn.zone)).person
        ward = await self._ward(turn, person) if person else None
        if person and ward is None and not turn.speaker.in_group:
            question = turn.say("no_person", person=person)
            return turn.ask("instead", question, request=instead(text, person))
        try:
            made = await self._add(turn, text, ward, asked)
        except (MissingTime, ImpossibleTime, RingsTooOften) as error:
            unsaid = error.details.get("what") == NO_TIME
            question = turn.say("when") if unsaid else str(error.details.get("readback"))
            return turn.ask("when", question, request=text)
        except ClarionError:
            return turn.say("refused")
        return self._said(turn, made, text, person if ward else None)

    async def _ward(self, turn: Exchange, name: str) -> User | None:
        return await self._people.ward(turn.speaker.actor, turn.speaker.user_id, name)

    async def fill_instead(self, turn: Exchange, question: Question) -> str | None:
        """Somebody else may not be reminded: the speaker is, to tell them, if they want that."""
        if NO_THANKS.search(turn.text):
            return turn.say("left")
        if not YES_PLEASE.search(turn.text):
            return None
        return await self.create_read(turn, question.request)

    async def fill_when(self, turn: Exchange, question: Question) -> str | None:
        """The time that was asked for. None: these words are none."""
        for text in composed(question.request, turn.text, turn):
            return await self.create(turn, text)
        when = requests.read(turn.text, turn.now, turn.zone, habits_of(turn.user)).when
        if isinstance(when, Once | Recurring):
            return await self.create(turn, turn.text)
        return None

    async def correct(self, turn: Exchange) -> str | None:
        """不对，是九点: what was just set is changed. None: nothing was set just now."""
        act = next((one for one in turn.dialogue.acts if one.verb in ("set", "changed")), None)
        if act is None:
            return None
        if act.id.startswith("ser"):
            return await self._correct_series(turn, act)
        reminder = await self._reminders.get(turn.speaker.actor, ReminderId(act.id))
        if reminder.status is not ReminderStatus.PENDING:
            return None
        meant = new_time(turn.text, reminder.trigger_at, turn.now, turn.zone, habits_of(turn.user))
        if isinstance(meant, Recurring):
            return await self._instead(turn, act, reminder)
        if meant is not None:
            return await self._moved(turn, reminder, meant)
        return await self._renamed(turn, reminder)

    async def _add(
        self, turn: Exchange, text: str, ward: User | None, asked: requests.Request | None
    ) -> Created:
        """For the speaker, or for somebody who trusts them: then on that person's own devices."""
        speaker = turn.speaker
        # Each part of a sentence has a key of its own.
        key = f"{speaker.key}:{len(turn.proof)}" if speaker.key and turn.proof else speaker.key
        return await self._reminders.natural.create(
            Actor(ward.id, name=speaker.actor.label) if ward else speaker.actor,
            user_id=ward.id if ward else speaker.user_id,
            text=text,
            asked=asked,
            device_id=None if ward else speaker.device_id,
            key=key or None,
            language=turn.language,
            said_at=speaker.said_at,
        )

    def _said(self, turn: Exchange, made: Created, text: str, person: str | None) -> str:
        kept: Reminder | Series | None = made.series or made.reminder
        assert kept is not None, "something was made"
        if person is None:
            turn.did("set", kept.id, request=text)
        else:
            turn.proof.append(kept.id)  # another person's: only they change it
        required = kept.confirmation.required
        done = required and kept.confirmation.needs == DONE
        key = "set_done" if done else "set_confirm" if required else "set"
        whom = person or ("您" if turn.language == "zh" else "you")
        said = turn.claim(key, when=made.readback, whom=whom, content=kept.content)
        return f"{said} {made.warning}" if made.warning else said

    async def _moved(self, turn: Exchange, reminder: Reminder, at: object) -> str:
        try:
            after = await self._reminders.update(
                turn.speaker.actor,
                reminder.id,
                trigger_at=at,  # type: ignore[arg-type]  # an instant: the caller has looked
            )
        except ClarionError:
            return turn.say("refused")
        if same := turn.unchanged(reminder, after):
            return same
        turn.did("changed", reminder.id, trigger_at=reminder.trigger_at.isoformat())
        return turn.claim("moved", when=turn.time_of(after.trigger_at), content=after.content)

    async def _renamed(self, turn: Exchange, reminder: Reminder) -> str | None:
        content = BUT_NOT.sub("", INSTEAD.sub("", turn.text)).strip(" 。.!！,，")
        if NO_THING.fullmatch(content) or content == turn.text.strip():
            return None
        after = await self._reminders.update(turn.speaker.actor, reminder.id, content=content)
        if same := turn.unchanged(reminder, after):
            return same
        turn.did("changed", reminder.id, content=reminder.content)
        return turn.claim("renamed", when=turn.time_of(after.trigger_at), content=content)

    async def _instead(self, turn: Exchange, act: Act, reminder: Reminder) -> str | None:
        """It was meant to come again and again: set anew, and the single one goes."""
        for text in composed(str(act.before.get("request", reminder.content)), turn.text, turn):
            said = await self.create(turn, text)
            if turn.proof:
                await self._reminders.cancel(turn.speaker.actor, reminder.id)
            return said
        return None

    async def _correct_series(self, turn: Exchange, act: Act) -> str | None:
        series = await self._reminders.series.get(turn.speaker.actor, SeriesId(act.id))
        clock = CLOCK.search(turn.text)
        if clock is None or CLOCK.search(series.pattern) is None:
            return None
        pattern = CLOCK.sub(clock[0].removeprefix("at "), series.pattern, count=1)
        after = await self._reminders.series.update(turn.speaker.actor, series.id, pattern=pattern)
        turn.did("changed", series.id, pattern=series.pattern)
        when = turn.time_of(after.next_at) if after.next_at else ""
        return turn.claim("moved", when=when, content=after.content)


def instead(text: str, person: str) -> str:
    """提醒妈妈吃药 is 提醒我告诉妈妈吃药."""
    told = f"me to tell {person}" if text.isascii() else f"我告诉{person}"
    return text.replace(person, told, 1)


def composed(request: str, said: str, turn: Exchange) -> Iterator[str]:
    """The request with the time that was said, in an order in which it can be read.

    提醒我喝水 + 五分钟后 is 五分钟后提醒我喝水; 明天提醒我吃药 + 八点 is 明天八点提醒我吃药.
    """
    verb = read_time(request, turn.now, turn.zone).verb
    ways = [f"{request} {said}", f"{said} {request}"]
    if verb is not None and not request.isascii():
        ways.insert(0, f"{request[: verb[0]]}{said}{request[verb[0] :]}")
    habits = habits_of(turn.user)
    for way in ways:
        if isinstance(requests.read(way, turn.now, turn.zone, habits).when, Once | Recurring):
            yield way
