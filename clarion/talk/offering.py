"""What a language model would do, offered to the person: their own yes does it.

The model is asked only when our own reader did not understand. So its verbs write nothing: they
become a question to the speaker about the speaker's own reminders. Only its `confirm` counts at
once, under the same rules as every second opinion on an answer.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from clarion.base.ids import ReminderId
from clarion.language import answer as answers
from clarion.language import request as requests
from clarion.language.answer.reader import corroborates, kind_of, leaves_room
from clarion.language.readback import spoken_instant
from clarion.language.script import fold
from clarion.language.when import check_proposal
from clarion.language.when.model import Grain, Once
from clarion.people.model import habits_of
from clarion.reminders.model import Reminder
from clarion.reminders.ports import Reaction, RingId
from clarion.reminders.service import SNOOZE
from clarion.talk import which
from clarion.talk.dialogue import Exchange, Question, kept
from clarion.talk.looking import Looking
from clarion.talk.ports import ToolCall
from clarion.talk.setting import AGREES, NO_THANKS, SetByTalk
from clarion.talk.words import sounds_like_yes

OFFER = "offer"
SHAPED = re.compile(r"^\W*[{\[]|```|\"\w+\"\s*:|</?\w+>")
CONTENT_MAX = 200
SHOWN_MAX = 20  # reminders that the model is told of


Agreed = Callable[[Exchange, ReminderId, datetime | None, str], Awaitable[str]]
"""Moves a reminder to another time, or cancels it."""
Answered = Callable[[RingId, str, answers.Answer], Awaitable[Reaction]]
"""Takes what somebody answered to a ring, and what it means."""


class Offering:
    def __init__(
        self, setting: SetByTalk, looking: Looking, agreed: Agreed, answered: Answered
    ) -> None:
        self._setting = setting
        self._looking = looking
        self._agreed = agreed
        self._answered = answered

    async def known(self, turn: Exchange) -> dict[str, object]:
        """What the model is told: what rings, what was said, what is set, their habits."""
        there = await self._looking.coming(turn)
        routines = habits_of(turn.user).routines or {}
        return {
            "task": turn.ringing.content if turn.ringing else "",
            "now": turn.now.astimezone(turn.zone).isoformat(timespec="minutes"),
            "heard": {"as": turn.intents, "sure": round(turn.sure, 2)},
            "reminders": [
                {
                    "content": one.content,
                    "time": one.trigger_at.astimezone(turn.zone).isoformat(timespec="minutes"),
                }
                for one in there[:SHOWN_MAX]
            ],
            "day": {name: f"{at:%H:%M}" for name, at in routines.items()},
        }

    async def carry_out(self, turn: Exchange, calls: Sequence[ToolCall]) -> str:
        """What to say; empty when none of the model's calls is plausible."""
        before, words = turn.question, ""
        for call in calls:
            if turn.question is before:  # one question at a time
                words = f"{words} {await self._one(turn, call)}".strip()
        return words

    async def _one(self, turn: Exchange, call: ToolCall) -> str:
        if call.verb == "list":
            scope = call.fields.get("scope")
            return await self._looking.read_out(turn, "next" if scope == "next" else "")
        evidence = fold(_text(call.fields, "words"))
        if not evidence or evidence not in fold(turn.text):
            return ""  # nobody has said that
        if call.verb == "confirm":
            return await self._confirm(turn, evidence)
        if turn.is_open:
            return ""  # a yes would be taken for the answer to what rings
        if call.verb == "create":
            return self._offer_new(turn, call.fields)
        if call.verb in ("cancel", "change", "snooze"):
            return await self._offer_change(turn, call.verb, call.fields)
        return ""

    # Offered

    async def done_before(self, turn: Exchange) -> str:
        """药我已经吃过了, before it rings: whether it should still ring. Empty: none is meant."""
        there = await self._looking.coming(turn)
        named = which.matching(turn.text, there)
        if len(named) != 1 or answers.read(turn.text, named[0].content).kind != "done":
            return ""
        said = turn.say("offer_cancel", items=turn.items(named))
        return self._offer(turn, said, named[0], verb="cancel")

    async def cancel_named(self, turn: Exchange) -> str:
        """那个吃药的, and not a word more: whether it should go. Empty: more was said."""
        acts = turn.dialogue.acts
        if turn.is_open or (acts and acts[-1].verb == "cancelled"):
            return ""
        named = which.matching(turn.text, await self._looking.coming(turn))
        if len(named) != 1 or not which.only_names(turn.text, named[0].content):
            return ""
        said = turn.say("offer_cancel", items=turn.items(named))
        return self._offer(turn, said, named[0], verb="cancel")

    def _offer_new(self, turn: Exchange, fields: Mapping[str, Any]) -> str:
        content = " ".join(_text(fields, "content").split())
        at = self._instant(turn, fields)
        if not content or len(content) > CONTENT_MAX or not sayable(content) or at is None:
            return turn.say("when_plainly")
        said = turn.say("offer_create", when=self._spoken(turn, at), content=content)
        return self._offer(turn, said, verb="create", content=content, at=at.isoformat())

    async def _offer_change(self, turn: Exchange, verb: str, fields: Mapping[str, Any]) -> str:
        there = await self._looking.coming(turn)
        named = which.matching(_text(fields, "which"), there)
        if not there:
            return turn.say("nothing")
        if len(named) != 1:
            return turn.say("no_match", items=turn.items(there))
        one = named[0]
        if verb == "cancel":
            said = turn.say("offer_cancel", items=turn.items([one]))
            return self._offer(turn, said, one, verb=verb)
        at = self._instant(turn, fields)
        if at is None and verb == "change":
            question = turn.say("new_time", content=one.content)
            return turn.ask("moment", question, choices=[one.id])
        at = at or turn.now + SNOOZE
        said = turn.say("offer_change", when=self._spoken(turn, at), content=one.content)
        return self._offer(turn, said, one, verb="change", at=at.isoformat())

    def _offer(self, turn: Exchange, said: str, one: Reminder | None = None, **offered: str) -> str:
        request = json.dumps({**offered, "said": turn.text}, ensure_ascii=False)
        return turn.ask(OFFER, said, request=request, choices=[one.id] if one else [])

    def _instant(self, turn: Exchange, fields: Mapping[str, Any]) -> datetime | None:
        """The time in their own words, where one was read; else the model's, if it fits them."""
        habits = habits_of(turn.user)
        own = requests.read(turn.text, turn.now, turn.zone, habits).when
        if isinstance(own, Once):
            return own.at
        try:
            at = datetime.fromisoformat(_text(fields, "time"))
        except ValueError:
            return None
        at = at if at.tzinfo is not None else at.replace(tzinfo=turn.zone)
        fits = check_proposal(turn.text, at, turn.now, turn.zone, habits)
        return fits.at if fits is not None else None

    def _spoken(self, turn: Exchange, at: datetime) -> str:
        return spoken_instant(at.astimezone(turn.zone), turn.now, turn.language)

    # Answered

    async def fill(self, turn: Exchange, question: Question) -> str | None:
        """A yes does it, a no drops it. None: the words are neither."""
        if NO_THANKS.search(turn.text):
            return turn.say("left")
        if turn.is_open or not AGREES.fullmatch(turn.text):
            return None
        offered = json.loads(question.request)
        if offered["verb"] != "create":
            id_ = ReminderId(question.choices[0])
            at = datetime.fromisoformat(offered["at"]) if "at" in offered else None
            return await self._agreed(turn, id_, at, offered["said"])
        read = requests.read(offered["said"], turn.now, turn.zone)
        at = datetime.fromisoformat(offered["at"]).astimezone(turn.zone)
        asked = replace(
            read,
            when=Once(at, Grain.MINUTE, (0, 0)),
            content=offered["content"],
            person=None,
            device=None,
        )
        return await self._setting.create_read(turn, offered["said"], asked)

    async def _confirm(self, turn: Exchange, evidence: str) -> str:
        """A yes that only the model found. What the rules or the reader are sure of counts more."""
        ringing = turn.ringing
        if ringing is None or turn.ring_id is None or not turn.is_open:
            return turn.say("no_question")
        read, content = answers.read(turn.text, ringing.content), ringing.content
        unsure = read.label is answers.Label.UNCLEAR and leaves_room(turn.text, content)
        if not unsure or not corroborates(evidence, content):
            return ""
        kind = kind_of(turn.text, content, answers.Label.CONFIRMED)
        meant = answers.Answer(
            answers.Label.CONFIRMED, f"“{evidence}”: the LLM's opinion", kind=kind
        )
        reaction = await self._answered(turn.ring_id, turn.text, meant)
        if reaction.outcome == "confirmed":
            turn.did("confirmed", ringing.id, **kept(ringing))
        elif reaction.outcome == "promised":
            turn.proof.append(ringing.id)
        else:
            return ""  # nothing was written
        return reaction.say


def is_shaped(words: str) -> bool:
    """JSON, code, mark-up: nothing to say."""
    return SHAPED.search(words) is not None


def sayable(words: str) -> bool:
    """Whether a model's words may be spoken where nothing was written."""
    return not is_shaped(words) and not sounds_like_yes(words)


def _text(fields: Mapping[str, Any], name: str) -> str:
    found = fields.get(name)
    return found.strip() if isinstance(found, str) else ""
