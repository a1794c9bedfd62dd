"""What all tools use: the verbs, who is calling, and sentences that read the time back."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from clarion.access.tokens import speaks_for
from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.ids import UserId
from clarion.doors.mcp.identity import actor_of, asking
from clarion.doors.mcp.shapes import Told, guarantee_out, local, reminder_out, series_out
from clarion.language.readback import spoken_instant
from clarion.people.errors import NoSuchUser
from clarion.people.model import CLARION, NEWCOMER, Actor, Newcomer, User
from clarion.people.service import People
from clarion.reminders.guarantee import clock_or_day
from clarion.reminders.model import Reminder, ReminderStatus, Series
from clarion.reminders.service import Reminders
from clarion.reminders.setting import Created

ENDED = {
    "zh": {
        ReminderStatus.CONFIRMED: "已确认：{content}。",
        ReminderStatus.COMPLETED: "已结束：{content}。",
        ReminderStatus.TIMEOUT: "没有人确认：{content}。",
        ReminderStatus.CANCELLED: "已取消：{content}。",
        ReminderStatus.FAILED: "没能提醒到：{content}。",
    },
    "en": {
        ReminderStatus.CONFIRMED: "Confirmed: {content}.",
        ReminderStatus.COMPLETED: "Over: {content}.",
        ReminderStatus.TIMEOUT: "Nobody confirmed: {content}.",
        ReminderStatus.CANCELLED: "Cancelled: {content}.",
        ReminderStatus.FAILED: "Could not be told: {content}.",
    },
}
OPEN = {
    "zh": "{when}提醒：{content}{confirm}。",
    "en": "{when}: {content}{confirm}.",
}
FOR_PERSON = {"zh": "给{person}：{said}", "en": "For {person}: {said}"}
OVERDUE = {
    "zh": "{content}：从 {since} 起谁也联系不上。",
    "en": "{content}: since {since}, nobody reachable.",
}
CONFIRM = {"zh": "，要等到确认", "en": ", to be confirmed"}


@dataclass(frozen=True, slots=True)
class Kit:
    reminders: Reminders
    people: People
    clock: Clock
    newcomer: Newcomer = NEWCOMER

    @property
    def actor(self) -> Actor:
        return actor_of(asking())

    def whose(self, asked: str) -> UserId:
        actor = self.actor
        return speaks_for(actor.user_id, is_admin=actor.admin, asked=asked)

    async def user(self, user_id: UserId) -> User:
        """The user, or the defaults of a new one. Nothing is written."""
        try:
            return await self.people.user(CLARION, user_id)
        except NoSuchUser:
            return User(id=user_id, zone=self.newcomer.zone, language=self.newcomer.language)

    async def reminder_result(self, reminder: Reminder) -> Told:
        """Says who will hear it, so that nobody hears "set" for what nobody can hear."""
        user = await self.user(reminder.user_id)
        found = (await self.reminders.guarantees([reminder])).get(reminder.id)
        said = self.say(reminder, user)
        return Told(
            said=f"{said} {found.sentence}" if found else said,
            reminder=reminder_out(reminder, user),
            guarantee=guarantee_out(found),
        )

    async def created_result(self, made: Created, owner: UserId) -> Told:
        """What a sentence became; for whom it is said where it is not for `owner`."""
        if made.series is not None:
            result = await self.series_result(made.series, made.readback)
        else:
            assert made.reminder is not None, "a sentence becomes one or the other"
            result = await self.reminder_result(made.reminder)
        if not made.person:
            return result
        language = (await self.user(owner)).language
        said = FOR_PERSON[language].format(person=made.person, said=result.said)
        return result.model_copy(update={"said": said})

    async def series_result(self, series: Series, rhythm: str = "") -> Told:
        """`rhythm`, when it is known, says how it repeats instead of when it comes next."""
        user = await self.user(series.user_id)
        confirm = series.confirmation.required
        if series.next_at is None:
            said = ENDED[user.language][ReminderStatus.CANCELLED].format(content=series.content)
        elif rhythm:
            said = self._open(rhythm, series.content, user, confirm)
        else:
            said = self.say_next(series.next_at, series.content, user, confirm)
        first = await self._current(series)
        if first is None:
            return Told(said=said, series=series_out(series))
        result = await self.reminder_result(first)
        if result.guarantee is not None:
            said = f"{said} {result.guarantee.sentence}"
        return Told(
            said=said,
            reminder=result.reminder,
            series=series_out(series),
            guarantee=result.guarantee,
        )

    async def _current(self, series: Series) -> Reminder | None:
        if series.current is None:
            return None
        return await self.reminders.get(CLARION, series.current)  # the same rights as the series

    def say(self, reminder: Reminder, user: User) -> str:
        ended = ENDED[user.language].get(reminder.status)
        if ended is not None:
            return ended.format(content=reminder.content)
        if reminder.unreached_since is not None:
            since = clock_or_day(reminder.unreached_since, ZoneInfo(user.zone), self.clock.now())
            return OVERDUE[user.language].format(since=since, content=reminder.content)
        return self.say_next(
            reminder.trigger_at, reminder.content, user, reminder.confirmation.required
        )

    def say_next(self, at: datetime, content: str, user: User, confirm: bool) -> str:
        zone = ZoneInfo(user.zone)
        when = spoken_instant(at.astimezone(zone), self.clock.now().astimezone(zone), user.language)
        return self._open(when, content, user, confirm)

    def _open(self, when: str, content: str, user: User, confirm: bool) -> str:
        return OPEN[user.language].format(
            when=when, content=content, confirm=CONFIRM[user.language] if confirm else ""
        )

    def today(self, user: User) -> tuple[datetime, datetime]:
        """From midnight to midnight where the person is."""
        zone = ZoneInfo(user.zone)
        day = self.clock.now().astimezone(zone).date()
        begins = datetime.combine(day, time(), zone)
        return begins, datetime.combine(day + timedelta(days=1), time(), zone)

    def instant(self, text: str, user: User, name: str) -> datetime:
        """RFC 3339 with an offset; the hint shows how it would look in the person's zone."""
        try:
            at = datetime.fromisoformat(text)
        except ValueError:
            at = None
        if at is None or at.tzinfo is None:
            example = local(self.clock.now(), user.zone)
            raise BadInput(
                f"{name} must be a time in RFC 3339 with an offset.",
                hint=f"The person's zone is {user.zone}; right now it is {example} there.",
            )
        return at
