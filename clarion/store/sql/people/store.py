"""Queries about users, devices and contacts."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from typing import Any

from sqlalchemy import Connection, Table, Text, bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.base.errors import Stale
from clarion.base.events import Event
from clarion.base.ids import ContactId, DeviceId, UserId
from clarion.people.events import (
    ContactAdded,
    ContactAgreed,
    ContactRefused,
    ContactRemoved,
    ContactUpdated,
    DeviceAdded,
    DeviceRemoved,
    DeviceSeen,
    DeviceUpdated,
    UserAdded,
    UserMoved,
    UserRemoved,
    UserUpdated,
)
from clarion.people.model import (
    CHAT_PLATFORMS,
    Contact,
    Device,
    DeviceKind,
    EscalationPolicy,
    FurtherWay,
    Household,
    PersonAbsence,
    QuietHours,
    User,
    mark,
)
from clarion.store.sql import events
from clarion.store.sql.access import tokens, xiaozhi
from clarion.store.sql.engine.database import Database, Prepared, brief
from clarion.store.sql.people import rotations
from clarion.store.sql.people.rotations import days_values, read_days
from clarion.store.sql.tables.people import contacts, devices, users
from clarion.store.sql.tasks import rows as tasks
from clarion.tasks.model import Task

# Built once: every ring passes here, and building a query costs as much as running it.
_USER = Prepared(select(users).where(users.c.id == bindparam("id")))
_DEVICE = Prepared(select(devices).where(devices.c.id == bindparam("id")))
_DEVICES_OF = Prepared(
    select(devices)
    .where(devices.c.user_id == bindparam("id"), devices.c.enabled)
    .order_by(devices.c.order, devices.c.id)
)
_PROVED = Prepared(
    update(devices).where(devices.c.id == bindparam("at_id")).values(proved_at=bindparam("now"))
)
_CONTACT = Prepared(select(contacts).where(contacts.c.id == bindparam("id")))
_CONTACTS_OF = Prepared(
    select(contacts)
    .where(contacts.c.user_id == bindparam("id"))
    .order_by(contacts.c.order, contacts.c.id)
)


@brief
def user(conn: Connection, user_id: str) -> User | None:
    row = _USER.row(conn, {"id": user_id})
    return _user(row) if row else None


def ensure_user(conn: Connection, wanted: User, now: datetime) -> User:
    """The user of this id, added when unknown. Two at once on two servers add one."""
    found = user(conn, wanted.id)
    if found is not None:
        return found
    insert_ = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    values = {**_user_values(wanted), "created_at": wanted.created_at or now}
    if conn.execute(insert_(users).values(values).on_conflict_do_nothing()).rowcount:
        events.append(conn, [UserAdded(subject=wanted.id, user=wanted.id, name=wanted.name)], now)
    found = user(conn, wanted.id)
    assert found is not None
    return found


def all_users(conn: Connection, after: str, limit: int) -> list[User]:
    query = select(users).where(users.c.id > after).order_by(users.c.id).limit(limit)
    return [_user(row) for row in conn.execute(query).mappings()]


def save_user(conn: Connection, changed: User, now: datetime, names: Sequence[str]) -> None:
    _save(conn, users, changed.id, changed.version, _user_values(changed))
    event = UserUpdated(subject=changed.id, user=changed.id, changed=tuple(names))
    events.append(conn, [event], now)


def movers(conn: Connection, limit: int) -> list[User]:
    waiting = select(users).where(users.c.moved_from.is_not(None)).order_by(users.c.id)
    return [_user(row) for row in conn.execute(waiting.limit(limit)).mappings()]


def arrived(conn: Connection, moved: User, series: int, now: datetime) -> bool:
    """All that is theirs has followed. False when another server said so first."""
    there = users.c.moved_from == moved.moved_from
    mine = update(users).where(users.c.id == moved.id, there).values(moved_from=None)
    event = UserMoved(
        subject=moved.id,
        user=moved.id,
        left=moved.moved_from or "",
        zone=moved.zone,
        series=series,
    )
    first = bool(conn.execute(mine).rowcount)
    _append_if(conn, first and series > 0, event, now)
    return first


def remove_user(conn: Connection, user_id: str, now: datetime) -> bool:
    tokens.revoke_of(conn, now, user_id=user_id)
    xiaozhi.remove_of(conn, user_id)
    gone = conn.execute(delete(users).where(users.c.id == user_id)).rowcount
    return _append_if(conn, bool(gone), UserRemoved(subject=user_id, user=user_id), now)


def add_device(conn: Connection, device: Device, now: datetime) -> bool:
    insert_ = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    values = _device_values(device)
    added = conn.execute(insert_(devices).values(values).on_conflict_do_nothing()).rowcount
    event = DeviceAdded(
        subject=device.id, user=device.user_id, device_kind=device.kind.value, name=device.name
    )
    return _append_if(conn, bool(added), event, now)


def device(conn: Connection, device_id: str) -> Device | None:
    row = _DEVICE.row(conn, {"id": device_id})
    return _device(row) if row else None


def device_at(conn: Connection, address: str) -> Device | None:
    """The device of a chat; if there are several, the oldest, which has the chat's history."""
    kinds = [kind.value for kind in CHAT_PLATFORMS.values()]
    there = select(devices).where(devices.c.address == address, devices.c.kind.in_(kinds))
    row = conn.execute(there.order_by(devices.c.id).limit(1)).mappings().first()
    return _device(row) if row else None


