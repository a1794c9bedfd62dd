"""Changes reminders by talking: cancel, move, put off, and undo."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from clarion.base.errors import ClarionError
from clarion.base.ids import DeviceId, ReminderId, SeriesId
from clarion.language import request as requests
from clarion.language.answer.reader import read as read_answer
from clarion.language.parts.tagger import SURE_REFUSAL
from clarion.language.when.model import Nothing, Recurring
from clarion.language.when.rules.recurrence import Recurrence
from clarion.people.model import habits_of
from clarion.reminders.model import (
    DONE,
    ConfirmationConfig,
    Reminder,
    ReminderStatus,
    Series,
    needs_of,
)
from clarion.reminders.service import SOON, Reminders
from clarion.talk import which
from clarion.talk.dialogue import Act, Exchange, Question, kept
from clarion.talk.looking import Looking, window
from clarion.talk.moment import new_time, pointer, points_at_nothing, target
from clarion.talk.patterns import GIVES_UP, NO_MORE, ONLY_IT, STATEMENT, WISH
from clarion.talk.setting import CLOCK, INSTEAD, renamed
from clarion.talk.words import in_one_breath

PENDING = ReminderStatus.PENDING
FOR_EVER = re.compile(
    r"以后|每天|每日|每[周月]|永远|都不|都别|再也|一直|彻底|整个|^\W*(?:全部|所有|全都?)\W*$|"
    r"\bevery\b|\bdaily\b|\bweekly\b|\bever\b|\bfor good\b|\bnever\b|\ball of them\b|\bfuture\b|"
    r"不再|不用再|\bany ?(?:more|longer)\b|\bno longer\b|"
    r"^\W*(?:forever|for ever|always|all)\W*$",
    re.IGNORECASE,
)
ONCE = re.compile(
    r"这一?次|这回|今天|今晚|明天|下一?次|就一次|只.{0,4}次|"
    r"\bthis (?:time|once|one)\b|\bjust (?:once|today|this)\b|"
    r"\bonly (?:this|today|once)\b|\btoday\b|\btonight\b|\btomorrow\b|\bonce\b",
    re.IGNORECASE,
)
TELLS = re.compile(r"\bi(?:'ve)?\b|[了过咗]", re.IGNORECASE)
ASKS_US = re.compile(
    r"怎么|什么|几[点个号度]|多少|哪|谁|[吗么][？?]?$|[？?]$|^\W*(?:what|how|who|when|where|why|is|do|did)\b",
    re.IGNORECASE,
)
AMENDS = frozenset({"change", "correct", "create", "chat", "help", "answer", "snooze"})
"""As what 吃完要问我 and "make sure I did" are taken, just after something was set."""
WEEKDAY = re.compile(
    r"(?:周|星期|礼拜)[一二三四五六日天]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
    re.IGNORECASE,
)
HALF_DAYS = re.compile(r"早上|早晨|上午|下午|晚上|傍晚|中午|凌晨|夜里")
KEEPS = re.compile(
    r"(?:别|不要|唔好|不用|甭|莫|勿)(?:再|给我|帮我|把[^，,]{1,10})?(?:取消|删|撤)|"
    r"(?<!why )\b(?:don'?t|do not|never) (?:cancel|delete|remove|skip)\b|"
    r"(?:取消|删|撤)[^，,。？?]{0,10}[？?]\s*(?:还是)?(?:不要|不用|不了|别|不)\W*$|"
    r"\b(?:cancel|delete|remove)\b[^?]{0,40}\?\W*(?:no|nope|nah|don'?t|better not)\W*$",
    re.IGNORECASE,
)
STAYS = re.compile(
    r"留着|留下|保留|别动|"
    r"(?<!only )\b(?:keep|leave) (?:the|my|it|that|this|them|those)\b(?!.*\b(?:out|off)\b)",
    re.IGNORECASE,
)
TAKES_AWAY = re.compile(
    r"取消|删|撤|去掉|\b(?:cancel|delete|remove|drop|scrap|skip)", re.IGNORECASE
)
HANGS = re.compile(
    r"(?:如果|要是|万一|假如|若是)(?!可以|方便|能|行|有空)|"
    r"\b(?:if|unless|in case)\b(?! (?:you|possible|not|that'?s|it'?s|there|i have)\b)",
    re.IGNORECASE,
)
ASKS_IF_ABLE = re.compile(
    r"^\W*(?:can|could|are|is) (?:you|it)(?: able to)? (?:cancel|delete|remove) "
    r"(?:reminders|things|stuff)\W*$",
    re.IGNORECASE,
)
ASKS_IF_GONE = re.compile(
    r"(?:取消|删|撤)[掉除销]?[了咗](?:吗|没|冇|么)|不会[^，,。]{0,10}(?:取消|删)|(?:是不是|有没有|有冇).{0,8}(?:取消|删|撤)|"
    r"^\W*did (?:you|i|we) (?:cancel|delete|remove)\b|"
    r"^\W*(?:have|has|was|were|is|are)\b.*\b(?:cancell?ed|deleted|removed)\b",
    re.IGNORECASE,
)
NEITHER = re.compile(
    r"(?:都|哪个都|[一两三]个都?)(?:不|别)(?:取消|删|动|改|推迟|挪)|"
    r"\bneither\b|\bnone of them\b|\bnot (?:any|either) of them\b",
    re.IGNORECASE,
)
"""Of what was asked about; 都不要了 takes them away."""


class Changing:
    def __init__(self, reminders: Reminders, looking: Looking) -> None:
        self._reminders = reminders
        self._looking = looking

    # Cancel

    async def cancel(self, turn: Exchange, detail: str) -> str:
        if said := await self._cancels_nothing(turn, detail):
            return said
        there = await self._looking.coming(turn)
        return await self._with(turn, "cancel", there, detail) if there else turn.say("nothing")

    async def _cancels_nothing(self, turn: Exchange, detail: str) -> str:
        """What is said to words that only mention cancelling; empty: they mean it."""
        if KEEPS.search(turn.text):
            gone = [act for act in turn.dialogue.acts if act.verb == "cancelled"]
            return await self.undo(turn) if gone else turn.say("left")
        if self._is_spared(turn):
            return turn.say("left")
        if ASKS_IF_GONE.search(turn.text):
            return await self._looking.read_out(turn, detail)
        if ASKS_IF_ABLE.search(turn.text):
            return turn.say("help")
        if HANGS.search(turn.text):  # nobody would look at the rain, and it would be gone
            return turn.say("cannot")
        takes_away = TAKES_AWAY.search(turn.text) or NO_MORE.search(turn.text)
        wishes = WISH.search(turn.text) and not takes_away
        if wishes or SURE_REFUSAL.search(turn.text):  # 吃药那个不用我确认了, 喝水那个要确认
            return await self.change(turn, detail)
        return ""

    def _is_spared(self, turn: Exchange) -> bool:
        """喝水那个留着, or "never mind" when nothing was done that it could be about."""
        if GIVES_UP.search(turn.text):
            return not turn.dialogue.acts and turn.ringing is None
        takes_away = TAKES_AWAY.search(turn.text) or which.ALL.search(turn.text)
        return STAYS.search(turn.text) is not None and not takes_away

    async def _cancel(self, turn: Exchange, chosen: Sequence[Reminder], said: str) -> str:
        """Of what repeats it is asked whether only this time, where that was not said."""
        repeat = [one for one in chosen if one.series_id is not None]
        single = [one for one in chosen if one not in repeat]
        for_ever = is_all(turn, said) or FOR_EVER.search(said) is not None
        if repeat and not for_ever and not ONCE.search(said):
            done = await self._cancel(turn, single, said) if single else ""
            question = turn.say("once", content=turn.names(repeat))
            turn.ask("once", question, choices=[one.id for one in repeat])
            return f"{done} {question}".strip()
        for one in chosen:
            await self._drop(turn, one, for_ever=for_ever)
        if single:
            return turn.claim("cancelled", items=turn.items(chosen))
        if for_ever:
            return turn.claim("ended", items=turn.names(repeat))
        return turn.claim("skipped", items=turn.items(repeat))

    async def _drop(self, turn: Exchange, one: Reminder, *, for_ever: bool) -> None:
        actor = turn.speaker.actor
        if one.series_id is not None and for_ever:
            series = await self._reminders.series.get(actor, one.series_id)
            await self._reminders.series.end(actor, one.series_id)
            pattern = series.pattern
            turn.did("cancelled", series.id, pattern=pattern, zone=series.zone, **kept(one))
            if one.status is ReminderStatus.TRIGGERED:
                await self._reminders.cancel(actor, one.id)
            return
        await self._reminders.cancel(actor, one.id)
        turn.did("cancelled", one.id, **kept(one))

    async def cancel_instead(self, turn: Exchange) -> str:
        """不对，是喝水, just after another one was cancelled: that one is back. Empty: no other is
        named.
        """
        acts = turn.dialogue.acts
        if len(acts) != 1 or acts[0].verb != "cancelled":
            return ""
        named = which.matching(INSTEAD.sub("", turn.text), await self._looking.coming(turn))
        if len(named) != 1 or which.is_named(turn.text, acts[0].before.get("content")):
            return ""
        back = await self.undo(turn)
        return in_one_breath([back, await self._cancel(turn, named, turn.text)], turn.language)

    async def move_named(self, turn: Exchange) -> str:
        """不对，量血压是十一点, after several were set or another last. Empty: none is named."""
        last = turn.dialogue.last
        there = [one for one in await self._looking.coming(turn) if one.status is PENDING]
        named = which.matching(INSTEAD.sub("", turn.text), there)
        if len(named) != 1 or (last is not None and last.id in (named[0].id, named[0].series_id)):
            return ""
        one, habits = named[0], habits_of(turn.user)
        at = new_time(turn.text, one.trigger_at, turn.now, turn.zone, habits)
        return await self._change_one(turn, one, turn.text) if isinstance(at, datetime) else ""

    # Change

    async def change(self, turn: Exchange, detail: str) -> str:
        there = await self._looking.coming(turn)
        if not there:
            return turn.say("nothing")
        return await self._with(turn, "change", there, detail.partition("->")[0].strip())

    async def change_last(self, turn: Exchange, intent: str, detail: str) -> str | None:
        """What was just set or changed is meant by words that name nothing: 要确认, "make sure I
        did", 改成七点半. None: they are not about it.
        """
        act = turn.dialogue.last
        there = await self._looking.coming(turn) if act and intent in AMENDS else []
        one = next((one for one in there if act and act.id in (one.id, one.series_id)), None)
        if act is None or one is None:
            return None
        asked = requests.read(turn.text, turn.now, turn.zone, habits_of(turn.user))
        bare = not asked.content or ONLY_IT.fullmatch(asked.content)
        if bare and asked.confirm is not None and isinstance(asked.when, Nothing):
            return await self._set_confirmation(turn, one, asked.confirm)
        amends = intent in ("change", "correct") and points_at_nothing(turn.text, detail)
        if one.series_id is None or not amends or ONCE.search(turn.text):
            return None
        return await self._correct_rhythm(turn, one)

    async def _correct_rhythm(self, turn: Exchange, one: Reminder) -> str | None:
        """Another hour or another rhythm for what was just set to repeat."""
        assert one.series_id is not None, "it repeats"
        at = new_time(turn.text, one.trigger_at, turn.now, turn.zone, habits_of(turn.user))
        if isinstance(at, Recurring):
            return await self._change_rhythm(turn, one, turn.text)
        series = await self._reminders.series.get(turn.speaker.actor, one.series_id)
        weekday = WEEKDAY.search(turn.text)
        if weekday and len(WEEKDAY.findall(series.pattern)) == 1:
            return await self._repeat_by(turn, series, WEEKDAY.sub(weekday[0], series.pattern))
        if at is None or len(CLOCK.findall(series.pattern)) != 1:
            return None
        at = at.astimezone(turn.zone)
        if at.date() != one.trigger_at.astimezone(turn.zone).date():
            return None  # another day: not every time
        clock = f"{at:%H:%M}" if turn.language == "zh" else f"at {at:%H:%M}"
        pattern = CLOCK.sub(clock, HALF_DAYS.sub("", series.pattern))
        return await self._repeat_by(turn, series, pattern)

    async def change_this(self, turn: Exchange, one: Reminder) -> str:
        return await self._change_one(turn, one, turn.text)

    async def one_named(self, turn: Exchange) -> Reminder | None:
        """The one reminder that the words name; None: none, or several."""
        there = [one for one in await self._looking.coming(turn) if one.status is PENDING]
        asked = requests.read(turn.text, turn.now, turn.zone, habits_of(turn.user))
        named = which.matching(asked.content, there) if asked.content else []
        named = named or [one for one in there if asked.content and asked.content in one.content]
        return named[0] if len(named) == 1 else None

    async def _change_one(self, turn: Exchange, one: Reminder, said: str) -> str:
        habits = habits_of(turn.user)
        try:
            at = new_time(said, one.trigger_at, turn.now, turn.zone, habits)
            if isinstance(at, Recurring):
                return await self._change_rhythm(turn, one, said)
            if at is not None:
                return await self._move(turn, one, at, said)
            confirm = requests.read(said, turn.now, turn.zone, habits).confirm
            if confirm is not None:
                return await self._set_confirmation(turn, one, confirm)
            content = target(said).strip(" 。.!！,，吧")
            if content and content != said and one.status is ReminderStatus.PENDING:
                return await self._rename(turn, one, renamed(content, one.content))
        except ClarionError:
            return turn.say("refused")
        question = turn.say("new_time", content=one.content)
        return turn.ask("moment", question, request=said, choices=[one.id])

    async def _move(self, turn: Exchange, one: Reminder, at: datetime, said: str) -> str:
        actor = turn.speaker.actor
        if one.series_id is not None and FOR_EVER.search(said):
            return await self._change_rhythm(turn, one, said)
        if one.status is ReminderStatus.TRIGGERED:
            after = await self._reminders.snooze(actor, one.id, until=at)
        else:
            after = await self._reminders.update(actor, one.id, trigger_at=at)
        if same := turn.unchanged(one, after):
            return same
        turn.did("changed", one.id, trigger_at=one.trigger_at.isoformat())
        if one.series_id is None:
            return turn.moved(after)
        when = turn.time_of(after.trigger_at)
        return turn.claim("moved_once", when=when, content=after.content)

    async def _change_rhythm(self, turn: Exchange, one: Reminder, said: str) -> str:
        """Change when it repeats; a single reminder becomes a series."""
        actor, speaker = turn.speaker.actor, turn.speaker
        words = target(said)
        if words.strip()[:1].isdigit() and words.isascii():
            words = f"at {words.strip()}"  # "to 10 every day"
        if one.series_id is not None:
            series = await self._reminders.series.get(actor, one.series_id)
            return await self._repeat_by(turn, series, with_hour(words, series, turn))
        after = await self._reminders.series.create(
            actor,
            user_id=speaker.user_id,
            content=one.content,
            pattern=words,
            device_id=one.device_id,
            confirmation=one.confirmation,
            base=one.base,
        )
        await self._reminders.cancel(actor, one.id)
        turn.did("set", after.id)
        return turn.claim("moved", when=turn.rhythm_of(after), content=after.content)

    async def _repeat_by(self, turn: Exchange, series: Series, pattern: str) -> str:
        actor = turn.speaker.actor
        after = await self._reminders.series.update(actor, series.id, pattern=pattern)
        turn.did("changed", series.id, pattern=series.pattern)
        return turn.claim("moved", when=turn.rhythm_of(after), content=after.content)

    async def _set_confirmation(self, turn: Exchange, one: Reminder, wanted: bool) -> str:
        needs = DONE if needs_of(one.content, turn.text) == DONE else one.confirmation.needs
        config = replace(one.confirmation, required=wanted, needs=needs)
        if one.series_id is not None and not ONCE.search(turn.text):
            series = await self._reminders.series.get(turn.speaker.actor, one.series_id)
            await self._reminders.series.update(turn.speaker.actor, series.id, confirmation=config)
            turn.did("changed", series.id, confirmation=asdict(series.confirmation))
            return turn.claim("confirm_on" if wanted else "confirm_off", content=one.content)
        after = await self._reminders.update(turn.speaker.actor, one.id, confirmation=config)
        if same := turn.unchanged(one, after):
            return same
        turn.did("changed", one.id, confirmation=asdict(one.confirmation))
        return turn.claim("confirm_on" if wanted else "confirm_off", content=one.content)

    async def _rename(self, turn: Exchange, one: Reminder, content: str) -> str:
        after = await self._reminders.update(turn.speaker.actor, one.id, content=content)
        if same := turn.unchanged(one, after):
            return same
        turn.did("changed", one.id, content=one.content)
        return turn.claim("renamed", when=turn.time_of(after.trigger_at), content=after.content)

    # Put off

    async def snooze(self, turn: Exchange, detail: str) -> str:
        there = await self._looking.coming(turn)
        if not there:
            return turn.say("nothing")
        other = which.matching(turn.text, there) or which.ALL.search(turn.text)
        if turn.ringing is not None and not other:
            return await self._snooze_one(turn, turn.ringing, turn.text)
        return await self._with(turn, "snooze", there, detail)

    async def _snooze_one(self, turn: Exchange, one: Reminder, said: str) -> str:
        until = snoozed_until(turn, one, said)
        if until is None and one.status is PENDING and one.trigger_at > turn.now + SOON:
            # It does not ring yet: ten minutes from now would be earlier, and no snooze.
            question = turn.say("new_time", content=one.content)
            return turn.ask("moment", question, request=said, choices=[one.id])
        try:
            after = await self._reminders.snooze(turn.speaker.actor, one.id, until=until)
        except ClarionError:
            return turn.say("refused")
        if same := turn.unchanged(one, after):
            return same
        turn.did("changed", one.id, trigger_at=one.trigger_at.isoformat())
        return turn.claim("snoozed", when=turn.time_of(after.trigger_at), content=after.content)

    # Which one

    async def _with(self, turn: Exchange, verb: str, there: Sequence[Reminder], detail: str) -> str:
        refusal = SURE_REFUSAL
        said = pointer(turn.text) if not refusal.search(turn.text) else refusal.sub("", turn.text)
        said = WISH.sub("", said) if verb == "change" else turn.text if verb == "cancel" else said
        rest, left = which.spare(of_itself(said, there), there)
        unnamed = not which.names_something(rest, turn.now, turn.zone)
        is_rest = unnamed and 0 < len(left) < len(there)
        if verb != "cancel" and which.ALL.search(rest):
            left = of_today(turn, rest, left)
        several = which.several(rest, left, turn.hints, turn.now, turn.zone)
        if several or is_rest:
            return await self._each(turn, verb, several or left)
        pointed = which.find(rest, left, turn.hints, turn.now, turn.zone)
        if len(pointed) != 1 and detail:
            by_detail = which.find(detail, left, turn.hints, turn.now, turn.zone)
            pointed = by_detail if by_detail and len(by_detail) < len(left) else pointed
        if verb == "cancel":
            pointed = [
                one
                for one in pointed
                if not which.on_another_day(turn.text, one, turn.now, turn.zone)
            ]
        if several is not None or not pointed:
            return turn.say("no_match", items=turn.items(there))
        if len(pointed) == 1:
            return await self._do(turn, verb, pointed[0], turn.text)
        choices = [one.id for one in pointed]
        turn.listed = tuple(choices)
        text = turn.say(f"which_{verb}", n=len(pointed), items=numbered(turn, pointed))
        return turn.ask(verb, text, choices=choices)

    async def _each(self, turn: Exchange, verb: str, chosen: Sequence[Reminder]) -> str:
        if verb == "cancel":
            return await self._cancel(turn, chosen, turn.text)
        done = [await self._do(turn, verb, one, turn.text) for one in chosen]
        return in_one_breath(done, turn.language)

    async def _do(self, turn: Exchange, verb: str, one: Reminder, said: str) -> str:
        if verb == "cancel":
            return await self._cancel(turn, [one], said)
        if verb == "change":
            return await self._change_one(turn, one, said)
        return await self._snooze_one(turn, one, said)

    async def agreed(self, turn: Exchange, id_: ReminderId, at: datetime | None, said: str) -> str:
        """Carry out what they agreed to: another time, or the end of it."""
        one = next((one for one in await self._looking.coming(turn) if one.id == id_), None)
        if one is None:
            return turn.say("nothing")
        try:
            if at is None:
                return await self._cancel(turn, [one], said)
            return await self._move(turn, one, at, "")
        except ClarionError:
            return turn.say("refused")

    async def fill(self, turn: Exchange, question: Question) -> str | None:
        """Read the answer to our question: which reminder, or its new time. None: it is neither."""
        if GIVES_UP.search(turn.text) or KEEPS.search(turn.text) or NEITHER.search(turn.text):
            return turn.say("left")
        there = [one for one in await self._looking.coming(turn) if one.id in question.choices]
        there.sort(key=lambda one: question.choices.index(one.id))
        if not there:
            return None
        if question.slot == "once":
            if ASKS_US.search(turn.text):
                return None  # 今天天气怎么样 says 今天, and nothing about what was asked
            said = turn.text if FOR_EVER.search(turn.text) else f"{turn.text} {question.request}"
            return await self._cancel(turn, there, said)
        if question.slot == "moment":
            return await self._change_one(turn, there[0], turn.text)
        if which.ALL.search(turn.text) or re.search(r"都|两个|\bboth\b", turn.text):
            done = [await self._do(turn, question.slot, one, question.request) for one in there]
            return " ".join(done)
        hints = replace(turn.hints, listed=question.choices, ringing="", recent=())
        pointed = which.find(turn.text, there, hints, turn.now, turn.zone)
        if not pointed and which.ordinal(turn.text, listed=True) is not None:
            turn.question = question  # 第三个, of two: it still has to be said which
            return question.text
        if len(pointed) != 1:
            return None
        return await self._do(turn, question.slot, pointed[0], question.request)

    # Undo

    async def undo(self, turn: Exchange) -> str:
        acts = turn.dialogue.acts
        if not acts:
            return turn.say("nothing_to_undo")
        if KEEPS.search(turn.text) and all(act.verb == "set" for act in acts):
            return turn.say("left")  # 别取消 of what was just set takes nothing back
        turn.dialogue = replace(turn.dialogue, acts=())  # an action is undone only once
        meant = [act for act in acts if which.is_named(turn.text, act.before.get("content"))]
        acts = tuple(meant) or acts  # 恢复吃药, of all that was cancelled
        back: list[str] = []
        for act in reversed(acts):
            try:
                back.append(await self._undone(turn, act))
            except ClarionError:
                return turn.say("cannot_undo")
        if acts[0].verb == "confirmed":
            return turn.claim("undone_yes", content=back[0])
        key = {"set": "undone_set", "cancelled": "undone_cancel"}.get(acts[0].verb, "undone_change")
        return turn.claim(key, items="；".join(back) if turn.language == "zh" else "; ".join(back))

    async def _undone(self, turn: Exchange, act: Act) -> str:
        actor, before = turn.speaker.actor, act.before
        if act.verb == "cancelled":
            return await self._set_again(turn, act)
        if act.verb == "confirmed":
            soon = turn.now + timedelta(seconds=before["confirmation"]["retry_interval"])
            fields = {name: value for name, value in before.items() if name != "trigger_at"}
            return await self._set_again(
                turn, replace(act, before={**fields, "trigger_at": soon.isoformat()})
            )
        if act.id.startswith("ser"):
            if act.verb == "set":
                series = await self._reminders.series.end(actor, SeriesId(act.id))
            else:
                series = await self._reminders.series.update(
                    actor, SeriesId(act.id), **earlier(before)
                )
            turn.proof.append(series.id)
            return series.content
        if act.verb == "set":
            reminder = await self._reminders.cancel(actor, ReminderId(act.id))
        else:
            reminder = await self._reminders.update(actor, ReminderId(act.id), **earlier(before))
        turn.proof.append(reminder.id)
        return f"{turn.time_of(reminder.trigger_at)} {reminder.content}"

    async def _set_again(self, turn: Exchange, act: Act) -> str:
        before = act.before
        common: dict[str, Any] = {
            "user_id": turn.speaker.user_id,
            "content": before["content"],
            "device_id": DeviceId(before["device_id"]) if before["device_id"] else None,
            "confirmation": config_of(before["confirmation"]),
            "base": before["base"],
        }
        actor = turn.speaker.actor
        if "pattern" in before:
            pattern = before["pattern"]
            series = await self._reminders.series.create(actor, pattern=pattern, **common)
            turn.did("set", series.id)
            return series.content
        at = datetime.fromisoformat(before["trigger_at"])
        made = await self._reminders.create(actor, trigger_at=at, **common)
        turn.did("set", made.id)
        return f"{turn.time_of(made.trigger_at)} {made.content}"


def with_hour(pattern: str, series: Series, turn: Exchange) -> str:
    """改成每周四 of what rings on Wednesdays at two: still at two, for no hour was said."""
    times = Recurrence.load(series.rule).times
    if len(times) != 1 or CLOCK.search(pattern) or which.hours_named(pattern):
        return pattern
    clock = f"{times[0]:%H:%M}"
    return f"{pattern} at {clock}" if pattern.isascii() else f"{pattern}{clock}"


def of_itself(said: str, there: Sequence[Reminder]) -> str:
    """Without what is only told of another one: "cancel the call, I've taken my pills"."""
    rest = said
    for clause in STATEMENT.split(said) if TELLS.search(said) else ():
        named = which.matching(clause, there) if TELLS.search(clause) else []
        if any(read_answer(clause, one.to_do).kind == "done" for one in named):
            rest = rest.replace(clause, "")
    return rest or said


def is_all(turn: Exchange, said: str) -> bool:
    """Whether all are meant, and not those of one day or one part of it."""
    _, since, _ = window(turn)
    return which.ALL.search(said) is not None and since.year == 1 and not which.hours_named(said)


def of_today(turn: Exchange, said: str, there: Sequence[Reminder]) -> list[Reminder]:
    """All that is moved is all of today's, where there is any and no day was named."""
    if which.at_time(said, there, turn.now, turn.zone):
        return list(there)
    today = turn.now.astimezone(turn.zone).date()
    return [one for one in there if one.trigger_at.astimezone(turn.zone).date() == today] or [
        *there
    ]


