"""Who will hear a reminder, by which ways, and how sure that is now. Pure.

It is said when a reminder is set and shown in every list, so that nobody hears "set" for a reminder
that nobody can hear.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.ids import ReminderId
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
from clarion.reminders.decisions.decision import pausing
from clarion.reminders.model import Patience, Reminder, ReminderStatus, in_order, policy_of, wait_of

PROOF_LIFE = timedelta(days=30)  # what worked a month ago may have lost its battery since
SEEN_LATELY = timedelta(days=2)  # a sleeping bell connects once a day, for its daily ring
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
    """`kind` is `device` or `contact`; `state` is `online`, `message`, `away`,
    `unserved` or `contact`.
    """

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
        """What must be said at once: that nobody will hear it. Empty when somebody will."""
        return self.sentence if self.level in (Surety.NOBODY, Surety.PAUSED) else ""


def guarantee(
    reminder: Reminder,
    household: Household,
    now: datetime,
    patience: Patience,
    language: str | None = None,
    unserved: Collection[str] = (),
) -> Guarantee | None:
    """None when the reminder is over. Worded in `language`, else in the user's own.

    `unserved`: chat platforms that this Clarion has no access to; nothing arrives there.
    """
    if reminder.is_final:
        return None
    user = household.user
    listener = replace(user, language=language) if language else user
    absence = pausing(reminder, listener, max(reminder.trigger_at, now))
    if absence is not None and reminder.status is ReminderStatus.PENDING:
        return Guarantee(Surety.PAUSED, (), say_paused(reminder, listener, absence, now))
    there = [one for one in household.devices if not is_forgotten(one, now)]
    devices = [way_of(one, now, unserved) for one in in_order(reminder, there)]
    level = best(devices)
    if reminder.unreached_since is not None:
        level = Surety.NOBODY  # it is due, and no device could be reached
    after = first_contact_after(reminder, level, patience)
    contacts = []
    if after is not None and household.contacts:
        told = [one for one in called(reminder, household, now) if can_be_told(one, unserved)]
        contacts = _ladder(told, after, now)
    ways = (*devices, *contacts)
    return Guarantee(level, ways, say(reminder, level, ways, listener, now))


class Guarantees:
    def __init__(
        self, people: PeopleStore, clock: Clock, patience: Patience, unserved: Collection[str]
    ) -> None:
        self._people = people
        self._clock = clock
        self._patience = patience
        self._unserved = unserved

    async def of(
        self, reminders: Sequence[Reminder], language: str | None = None
    ) -> dict[ReminderId, Guarantee]:
        """Who will hear each of them; those that are over have none.

        `language`: in which that is said; each user's own when it is not given.
        """
        open_ = [one for one in reminders if not one.is_final]
        if not open_:
            return {}
        owners = list({one.user_id: None for one in open_})
        households = await self._people.households(owners)
        now = self._clock.now()
        found = (
            (one.id, guarantee(one, there, now, self._patience, language, self._unserved))
            for one in open_
            if (there := households.get(one.user_id)) is not None
        )
        return {id_: each for id_, each in found if each is not None}

    async def of_new(
        self, reminder: Reminder, there: Household | None, language: str | None = None
    ) -> Guarantee | None:
        """`there`: the household, read with the write that set it; None when it was set before.

        Before it is said that nobody hears it, the household is read again: a device may have come
        while the reminder was written.
        """
        if there is not None:
            now = self._clock.now()
            told = guarantee(reminder, there, now, self._patience, language, self._unserved)
            if told is None or told.level is not Surety.NOBODY:
                return told
        return (await self.of([reminder], language)).get(reminder.id)


def called(reminder: Reminder, household: Household, now: datetime) -> list[Contact]:
    """The contacts who are on call when it is due."""
    user, at = household.user, max(now, reminder.trigger_at)
    policy = policy_of(user, reminder)
    return climbed(household.contacts, household.rotations, ZoneInfo(user.zone), at, policy)


def can_be_told(contact: Contact, unserved: Collection[str]) -> bool:
    dead = tuple(f"chat:{platform}:" for platform in unserved)
    ways = contact.all_ways
    return not ways or any(not one.address.startswith(dead) for one in ways)


def way_of(device: Device, now: datetime, unserved: Collection[str] = ()) -> WayToTell:
    proved = is_fresh(device.proved_at, now, PROOF_LIFE)
    level = Surety.SURE if proved else Surety.LIKELY
    state = "online"
    if device.kind in {CHAT_PLATFORMS[platform] for platform in unserved}:
        state, level = "unserved", Surety.NOBODY
    elif device.kind in MESSAGES:
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
    """A browser that nobody has opened for days: it no longer counts as a device at all."""
    if device.kind is not DeviceKind.BROWSER or device.online or device.last_seen is None:
        return False
    return not is_fresh(device.last_seen, now, SEEN_LATELY)


def is_fresh(at: datetime | None, now: datetime, life: timedelta) -> bool:
    """An instant in the future counts as fresh: the clock was set back meanwhile."""
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
        "unserved": "这个平台没有接入",
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
        "gap": "",
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
        "unserved": "not set up here",
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
        "gap": " ",
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
        said = [_way(one, words, zone, now) for one in heard]
        said += [_contact(one, words, zone, now) for one in contacts]
        return words["rings"].format(ways=words["then"].join(said))
    listed = words["and"].join(_way(one, words, zone, now) for one in devices)
    if reminder.unreached_since is not None and devices:
        since = clock_or_day(reminder.unreached_since, zone, now)
        first = words["since"].format(since=since, ways=listed)
    else:
        first = words["silent"].format(ways=listed) if devices else words["none"]
    return f"{first}{words['gap']}{_told(contacts, words)}"


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
    elif way.state == "unserved":
        state = words["unserved"]
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
