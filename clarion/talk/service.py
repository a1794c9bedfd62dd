"""The verb behind every door where people speak: `hear`. Words in; what is done, and words back.

Nothing that is said back sounds like a yes unless something was written: our own sentences of
that kind can only be made with their proof, and a language model's are looked at.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.readback import spoken_now
from clarion.language.understand import Meaning, Situation, understand
from clarion.people.model import CHAT_PLATFORMS, Actor
from clarion.people.ports import PeopleStore
from clarion.people.service import People
from clarion.reminders.contact_calls import ContactCalls, is_call
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.natural import habits_of
from clarion.reminders.ports import Reaction, Ring, RingId
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.service import SNOOZE, Reminders
from clarion.talk import memory, which
from clarion.talk.changing import Changing
from clarion.talk.exchange import Exchange, Speaker, kept
from clarion.talk.looking import Looking
from clarion.talk.offering import OFFER, Offering, is_shaped
from clarion.talk.patterns import ASKS_THE_TIME, CORRECTS, LISTS
from clarion.talk.ports import DialogueStore, TalkModel
from clarion.talk.setting import GIVES_UP, SetByTalk
from clarion.talk.sure import ABOUT_REMINDERS, HARDLY, SURE, divided, is_well, surely
from clarion.talk.words import sounds_like_yes

log = logging.getLogger(__name__)

LETTERS_MAX = 1_000
REMEMBERED = timedelta(minutes=10)
FAREWELL = re.compile(r"再见|拜拜|晚安|\bbye\b|\bgood ?night\b|\bsee you\b", re.IGNORECASE)
THANKS = re.compile(r"谢|多谢|辛苦|\bthank|\bthx\b|\bcheers\b", re.IGNORECASE)
NO = re.compile(
    r"不用|不要|不需要|没事|没关系|还好|挺好|我很好|别|误会|开玩笑|不是|"
    r"\b(?:no|nope|fine|okay|ok|all right|don'?t|joking|kidding|not)\b",
    re.IGNORECASE,
)
OVER = Reaction("over")
ASIDE = "aside"
"""The outcome of words that left what rings as it is: somebody may still answer it."""
TALK = "conversation"
ANSWERING = frozenset(
    {"answer", "stop", "fill", "chat", "aside", "greet", "correct", "undo", "help"}
)
"""While something rings these may be an answer to it; the reader of answers knows."""


ALL_OF_THEM = re.compile(
    r"[两三][个样件]?都|全都|统统|都[弄做办]?[好完]了|"
    r"\b(?:both|all (?:of them|three|done)|everything)\b",
    re.IGNORECASE,
)
AGAIN = re.compile(r"再(?:叫|提醒|喊|说)|\bagain\b", re.IGNORECASE)
AND_THAT = re.compile(r"^\W*(?:还有|以及|和|and\b|also\b)|也|\btoo\b", re.IGNORECASE)
STILL_ASKED = frozenset({"repeat", "help", "chat", "aside", "list", "greet"})
"""What is said in between; our question still waits."""
Noted = Callable[[str, str, str, str, str], None]


class Talk:
    def __init__(
        self,
        reminders: Reminders,
        people: People,
        hearing: RingReports,
        dialogues: DialogueStore,
        clock: Clock,
        *,
        chat: TalkModel | None = None,
        remembered: timedelta = REMEMBERED,
        noted: Noted | None = None,
    ) -> None:
        """`noted` is told who did what: door, place, person, verb, and what it was done to."""
        self._reminders = reminders
        self._people = people
        self._hearing = hearing
        self._dialogues = dialogues
        self._clock = clock
        self._chat = chat
        self._remembered = remembered
        self._noted = noted
        self._looking = Looking(reminders)
        self._setting = SetByTalk(reminders)
        self._changing = Changing(reminders, self._looking)
        self._offering = Offering(
            self._setting, self._looking, self._changing.agreed, hearing.answered
        )

    async def hear(
        self, speaker: Speaker, text: str, ring_id: RingId | None = None, *, to_us: bool = True
    ) -> Reaction | None:
        """`ring_id`: what they were told last, where the door knows. None: not meant for us, which
        only happens when it was not said `to_us`: people in a group also talk to one another.
        """
        turn = await self._begin(speaker, text[:LETTERS_MAX], ring_id)
        asked = turn.dialogue.question
        situation = Situation(
            ringing=turn.ringing.to_do if turn.ringing else None,
            asked=asked.text if asked else None,
            said=turn.dialogue.said or None,
        )
        meaning = surely(understand(turn.text, situation), turn.text, situation)
        turn.intents, turn.sure = meaning.intents, meaning.confidence
        if not to_us and not self._is_for_us(turn, meaning):
            return None
        reaction = await self._carry_out(turn, meaning, situation)
        await self._remember(turn, reaction)
        return reaction

    async def set_reminder(self, speaker: Speaker, text: str) -> Reaction:
        """For a command that says so: the words are a request, whatever else they could mean."""
        turn = await self._begin(speaker, text[:LETTERS_MAX], None)
        reaction = self._aside(turn, await self._setting.create(turn, turn.text))
        await self._remember(turn, reaction)
        return reaction

    # Before and after

    async def _begin(self, speaker: Speaker, text: str, ring_id: RingId | None) -> Exchange:
        now = self._clock.now()
        user = await self._people.user(speaker.actor, speaker.user_id)
        recalled = await self._dialogues.recall(speaker.place, now - self._remembered)
        dialogue = memory.load(recalled) if recalled else memory.EMPTY
        turn = Exchange(speaker, user, text, now, dialogue)
        await self._find_ring(turn, ring_id)
        return turn

    async def _find_ring(self, turn: Exchange, ring_id: RingId | None) -> None:
        """What they may be answering: what the door says, else what rang last, here first."""
        if ring_id is not None:
            told = ReminderId(ring_id.rpartition(":")[0])
            turn.ring_id = ring_id
            turn.ringing = await self._reminders.get(turn.speaker.actor, told)
            return
        waiting = await self._reminders.reports.awaiting(
            turn.speaker.actor, user_id=turn.speaker.user_id
        )
        device = turn.speaker.device_id
        here = [(one, ring) for one, ring in waiting if ring.device_id == device]
        named = which.matching(turn.text, [one for one, _ in here or waiting])
        for one, ring in here or waiting:
            if not named or one in named:
                turn.ringing, turn.ring_id = one, ring.id
                return

    async def _remember(self, turn: Exchange, reaction: Reaction) -> None:
        before = turn.dialogue
        after = replace(
            before,
            question=turn.question,
            acts=tuple(turn.acts) or before.acts,
            listed=turn.listed or before.listed,
        ).after(turn.text, reaction.say)
        speaker = turn.speaker
        self._note(turn, reaction)
        await self._dialogues.remember(speaker.place, speaker.user_id, memory.dump(after), turn.now)

    def _note(self, turn: Exchange, reaction: Reaction) -> None:
        """What was set, changed and answered; never what was said."""
        if self._noted is None:
            return
        done = [(act.verb, act.id) for act in turn.acts]
        if turn.ringing is not None and reaction.outcome not in (ASIDE, TALK, OVER.outcome):
            done.append((reaction.outcome, turn.ringing.id))
        speaker = turn.speaker
        for verb, subject in dict.fromkeys(done):
            self._noted(door_of(speaker), speaker.place, speaker.user_id, verb, subject)

    def note_press(self, speaker: Speaker, ring_id: RingId, reaction: Reaction) -> None:
        """A button says something too."""
        if self._noted is not None:
            told = ring_id.rpartition(":")[0]
            place, person = speaker.place, speaker.user_id
            self._noted(door_of(speaker), place, person, reaction.outcome, told)

    def _is_for_us(self, turn: Exchange, meaning: Meaning) -> bool:
        """Among people: a clear request, a clear answer, or the answer to our own question."""
        if turn.dialogue.question is not None and meaning.intents[0] == "fill":
            return True
        if turn.ringing is not None and "create" not in meaning.intents:
            read = answers.read(turn.text, turn.ringing.to_do)
            return read.label is not answers.Label.UNCLEAR
        return "create" in meaning.intents

    # What it means

    async def _carry_out(self, turn: Exchange, meaning: Meaning, situation: Situation) -> Reaction:
        question = turn.dialogue.question
        if is_well(turn.text) and (said := await self._recall(turn)):
            return self._aside(turn, said)
        if "distress" in meaning.intents or is_yes(question, turn.text):
            doubt = HARDLY if turn.is_open else SURE  # 我锁了吧, said to what rings, is no cry
            sure = meaning.confidence >= doubt or question is not None
            help_said = await self._help(turn, sure=sure)
            return Reaction(ASIDE if turn.is_open else TALK, help_said, listen=True)
        if question is not None and self._may_fill(turn, question, meaning.intents[0]):
            filled = await self._fill(turn, question)
            if filled is not None:
                return self._aside(turn, filled)
        if question is not None and meaning.intents[0] in STILL_ASKED:
            turn.question = question
        if self._goes_on_cancelling(turn):
            return self._aside(turn, await self._changing.cancel(turn, ""))
        if self._takes_yes_back(turn, meaning.intents[0]):
            return self._aside(turn, await self._changing.undo(turn))
        if len(meaning.intents) > 1:
            return await self._several(turn, meaning, situation)
        return await self._one(turn, meaning.intents[0], meaning.detail, turn.text)

    def _may_fill(self, turn: Exchange, question: memory.Question, intent: str) -> bool:
        """Whether the words may be the answer to our own question."""
        if intent not in ABOUT_REMINDERS - {"snooze"} or GIVES_UP.search(turn.text):
            return True
        return self._setting.is_part(turn, question)

    def _goes_on_cancelling(self, turn: Exchange) -> bool:
        """The words 第三个也是, after one of what was read out was cancelled."""
        acts, listed = turn.dialogue.acts, turn.dialogue.listed
        if turn.is_open or not listed or not acts or acts[-1].verb != "cancelled":
            return False
        number = which.ordinal(turn.text, listed=False)
        return number is not None and AND_THAT.search(turn.text) is not None

    def _takes_yes_back(self, turn: Exchange, intent: str) -> bool:
        """哎不对，还没吃, just after a yes that was believed."""
        acts = turn.dialogue.acts
        if turn.is_open or intent in ABOUT_REMINDERS or not acts or acts[0].verb != "confirmed":
            return False
        return answers.read(turn.text, str(acts[0].before["content"])).kind == "undone"

    async def _several(self, turn: Exchange, meaning: Meaning, situation: Situation) -> Reaction:
        """吃了，半小时后提醒我喝水: each part with its own words."""
        parts = divided(turn.text, meaning.intents, situation)
        whole, done = turn.text, list[Reaction]()
        for intent, part in zip(meaning.intents, parts, strict=False):
            turn.text = part
            done.append(await self._one(turn, intent, meaning.detail, part))
        turn.text = whole
        said = " ".join(one.say for one in done if one.say)
        settled = next((one.outcome for one in done if one.outcome not in (ASIDE, TALK)), None)
        outcome = settled or done[-1].outcome
        return Reaction(outcome, said, listen=any(one.listen for one in done))

    async def _one(self, turn: Exchange, intent: str, detail: str, text: str) -> Reaction:
        ringing = turn.ringing
        if ringing is not None and turn.ring_id is not None:
            own_words = intent == "create" and not self._is_about(turn, ringing)
            if intent in ("snooze", "create") and not own_words:
                return await self._answer(turn, ringing)
            read = answers.read(text, ringing.to_do)
            if intent == "stop" and read.label is not answers.Label.CONFIRMED:
                return await self._stop(turn, ringing)
            if ASKS_THE_TIME.search(text):
                return self._aside(turn, self._clock_said(turn))
            if intent == "list" and not LISTS.search(text):
                return await self._answer(turn, ringing)  # "which tea?" is about what rings
            if intent in ANSWERING and turn.is_open and not self._is_ours(turn, intent):
                return await self._answer(turn, ringing)
            if ringing.status is ReminderStatus.CONFIRMED and read.label is KNOWN:
                turn.proof.append(ringing.id)  # said twice: the first yes counts, and is there
                return Reaction("over", turn.claim("heard"))
        said = await self._do(turn, intent, detail, text)
        return self._aside(turn, said)

    def _is_ours(self, turn: Exchange, intent: str) -> bool:
        """Whether "no, nine", "undo" or "what can you do" is about our talk, not about the ring."""
        acts = {act.verb for act in turn.dialogue.acts}
        if intent == "correct":
            return bool(acts & {"set", "changed"})
        if intent == "undo":
            return bool(acts)
        return intent == "help"

    async def _do(self, turn: Exchange, intent: str, detail: str, text: str) -> str:
        match intent:
            case "create":
                again = AGAIN.search(text) and await self._changing.one_named(turn)
                if again:
                    return await self._changing.change_this(turn, again)
                return await self._setting.create(turn, text)
            case "list":
                return await self._looking.read_out(turn, detail)
            case "cancel":
                return await self._changing.cancel(turn, detail)
            case "change":
                return await self._changing.change(turn, detail)
            case "snooze":
                return await self._changing.snooze(turn, detail)
            case "correct" if not CORRECTS.search(text) and self._setting.is_request(turn, text):
                return await self._setting.create(turn, text)
            case "correct":
                return await self._setting.correct(turn) or await self._small_talk(turn)
            case "undo":
                return await self._changing.undo(turn)
            case _:
                return await self._only_talk(turn, intent, text)

    async def _only_talk(self, turn: Exchange, intent: str, text: str) -> str:
        match intent:
            case "repeat":
                return await self._repeat(turn)
            case "help":
                return turn.say("help")
            case "greet" if THANKS.search(text) or FAREWELL.search(text):
                return turn.say("thanks" if THANKS.search(text) else "farewell")
            case "greet":
                return turn.say("greeting")
            case "aside":
                return ""
            case "answer" | "stop":
                return turn.say("no_question")
            case _:
                return await self._small_talk(turn)

    def _aside(self, turn: Exchange, said: str) -> Reaction:
        outcome = ASIDE if turn.is_open else TALK
        return Reaction(outcome, said, listen=turn.question is not None)

    # What rings

    async def _answer(self, turn: Exchange, ringing: Reminder) -> Reaction:
        assert turn.ring_id is not None, "what rings has a ring"
        later = None if ringing.confirmation.required else put_off(turn.text, ringing)
        reaction = await self._hearing.answered(
            turn.ring_id, turn.text, later, language=turn.language
        )
        if reaction.outcome == "over":
            return Reaction("over", turn.say("no_question"))
        if reaction.outcome == "confirmed":
            turn.did("confirmed", ringing.id, **kept(ringing))
            await self._confirm_others(turn, ringing)
        if reaction.outcome != TALK:
            turn.proof.append(ringing.id)
            return reaction
        unclear = turn.is_open and turn.intents[:1] == ("answer",) and self._chat is None
        if ringing.confirmation.required and unclear:
            asked = turn.say("done_or_not", content=ringing.content)
            return Reaction(ASIDE, asked, listen=True)
        if ringing.status is not ReminderStatus.TRIGGERED or ringing.confirmation.required:
            return Reaction(TALK, await self._small_talk(turn), listen=True)
        turn.proof.append(ringing.id)  # a plain one: whoever answers has heard it
        if self._chat is None and answers.read(turn.text, ringing.to_do).label is KNOWN:
            return Reaction(TALK, turn.claim("heard"))
        return Reaction(TALK, await self._small_talk(turn), listen=True)

    async def _confirm_others(self, turn: Exchange, ringing: Reminder) -> None:
        """两个都好了, "both done": everything that was told and this is a plain yes to."""
        if not ALL_OF_THEM.search(turn.text):
            return
        speaker = turn.speaker
        for one, ring in await self._reminders.reports.awaiting(
            speaker.actor, user_id=speaker.user_id
        ):
            read = answers.read(turn.text, one.to_do)
            told = one.status is ReminderStatus.TRIGGERED and one.id != ringing.id
            if told and read.label is KNOWN and read.kind == "done":
                await self._hearing.answered(ring.id, turn.text, read)
                turn.did("confirmed", one.id, **kept(one))

    async def _stop(self, turn: Exchange, ringing: Reminder) -> Reaction:
        """The noise ends. Who has to say yes is asked again later: silence is not a yes."""
        assert turn.ring_id is not None, "what rings has a ring"
        if ringing.status is not ReminderStatus.TRIGGERED:
            return Reaction(TALK, turn.say("no_question"))
        quiet = answers.Answer(answers.Label.DENIED, "stop")
        await self._hearing.answered(turn.ring_id, turn.text, quiet)
        after = await self._reminders.get(turn.speaker.actor, ringing.id)
        turn.proof.append(after.id)
        if after.status is ReminderStatus.PENDING:
            return Reaction("denied", turn.claim("stopped", when=turn.time_of(after.trigger_at)))
        return Reaction("denied", turn.claim("silent"))

    def _is_about(self, turn: Exchange, ringing: Reminder) -> bool:
        """Whether a request has no content of its own: 十分钟后再叫我 means what rings."""
        asked = requests.read(turn.text, turn.now, turn.zone, habits_of(turn.user))
        return not asked.content or which.likeness(asked.content, ringing.content) > SAME

    # The rest

    async def _fill(self, turn: Exchange, question: memory.Question) -> str | None:
        if question.slot == "help":
            return turn.say("left")
        if question.slot == "instead":
            return await self._setting.fill_instead(turn, question)
        if question.slot == OFFER:
            return await self._offering.fill(turn, question)
        if question.slot == "when":
            return await self._setting.fill_when(turn, question)
        if question.slot == "what":
            return await self._setting.fill_what(turn, question)
        return await self._changing.fill(turn, question)

    async def _help(self, turn: Exchange, *, sure: bool) -> str:
        """Contacts are told at once; where it may be a mistake, they are asked first."""
        speaker = turn.speaker
        if not sure:
            known = await self._people.contacts(speaker.actor, speaker.user_id)
            if not known:
                return turn.say("are_you_well_alone")
            names = joined([one.name for one in known], turn.language)
            return turn.ask("help", turn.say("are_you_well", names=names))
        told = await self._reminders.help.call(
            speaker.actor,
            user_id=speaker.user_id,
            text=turn.text,
            device_id=speaker.device_id,
        )
        if not told:
            return turn.say("distress_alone")
        turn.proof += [one.id for one in told]
        names = joined([one.name for one in told], turn.language)
        return turn.claim("distress", names=names)

    async def _recall(self, turn: Exchange) -> str:
        """What is said when a cry for help is taken back; empty when there was none."""
        speaker = turn.speaker
        recalled = await self._reminders.help.recall(speaker.actor, speaker.user_id)
        turn.proof += [one.id for one in recalled.calls]
        if not recalled.calls:
            return ""
        if not recalled.told:
            return turn.claim("well_alone")
        return turn.claim("well", names=joined(list(recalled.told), turn.language))

    async def _still_called(self, turn: Exchange) -> str:
        """Whoever has just called for help hears that it is on its way; empty: nobody has."""
        speaker = turn.speaker
        calls = await self._reminders.help.unanswered(speaker.actor, speaker.user_id)
        recent = [one.id for one in calls if turn.now - one.created_at <= self._remembered]
        known = await self._people.contacts(speaker.actor, speaker.user_id) if recent else []
        names = [one.name for one in known if one.agreed_ways]
        if not names:
            return ""
        turn.proof += recent
        return turn.claim("distress_again", names=joined(names, turn.language))

    def _clock_said(self, turn: Exchange) -> str:
        here = turn.now.astimezone(turn.zone)
        return turn.say("clock", when=spoken_now(here, turn.language))

    async def _repeat(self, turn: Exchange) -> str:
        """What rings, in its own words; else what was said last."""
        if turn.ringing is not None and turn.ringing.status is ReminderStatus.TRIGGERED:
            rings = await self._reminders.rings(turn.speaker.actor, turn.ringing.id)
            return rings[-1].text
        return turn.dialogue.said or turn.say("no_repeat")

    async def _small_talk(self, turn: Exchange) -> str:
        """A language model's words, unless they claim what was not done; else what we can do."""
        if ASKS_THE_TIME.search(turn.text):
            return self._clock_said(turn)
        if called := await self._still_called(turn):
            return called
        if self._chat is None:
            return turn.say("cannot")
        known = await self._offering.known(turn)
        said = await self._chat.reply(turn.dialogue.turns, known, turn.text, turn.language)
        if said is not None and not isinstance(said, str):
            return await self._offering.carry_out(turn, said) or turn.say("cannot")
        if said and (is_shaped(said) or (sounds_like_yes(said) and not turn.proof)):
            log.info("a model's words are not said", extra={"place": turn.speaker.place})
            said = None
        return said or turn.say("cannot")


