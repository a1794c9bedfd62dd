"""Sets reminders by talking: asks for a missing time, fills it in, and corrects mistakes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from clarion.base.errors import ClarionError
from clarion.base.ids import ReminderId, SeriesId
from clarion.language import request as requests
from clarion.language.clauses import asks_itself
from clarion.language.understand import is_vague
from clarion.language.when.model import Grain, NeedsClarification, Nothing, Once, Recurring
from clarion.language.when.parse import read as read_time
from clarion.people.model import habits_of
from clarion.people.wards import as_told
from clarion.reminders.errors import (
    ImpossibleTime,
    MayNotRemind,
    MissingContent,
    MissingTime,
    RingsTooOften,
)
from clarion.reminders.model import CLOCKS, DONE, Reminder, ReminderStatus, Series
from clarion.reminders.service import Reminders
from clarion.reminders.setting import NO_TIME, Created, spoken_at
from clarion.talk import which
from clarion.talk.dialogue import Act, Exchange, Question
from clarion.talk.moment import new_time
from clarion.talk.patterns import AND_THAT, GIVES_UP, SWAPS
from clarion.talk.words import in_one_breath

CLOCK = re.compile(
    r"[零一二两三四五六七八九十\d]{1,3}点(?:半|钟|[零一二三四五六七八九十\d]{1,3}分?|一刻|三刻)?|\d{1,2}[:：]\d\d|"
    r"\bat \d{1,2}(?::\d\d)?(?: ?[ap]m)?|\b\d{1,2}(?::\d\d)? ?[ap]m\b|(?<=make it )\d{1,2}\b",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    r"^\W*(?:不对|不是|唔系|唔係|错了|说错了)?[\W啊呀哦]*(?:应该|我说的|我)?(?:是说|是|系|係|改成|叫)|"
    r"^\W*(?:no|sorry|wait|actually)?\W*(?:i meant|i said|it's|it is|make (?:it|that)|to)\s+",
    re.IGNORECASE,
)
YES_PLEASE = re.compile(
    r"^\W*(?:好|行|可以|要|嗯|对|是|成|麻烦|没问题)|\b(?:yes|yeah|ok|okay|please|sure|do)\b",
    re.IGNORECASE,
)
NO_THANKS = re.compile(r"不用|不要|算了|不了|别|\b(?:no|never ?mind|don't)\b", re.IGNORECASE)
AGREES = re.compile(  # and nothing else: 是吗 and 好像不是 are no yes
    r"\W*(?:(?:好|行|可以|要|嗯|对|是|成|麻烦你?|没问题)(?:的|啊|呀|吧|啦|嘞|呢)?\W*){1,3}|"
    r"\W*(?:(?:yes|yeah|yep|ok|okay|please|sure|do it|do|go ahead|right|that's right)\b\W*){1,3}",
    re.IGNORECASE,
)
NO_CONTENT = re.compile(
    r"[吗么呢][？?]?\W*$|[？?]\W*$|^\W*(?:改|换成|make (?:it|that)\b|change\b)|"
    r"^\W*(?:什么|啥|你好|谢谢|哈喽|好的?|嗯+|行|对|是的?|知道了?|提醒我?|"
    r"hi|hello|hey|thanks?(?: you)?|yes|yeah|ok(?:ay)?|what|huh|remind me)\W*$",
    re.IGNORECASE,
)
NO_THING = re.compile(
    r"[的啊呀哦呢吧嘛哈噢呗喽吗了么]*|什么.*|谁.*|\b(?:what|who|why)\b.*", re.IGNORECASE
)
"""What 是的, 是啊 or 是什么意思 leaves behind 是: no new name for a reminder."""
LEAD = re.compile(r"^\W*(?:no|sorry|wait|actually|不对|不是|错了|唔系|是|改成)\b\W*", re.IGNORECASE)
NO_COMMA = re.compile(r"^\W*(?:no|sorry|wait|oops)\s*,\s*(?=(?:the|my|a|an)\b)", re.IGNORECASE)
ALSO = re.compile(r"也(?:要|叫|提醒|来|得).*|as well|well|too|also|同样", re.IGNORECASE)
NUMBER = (
    r"(?:\d+(?:\.\d+)?|[一二两三四五六七八九十半]+|\b(?:one|two|three|four|five|six|half an?)\b)"
)
AMOUNT = re.compile(rf"{NUMBER}\s?(?P<unit>[一-鿿]{{1,2}}|[a-z]+)", re.IGNORECASE)
WHOM = re.compile(
    r"(?:给|跟|和|找|约|接|送|陪|看|告诉|通知|联系|问|请)(?P<who>[一-鿿]{2,4}?)"
    r"(?=打|发|回|说|讲|吃|见|去|来|到|买|寄|送|看|聊|喝|交|拿|$)"
)
KIN = re.compile(
    r"我?(?:爸爸?|妈妈?|爷爷|奶奶|外公|外婆|姥姥|姥爷|儿子|女儿|老公|老婆|哥哥?|姐姐?|弟弟?|妹妹?|孙子|孙女|叔叔|阿姨)"
)
THING = re.compile(
    r"\b(?:the|my|a|an|his|her|our)"
    r"(?: (?!(?:at|in|on|with|to|for|from|about|and|by|into)\b)[\w'-]+)+",
    re.IGNORECASE,
)
TELLS = re.compile(
    r"[不没][^，,。]{0,3}(?:[回应答理接]|反应|动静|确认)[^，,。]*(?:告诉|通知|打|找|叫|联系)(?!我)|"
    r"\b(?:call|ring|tell|text|phone|notify|let) (?!me\b)[^,.]+ (?:if|when|unless) i\b|"
    r"\b(?:if|when|unless) i\b[^,.]*[, ]+(?:call|ring|tell|text|phone|notify|let) (?!me\b)",
    re.IGNORECASE,
)
"""Somebody shall be told when there is no answer: who that is, is said."""
BUT_NOT = re.compile(r"[，, ]*(?:不是|而不是|,? ?not ).*$", re.IGNORECASE)


class SetByTalk:
    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders

    def is_part(self, turn: Exchange, question: Question) -> bool:
        """Whether the words are only the time that was asked for, or only the content."""
        if question.slot not in ("when", "what"):
            return False
        if GIVES_UP.search(turn.text) or (question.slot == "when" and is_vague(turn.text)):
            return True
        asked = self._read(turn, turn.text)
        timed = not isinstance(asked.when, Nothing)
        if question.slot == "what":
            return not timed
        return timed != bool(asked.content) or not self._read(turn, question.request).content

    def only_mentions(self, turn: Exchange, question: Question) -> bool:
        """A day in what is said of something else: "my knee hurts today" answers no question."""
        own = self._read(turn, turn.text)
        is_day = isinstance(own.when, Once) and own.when.grain is Grain.DAY
        return is_day and bool(own.content and self._read(turn, question.request).content)

    def is_request(self, turn: Exchange, text: str) -> bool:
        asked = self._read(turn, text)
        return bool(asked.content) and isinstance(asked.when, Once | Recurring)

    def is_only_time(self, turn: Exchange) -> bool:
        """下午三点, and no more: no reminder of its own, nor another time for the same."""
        asked = self._read(turn, turn.text)
        timed = isinstance(asked.when, Once | Recurring) and not asked.content
        return timed and not asks_itself(turn.text) and not is_further(turn.text)

    async def create(self, turn: Exchange, text: str) -> str:
        """Sets what the sentence asks for, one thing or several, or asks for what is missing."""
        base, habits = spoken_at(turn.speaker.said_at, turn.now), habits_of(turn.user)
        things = requests.read_all(text, base, turn.zone, habits)
        if len(things) == 1:
            same = await self._same_again(turn, text, things[0])
            return await self.create_read(turn, text, same)
        said = [await self.create_read(turn, one.words, one) for one in things]
        return in_one_breath(said, turn.language)

    async def _same_again(
        self, turn: Exchange, text: str, asked: requests.Request
    ) -> requests.Request | None:
        """What was just set, at one more time: 十一点也要, "and at 2 as well"."""
        act = next((one for one in turn.dialogue.acts if one.verb == "set"), None)
        bare = not asked.content or ALSO.fullmatch(asked.content)
        if act is None or act.id.startswith("ser") or not bare or not is_further(text):
            return None
        before = await self._reminders.get(turn.speaker.actor, ReminderId(act.id))
        confirm = before.confirmation.required or None
        return replace(asked, content=before.content, confirm=confirm)

    async def create_read(
        self, turn: Exchange, text: str, asked: requests.Request | None = None
    ) -> str:
        if turn.speaker.in_group:
            asked = among_people(asked or self._read(turn, text))
        try:
            made = await self._add(turn, text, asked)
        except MayNotRemind as error:
            person = str(error.details["person"])
            return turn.ask("instead", turn.say("no_person", person=person), request=text)
        except MissingContent as error:
            return turn.ask("what", error.hint, request=text)
        except (MissingTime, ImpossibleTime, RingsTooOften) as error:
            unsaid = error.details.get("what") == NO_TIME
            question = turn.say("when") if unsaid else str(error.details.get("readback"))
            return turn.ask("when", question, request=text, choices=offered(error))
        except ClarionError:
            return turn.say("refused")
        return self._said(turn, made, text)

    def _read(self, turn: Exchange, text: str) -> requests.Request:
        base = spoken_at(turn.speaker.said_at, turn.now)
        return requests.read(text, base, turn.zone, habits_of(turn.user))

    async def fill_instead(self, turn: Exchange, question: Question) -> str | None:
        """Somebody else may not be reminded: the speaker is, to tell them, if they want that."""
        if NO_THANKS.search(turn.text):
            return turn.say("left")
        if not YES_PLEASE.search(turn.text):
            return None
        asked = told_to(self._read(turn, question.request))
        if isinstance(asked.when, Nothing):
            return await self.create_read(turn, as_request(asked.content))
        return await self.create_read(turn, question.request, asked)

    async def fill_when(self, turn: Exchange, question: Question) -> str | None:
        """The time that was asked for. None: these words are none."""
        if GIVES_UP.search(turn.text):
            return turn.say("left")
        if is_vague(turn.text) and said_time(turn) is None:
            turn.question = question  # 过一会儿: how long is that?
            return turn.say("how_long")
        at = chosen(turn, question)
        if at is not None:
            return await self._at(turn, question.request, Once(at, Grain.MINUTE, (0, 0)))
        asked = self._read(turn, question.request)
        half = half_said(asked, question.request)
        whole = said_time(turn, half) if half and asked.content else None
        if whole is not None:
            return await self._at(turn, question.request, whole)
        if not asked.content and self.is_request(turn, turn.text):
            return await self.create(turn, turn.text)  # it says all by itself
        for text in composed(question.request, turn.text, turn):
            return await self.create(turn, text)
        when = said_time(turn)
        if when is not None and asked.content:
            return await self._at(turn, question.request, when)
        if when is not None:
            return await self.create(turn, next(readable(turn, turn.text))[0])
        if not asked.content and is_thing(turn.text):
            return await self.create(turn, as_request(turn.text))
        return None

    async def _at(self, turn: Exchange, request: str, when: Once | Recurring) -> str:
        """What was asked for, at the time that was chosen."""
        return await self.create_read(turn, request, replace(self._read(turn, request), when=when))

    async def fill_what(self, turn: Exchange, question: Question) -> str | None:
        """What it is about, when only a time was said. None: these words do not say it."""
        if GIVES_UP.search(turn.text):
            return turn.say("left")
        own = self._read(turn, turn.text)
        if isinstance(own.when, Once | Recurring) and not own.content:
            for text in composed(question.request, turn.text, turn):
                return await self.create(turn, text)  # 明天提醒我 … 八点: still, of what?
        if not is_thing(turn.text) or isinstance(own.when, Once | Recurring):
            return None
        content = own.content if own.asks and own.content else turn.text.strip(" 。.!！,，")
        asked = self._read(turn, question.request)
        confirm = own.confirm if asked.confirm is None else asked.confirm
        asked = replace(asked, content=content, confirm=confirm)
        return await self.create_read(turn, question.request, asked)

    async def correct(self, turn: Exchange) -> str | None:
        """不对，是九点: what was just set is changed. None: nothing was set just now."""
        act = turn.dialogue.last
        if act is None:
            return None
        if act.id.startswith("ser"):
            return await self._correct_series(turn, act)
        reminder = await self._reminders.get(turn.speaker.actor, ReminderId(act.id))
        if reminder.status is not ReminderStatus.PENDING:
            return None
        amount = LEAD.sub("", turn.text).strip(" 。.!！,，")
        if (content := with_amount(amount, reminder.content)) != amount:
            return await self._renamed(turn, reminder, content)
        meant = new_time(turn.text, reminder.trigger_at, turn.now, turn.zone, habits_of(turn.user))
        if isinstance(meant, Recurring):
            return await self._instead(turn, act, reminder)
        if meant is not None:
            return await self._moved(turn, reminder, meant)
        content = corrected(NO_COMMA.sub("", turn.text), reminder.content)
        if NO_THING.fullmatch(content) or content == turn.text.strip():
            return None
        return await self._renamed(turn, reminder, content)

    async def _add(self, turn: Exchange, text: str, asked: requests.Request | None) -> Created:
        speaker = turn.speaker
        # Each part of a sentence has a key of its own.
        key = f"{speaker.key}:{len(turn.proof)}" if speaker.key and turn.proof else speaker.key
        return await self._reminders.natural.create(
            speaker.actor,
            user_id=speaker.user_id,
            text=text,
            asked=asked,
            device_id=speaker.device_id,
            key=key or None,
            language=turn.language,
            said_at=speaker.said_at,
        )

    def _said(self, turn: Exchange, made: Created, text: str) -> str:
        kept: Reminder | Series | None = made.series or made.reminder
        assert kept is not None, "something was made"
        if made.person:
            turn.proof.append(kept.id)  # another person's: only they change it
        else:
            turn.did("set", kept.id, request=text)
        required = kept.confirmation.required
        done = required and kept.confirmation.needs == DONE
        key = "set_done" if done else "set_confirm" if required else "set"
        if kept.content in CLOCKS:
            key = "set_clock"
        whom = made.person or ("您" if turn.language == "zh" else "you")
        said = turn.claim(key, when=made.readback, whom=whom, content=kept.content)
        if TELLS.search(text) and made.guarantee and not made.warning:
            names = [way.name for way in made.guarantee.ways if way.kind == "contact"]
            told = turn.claim("tells", names=turn.joined(names))
            return f"{said} {told if names else turn.say('tells_nobody')}"
        if not made.warning or made.warning == turn.warned:
            return said
        turn.warned = made.warning
        return f"{said} {made.warning}"

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
        return turn.moved(after)

    async def _renamed(self, turn: Exchange, reminder: Reminder, content: str) -> str:
        after = await self._reminders.update(turn.speaker.actor, reminder.id, content=content)
        if same := turn.unchanged(reminder, after):
            return same
        turn.did("changed", reminder.id, content=reminder.content)
        return turn.claim("renamed", when=turn.time_of(after.trigger_at), content=content)

    async def _instead(self, turn: Exchange, act: Act, reminder: Reminder) -> str | None:
        """It was meant to repeat: set a series and remove the single reminder."""
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
        at = f"at {clock[0].removeprefix('at ')}" if clock[0].isascii() else clock[0]
        pattern = CLOCK.sub(at, series.pattern, count=1)
        after = await self._reminders.series.update(turn.speaker.actor, series.id, pattern=pattern)
        turn.did("changed", series.id, pattern=series.pattern)
        return turn.claim("moved", when=turn.rhythm_of(after), content=after.content)


def is_further(text: str) -> bool:
    """十一点也要, "and at 9": one more time for what was just set."""
    return (ALSO.search(text) or AND_THAT.search(text)) is not None


def corrected(said: str, content: str) -> str:
    """去医院 and 不是医院，是银行 is 去银行; "call Mark" and "I meant Mary" is "call Mary"; 交水费
    and 不对，是电费 is 交电费.
    """
    swap = SWAPS.search(said)
    if swap is not None:
        old, new = (one for one in swap.groups() if one)
        if old in content:
            return content.replace(old, new)
    new = BUT_NOT.sub("", INSTEAD.sub("", said)).strip(" 。.!！,，")
    if (whom := somebody_else(new, content)) or (whom := something_else(new, content)):
        return whom
    if AMOUNT.fullmatch(new):
        return with_amount(new, content)
    if ending := same_ending(new, content):
        return content[: -len(ending)] + new
    head, _, last = content.rpartition(" ")
    is_name = new.isascii() and new.isalpha() and last.isalpha() and new != said.strip()
    return f"{head} {new}" if head and is_name else new


def same_ending(new: str, content: str) -> str:
    """The part of the content that the new one takes the place of: 水费 of 交水费, where 电费 is
    said; "the water bill", where "the electric bill" is. Empty: there is none.
    """
    if not new.isascii():
        fits = 1 < len(new) < len(content) and new[-1] == content[-1]
        return content[-len(new) :] if fits else ""
    last = re.escape(new.rpartition(" ")[2])
    found = re.search(rf"\b(?:the|my|a|an|his|her|our) (?:\w+ )?{last}$", content, re.IGNORECASE)
    return found[0] if found and " " in new else ""


def somebody_else(new: str, content: str) -> str:
    """给老李打电话, where 老李 is said and it was 给老王打电话. Empty: they are not alike."""
    found = WHOM.search(content)
    who = found["who"] if found else ""
    alike = len(new) == len(who) and (new[:1] == who[:1] or new[-1:] == who[-1:])
    both_kin = KIN.fullmatch(new) and KIN.fullmatch(who)
    if found is None or new == who or not (alike or both_kin):
        return ""
    return f"{content[: found.start('who')]}{new}{content[found.end('who') :]}"


def something_else(new: str, content: str) -> str:
    """Where "the cat" is said and it was "feed the dog": "feed the cat". Empty: it is not plain
    what is meant, for there are several things or none.
    """
    there = THING.findall(content)
    if not THING.fullmatch(new) or len(there) != 1 or content.startswith(there[0]):
        return ""
    return content.replace(there[0], new)


def renamed(new: str, content: str) -> str:
    """Of "call Ann", "change the call to Bob" makes "call Bob"; else it is what was said anew."""
    head, _, last = content.rpartition(" ")
    names = new.isascii() and new.istitle() and new.isalpha() and last.istitle()
    return f"{head} {new}" if head and names else with_amount(new, content)


def with_amount(said: str, content: str) -> str:
    """吃2片阿司匹林 and 1片 is 吃1片阿司匹林; else what was said is all of it."""
    amount = AMOUNT.fullmatch(said)
    unit = re.escape(amount["unit"].rstrip("s")) if amount else ""
    before = re.search(rf"{NUMBER}\s?{unit}s?(?![a-z])", content, re.IGNORECASE) if unit else None
    return content.replace(before[0], said) if before else said


def as_request(content: str) -> str:
    return f"remind me to {content}" if content.isascii() else f"提醒我{content}"


def offered(error: ClarionError) -> list[str]:
    """The instants that the question names."""
    proposal = error.details.get("proposal")
    return [str(proposal)] if proposal else list(error.details.get("candidates", ()))


def chosen(turn: Exchange, question: Question) -> datetime | None:
    """Which of the instants of our own question is meant: yes, the second, 9."""
    offers = [datetime.fromisoformat(one).astimezone(turn.zone) for one in question.choices]
    if len(offers) == 1 and AGREES.fullmatch(turn.text):
        return offers[0]
    number = which.ordinal(turn.text, listed=False)
    if number is not None and number <= len(offers):
        return offers[number - 1]
    when = said_time(turn) if offers else None
    if not isinstance(when, Once):
        return None
    exact = [at for at in offers if at == when.at]
    clock = [at for at in offers if which.same_clock(at, when.at)]
    return next(iter(exact or (clock if len(clock) == 1 else [])), None)


def half_said(asked: requests.Request, request: str) -> str:
    """The words of a time that was not the whole of it: "next week", 下个月."""
    if not isinstance(asked.when, NeedsClarification) or asked.when.what == "choice":
        return ""
    start, end = asked.when.span
    return request[start:end]


def said_time(turn: Exchange, before: str = "") -> Once | Recurring | None:
    """A time that stands alone, however short: 9, 五分钟, half past; `before` was said of it."""
    said = turn.text
    said = f"{before} {said}" if before and said.isascii() else f"{before}{said}"
    return next((when for _, when in readable(turn, said)), None)


def readable(turn: Exchange, said: str) -> Iterator[tuple[str, Once | Recurring]]:
    """The ways to put a short answer in which it can be read as a time, each with that time."""
    said, habits = said.strip(" 。.!！,，吧呗啊"), habits_of(turn.user)
    ways = (
        [said, f"at {said}", f"in {said}"] if said.isascii() else [said, f"{said}后", f"{said}点"]
    )
    if said.isdecimal():
        ways = [f"at {said}" if turn.language == "en" else f"{said}点"]
    for way in ways:
        when = read_time(way, turn.now, turn.zone, habits).when
        if isinstance(when, Once | Recurring):
            yield way, when


def is_thing(text: str) -> bool:
    """Whether it may be the content of a reminder: no greeting, no question, no yes."""
    return len(text.strip()) > 1 and not NO_CONTENT.search(text)


def told_to(asked: requests.Request) -> requests.Request:
    """提醒妈妈吃药 becomes the speaker's own 告诉妈妈吃药."""
    person = as_told(asked.person or "")
    content = (
        f"tell {person} to {asked.content}" if person.isascii() else f"告诉{person}{asked.content}"
    )
    return replace(asked, content=content, person=None)


def among_people(asked: requests.Request) -> requests.Request:
    """In a group everybody hears it, so the person is named: 小王，开会."""
    if not asked.person:
        return asked
    comma = ": " if asked.person.isascii() else "，"
    return replace(
        asked, content=f"{asked.person}{comma}{asked.content}".strip(" ，:"), person=None
    )


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
