"""Who will hear a reminder, by which ways, and how sure that is now. Pure.

It is said when a reminder is set and beside it in every list, so that nobody is told "set" for
something that nobody can hear.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.events import StoredEvent
from clarion.base.ids import UserId
from clarion.people.model import (
    CHAT_PLATFORMS,
    Contact,
    Device,
    DeviceKind,
    Household,
    PersonAbsence,
    User,
)
from clarion.people.oncall import climbed
from clarion.people.ports import PeopleStore
from clarion.reminders.decisions import escalation
from clarion.reminders.decisions.decision import NOTHING, Decision, LockedReminder, changed
from clarion.reminders.decisions.escalation import policy_of
from clarion.reminders.decisions.quiet import pausing
from clarion.reminders.errors import NoSuchReminder
from clarion.reminders.events import GuaranteeLost, GuaranteeRestored
from clarion.reminders.model import Patience, Reminder, ReminderStatus, in_order, wait_of
from clarion.reminders.ports import ReminderStore, Search

PROOF_LIFE = timedelta(days=30)  # what worked a month ago may have lost its battery since
SEEN_LATELY = timedelta(days=2)  # a bell that sleeps shows itself once a day, at its daily ring
MESSAGES = frozenset(
    {*CHAT_PLATFORMS.values(), DeviceKind.WEBHOOK, DeviceKind.NOTIFY, DeviceKind.PUSH}
)
"""A message waits where it was sent: such a way is never away."""
PAGES = frozenset({DeviceKind.BROWSER, DeviceKind.TERMINAL})
"""Closed, they cannot be woken."""


class Surety(StrEnum):
    SURE = "sure"
    """Can be reached now, and has worked lately."""
    LIKELY = "likely"
    """Not proved lately, or away and able to come back."""
    NOBODY = "nobody"
    PAUSED = "paused"
    """On purpose: the person is away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WayToTell:
    """`kind` is `device` or `contact`; `state` is `online`, `message`, `away` or `contact`."""

    kind: str
    id: str
    name: str
    level: Surety
    state: str
    seen_at: datetime | None = None
    proved_at: datetime | None = None
    after: int = 0
    """Seconds after it was due until this way is tried."""


@dataclass(frozen=True, slots=True)
class Guarantee:
    level: Surety
    ways: tuple[WayToTell, ...]
    """In the order in which they are tried."""
    sentence: str
    """In the user's language: what will happen, or what to do so that something happens."""

    @property
    def warning(self) -> str:
        """What has to be said at once: that nobody will hear it. Empty when somebody will."""
        return self.sentence if self.level in (Surety.NOBODY, Surety.PAUSED) else ""


def guarantee(
    reminder: Reminder,
    household: Household,
    now: datetime,
    patience: Patience,
    language: str | None = None,
) -> Guarantee | None:
    """None when the reminder is over. It is said in `language`, else in the user's own."""
    if reminder.is_final:
        return None
    listener = replace(household.user, language=language or household.user.language)
    absence = pausing(reminder, listener, max(reminder.trigger_at, now))
    if absence is not None and reminder.status is ReminderStatus.PENDING:
        return Guarantee(Surety.PAUSED, (), say_paused(reminder, listener, absence, now))
    there = [one for one in household.devices if not is_forgotten(one, now)]
    devices = [way_of(one, now) for one in in_order(reminder, there)]
    level = best(devices)
    if reminder.unreached_since is not None:
        level = Surety.NOBODY  # it is due, and none of them could be reached
    after = first_contact_after(reminder, level, patience)
    contacts = _ladder(called(reminder, household, now), after, now) if after is not None else []
    ways = (*devices, *contacts)
    return Guarantee(level, ways, say(reminder, level, ways, listener, now))


def called(reminder: Reminder, household: Household, now: datetime) -> list[Contact]:
    """Who is on call by the time it is due."""
    user, at = household.user, max(now, reminder.trigger_at)
    policy = policy_of(user, reminder)
    return climbed(household.contacts, household.rotations, ZoneInfo(user.zone), at, policy)