def put_off(text: str, ringing: Reminder) -> answers.Answer | None:
    """Said to what is only told, "later" is ten minutes. None: something else was said."""
    read = answers.read(text, ringing.to_do)
    later = read.label is answers.Label.DENIED and read.kind == "later"
    unsaid = read.snooze is None and read.snooze_until is None
    return replace(read, snooze=SNOOZE) if later and unsaid else None


def is_yes(question: memory.Question | None, text: str) -> bool:
    """Whether they want help, when asked: anything but a no."""
    return question is not None and question.slot == "help" and not NO.search(text)


def joined(names: list[str], language: str) -> str:
    return ("、" if language == "zh" else ", ").join(names)


KNOWN = answers.Label.CONFIRMED
SAME = 0.8  # the request says what rings in its own words


CAN_YOU_GO = "去看看"
BUTTON_OF_CALL = {"confirm": "take", "snooze": "cannot", "cancel": "cannot"}
"""A device that knows only the usual buttons answers a call with them."""


class SpokenFacts:
    """Implements `Facts` and `Conversation`. What concerns a call to a contact goes to `calls`."""

    def __init__(
        self, hearing: RingReports, talk: Talk, calls: ContactCalls, people: PeopleStore
    ) -> None:
        self._hearing = hearing
        self._talk = talk
        self._calls = calls
        self._people = people

    async def answered(self, ring_id: RingId, text: str) -> Reaction:
        if is_call(ring_id):
            label = answers.read(text, CAN_YOU_GO).label
            clear = {answers.Label.CONFIRMED: True, answers.Label.DENIED: False}
            return await self._calls.answered(ring_id, clear.get(label))
        where = await self._hearing.where(ring_id)
        if where is None:
            return OVER
        return await self._talk.hear(on_device(*where), text, ring_id) or OVER

    async def reply(self, user_id: UserId, device_id: DeviceId, text: str) -> str:
        """Words that answer nothing this device was told."""
        reaction = await self._talk.hear(on_device(user_id, device_id), text)
        return reaction.say if reaction is not None else ""

    async def delivered(self, ring_id: RingId) -> None:
        if is_call(ring_id):
            await self._calls.receipt(ring_id, through="device")
        else:
            await self._hearing.delivered(ring_id)

    async def heard(self, ring_id: RingId) -> None:
        if is_call(ring_id):
            await self._calls.receipt(ring_id, opened=True, through="device")
        else:
            await self._hearing.heard(ring_id)

    async def queued(self, ring_id: RingId) -> None:
        if not is_call(ring_id):
            await self._hearing.queued(ring_id)

    async def sent(self, ring_id: RingId) -> None:
        if not is_call(ring_id):
            await self._hearing.sent(ring_id)

    async def unreachable(self, ring_id: RingId, reason: str) -> None:
        if is_call(ring_id):
            await self._calls.unreachable(ring_id, reason)
        else:
            await self._hearing.unreachable(ring_id, reason)

    async def pressed(self, ring_id: RingId, button: str) -> Reaction:
        if is_call(ring_id):
            return await self._calls.pressed(ring_id, BUTTON_OF_CALL.get(button, button))
        where = await self._hearing.where(ring_id)
        reaction = await self._hearing.pressed(ring_id, button)
        if where is not None and reaction.outcome != OVER.outcome:
            self._talk.note_press(on_device(*where), ring_id, reaction)
        return reaction

    async def waiting_for(self, device_id: DeviceId) -> list[Ring]:
        device = await self._people.device(device_id)
        calls = await self._calls.waiting_for(device) if device else []
        return [*await self._hearing.waiting_for(device_id), *calls]

    async def seen(self, device_id: DeviceId, *, online: bool, through: str) -> None:
        await self._hearing.seen(device_id, online=online, through=through)


def door_of(speaker: Speaker) -> str:
    platform = speaker.place.partition(":")[0]
    return platform if platform in CHAT_PLATFORMS else "device"


def on_device(user_id: UserId, device_id: DeviceId) -> Speaker:
    """Whoever speaks to a device speaks as its owner."""
    return Speaker(Actor(user_id, name="device"), user_id, device_id, place=device_id)
