"""Reads reminders out: today's, the next one, whether something was done."""

import re
from datetime import datetime, timedelta

from clarion.language import request as requests
from clarion.language.when import named
from clarion.language.when.model import Grain, Once
from clarion.reminders.model import Reminder, ReminderStatus
from clarion.reminders.service import Reminders
from clarion.talk.dialogue import Exchange
from clarion.talk.which import NEXT, hours_named, in_part, likeness, matching
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
YESTERDAY = re.compile(r"昨天|昨晚|昨日|\byesterday\b|\blast night\b", re.IGNORECASE)
TOMORROW = re.compile(r"明天|明儿|明日|\btomorrow\b", re.IGNORECASE)
DAY = timedelta(days=1)


class Looking:
    def __init__(self, reminders: Reminders) -> None:
        self._reminders = reminders

    async def coming(self, turn: Exchange) -> list[Reminder]:
        """Open reminders, by time."""
        page = await self._reminders.list(
            turn.speaker.actor, user_id=turn.speaker.user_id, status=OPEN, limit=SHOWN_MAX
        )
        return list(page.items)

    async def read_out(self, turn: Exchange, detail: str) -> str:
        there = await self.coming(turn)
        before = YESTERDAY.search(turn.text) is not None
        if before or WAS_DONE.search(turn.text):
            said = await self._history(turn, detail, before=before)
            if said or before:
                return said or turn.say("none", scope=SCOPES[turn.language]["yesterday"])
        if NEXT.search(turn.text) or detail == "next":
            return self._next(turn, there)
        scope, since, until = window(turn)
        inside = [one for one in there if since <= one.trigger_at < until]
        hours = hours_named(turn.text)
        if hours is not None:
            inside = in_part(turn.text, inside, turn.zone)
        named = matching(turn.text, inside) or matching(detail, inside)
        said = turn.text if matching(turn.text, inside) else detail
        if named and likeness(said, named[0].content) > LIKELY:
            inside = named
        turn.listed = tuple(one.id for one in inside)
        name = SCOPES[turn.language][scope]
        if not inside:
            return turn.say("none", scope=name)
        return turn.say("list", scope=name, n=len(inside), items=turn.items(inside))

    def _next(self, turn: Exchange, there: list[Reminder]) -> str:
        there = [one for one in there if one.trigger_at > turn.now]
        if not there:
            return turn.say("none", scope=SCOPES[turn.language]["all"])
        turn.listed = (there[0].id,)
        when = turn.time_of(there[0].trigger_at)
        return turn.say("next", when=when, content=there[0].content)

    async def _history(self, turn: Exchange, detail: str, *, before: bool) -> str:
        """Whether today's was done, or yesterday's; empty when there was none of that name."""
        midnight = start_of_day(turn.now.astimezone(turn.zone))
        page = await self._reminders.list(
            turn.speaker.actor,
            user_id=turn.speaker.user_id,
            since=midnight - DAY if before else midnight,
            until=midnight if before else turn.now,
            limit=SHOWN_MAX,
        )
        ended = [one for one in page.items if one.is_final and _status(one)]
        found = matching(detail, ended) or matching(turn.text, ended)
        if before and not found:
            found = ended
        states, colon = STATUS[turn.language], "，" if turn.language == "zh" else ": "
        return (
            turn.say(
                "past",
                items=listed(
                    [
                        f"{turn.time_of(one.trigger_at)} {one.content}{colon}{states[_status(one)]}"
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
    settled = (ReminderStatus.CONFIRMED, ReminderStatus.COMPLETED)
    return reminder.status.value if reminder.status in settled else ""


def window(turn: Exchange) -> tuple[str, datetime, datetime]:
    """Which time is asked about: its name, from when, until when."""
    here = turn.now.astimezone(turn.zone)
    midnight = start_of_day(here)
    if TOMORROW.search(turn.text):
        return "tomorrow", midnight + DAY, midnight + 2 * DAY
    if SOON.search(turn.text):
        return "today", midnight, midnight + DAY
    when = named(requests.refused(turn.text), turn.now, turn.zone)
    if isinstance(when, Once) and when.grain is Grain.DAY:
        day = start_of_day(when.at)
        return "then", day, day + DAY
    return "all", datetime.min.replace(tzinfo=turn.zone), here + 366 * DAY


def start_of_day(at: datetime) -> datetime:
    return at.replace(hour=0, minute=0, second=0, microsecond=0)
