"""Who is on call: contacts who take turns, day by day or week by week. Pure.

An override comes first, then the turn; a contact who is away is skipped, unless all are away. A
shift begins at the hand-over hour in the time zone of the user.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from clarion.base.ids import ContactId
from clarion.people.model import Contact, EscalationPolicy, Rotation

STEPS_MAX = 400  # changes to look through until another person is found: more than a year of days
OTHERS_DELAY = 300  # seconds; those who are not on call are told last, one after the other


@dataclass(frozen=True, slots=True)
class OnCallShift:
    contact: Contact
    begins_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class OnCall:
    rotation: Rotation
    now: OnCallShift | None
    """None: nobody in it can be told."""
    next: OnCallShift | None
    """None: nobody else within a year."""


class Roster:
    """One rotation with its contacts. Those who have not agreed or were removed have no turn."""

    def __init__(self, rotation: Rotation, contacts: Sequence[Contact], zone: ZoneInfo) -> None:
        self._rotation = rotation
        self._known = {one.id: one for one in contacts if one.agreed_ways}
        self._zone = zone

    def on_call(self, at: datetime) -> Contact | None:
        standing_in = [
            one
            for one in self._rotation.overrides
            if one.begins_at <= at < one.ends_at and one.contact_id in self._known
        ]
        if standing_in:
            return self._known[standing_in[-1].contact_id]
        day = self._day(at)
        queue = self._turns(day)
        there = [one for one in queue if not is_away(one, day)]
        return next(iter(there or queue), None)

    def _turns(self, day: date) -> list[Contact]:
        """The contacts in order, from the one whose turn it is on that day."""
        rotation = self._rotation
        members, days = rotation.members, rotation.every.days
        if rotation.holiday_members and any(one.holds(day) for one in rotation.holidays):
            members, days = rotation.holiday_members, 1
        if not members:
            return []
        turn = (day - rotation.begins_on).days // days % len(members)
        following = (*members[turn:], *members[:turn])
        return [self._known[one] for one in following if one in self._known]

    def _day(self, at: datetime) -> date:
        """The day to which the shift belongs: before the hand-over, the day before."""
        local = at.astimezone(self._zone)
        day = local.date()
        return day if at >= self._hand_over(day) else day - timedelta(days=1)

    def _hand_over(self, day: date) -> datetime:
        local = datetime.combine(day, self._rotation.hands_over, self._zone)
        return local.astimezone(UTC)

    def shifts(self, begins: datetime, ends: datetime) -> list[OnCallShift]:
        """Who is on call between two instants; the first and the last shift are cut to them."""
        found: list[OnCallShift] = []
        at = begins
        while at < ends:
            until = min(self._next_change(at), ends)
            who = self.on_call(at)
            if found and who and found[-1].contact.id == who.id and found[-1].ends_at == at:
                found[-1] = replace(found[-1], ends_at=until)
            elif who is not None:
                found.append(OnCallShift(who, at, until))
            at = until
        return found

    def now_and_next(self, at: datetime) -> tuple[OnCallShift | None, OnCallShift | None]:
        """With their true beginning and end. The next is somebody else, within a year."""
        who = self.on_call(at)
        if who is None:
            return None, None
        ends = self._until(at, who)
        mine = OnCallShift(who, self._since(at, who), ends)
        follows = self.on_call(ends)
        if follows is None or follows.id == who.id:
            return mine, None
        return mine, OnCallShift(follows, ends, self._until(ends, follows))

    def _until(self, at: datetime, who: Contact) -> datetime:
        for _ in range(STEPS_MAX):
            at = self._next_change(at)
            now = self.on_call(at)
            if now is None or now.id != who.id:
                break
        return at

    def _since(self, at: datetime, who: Contact) -> datetime:
        for _ in range(STEPS_MAX):
            before = self._last_change(at)
            now = self.on_call(before - timedelta(microseconds=1))
            if now is None or now.id != who.id:
                return before
            at = before - timedelta(microseconds=1)
        return at

    def _next_change(self, at: datetime) -> datetime:
        """The next instant at which somebody else may be on call."""
        after = [self._hand_over(self._day(at) + timedelta(days=1)), *self._swaps()]
        return min(one for one in after if one > at)

    def _last_change(self, at: datetime) -> datetime:
        before = [self._hand_over(self._day(at)), *self._swaps()]
        return max(one for one in before if one <= at)

    def _swaps(self) -> list[datetime]:
        overrides = self._rotation.overrides
        return [at for one in overrides for at in (one.begins_at, one.ends_at)]


def is_away(contact: Contact, day: date) -> bool:
    return any(one.holds(day) for one in contact.away)


def climbed(
    contacts: Sequence[Contact],
    rotations: Sequence[Rotation],
    zone: ZoneInfo,
    now: datetime,
    policy: EscalationPolicy,
) -> list[Contact]:
    """The ladder at that instant, the first step first.

    A rotation is represented by the contact on call; its other members come last of all, so that
    somebody answers. Contacts who are away are skipped, unless all are. A policy may limit the
    ladder by `only` to some contacts and rotations.
    """
    used = [one for one in rotations if not policy.only or one.id in policy.only]
    duty: dict[ContactId, Contact] = {}
    off: dict[ContactId, Rotation] = {}
    for rotation in used:
        who = Roster(rotation, contacts, zone).on_call(now)
        off |= dict.fromkeys((*rotation.members, *rotation.holiday_members), rotation)
        if who is not None:
            duty.setdefault(who.id, replace(who, order=rotation.order, delay=rotation.delay))
    named = {*policy.only}
    plain = [
        one
        for one in contacts
        if one.id not in duty and one.id not in off and (not named or one.id in named)
    ]
    first = sorted([*plain, *duty.values()], key=lambda one: (one.order, one.id))
    whole = [*first, *_off_duty(contacts, duty, off, first)]
    return _present(whole, now.astimezone(zone).date())


def _off_duty(
    contacts: Sequence[Contact],
    duty: Mapping[ContactId, Contact],
    off: Mapping[ContactId, Rotation],
    first: Sequence[Contact],
) -> list[Contact]:
    last = max((one.order for one in first), default=0) + 1
    return [
        replace(one, order=last, delay=max(one.delay, off[one.id].delay, OTHERS_DELAY))
        for one in contacts
        if one.id in off and one.id not in duty
    ]


def _present(ladder: list[Contact], today: date) -> list[Contact]:
    return [one for one in ladder if not is_away(one, today)] or ladder
