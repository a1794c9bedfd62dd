"""Answers to what rings: one sentence, one reminder, or each statement its own."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime

from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.when import parse
from clarion.language.when.model import Once
from clarion.people.model import habits_of
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.ports import Reaction
from clarion.reminders.service import SNOOZE, Reminders
from clarion.talk import which
from clarion.talk.dialogue import Exchange, kept
from clarion.talk.looking import Looking
from clarion.talk.patterns import ALL_OF_THEM, NONE_OF_THEM, ONLY_IT, STATEMENT
from clarion.talk.ports import Reports

ASIDE = "aside"
"""The outcome of words that left what rings as it is: somebody may still answer it."""
TALK, OVER = "conversation", "over"
ANSWERING = frozenset(
    {"answer", "stop", "fill", "chat", "aside", "greet", "correct", "undo", "help"}
)
"""While something rings these may be an answer to it; the reader of answers knows."""
KNOWN = answers.Label.CONFIRMED
SAME = 0.8  # the request says what rings in its own words
LITTLE = 20  # letters of what is left of a statement without the name: "done", "in ten minutes"
HAN = re.compile("[\u3400-\u9fff]")
AND = re.compile(r"^\W*and\b\W*", re.IGNORECASE)
ALSO = re.compile(r"也|(?:,? (?:too|also|as well))\b", re.IGNORECASE)


class RingAnswers:
    """`talk` says something where words were no answer, a language model's words where there is
    one (`has_model`).
    """

    def __init__(
        self,
        reminders: Reminders,
        reports: Reports,
        looking: Looking,
        talk: Callable[[Exchange], Awaitable[str]],
        *,
        has_model: bool,
    ) -> None:
        self._reminders = reminders
        self._reports = reports
        self._looking = looking
        self._talk = talk
        self._has_model = has_model

    async def answer_by_name(self, turn: Exchange, intent: str) -> Reaction | None:
        """Where statements name several reminders. None: they name one, or none; what is said of
        another one is taken out of the words.
        """
        if not turn.is_open or intent not in ANSWERING:
            return None
        if answered := await self._answer_each(turn):
            return answered
        if len(turn.intents) == 1:  # else each wish gets its own words
            await self._leave_out_others(turn)
        return None

    async def _answer_each(self, turn: Exchange) -> Reaction | None:
        """药吃了，血压还没量, when both were told: each statement answers the one that it names."""
        speaker, whole, told = turn.speaker, turn.text, (turn.ringing, turn.ring_id)
        waiting = await self._reminders.awaiting(speaker.actor, user_id=speaker.user_id)
        parts = which.by_name(statements(turn.text), [one for one, _ in waiting])
        if len(parts) < 2:
            return None
        rings = {str(one.id): (one, ring) for one, ring in waiting}
        done = list[Reaction]()
        for id_, words in parts.items():  # in the order in which they were said
            one, ring = rings[id_]
            turn.ringing, turn.ring_id, turn.text = one, ring.id, ALSO.sub("", words)
            reaction = await self.answer(turn, one, without_name(turn.text, one))
            said = turn.each(one.content, reaction.say)
            done.append(replace(reaction, say=said))
        turn.text, (turn.ringing, turn.ring_id) = whole, told
        return together(done)

    async def _leave_out_others(self, turn: Exchange) -> None:
        """What is said of one that was not told yet is no answer to the one that was."""
        ringing = turn.ringing
        assert ringing is not None, "it is open"
        clauses = statements(turn.text)
        others = [one for one in await self._looking.coming(turn) if one.id != ringing.id]
        kept_ = [one for one in clauses if not which.is_of_another(one, ringing, others)]
        own = "".join(kept_).strip(" ，,;；")
        if not kept_ or kept_ == clauses or not which.matching(own, [ringing]):
            return
        if answers.read(own, ringing.to_do).kind == "done":
            turn.text = own

    async def answer(
        self, turn: Exchange, ringing: Reminder, meant: answers.Answer | None = None
    ) -> Reaction:
        """`meant`: what the words say to it, where they do not say it by themselves."""
        assert turn.ring_id is not None, "what rings has a ring"
        turn.text = AND.sub("", turn.text)  # "and I took the pills"
        later = put_off(turn, ringing) or meant
        reaction = await self._reports.answered(
            turn.ring_id, turn.text, later, language=turn.language, last_told=turn.told
        )
        if reaction.outcome == OVER:
            return Reaction(OVER, turn.say("no_question"))
        if reaction.outcome == "confirmed":
            turn.did("confirmed", ringing.id, **kept(ringing))
            await self._answer_others(turn, ringing, ALL_OF_THEM, "done")
        if reaction.outcome == "denied":
            await self._answer_others(turn, ringing, NONE_OF_THEM, "undone", "no", "later")
        if reaction.outcome != TALK:
            turn.proof.append(ringing.id)
            return reaction
        unclear = turn.is_open and turn.intents[:1] == ("answer",) and not self._has_model
        if ringing.confirmation.required and unclear:
            asked = turn.say("done_or_not", content=ringing.content)
            return Reaction(ASIDE, asked, listen=True)
        if ringing.status is not ReminderStatus.TRIGGERED or ringing.confirmation.required:
            return Reaction(TALK, await self._talk(turn), listen=True)
        turn.proof.append(ringing.id)  # a plain reminder: an answer proves that it was heard
        known = answers.read(turn.text, ringing.to_do).label is not answers.Label.UNCLEAR
        if not self._has_model and known:
            return Reaction(TALK, turn.claim("heard"))
        return Reaction(TALK, await self._talk(turn), listen=True)

    async def _answer_others(
        self, turn: Exchange, ringing: Reminder, all_of_them: re.Pattern[str], *kinds: str
    ) -> None:
        """两个都好了, "neither yet": said of everything that was told, and plainly so."""
        if not all_of_them.search(turn.text):
            return
        speaker = turn.speaker
        for one, ring in await self._reminders.awaiting(speaker.actor, user_id=speaker.user_id):
            read = answers.read(turn.text, one.to_do)
            rings = one.status is ReminderStatus.TRIGGERED and one.id != ringing.id
            if not rings or read.kind not in kinds:
                continue
            await self._reports.answered(ring.id, turn.text, read)
            if read.label is KNOWN:
                turn.did("confirmed", one.id, **kept(one))

    async def stop(self, turn: Exchange, ringing: Reminder) -> Reaction:
        """Stop the sound. If a yes is needed, we ask again later: silence is not a yes."""
        assert turn.ring_id is not None, "what rings has a ring"
        if ringing.status is not ReminderStatus.TRIGGERED:
            rings_later = ringing.status is ReminderStatus.PENDING and ringing.trigger_at > turn.now
            when = turn.time_of(ringing.trigger_at)
            quiet_now = turn.say("quiet_until", when=when, content=ringing.content)
            return Reaction(TALK, quiet_now if rings_later else turn.say("no_question"))
        quiet = answers.Answer(answers.Label.DENIED, "stop")
        await self._reports.answered(turn.ring_id, turn.text, quiet)
        after = await self._reminders.get(turn.speaker.actor, ringing.id)
        turn.proof.append(after.id)
        if after.status is ReminderStatus.PENDING:
            return Reaction("denied", turn.claim("stopped", when=turn.time_of(after.trigger_at)))
        return Reaction("denied", turn.claim("silent"))

    def is_about(self, turn: Exchange, ringing: Reminder) -> bool:
        """Whether a request has no content of its own: 十分钟后再叫我 means what rings."""
        asked = requests.read(turn.text, turn.now, turn.zone, habits_of(turn.user))
        only_it = not asked.content or ONLY_IT.fullmatch(asked.content)
        return bool(only_it) or which.likeness(asked.content, ringing.content) > SAME


def statements(text: str) -> list[str]:
    return [one for one in STATEMENT.split(text) if one.strip()]


def without_name(said: str, one: Reminder) -> answers.Answer | None:
    """Of "take the pills", "pills done" says "done". None: it is plain by itself, or not even
    then; as little as is left must be all that is said.
    """
    if answers.read(said, one.to_do).label is not answers.Label.UNCLEAR:
        return None
    left = which.unnamed(said, one.content)
    if not left or len(left) > LITTLE:
        return None
    read = answers.read(left, one.to_do)
    return None if read.label is answers.Label.UNCLEAR else read


def together(done: Sequence[Reaction]) -> Reaction:
    """What became of several things that were said in one breath."""
    said = " ".join(dict.fromkeys(one.say for one in done if one.say))
    settled = next((one.outcome for one in done if one.outcome not in (ASIDE, TALK)), None)
    outcome = settled or done[-1].outcome
    return Reaction(outcome, said, listen=any(one.listen for one in done))


def put_off(turn: Exchange, ringing: Reminder) -> answers.Answer | None:
    """After lunch is when lunch is over; said to what is only told, a bare "later" is ten minutes.
    None: something else was said.
    """
    read = answers.read(turn.text, ringing.to_do)
    later = read.label is answers.Label.DENIED and read.kind == "later"
    if not later or read.snooze is not None or read.snooze_until is not None:
        return None
    when = parse(turn.text, turn.now, turn.zone, habits_of(turn.user))
    if isinstance(when, Once) and any(one.startswith("routine") for one in when.assumptions):
        return replace(read, snooze=when.at - turn.now) if is_today(when.at, turn) else None
    if isinstance(when, Once) and when.at > turn.now and which.hours_named(turn.text):
        # 中午再吃 and "this evening" name no hour, but surely not the next minutes.
        return replace(read, snooze=when.at - turn.now) if is_today(when.at, turn) else None
    return None if ringing.confirmation.required else replace(read, snooze=SNOOZE)


def is_today(at: datetime, turn: Exchange) -> bool:
    return at.astimezone(turn.zone).date() == turn.now.astimezone(turn.zone).date()


def done_of(text: str, told: Sequence[Reminder]) -> list[Reminder]:
    """The one of several for which 吃了 plainly says that it is done; empty when it fits none, or
    more than one. A word of it has to be in what was said.
    """
    if len(told) < 2:
        return []
    read = [(one, answers.read(text, one.to_do)) for one in told]
    done = [one for one, answer in read if answer.label is KNOWN and answer.kind == "done"]
    return done if len(done) == 1 and set(text) & set(HAN.findall(done[0].content)) else []


def is_done_instead(text: str, one: Reminder, told: Reminder) -> bool:
    """Whether 血压量了 is plainly about another one that was told, and not about this."""
    if one.id == told.id or one.status is not ReminderStatus.TRIGGERED:
        return False
    if which.matching(text, [told, one]) != [one] and done_of(text, [told, one]) != [one]:
        return False
    read = answers.read(text, one.to_do)
    return read.kind == "done" and answers.read(text, told.to_do).label is not KNOWN
