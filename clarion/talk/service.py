"""The verb behind every door where people speak: `hear`. Words in; what is done, and words back.

No reply sounds like a yes unless something was written: our own sentences of that kind can only be
made with their proof, and those of a language model are checked.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from clarion.base.clock import Clock
from clarion.base.ids import ReminderId
from clarion.language import answer as answers
from clarion.language.readback import spoken_clock, spoken_now
from clarion.language.understand import Meaning, Situation, understand
from clarion.people.habits import with_habit
from clarion.people.model import CHAT_PLATFORMS
from clarion.people.service import People
from clarion.reminders.model import ReminderStatus
from clarion.reminders.ports import Reaction, RingId
from clarion.reminders.ring_reports import RingReports
from clarion.reminders.service import Reminders
from clarion.talk import which
from clarion.talk.answering import (
    ANSWERING,
    ASIDE,
    KNOWN,
    OVER,
    TALK,
    RingAnswers,
    done_of,
    is_done_instead,
    together,
)
from clarion.talk.changing import Changing
from clarion.talk.dialogue import EMPTY, Exchange, Question, Speaker, dump, load
from clarion.talk.looking import Looking
from clarion.talk.moment import points_at_nothing
from clarion.talk.offering import OFFER, Offering, is_shaped
from clarion.talk.patterns import (
    AGAIN,
    AND_THAT,
    ASKS_THE_TIME,
    CORRECTS,
    DENIES_ALL,
    FAREWELL,
    GIVES_UP,
    HAS_CALLED,
    IS_ANOTHER,
    IS_IT_SET,
    LISTS,
    NO,
    REPEATS,
    THANKS,
    WAS_ANOTHER,
)
from clarion.talk.ports import DialogueStore, TalkModel
from clarion.talk.routines import routine_told
from clarion.talk.setting import AGREES, SetByTalk
from clarion.talk.sure import (
    ABOUT_REMINDERS,
    besides,
    divided,
    is_sure_call,
    is_well,
    surely,
)
from clarion.talk.words import ROUTINES_SAID, sounds_like_yes

log = logging.getLogger(__name__)

LETTERS_MAX = 1_000
REMEMBERED = timedelta(minutes=10)


STILL_ASKED = frozenset({"repeat", "help", "chat", "aside", "list", "greet"})
"""What is said in between; our question still waits."""
ONLY_REPEATED = 0.7  # below this "which tea shall I take?" asks for more than to hear it again
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
        """`noted` is called with each action: door, place, person, verb, and its subject."""
        self._reminders = reminders
        self._people = people
        self._hearing = hearing
        self._dialogues = dialogues
        self._clock = clock
        self._chat = chat
        self._remembered = remembered
        self._noted = noted
        self._looking = Looking(reminders)
        self._answering = RingAnswers(
            reminders, hearing, self._looking, self._small_talk, has_model=chat is not None
        )
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
        if asked is not None and was_lost(turn, reaction.say):
            turn.question = asked  # said neither to it nor to anything else: it still waits
            reaction = self._aside(turn, reaction.say if turn.chatted else asked.text)
        await self._remember(turn, reaction)
        if (
            turn.told != turn.ring_id and turn.told is not None
        ):  # another one was answered: this one still waits
            return Reaction(ASIDE, reaction.say, listen=True)
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
        dialogue = load(recalled) if recalled else EMPTY
        turn = Exchange(speaker, user, text, now, dialogue)
        await self._find_ring(turn, ring_id)
        return turn

    async def _find_ring(self, turn: Exchange, ring_id: RingId | None) -> None:
        """The ring they may be answering: the one the door names, else the latest, here first."""
        waiting = await self._reminders.awaiting(turn.speaker.actor, user_id=turn.speaker.user_id)
        if ring_id is not None:
            reminder_id = ReminderId(ring_id.rpartition(":")[0])
            turn.ring_id = turn.told = ring_id
            turn.ringing = await self._reminders.get(turn.speaker.actor, reminder_id)
            for one, ring in waiting:
                if is_done_instead(turn.text, one, turn.ringing):
                    turn.ringing, turn.ring_id = one, ring.id
            return
        device = turn.speaker.device_id
        here = [(one, ring) for one, ring in waiting if ring.device_id == device]
        told = [one for one, _ in here or waiting]
        named = which.matching(turn.text, told) or done_of(turn.text, told)
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
        await self._dialogues.remember(speaker.place, speaker.user_id, dump(after), turn.now)

    def _note(self, turn: Exchange, reaction: Reaction) -> None:
        """Note what was set, changed and answered; never the words."""
        if self._noted is None:
            return
        done = [(act.verb, act.id) for act in turn.acts]
        if turn.ringing is not None and reaction.outcome not in (ASIDE, TALK, OVER):
            done.append((reaction.outcome, turn.ringing.id))
        speaker = turn.speaker
        for verb, subject in dict.fromkeys(done):
            self._noted(door_of(speaker), speaker.place, speaker.user_id, verb, subject)

    def note_press(self, speaker: Speaker, ring_id: RingId, reaction: Reaction) -> None:
        """A button says something too."""
        if self._noted is not None:
            reminder_id = ring_id.rpartition(":")[0]
            place, person = speaker.place, speaker.user_id
            self._noted(door_of(speaker), place, person, reaction.outcome, reminder_id)

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
        said = await self._recall(turn) or await self._refused(turn) or await self._routine(turn)
        if said:
            return self._aside(turn, said)
        if "distress" in meaning.intents or is_yes(question, turn.text):
            sure = question is not None or is_sure_call(meaning, turn.text, is_open=turn.is_open)
            help_said = await self._help(turn, sure=sure)
            return Reaction(ASIDE if turn.is_open else TALK, help_said, listen=True)
        if question is not None and self._may_fill(turn, question, meaning.intents[0]):
            filled = await self._fill(turn, question)
            if filled is not None:
                return self._aside(turn, filled)
        if question is not None and meaning.intents[0] in STILL_ASKED:
            turn.question = question
        if said := await self._continued(turn, meaning.intents[0]):
            return self._aside(turn, said)
        if answered := await self._answering.answer_by_name(turn, meaning.intents[0]):
            return answered
        if len(meaning.intents) > 1:
            parts = divided(turn.text, meaning.intents, situation)
            return await self._several(turn, list(zip(meaning.intents, parts, strict=False)))
        if parted := besides(turn.text, meaning, situation):
            return await self._several(turn, parted)
        return await self._one(turn, meaning.intents[0], meaning.detail, turn.text)

    def _may_fill(self, turn: Exchange, question: Question, intent: str) -> bool:
        """Whether the words may be the answer to our own question."""
        if intent not in ABOUT_REMINDERS - {"snooze"} or GIVES_UP.search(turn.text):
            return True
        return self._setting.is_part(turn, question)

    async def _continued(self, turn: Exchange, intent: str) -> str:
        """Words that only what was done last gives a meaning; empty for all others."""
        if self._goes_on_cancelling(turn):
            return await self._changing.cancel(turn, "")
        if self._takes_yes_back(turn, intent):
            return await self._changing.undo(turn)
        return ""

    def _goes_on_cancelling(self, turn: Exchange) -> bool:
        """The words 第三个也是, after one of what was read out was cancelled."""
        acts, listed = turn.dialogue.acts, turn.dialogue.listed
        if turn.is_open or not listed or not acts or acts[-1].verb != "cancelled":
            return False
        number = which.ordinal(turn.text, listed=False)
        return number is not None and AND_THAT.search(turn.text) is not None

    def _takes_yes_back(self, turn: Exchange, intent: str) -> bool:
        """哎不对，还没吃, "no, those were the vitamins": just after a yes that was believed."""
        acts = turn.dialogue.acts
        if turn.is_open or intent in ABOUT_REMINDERS or not acts or acts[0].verb != "confirmed":
            return False
        if WAS_ANOTHER.search(turn.text):
            return True
        return answers.read(turn.text, str(acts[0].before["content"])).kind == "undone"

    async def _several(self, turn: Exchange, parts: list[tuple[str, str]]) -> Reaction:
        """吃了，半小时后提醒我喝水: each part with its own words."""
        whole, done = turn.text, list[Reaction]()
        for intent, part in parts:
            if intent == "greet" and done:
                continue  # 吃了，谢谢: the answer to the first is enough
            turn.text = part
            done.append(await self._one(turn, intent, "", part))
            if turn.ringing is not None:  # what was just answered waits no longer
                turn.ringing = await self._reminders.get(turn.speaker.actor, turn.ringing.id)
        turn.text = whole
        done = [one for one in done if one.say != turn.say("cannot")] or done
        return together(done)

    async def _one(self, turn: Exchange, intent: str, detail: str, text: str) -> Reaction:
        ringing = turn.ringing
        if ringing is not None and turn.ring_id is not None:
            own_words = intent == "create" and not self._answering.is_about(turn, ringing)
            if intent in ("snooze", "create") and not own_words:
                return await self._answering.answer(turn, ringing)
            read = answers.read(text, ringing.to_do)
            if intent == "stop" and read.label is not answers.Label.CONFIRMED:
                return await self._answering.stop(turn, ringing)
            if ASKS_THE_TIME.search(text):
                return self._aside(turn, self._clock_said(turn))
            if intent == "list" and not LISTS.search(text):
                # "which tea?" is about what rings
                return await self._answering.answer(turn, ringing)
            if intent == "repeat" and turn.is_open and self._is_for_model(turn):
                return await self._answering.answer(turn, ringing)
            if intent in ANSWERING and turn.is_open and not self._is_ours(turn, intent):
                return await self._answering.answer(turn, ringing)
            done = ringing.status is ReminderStatus.CONFIRMED
            if done and read.label is KNOWN and intent not in ABOUT_REMINDERS:
                turn.proof.append(ringing.id)  # said twice: the first yes is already written
                return Reaction("over", turn.claim("heard"))
        said = await self._amended(turn, intent, detail)
        return self._aside(turn, said or await self._do(turn, intent, detail, text))

    def _is_ours(self, turn: Exchange, intent: str) -> bool:
        """Whether "no, nine", "undo" or "what can you do" is about our talk, not about the ring."""
        acts = {act.verb for act in turn.dialogue.acts}
        if intent == "correct":
            return bool(acts & {"set", "changed"})
        if intent == "undo":
            return bool(acts)
        return intent == "help"

    def _is_for_model(self, turn: Exchange) -> bool:
        """A question about what rings: a model may know more than the reminder's own words."""
        unsure = turn.sure < ONLY_REPEATED and REPEATS.search(turn.text) is None
        return self._chat is not None and unsure

    async def _do(self, turn: Exchange, intent: str, detail: str, text: str) -> str:
        match intent:
            case "create":
                named = AGAIN.search(text) and await self._changing.one_named(turn)
                if named:
                    return await self._changing.change_this(turn, named)
                return await self._setting.create(turn, text)
            case "list":
                return await self._looking.read_out(turn, detail)
            case "cancel":
                asked = await self._offering.cancel_named(turn)
                return asked or await self._changing.cancel(turn, detail)
            case "change":
                return await self._changing.change(turn, detail)
            case "snooze":
                return await self._changing.snooze(turn, detail)
            case "correct" if not CORRECTS.search(text) and self._setting.is_request(turn, text):
                return await self._setting.create(turn, text)
            case "correct":
                return await self._correct(turn, text)
            case "undo":
                return await self._changing.undo(turn)
            case _:
                return await self._only_talk(turn, intent, text)

    async def _correct(self, turn: Exchange, text: str) -> str:
        """不对: of what was cancelled, of one that is named, else of what was set last."""
        said = await self._changing.cancel_instead(turn) or await self._changing.move_named(turn)
        said = said or await self._setting.correct(turn) or ""
        return said or await self._only_talk(turn, "chat", text)

    async def _amended(self, turn: Exchange, intent: str, detail: str) -> str | None:
        """What was just set, put right by words that name nothing: 要确认, 后天吧, "and at 9"."""
        if turn.is_open or turn.dialogue.last is None or which.ALL.search(turn.text):
            return None
        if said := await self._changing.change_last(turn, intent, detail):
            return said
        if intent == "create":
            amends = self._setting.is_only_time(turn)
        else:
            amends = intent == "change" and points_at_nothing(turn.text, detail)
        return await self._setting.correct(turn) if amends else None

    async def _only_talk(self, turn: Exchange, intent: str, text: str) -> str:
        if said := await self._about_what_was_set(turn):
            return said
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
                typed = door_of(turn.speaker) != "device" and not turn.speaker.in_group
                return turn.say("when_plainly") if typed else ""
            case "answer" | "stop":
                if self._says_it_twice(turn):
                    return turn.say("said_twice")
                return await self._offering.done_before(turn) or turn.say("no_question")
            case _:
                return await self._small_talk(turn)

    def _says_it_twice(self, turn: Exchange) -> bool:
        """吃了, and once more 吃了: the first yes is written."""
        done = [act for act in turn.dialogue.acts if act.verb == "confirmed"]
        return any(
            answers.read(turn.text, str(one.before["content"])).label is KNOWN for one in done
        )

    def _aside(self, turn: Exchange, said: str) -> Reaction:
        outcome = ASIDE if turn.is_open else TALK
        return Reaction(outcome, said, listen=turn.question is not None)

    # The rest

    async def _fill(self, turn: Exchange, question: Question) -> str | None:
        if question.slot == "help":
            return turn.say("nobody_told")
        if question.slot == "instead":
            return await self._setting.fill_instead(turn, question)
        if question.slot == OFFER:
            return await self._offering.fill(turn, question)
        if question.slot == "when":
            mentions = self._setting.only_mentions(turn, question)
            return None if mentions else await self._setting.fill_when(turn, question)
        if question.slot == "what":
            return await self._setting.fill_what(turn, question)
        return await self._changing.fill(turn, question)

    async def _help(self, turn: Exchange, *, sure: bool) -> str:
        """Contacts are told at once; where it may be a mistake, they are asked first."""
        speaker = turn.speaker
        if not sure:
            if said := await self._still_called(turn):
                return said
            known = await self._people.contacts(speaker.actor, speaker.user_id)
            if not known:
                return turn.say("are_you_well_alone")
            names = turn.joined([one.name for one in known])
            return turn.ask("help", turn.say("are_you_well", names=names))
        contacts = await self._reminders.help.call(
            speaker.actor,
            user_id=speaker.user_id,
            text=turn.text,
            device_id=speaker.device_id,
        )
        if not contacts:
            return turn.say("distress_alone")
        turn.proof += [one.id for one in contacts]
        names = turn.joined([one.name for one in contacts])
        return turn.claim("distress", names=names)

    async def _refused(self, turn: Exchange) -> str:
        """不用，我已经打120了: nobody more is told. Empty: no help of ours was refused."""
        if not HAS_CALLED.search(turn.text):
            return ""
        question = turn.dialogue.question
        if question is not None and question.slot == "help":
            return turn.say("help_comes")
        return await self._still_called(turn)

    async def _recall(self, turn: Exchange) -> str:
        """What is said when a cry for help is taken back; empty when there was none."""
        if not is_well(turn.text):
            return ""
        speaker = turn.speaker
        recalled = await self._reminders.help.recall(speaker.actor, speaker.user_id)
        turn.proof += [one.id for one in recalled.calls]
        if not recalled.calls:
            return ""
        if not recalled.told:
            return turn.claim("well_alone")
        return turn.claim("well", names=turn.joined(list(recalled.told)))

    async def _still_called(self, turn: Exchange) -> str:
        """Say that help is on its way, after a recent call for help; empty: there was none."""
        speaker = turn.speaker
        calls = await self._reminders.help.unanswered(speaker.actor, speaker.user_id)
        recent = [one.id for one in calls if turn.now - one.created_at <= self._remembered]
        known = await self._people.contacts(speaker.actor, speaker.user_id) if recent else []
        names = [one.name for one in known if one.agreed_ways]
        if not names:
            return ""
        turn.proof += recent
        return turn.claim("distress_again", names=turn.joined(names))

    async def _routine(self, turn: Exchange) -> str:
        """Store a habit that they mention; empty: they mentioned none."""
        routine = None if turn.is_open else routine_told(turn.text, turn.now, turn.zone)
        if routine is None:
            return ""
        name, at = routine
        speaker, context = turn.speaker, with_habit(turn.user, name, at)
        await self._people.change_user(speaker.actor, speaker.user_id, context=context)
        turn.proof.append(speaker.user_id)
        named = ROUTINES_SAID[turn.language][name]
        when = spoken_clock(at.hour, at.minute, turn.language)
        return turn.claim("routine", named=named, when=when)

    def _clock_said(self, turn: Exchange) -> str:
        here = turn.now.astimezone(turn.zone)
        return turn.say("clock", when=spoken_now(here, turn.language))

    async def _repeat(self, turn: Exchange) -> str:
        """What rings, in its own words; else what was said last."""
        if turn.ringing is not None and turn.ringing.status is ReminderStatus.TRIGGERED:
            rings = await self._reminders.rings(turn.speaker.actor, turn.ringing.id)
            return rings[-1].text
        said = turn.dialogue.said
        if sounds_like_yes(said):  # heard as an answer to what was just asked, it would be a lie
            return turn.say("said_before", said=said.removeprefix(turn.say("said_before", said="")))
        return said or await self._just_told(turn) or turn.say("no_repeat")

    async def _just_told(self, turn: Exchange) -> str:
        """The words of what rang lately and needed no answer; empty: nothing did."""
        speaker, since = turn.speaker, turn.now - self._remembered
        page = await self._reminders.list(
            speaker.actor, user_id=speaker.user_id, since=since, until=turn.now
        )
        told = [one for one in page.items if one.status is ReminderStatus.COMPLETED]
        rings = await self._reminders.rings(speaker.actor, told[-1].id) if told else []
        return rings[-1].text if rings else ""

    async def _about_what_was_set(self, turn: Exchange) -> str:
        """对, 你设好了吗 and 不是, just after something was set; empty for all other words."""
        acts = [act.id for act in turn.dialogue.acts if act.verb in ("set", "changed")]
        if not acts or turn.is_open:
            return ""
        if AGREES.fullmatch(turn.text):
            return turn.say("as_set")
        if IS_IT_SET.search(turn.text):
            return await self._looking.read_out(turn, "")
        there = [one for one in await self._looking.coming(turn) if one.id == acts[-1]]
        if not there or not DENIES_ALL.fullmatch(turn.text):
            return ""
        question = turn.say("what_instead", content=there[0].content)
        return turn.ask("moment", question, choices=[there[0].id])

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
        if said and (is_shaped(said) or sounds_like_yes(said)):
            # Also where something was written: it need not be what the model speaks of.
            log.info("a model's words are not said", extra={"place": turn.speaker.place})
            said = turn.claim("heard") if turn.proof else None
        turn.chatted = said is not None
        return said or turn.say("cannot")


def was_lost(turn: Exchange, said: str) -> bool:
    """Whether nothing came of the words, and our question would be forgotten over them."""
    nothing = {turn.say("cannot"), turn.say("no_question")}
    return turn.question is None and not turn.proof and (turn.chatted or said in nothing)


def is_yes(question: Question | None, text: str) -> bool:
    """Whether they want help, when asked: anything but a no, and "I'm fine, it's the baby"."""
    if question is None or question.slot != "help":
        return False
    return not NO.search(text) or IS_ANOTHER.search(text) is not None


def door_of(speaker: Speaker) -> str:
    platform = speaker.place.partition(":")[0]
    return platform if platform in CHAT_PLATFORMS else "device"