def way_of(device: Device, now: datetime) -> WayToTell:
    proved = is_fresh(device.proved_at, now, PROOF_LIFE)
    level = Surety.SURE if proved else Surety.LIKELY
    state = "online"
    if device.kind in MESSAGES:
        state = "message"
    elif not device.online:
        state = "away"
        may_wake = device.kind not in PAGES and is_fresh(device.last_seen, now, SEEN_LATELY)
        level = Surety.LIKELY if may_wake else Surety.NOBODY
    return WayToTell(
        kind="device",
        id=device.id,
        name=device.name or device.kind.value,
        level=level,
        state=state,
        seen_at=device.last_seen,
        proved_at=device.proved_at,
    )


def is_forgotten(device: Device, now: datetime) -> bool:
    """A browser that nobody has opened for days: it is no way any more, not even a lost one."""
    if device.kind is not DeviceKind.BROWSER or device.online or device.last_seen is None:
        return False
    return not is_fresh(device.last_seen, now, SEEN_LATELY)


def is_fresh(at: datetime | None, now: datetime, life: timedelta) -> bool:
    """An instant after now is fresh too: the clock was set back meanwhile."""
    return at is not None and now - at <= life


def best(ways: Sequence[WayToTell]) -> Surety:
    levels = {one.level for one in ways}
    return next((one for one in Surety if one in levels), Surety.NOBODY)


def first_contact_after(reminder: Reminder, level: Surety, patience: Patience) -> int | None:
    """Seconds until the first contact's own delay begins; None when no contact would be told."""
    config = reminder.confirmation
    if level is Surety.NOBODY:
        return int(patience.offline.total_seconds())
    if not config.required:
        return None
    calls = config.max_retries
    asking = calls * wait_of(reminder, patience).total_seconds()
    return int(asking + (calls - 1) * config.retry_interval)


def _ladder(contacts: Sequence[Contact], after: int, now: datetime) -> list[WayToTell]:
    ways = []
    for contact in contacts:
        after += contact.delay
        proved = is_fresh(contact.proved_at, now, PROOF_LIFE)
        ways.append(
            WayToTell(
                kind="contact",
                id=contact.id,
                name=contact.name,
                level=Surety.SURE if proved else Surety.LIKELY,
                state="contact",
                proved_at=contact.proved_at,
                after=after,
            )
        )
    return ways


SAID = {
    "zh": {
        "rings": "会在{ways}提醒。",
        "then": "，然后",
        "way": "{name}（{state}）",
        "contact": "{name}（{after}没人确认时；{proof}）",
        "answered": "今天答过测试",
        "answered day": "昨天答过测试",
        "answered days": "{n} 天前答过测试",
        "online": "在线",
        "message": "发消息",
        "away": "{since}起不在线",
        "gone": "没有连上过",
        "today": "今天响过",
        "day": "昨天响过",
        "days": "{n} 天前响过",
        "untested": "还没试过",
        "none": "没有人会听到：还没有任何设备。请在网页上打开“在这里响铃”，或添加一个设备。",
        "silent": "现在没有人能听到：{ways}。请打开设备或网页，或再添加一种方式。",
        "since": "从 {since} 起谁也联系不上：{ways}。请打开设备或网页。",
        "told": "{names}会在{after}后得到通知。",
        "no contact": "也没有联系人会得到通知。",
        "paused": "不会响：{who}{until}不在。{then}",
        "named": "{name}",
        "they": "本人",
        "until": "到 {at} 为止",
        "open": "目前",
        "left out": "这一次跳过，系列之后照常。",
        "told later": "回来以后再说。",
        "and": "、",
        "minutes": "{n} 分钟",
        "hours": "{n} 小时",
    },
    "en": {
        "rings": "Will ring on {ways}.",
        "then": ", then ",
        "way": "{name} ({state})",
        "contact": "{name} ({proof}) after {after} without a yes",
        "answered": "answered a test today",
        "answered day": "answered a test yesterday",
        "answered days": "answered a test {n} days ago",
        "online": "online",
        "message": "by message",
        "away": "away since {since}",
        "gone": "never seen",
        "today": "worked today",
        "day": "worked yesterday",
        "days": "worked {n} days ago",
        "untested": "not tested yet",
        "none": "Nobody can hear this: there is no device yet. Let this browser ring, or add a"
        " device.",
        "silent": "Nobody can hear this now: {ways}. Turn the device on, open the page again, or"
        " add another way.",
        "since": "Since {since}, nobody reachable: {ways}. Turn the device on or open the page.",
        "told": "{names} will be told after {after}.",
        "no contact": "No contact would be told either.",
        "paused": "Will not ring: {who} away {until}. {then}",
        "named": "{name} is",
        "they": "They are",
        "until": "until {at}",
        "open": "for now",
        "left out": "This one is left out, the series goes on afterwards.",
        "told later": "It is told afterwards.",
        "and": ", ",
        "minutes": "{n} min",
        "hours": "{n} h",
    },
}
MINUTES_MAX = 90  # from there on people count in hours


