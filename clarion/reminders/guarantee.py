"""Who will hear a reminder, by which ways, and how sure that is now. Pure.

It is said when a reminder is set and beside it in every list, so that nobody is told "set" for
something that nobody can hear.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from clarion.reminders.model import Contact, Device, DeviceKind, Household, Reminder, User
from clarion.reminders.patience import Patience, wait_of
from clarion.reminders.ringing import in_order

PROOF_LIFE = timedelta(days=30)  # what worked a month ago may have lost its battery since
SEEN_LATELY = timedelta(days=2)  # a bell that sleeps shows itself once a day, at its daily ring
MESSAGES = frozenset(
    {DeviceKind.TELEGRAM, DeviceKind.CONSOLE_CHAT, DeviceKind.WEBHOOK, DeviceKind.NOTIFY}
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


def guarantee(
    reminder: Reminder, household: Household, now: datetime, patience: Patience
) -> Guarantee | None:
    """None when the reminder is over."""
    if reminder.is_final:
        return None
    devices = [way_of(one, now) for one in in_order(reminder, household.devices)]
    level = best(devices)
    if reminder.unreached_since is not None:
        level = Surety.NOBODY  # it is due, and none of them could be reached
    after = first_contact_after(reminder, level, patience)
    contacts = _ladder(household.contacts, after) if after is not None else []
    ways = (*devices, *contacts)
    return Guarantee(level, ways, say(reminder, level, ways, household.user, now))


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


def _ladder(contacts: Sequence[Contact], after: int) -> list[WayToTell]:
    ways = []
    for contact in contacts:
        after += contact.delay
        ways.append(
            WayToTell(
                kind="contact",
                id=contact.id,
                name=contact.name,
                level=Surety.LIKELY,
                state="contact",
                after=after,
            )
        )
    return ways


SAID = {
    "zh": {
        "rings": "会在{ways}提醒。",
        "then": "，然后",
        "way": "{name}（{state}）",
        "contact": "{name}（{after}没人确认时）",
        "online": "在线",
        "message": "发消息",
        "away": "{since}起不在线",
        "gone": "没有连上过",
        "today": "今天响过",
        "days": "{n} 天前响过",
        "untested": "还没试过",
        "none": "没有人会听到：还没有任何设备。请在网页上打开“在这里响铃”，或添加一个设备。",
        "silent": "现在没有人能听到：{ways}。请打开设备或网页，或再添加一种方式。",
        "since": "从 {since} 起谁也联系不上：{ways}。请打开设备或网页。",
        "told": "{names}会在{after}后得到通知。",
        "no contact": "也没有联系人会得到通知。",
        "and": "、",
        "minutes": "{n} 分钟",
        "hours": "{n} 小时",
    },
    "en": {
        "rings": "Will ring on {ways}.",
        "then": ", then ",
        "way": "{name} ({state})",
        "contact": "{name} after {after} without a yes",
        "online": "online",
        "message": "by message",
        "away": "away since {since}",
        "gone": "never seen",
        "today": "worked today",
        "days": "worked {n} days ago",
        "untested": "not tested yet",
        "none": "Nobody can hear this: there is no device yet. Let this browser ring, or add a"
        " device.",
        "silent": "Nobody can hear this now: {ways}. Turn the device on, open the page again, or"
        " add another way.",
        "since": "Since {since}, nobody reachable: {ways}. Turn the device on or open the page.",
        "told": "{names} will be told after {after}.",
        "no contact": "No contact would be told either.",
        "and": ", ",
        "minutes": "{n} min",
        "hours": "{n} h",
    },
}
MINUTES_MAX = 90  # from there on people count in hours


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
        told += [_contact(one, words) for one in contacts]
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
        state = f"{words[way.state]}{words['and']}{_proof(way.proved_at, words, zone, now)}"
    return words["way"].format(name=way.name, state=state)


def _contact(way: WayToTell, words: dict[str, str]) -> str:
    return words["contact"].format(name=way.name, after=_span(way.after, words))


def _proof(at: datetime | None, words: dict[str, str], zone: ZoneInfo, now: datetime) -> str:
    if at is None or not is_fresh(at, now, PROOF_LIFE):
        return words["untested"]
    days = (now.astimezone(zone).date() - at.astimezone(zone).date()).days
    return words["days"].format(n=days) if days > 0 else words["today"]


def clock_or_day(at: datetime, zone: ZoneInfo, now: datetime) -> str:
    local, here = at.astimezone(zone), now.astimezone(zone)
    return f"{local:%H:%M}" if local.date() == here.date() else f"{local:%Y-%m-%d %H:%M}"


def _span(seconds: int, words: dict[str, str]) -> str:
    minutes = round(seconds / 60)
    if minutes < MINUTES_MAX:
        return words["minutes"].format(n=minutes)
    return words["hours"].format(n=round(minutes / 60))