def devices_of(conn: Connection, user_id: str) -> list[Device]:
    """Those that may ring, in the order in which they are tried."""
    return [_device(row) for row in _DEVICES_OF.rows(conn, {"id": user_id})]


@brief
def households(conn: Connection, user_ids: Sequence[str]) -> dict[UserId, Household]:
    """Whom each of these users' reminders can reach; unknown users are left out."""
    found = (user(conn, one) for one in user_ids)
    return {one.id: _household(conn, one) for one in found if one is not None}


def _household(conn: Connection, owner: User) -> Household:
    ladder = ladder_of(conn, owner.id)
    taking_turns = rotations.of(conn, owner.id) if ladder else []
    return Household(owner, devices_of(conn, owner.id), ladder, taking_turns)


def proved(
    conn: Connection, device_ids: Sequence[str], contact_ids: Sequence[str], now: datetime
) -> None:
    """They answered, or playback ended. The owner changed nothing, so the version stays."""
    for device_id in device_ids:
        _PROVED.run(conn, {"at_id": device_id, "now": now})
    for contact_id in contact_ids:
        conn.execute(update(contacts).where(contacts.c.id == contact_id).values(proved_at=now))


def find_devices(
    conn: Connection, user_id: str | None, kind: DeviceKind | None, after: str, limit: int
) -> list[Device]:
    query = select(devices).where(devices.c.id > after).order_by(devices.c.id).limit(limit)
    if user_id is not None:
        query = query.where(devices.c.user_id == user_id)
    if kind is not None:
        query = query.where(devices.c.kind == kind.value)
    return [_device(row) for row in conn.execute(query).mappings()]


def save_device(conn: Connection, changed: Device, now: datetime, names: Sequence[str]) -> None:
    values = _device_values(changed)
    for presence in ("online", "last_seen", "offline_since"):
        del values[presence]  # written when they happen, without raising the version
    _keep_proof(values, names)
    _save(conn, devices, changed.id, changed.version, values)
    event = DeviceUpdated(subject=changed.id, user=changed.user_id, changed=tuple(names))
    events.append(conn, [event], now)


def _keep_proof(values: dict[str, Any], names: Sequence[str]) -> None:
    """A proof holds only for the address at which it was given."""
    if "address" in names:
        values["proved_at"] = None
    else:
        del values["proved_at"]  # written when it happens, without raising the version


def remove_device(conn: Connection, device_id: str, now: datetime) -> bool:
    found = device(conn, device_id)
    if found is None:
        return False
    tokens.revoke_of(conn, now, device_id=device_id)
    conn.execute(delete(devices).where(devices.c.id == device_id))
    return _append_if(conn, True, DeviceRemoved(subject=device_id, user=found.user_id), now)


def device_seen(
    conn: Connection, device_id: str, online: bool, through: str, now: datetime
) -> Device | None:
    before = device(conn, device_id)
    if before is None:
        return None
    values: dict[str, Any] = {"online": online, "offline_since": None}
    if online:
        values["last_seen"] = now
    else:
        values["offline_since"] = before.offline_since or now
    conn.execute(update(devices).where(devices.c.id == device_id).values(values))
    if before.online != online:
        event = DeviceSeen(subject=device_id, user=before.user_id, online=online, through=through)
        events.append(conn, [event], now)
    return before