def say_paused(reminder: Reminder, user: User, absence: PersonAbsence, now: datetime) -> str:
    words = SAID[user.language]
    until = words["open"]
    if absence.ends is not None:
        until = words["until"].format(at=clock_or_day(absence.ends, ZoneInfo(user.zone), now))
    then = words["left out" if reminder.series_id else "told later"]
    return words["paused"].format(
        who=words["named"].format(name=user.name) if user.name else words["they"],
        until=until,
        then=then,
    )


def say(
    reminder: Reminder,
    level: Surety,
    ways: Sequence[WayToTell],
    user: User,
    now: datetime,
) -> str:
    words, zone = SAID[user.language], ZoneInfo(user.zone)
    devices = [one for one in ways if one.kind == "device"]
    contacts = [one for one in ways if one.kind == "contact"]
    if level is not Surety.NOBODY:
        heard = [one for one in devices if one.level is not Surety.NOBODY]
        told = [_way(one, words, zone, now) for one in heard]
        told += [_contact(one, words, zone, now) for one in contacts]
        return words["rings"].format(ways=words["then"].join(told))
    listed = words["and"].join(_way(one, words, zone, now) for one in devices)
    if reminder.unreached_since is not None and devices:
        since = clock_or_day(reminder.unreached_since, zone, now)
        first = words["since"].format(since=since, ways=listed)
    else:
        first = words["silent"].format(ways=listed) if devices else words["none"]
    return " ".join([first, _told(contacts, words)]).strip()


def _told(contacts: Sequence[WayToTell], words: dict[str, str]) -> str:
    if not contacts:
        return words["no contact"]
    names = words["and"].join(one.name for one in contacts)
    return words["told"].format(names=names, after=_span(contacts[0].after, words))


def _way(way: WayToTell, words: dict[str, str], zone: ZoneInfo, now: datetime) -> str:
    if way.state == "away":
        since = way.seen_at
        state = words["gone"]
        if since is not None:
            state = words["away"].format(since=clock_or_day(since, zone, now))
    else:
        state = f"{words[way.state]}{words['and']}{_proof(way, words, zone, now)}"
    return words["way"].format(name=way.name, state=state)


def _contact(way: WayToTell, words: dict[str, str], zone: ZoneInfo, now: datetime) -> str:
    proof = _proof(way, words, zone, now)
    return words["contact"].format(name=way.name, after=_span(way.after, words), proof=proof)


def _proof(way: WayToTell, words: dict[str, str], zone: ZoneInfo, now: datetime) -> str:
    at = way.proved_at
    if at is None or not is_fresh(at, now, PROOF_LIFE):
        return words["untested"]
    days = (now.astimezone(zone).date() - at.astimezone(zone).date()).days
    proved = "answered " if way.kind == "contact" else ""
    if days <= 0:
        return words[proved.strip() or "today"]
    return words[f"{proved}{'day' if days == 1 else 'days'}"].format(n=days)


