"""Answers to what rings: one sentence, one reminder, or each statement its own."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

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
from clarion.talk.patterns import ALL_OF_THEM, ONLY_IT, STATEMENT
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
        await self._leave_out_others(turn)
        return None

    async def _answer_each(self, turn: Exchange) -> Reaction | None:
        """药吃了，血压还没量, when both were told: each statement answers the one that it names."""
        speaker, whole, told = turn.speaker, turn.text, (turn.ringing, turn.ring_id)
        waiting = await self._reminders.awaiting(speaker.actor, user_id=speaker.user_id)
        parts = which.by_name(statements(turn.text), [one for one, _ in waiting])
        if len(parts) < 2:
            return None
        done = list[Reaction]()
        for one, ring in waiting:
            if one.id in parts:
                turn.ringing, turn.ring_id, turn.text = one, ring.id, parts[one.id]
                done.append(await self.answer(turn, one))
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

    async def answer(self, turn: Exchange, ringing: Reminder) -> Reaction:
        assert turn.ring_id is not None, "what rings has a ring"
        later = put_off(turn, ringing)
        reaction = await self._reports.answered(
            turn.ring_id, turn.text, later, language=turn.language, last_told=turn.told
        )
        if reaction.outcome == OVER:
            return Reaction(OVER, turn.say("no_question"))
        if reaction.outcome == "confirmed":
            turn.did("confirmed", ringing.id, **kept(ringing))
            await self._confirm_others(turn, ringing)
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

    async def _confirm_others(self, turn: Exchange, ringing: Reminder) -> None:
        """两个都好了, "both done": everything that was told and this is a plain yes to."""
        if not ALL_OF_THEM.search(turn.text):
            return
        speaker = turn.speaker
        for one, ring in await self._reminders.awaiting(speaker.actor, user_id=speaker.user_id):
            read = answers.read(turn.text, one.to_do)
            rings = one.status is ReminderStatus.TRIGGERED and one.id != ringing.id
            if rings and read.label is KNOWN and read.kind == "done":
                await self._reports.answered(ring.id, turn.text, read)
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


def together(done: list[Reaction]) -> Reaction:
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
        today = when.at.date() == turn.now.astimezone(turn.zone).date()
        return replace(read, snooze=when.at - turn.now) if today else None
    return None if ringing.confirmation.required else replace(read, snooze=SNOOZE)


def is_done_instead(text: str, one: Reminder, told: Reminder) -> bool:
    """Whether 血压量了 is plainly about another one that was told, and not about this."""
    if one.id == told.id or one.status is not ReminderStatus.TRIGGERED:
        return False
    if which.matching(text, [told, one]) != [one]:
        return False
    read = answers.read(text, one.to_do)
    return read.kind == "done" and answers.read(text, told.to_do).label is not KNOWN