def add_contact(
    conn: Connection, contact: Contact, now: datetime, invites: Sequence[Task] = ()
) -> None:
    conn.execute(insert(contacts).values(_contact_values(contact)))
    event = ContactAdded(subject=contact.id, user=contact.user_id, name=contact.name)
    events.append(conn, [event], now)
    tasks.add(conn, invites, now)


def contact(conn: Connection, contact_id: str) -> Contact | None:
    row = _CONTACT.row(conn, {"id": contact_id})
    return _contact(row) if row else None


def contacts_of(conn: Connection, user_id: str) -> list[Contact]:
    return [_contact(row) for row in _CONTACTS_OF.rows(conn, {"id": user_id})]


def contacts_at(conn: Connection, address: str) -> list[Contact]:
    found = _naming(conn, address)
    return [one for one in found if any(way.address == address for way in one.agreed_ways)]


def _naming(conn: Connection, address: str) -> list[Contact]:
    """Contacts that have this address, as their first or among their further `ways`."""
    first = contacts.c.address == address
    further = contacts.c.ways.cast(Text).contains(json.dumps(address), autoescape=True)
    query = select(contacts).where(or_(first, further))
    return [_contact(row) for row in conn.execute(query).mappings()]


def move_address(conn: Connection, before: str, after: str) -> None:
    """Contacts at the old address are told at the new one."""
    for one in _naming(conn, before):
        values = _contact_values(one.moved(before, after))
        conn.execute(update(contacts).where(contacts.c.id == one.id).values(values))


def ladder_of(conn: Connection, user_id: str) -> list[Contact]:
    """The contacts who may be told, the first step first."""
    return [one for one in contacts_of(conn, user_id) if one.agreed_ways]


def agree(
    conn: Connection, contact_id: str, address: str, language: str, now: datetime
) -> Contact | None:
    found = _locked_contact(conn, contact_id)
    if found is None:
        return None
    there = [one.address for one in found.all_ways]
    known = [mark(one) for one in there] if found.agreed is None else found.agreed
    ways = [[way.address, way.after] for way in found.ways]
    if address not in there and found.address:
        ways.append([address, 0])
    values = {
        "address": found.address or address,
        "ways": ways,
        "language": language or found.language,
        "agreed": sorted({*known, mark(address)}),
        "refused_at": None,
        "version": found.version + 1,
    }
    conn.execute(update(contacts).where(contacts.c.id == contact_id).values(values))
    event = ContactAgreed(subject=found.id, user=found.user_id, name=found.name)
    events.append(conn, [event], now)
    return contact(conn, contact_id)


def ask(conn: Connection, invites: Sequence[Task], now: datetime) -> None:
    tasks.add(conn, invites, now)


def refuse(conn: Connection, contact_id: str, now: datetime) -> Contact | None:
    found = _locked_contact(conn, contact_id)
    if found is None or found.refused_at is not None:
        return found
    values = {"agreed": [], "refused_at": now, "version": found.version + 1}
    conn.execute(update(contacts).where(contacts.c.id == contact_id).values(values))
    event = ContactRefused(subject=found.id, user=found.user_id, name=found.name)
    events.append(conn, [event], now)
    return contact(conn, contact_id)


def _locked_contact(conn: Connection, contact_id: str) -> Contact | None:
    query = select(contacts).where(contacts.c.id == contact_id).with_for_update()
    row = conn.execute(query).mappings().first()
    return _contact(row) if row else None


def wards(conn: Connection, user_id: str) -> list[User]:
    """Users who have a device or a chat of this user as a contact."""
    own = select(devices.c.id, devices.c.address).where(devices.c.user_id == user_id)
    ways = [
        way
        for id_, address in conn.execute(own)
        for way in (f"device:{id_}", f"chat:{address or id_}")
    ]
    named = select(contacts).where(contacts.c.address.in_(ways), contacts.c.user_id != user_id)
    theirs = {
        one.user_id for one in map(_contact, conn.execute(named).mappings()) if one.agreed_ways
    }
    query = select(users).where(users.c.id.in_(theirs))
    return [_user(row) for row in conn.execute(query.order_by(users.c.id)).mappings()]