def clock_or_day(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    local, here = at.astimezone(zone), now.astimezone(zone)
    return f"{local:%H:%M}" if local.date() == here.date() else f"{local:%Y-%m-%d %H:%M}"


def _span(seconds: int, words: dict[str, str]) -> str:
    minutes = round(seconds / 60)
    if minutes < MINUTES_MAX:
        return words["minutes"].format(n=minutes)
    return words["hours"].format(n=round(minutes / 60))


AHEAD = timedelta(hours=24)  # who hears of it a day before can still do something
GRACE = timedelta(minutes=2)  # a page that is loaded anew, a router that restarts
LOOK_EVERY = timedelta(minutes=1)
PAGE = 500
PAGES_AT_ONCE = 4
CHANGED_MAX = 10_000  # people; with more of them all reminders are looked at
NEVER = datetime.min.replace(tzinfo=UTC)
COMING = Search(status=(ReminderStatus.PENDING,), limit=PAGE)


def watched(
    reminder: Reminder, household: Household, now: datetime, patience: Patience
) -> GuaranteeLost | GuaranteeRestored | None:
    """One event when it is lost, one when it is back, nothing while it stays as it is."""
    waits = reminder.status is ReminderStatus.PENDING and reminder.unreached_since is None
    if not waits or reminder.held_until is not None:
        return None
    there = replace(household, devices=[with_grace(one, now) for one in household.devices])
    found = guarantee(reminder, there, now, patience)
    assert found is not None, "a pending reminder is not over"
    lost = found.level is Surety.NOBODY
    if lost == (reminder.reach_lost_at is not None):
        return None
    about: dict[str, Any] = {
        "subject": reminder.id,
        "user": reminder.user_id,
        "trigger_at": reminder.trigger_at,
        "says": found.sentence,
    }
    if lost:
        return GuaranteeLost(**about, content=reminder.content)
    return GuaranteeRestored(**about)


def note(scene: LockedReminder, now: datetime, patience: Patience) -> Decision:
    household = Household(scene.user, scene.devices, scene.contacts, scene.rotations)
    event = watched(scene.reminder, household, now, patience)
    if event is None:
        return NOTHING
    lost = isinstance(event, GuaranteeLost)
    after = changed(
        scene.reminder, now, ReminderStatus.PENDING, reach_lost_at=now if lost else None
    )
    noted = Decision(reminders=(after,), events=(event,), outcome=event.kind)
    return noted + escalation.warn(
        scene, escalation.UNHEARD if lost else escalation.HEARD_AGAIN, now
    )


def with_grace(device: Device, now: datetime) -> Device:
    """As it was when it has only just gone away."""
    gone = device.offline_since
    just_now = gone is not None and not device.online and abs(now - gone) < GRACE
    return replace(device, online=True) if just_now else device


class ReachWatch:
    """A pass. Looks at each reminder when a day is left, and again when a way changes."""

    name = "reach-watch"

    def __init__(
        self, store: ReminderStore, people: PeopleStore, clock: Clock, patience: Patience
    ) -> None:
        self._store = store
        self._people = people
        self._clock = clock
        self._patience = patience
        self._looked_until = NEVER
        self._last: tuple[datetime, str] | None = None
        self._changed: dict[UserId, datetime] = {}
        """Whose ways changed, and when to look."""

    def happened(self, event: StoredEvent) -> bool:
        """True when it concerns a device: it came, went, was added, changed or removed."""
        if event.user is None or event.kind.partition(".")[0] != "device":
            return False
        if len(self._changed) >= CHANGED_MAX:
            self._changed.clear()
            self._looked_until, self._last = NEVER, None
        back = event.kind == "device.seen" and bool(event.data.get("online"))
        wait = timedelta() if back else GRACE
        self._changed[UserId(event.user)] = self._clock.now() + wait
        return True

    async def run_once(self) -> datetime | None:
        now = self._clock.now()
        is_done = await self._look_ahead(now)
        # An instant beyond the grace was noted before the clock was set back.
        due = [one for one, at in self._changed.items() if not now < at <= now + GRACE]
        for user_id in due:
            del self._changed[user_id]
            await self._look(replace(COMING, user_id=user_id, since=now, until=now + AHEAD), now)
        if not is_done:
            return now
        return min([*self._changed.values(), now + LOOK_EVERY])

    async def _look_ahead(self, now: datetime) -> bool:
        """What came within a day since the last look. False when there is more."""
        end = now + AHEAD
        if self._looked_until > end:
            self._looked_until, self._last = now, None  # the clock was set back
        search = replace(COMING, since=max(now, self._looked_until), until=end, after=self._last)
        for _ in range(PAGES_AT_ONCE):
            found = await self._look(search, now)
            if len(found) < PAGE:
                self._looked_until, self._last = end, None
                return True
            self._last = (found[-1].trigger_at, found[-1].id)
            search = replace(search, after=self._last)
        return False

    async def _look(self, search: Search, now: datetime) -> Sequence[Reminder]:
        found = await self._store.find(search)
        households = await self._people.households(list({one.user_id: None for one in found}))
        for one in found:
            household = households.get(one.user_id)
            if household and watched(one, household, now, self._patience):
                await self._note(one, now)
        return found

    async def _note(self, reminder: Reminder, now: datetime) -> None:
        """Decided once more on the locked reminder: two servers tell it once."""
        try:
            await self._store.change(
                reminder.id, lambda scene: note(scene, now, self._patience), now
            )
        except NoSuchReminder:
            return  # its user was removed meanwhile
