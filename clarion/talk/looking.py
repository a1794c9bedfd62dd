"""What there is, read out: today's, the next one, whether something was done."""

import re
from datetime import datetime, timedelta

from clarion.language.when import parse
from clarion.language.when.model import Grain, Once
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.service import Reminders
from clarion.talk.exchange import Exchange
from clarion.talk.which import NEXT, likeness, matching
from clarion.talk.words import SCOPES, STATUS, listed

OPEN = (ReminderStatus.PENDING, ReminderStatus.TRIGGERED)
SHOWN_MAX = 50
WAS_DONE = re.compile(
    r"(?:吃|喝|做|量|打|办|答|报|确认|提醒)(?:过|了)?.{0,8}(?:没有?|吗|了没)|"
    r"\bdid i\b|\bhave i\b|\bhas it\b",
    re.IGNORECASE,
)
LIKELY = 0.5
SOON = re.compile(r"今天|今儿|今日|今晚|\btoday\b|\btonight\b", re.IGNORECASE)
TOMORROW = re.compile(r"明天|明儿|明日|\btomorrow\b", re.IGNORECASE)
DAY = timedelta(days=1)


class Looking:
    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders

    async def coming(self, turn: Exchange) -> list[Reminder]:
        """What is open, by time."""
        page = await self._reminders.list(
            turn.speaker.actor, user_id=turn.speaker.user_id, status=OPEN, limit=SHOWN_MAX
        )
        return list(page.items)

    async def read_out(self, turn: Exchange, detail: str) -> str:
        there = await self.coming(turn)
        if WAS_DONE.search(turn.text) and (said := await self._history(turn, detail)):
            return said
        if NEXT.search(turn.text) or detail == "next":
            return self._next(turn, there)
        scope, since, until = window(turn)
        inside = [one for one in there if since <= one.trigger_at < until]
        named = matching(detail or turn.text, inside)
        if named and likeness(detail or turn.text, named[0].content) > LIKELY:
            inside = named
        turn.listed = tuple(one.id for one in inside)
        name = SCOPES[turn.language][scope]
        if not inside:
            return turn.say("none", scope=name)
        return turn.say("list", scope=name, n=len(inside), items=turn.items(inside))

    def _next(self, turn: Exchange, there: list[Reminder]) -> str:
        if not there:
            return turn.say("none", scope=SCOPES[turn.language]["all"])
        turn.listed = (there[0].id,)
        when = turn.time_of(there[0].trigger_at)
        return turn.say("next", when=when, content=there[0].content)

    async def _history(self, turn: Exchange, detail: str) -> str:
        """Whether today's was done; empty when there was none of that name."""
        midnight = start_of_day(turn.now.astimezone(turn.zone))
        page = await self._reminders.list(
            turn.speaker.actor,
            user_id=turn.speaker.user_id,
            since=midnight,
            until=turn.now,
            limit=SHOWN_MAX,
        )
        ended = [one for one in page.items if one.is_final and _status(one)]
        found = matching(detail or turn.text, ended)
        states = STATUS[turn.language]
        return (
            turn.say(
                "past",
                items=listed(
                    [
                        f"{turn.time_of(one.trigger_at)} {one.content}: {states[_status(one)]}"
                        for one in found
                    ],
                    turn.language,
                ),
            )
            if found
            else ""
        )


def _status(reminder: Reminder) -> str:
    missed = (ReminderStatus.TIMEOUT, ReminderStatus.FAILED)
    if reminder.status in missed:
        return "missed"
    told = (ReminderStatus.CONFIRMED, ReminderStatus.COMPLETED)
    return reminder.status.value if reminder.status in told else ""


def window(turn: Exchange) -> tuple[str, datetime, datetime]:
    """Which time is asked about: its name, from when, until when."""
    here = turn.now.astimezone(turn.zone)
    midnight = start_of_day(here)
    if TOMORROW.search(turn.text):
        return "tomorrow", midnight + DAY, midnight + 2 * DAY
    if SOON.search(turn.text):
        return "today", midnight, midnight + DAY
    when = parse(turn.text, turn.now, turn.zone)
    if isinstance(when, Once) and when.grain is Grain.DAY:
        day = start_of_day(when.at)
        return "then", day, day + DAY
    return "all", datetime.min.replace(tzinfo=turn.zone), here + 366 * DAY


def start_of_day(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)