def save_contact(
    conn: Connection,
    changed: Contact,
    now: datetime,
    names: Sequence[str],
    invites: Sequence[Task] = (),
) -> None:
    values = _contact_values(changed)
    _keep_proof(values, names)
    _save(conn, contacts, changed.id, changed.version, values)
    event = ContactUpdated(subject=changed.id, user=changed.user_id, changed=tuple(names))
    events.append(conn, [event], now)
    tasks.add(conn, invites, now)


def remove_contact(conn: Connection, contact_id: str, now: datetime) -> bool:
    found = contact(conn, contact_id)
    if found is None:
        return False
    conn.execute(delete(contacts).where(contacts.c.id == contact_id))
    return _append_if(conn, True, ContactRemoved(subject=contact_id, user=found.user_id), now)


def _save(conn: Connection, table: Table, id_: str, version: int, values: dict[str, Any]) -> None:
    """Replace the version before this one, or raise Stale: somebody was faster."""
    place = table.c.id == id_, table.c.version == version - 1
    if not conn.execute(update(table).where(*place).values(values)).rowcount:
        raise Stale(f"{id_!r} was changed by somebody else.", hint="Read it again, then change it.")


def _append_if(conn: Connection, happened: bool, event: Event, now: datetime) -> bool:
    if happened:
        events.append(conn, [event], now)
    return happened


def _user_values(one: User) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "zone": one.zone,
        "language": one.language,
        "context": dict(one.context),
        "quiet": _quiet_values(one.quiet),
        "version": one.version,
        "moved_from": one.moved_from,
        "escalation": policy_values(one.escalation),
        "absence": _absence_values(one.absence),
    }


def _user(facts: Mapping[Any, Any]) -> User:
    read = {
        "quiet": _quiet(facts["quiet"]),
        "escalation": read_policy(facts["escalation"]),
        "absence": _absence(facts["absence"]),
    }
    return User(**{**facts, **read})


def _absence_values(absence: PersonAbsence | None) -> dict[str, Any] | None:
    if absence is None:
        return None
    return {
        "begins": absence.begins.isoformat(),
        "ends": absence.ends and absence.ends.isoformat(),
        "medicines": absence.medicines,
        "set_at": absence.set_at.isoformat(),
    }


def _absence(kept: Mapping[str, Any] | None) -> PersonAbsence | None:
    if kept is None:
        return None
    return PersonAbsence(
        begins=datetime.fromisoformat(kept["begins"]),
        ends=datetime.fromisoformat(kept["ends"]) if kept["ends"] else None,
        medicines=kept["medicines"],
        set_at=datetime.fromisoformat(kept["set_at"]),
    )


def policy_values(policy: EscalationPolicy | None) -> dict[str, Any] | None:
    if policy is None:
        return None
    return {
        "rounds": policy.rounds,
        "pause": policy.pause,
        "all_must": list(policy.all_must),
        "only": list(policy.only),
    }


def read_policy(kept: Mapping[str, Any] | None) -> EscalationPolicy | None:
    if kept is None:
        return None
    only = tuple(kept.get("only", ()))  # older rows name nobody
    return EscalationPolicy(kept["rounds"], kept["pause"], tuple(kept["all_must"]), only)


def _device_values(one: Device) -> dict[str, Any]:
    return {
        "id": one.id,
        "user_id": one.user_id,
        "kind": one.kind.value,
        "name": one.name,
        "address": one.address,
        "order": one.order,
        "online": one.online,
        "last_seen": one.last_seen,
        "offline_since": one.offline_since,
        "proved_at": one.proved_at,
        "quiet": _quiet_values(one.quiet),
        "facts": dict(one.facts),
        "enabled": one.enabled,
        "version": one.version,
    }


def _device(facts: Mapping[Any, Any]) -> Device:
    kind = DeviceKind(facts["kind"])
    return Device(**{**facts, "kind": kind, "quiet": _quiet(facts["quiet"])})


def _contact_values(one: Contact) -> dict[str, Any]:
    values = {name: getattr(one, name) for name in Contact.__slots__}
    ways = [[way.address, way.after] for way in one.ways]
    agreed = None if one.agreed is None else list(one.agreed)
    away = days_values(one.away)
    quiet = _quiet_values(one.quiet)
    return values | {"quiet": quiet, "ways": ways, "agreed": agreed, "away": away}


