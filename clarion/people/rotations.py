"""The verbs about rotations: which contacts take turns, and who is on call."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from clarion.base.clock import Clock
from clarion.base.errors import BadInput
from clarion.base.ids import UserId, new_id
from clarion.people.errors import NoSuchContact, NoSuchRotation, TooManyRotations
from clarion.people.model import Actor, Rotation, RotationId, User
from clarion.people.oncall import OnCall, OnCallShift, Roster
from clarion.people.ports import RotationStore
from clarion.people.service import People, checked_delay, checked_name, updated

ROTATIONS_MAX = 20  # of one person
MEMBERS_MAX = 50
OVERRIDES_MAX = 200
DAYS_MAX = 200
PLANNED = timedelta(days=28)  # what a calendar shows ahead


@dataclass(frozen=True, slots=True)
class PlannedShift:
    rotation: Rotation
    shift: OnCallShift


class Rotations:
    def __init__(self, store: RotationStore, people: People, clock: Clock) -> None:
        self._store = store
        self._people = people
        self._clock = clock

    async def of(self, actor: Actor, user_id: UserId) -> list[Rotation]:
        await self._people.user(actor, user_id)
        return await self._store.rotations(user_id)

    async def get(self, actor: Actor, rotation_id: RotationId) -> Rotation:
        found = await self._store.rotation(rotation_id)
        if found is None or not actor.may_see(found.user_id):
            raise NoSuchRotation(rotation_id)
        return found

    async def add(self, actor: Actor, *, user_id: UserId, **fields: Any) -> Rotation:
        if len(await self.of(actor, user_id)) >= ROTATIONS_MAX:
            raise TooManyRotations(ROTATIONS_MAX)
        now = self._clock.now()
        made = Rotation(id=RotationId(new_id("rot", now)), user_id=user_id, **fields)
        await self._check(actor, made)
        await self._store.add(made, now)
        return made

    async def update(
        self,
        actor: Actor,
        rotation_id: RotationId,
        fields: Mapping[str, Any],
        version: int | None = None,
    ) -> Rotation:
        found = await self.get(actor, rotation_id)
        after, names = updated(found, fields, version)
        if names:
            await self._check(actor, after)
            await self._store.save(after, self._clock.now())
        return after

    async def remove(self, actor: Actor, rotation_id: RotationId) -> None:
        found = await self.get(actor, rotation_id)
        await self._store.remove(found, self._clock.now())

    async def on_call(
        self, actor: Actor, user_id: UserId, at: datetime | None = None
    ) -> list[OnCall]:
        """Who is on call in each of the person's rotations, and who follows."""
        when = at or self._clock.now()
        return [
            OnCall(rotation, *roster.now_and_next(when))
            for rotation, roster in await self._rosters(actor, user_id)
        ]

    async def known_to(self, user_id: UserId) -> list[tuple[User, OnCall]]:
        """Theirs, and those of the people whose contact they are."""
        me = await self._people.user(Actor(user_id), user_id)
        people = [me, *await self._people.wards(user_id)]
        return [(one, each) for one in people for each in await self.on_call(Actor(one.id), one.id)]

    async def planned(self, actor: Actor, user_id: UserId) -> list[PlannedShift]:
        """The shifts of the next weeks, the first one first."""
        now = self._clock.now()
        found = [
            PlannedShift(rotation, shift)
            for rotation, roster in await self._rosters(actor, user_id)
            for shift in roster.shifts(now, now + PLANNED)
        ]
        return sorted(found, key=lambda one: (one.shift.begins_at, one.rotation.id))

    async def _rosters(self, actor: Actor, user_id: UserId) -> list[tuple[Rotation, Roster]]:
        user = await self._people.user(actor, user_id)
        contacts = await self._people.contacts(actor, user_id)
        zone = ZoneInfo(user.zone)
        rotations = await self._store.rotations(user_id)
        return [(one, Roster(one, contacts, zone)) for one in rotations]

    async def _check(self, actor: Actor, rotation: Rotation) -> None:
        checked_name(rotation.name)
        checked_delay(rotation.delay)
        if not rotation.members:
            raise BadInput("Somebody has to take the first turn.", hint="Name a contact.")
        _few(rotation.members, MEMBERS_MAX, "members")
        _few(rotation.holiday_members, MEMBERS_MAX, "members")
        _few(rotation.overrides, OVERRIDES_MAX, "overrides")
        _few(rotation.holidays, DAYS_MAX, "holidays")
        if any(one.begins_at >= one.ends_at for one in rotation.overrides):
            raise BadInput("An override ends after it begins.")
        known = {one.id for one in await self._people.contacts(actor, rotation.user_id)}
        named = (
            *rotation.members,
            *rotation.holiday_members,
            *(one.contact_id for one in rotation.overrides),
        )
        for one in named:
            if one not in known:
                raise NoSuchContact(one)


def _few(values: Sequence[object], most: int, what: str) -> None:
    if len(values) > most:
        raise BadInput(f"A rotation has at most {most} {what}.")