def config_of(kept_config: dict[str, Any]) -> ConfirmationConfig:
    keywords = tuple(kept_config.get("confirm_keywords", ()))
    return ConfirmationConfig(**{**kept_config, "confirm_keywords": keywords})


def earlier(before: Mapping[str, Any]) -> dict[str, Any]:
    """The earlier values of the fields."""
    fields = dict(before)
    if "trigger_at" in fields:
        fields["trigger_at"] = datetime.fromisoformat(fields["trigger_at"])
    if "confirmation" in fields:
        fields["confirmation"] = config_of(fields["confirmation"])
    return fields


def numbered(turn: Exchange, reminders: Sequence[Reminder]) -> str:
    mark = "第{}个，{}" if turn.language == "zh" else "{}, {}"
    items = [
        mark.format(number, f"{turn.time_of(one.trigger_at)} {one.content}")
        for number, one in enumerate(reminders, 1)
    ]
    return ("；" if turn.language == "zh" else "; ").join(items)


def snoozed_until(turn: Exchange, one: Reminder, said: str) -> datetime | None:
    """The instant that was named; None: none was, and a snooze is ten minutes."""
    read = read_answer(said, one.content, now=turn.now, zone=turn.zone)
    until = read.snooze_at(turn.now, turn.zone)
    if until is None:
        meant = new_time(said, turn.now, turn.now, turn.zone, habits_of(turn.user))
        until = meant if isinstance(meant, datetime) and meant > turn.now else None
    return max(until, turn.now + timedelta(seconds=5)) if until else None