def _contact(facts: Mapping[Any, Any]) -> Contact:
    agreed = facts["agreed"]
    kept = {
        "quiet": _quiet(facts["quiet"]),
        "ways": tuple(FurtherWay(*way) for way in facts["ways"] or ()),
        "agreed": None if agreed is None else tuple(agreed),
        "away": read_days(facts["away"]),
    }
    return Contact(**{**facts, **kept})


def _quiet_values(quiet: QuietHours | None) -> list[str] | None:
    return None if quiet is None else [quiet.begins.isoformat(), quiet.ends.isoformat()]


def _quiet(kept: list[str] | None) -> QuietHours | None:
    return None if kept is None else QuietHours(*(time.fromisoformat(at) for at in kept))


class SqlPeople:
    """`PeopleStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def ensure_user(self, user: User, now: datetime) -> User:
        return await self._db.write(ensure_user, user, now)

    async def user(self, user_id: UserId) -> User | None:
        return await self._db.read(user, user_id)

    async def users(self, *, after: str, limit: int) -> list[User]:
        return await self._db.read(all_users, after, limit)

    async def save_user(self, user: User, now: datetime, changed: Sequence[str]) -> None:
        await self._db.write(save_user, user, now, changed)

    async def movers(self, limit: int) -> list[User]:
        return await self._db.read(movers, limit)

    async def arrived(self, user: User, series: int, now: datetime) -> bool:
        return await self._db.write(arrived, user, series, now)

    async def remove_user(self, user_id: UserId, now: datetime) -> bool:
        return await self._db.write(remove_user, user_id, now)

    async def add_device(self, device: Device, now: datetime) -> bool:
        return await self._db.write(add_device, device, now)

    async def device(self, device_id: DeviceId) -> Device | None:
        return await self._db.read(device, device_id)

    async def device_at(self, address: str) -> Device | None:
        return await self._db.read(device_at, address)

    async def devices(
        self, *, user_id: UserId | None, kind: DeviceKind | None, after: str, limit: int
    ) -> list[Device]:
        return await self._db.read(find_devices, user_id, kind, after, limit)

    async def households(self, user_ids: Sequence[UserId]) -> dict[UserId, Household]:
        return await self._db.read(households, user_ids)

    async def save_device(self, device: Device, now: datetime, changed: Sequence[str]) -> None:
        await self._db.write(save_device, device, now, changed)

    async def remove_device(self, device_id: DeviceId, now: datetime) -> bool:
        return await self._db.write(remove_device, device_id, now)

    async def device_seen(
        self, device_id: DeviceId, *, online: bool, through: str, now: datetime
    ) -> Device | None:
        return await self._db.write(device_seen, device_id, online, through, now)

    async def add_contact(
        self, contact: Contact, now: datetime, tasks: Sequence[Task] = ()
    ) -> None:
        await self._db.write(add_contact, contact, now, tasks)

    async def agree(
        self, contact_id: ContactId, address: str, language: str, now: datetime
    ) -> Contact | None:
        return await self._db.write(agree, contact_id, address, language, now)

    async def ask(self, tasks: Sequence[Task], now: datetime) -> None:
        await self._db.write(ask, tasks, now)

    async def refuse(self, contact_id: ContactId, now: datetime) -> Contact | None:
        return await self._db.write(refuse, contact_id, now)

    async def contact(self, contact_id: ContactId) -> Contact | None:
        return await self._db.read(contact, contact_id)

    async def contacts(self, user_id: UserId) -> list[Contact]:
        return await self._db.read(contacts_of, user_id)

    async def contacts_at(self, address: str) -> list[Contact]:
        return await self._db.read(contacts_at, address)

    async def wards(self, user_id: UserId) -> list[User]:
        return await self._db.read(wards, user_id)

    async def save_contact(
        self, contact: Contact, now: datetime, changed: Sequence[str], tasks: Sequence[Task] = ()
    ) -> None:
        await self._db.write(save_contact, contact, now, changed, tasks)

    async def remove_contact(self, contact_id: ContactId, now: datetime) -> bool:
        return await self._db.write(remove_contact, contact_id, now)
