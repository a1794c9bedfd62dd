"""Queries about devices that ask to be activated."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from clarion.access.tokens import Token, TokenId, TokenKind
from clarion.people.activation import Activation, Promise
from clarion.people.errors import NoSuchUser
from clarion.people.model import Device
from clarion.store.sql.access import tokens
from clarion.store.sql.engine.database import Database
from clarion.store.sql.people import store as people
from clarion.store.sql.tables.access import tokens as tokens_table
from clarion.store.sql.tables.people import activations, devices, machines

TOKEN_NAME = "ota"  # noqa: S105  how tokens are called that a device got at its boot


def owner(conn: Connection, hardware: str, proof: str) -> Device | None:
    query = select(machines.c.device_id).where(
        machines.c.hardware == hardware, machines.c.proof == proof
    )
    device_id = conn.execute(query).scalar()
    return people.device(conn, device_id) if device_id else None


def ask(conn: Connection, wanted: Activation, waiting_max: int) -> Activation:
    conn.execute(delete(activations).where(activations.c.expires_at <= wanted.asked_at))
    row = conn.execute(_of(wanted.hardware)).one_or_none()
    if row is not None and row.proof == wanted.proof:
        same = activations.c.code == row.code
        conn.execute(update(activations).where(same).values(_promise(wanted.promise)))
        return replace(_activation(row), promise=wanted.promise)
    conn.execute(delete(activations).where(activations.c.hardware == wanted.hardware))
    _make_room(conn, waiting_max)
    code = _free_code(conn, wanted.code)
    made = replace(wanted, code=code)
    insert_ = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    conn.execute(insert_(activations).values(_values(made)).on_conflict_do_nothing())
    # Another server may have been faster for the same machine: then its code counts.
    row = conn.execute(_of(wanted.hardware)).one_or_none()
    return _activation(row) if row else made


def _make_room(conn: Connection, waiting_max: int) -> None:
    """Delete the oldest: a person in front of a device now must not be blocked by old requests."""
    newest = select(activations.c.code).order_by(
        activations.c.asked_at.desc(), activations.c.code.desc()
    )
    kept = newest.limit(waiting_max - 1)
    conn.execute(delete(activations).where(activations.c.code.not_in(kept)))


def waiting(conn: Connection, now: datetime) -> list[Activation]:
    query = select(activations).where(activations.c.expires_at > now)
    return [_activation(row) for row in conn.execute(query.order_by(activations.c.asked_at))]


def confirm(conn: Connection, code: str, device: Device, now: datetime) -> Device | None:
    """The DELETE decides: of two confirmations of one code, only one deletes the row."""
    taken = (
        delete(activations)
        .where(activations.c.code == code, activations.c.expires_at > now)
        .returning(activations)
    )
    row = conn.execute(taken).one_or_none()
    if row is None:
        return None
    if device.user_id is None or people.user(conn, device.user_id) is None:
        raise NoSuchUser(device.user_id or "")  # and the code waits on
    facts = dict(row.facts)
    bound = conn.execute(
        select(machines.c.device_id).where(machines.c.hardware == row.hardware)
    ).scalar()
    made = _device_for(conn, bound, device, row.hardware, facts, now)
    conn.execute(delete(machines).where(machines.c.hardware == row.hardware))
    values = {"hardware": row.hardware, "proof": row.proof, "device_id": made.id, "bound_at": now}
    conn.execute(insert(machines).values(values))
    promised = Token(
        id=TokenId(row.token_id),
        kind=TokenKind.DEVICE,
        created_at=now,
        user_id=made.user_id,
        device_id=made.id,
        name=TOKEN_NAME,
    )
    tokens.add(conn, promised, row.token_hash)
    return made


def _device_for(
    conn: Connection,
    bound: str | None,
    device: Device,
    hardware: str,
    facts: Mapping[str, Any],
    now: datetime,
) -> Device:
    """A machine that was activated before keeps its device, with its reminders and history."""
    before = people.device(conn, bound) if bound else None
    if before is None:
        made = replace(
            device, address=hardware, facts=facts, name=device.name or str(facts.get("board", ""))
        )
        people.add_device(conn, made, now)
        return made
    made = replace(
        before,
        user_id=device.user_id,
        name=device.name or before.name,
        facts={**before.facts, **facts},
        version=before.version + 1,
    )
    people.save_device(conn, made, now, ["user_id", "name", "facts"])
    return made


def refuse(conn: Connection, code: str) -> bool:
    return bool(conn.execute(delete(activations).where(activations.c.code == code)).rowcount)


def learn(conn: Connection, device_id: str, facts: Mapping[str, Any], now: datetime) -> None:
    """Add what a device says about itself. The owner changed nothing, so the version stays."""
    before = people.device(conn, device_id)
    if before is None:
        return
    after = {**before.facts, **facts}
    if after != dict(before.facts):
        conn.execute(update(devices).where(devices.c.id == device_id).values(facts=after))


def device_of(conn: Connection, hardware: str) -> Device | None:
    """The device of a machine that somebody trusted vouches for: a gateway of ours."""
    query = select(machines.c.device_id).where(machines.c.hardware == hardware)
    device_id = conn.execute(query).scalar()
    return people.device(conn, device_id) if device_id else None


def end_older_tokens(conn: Connection, device_id: str, keep: int, now: datetime) -> int:
    """A device gets a token at every boot; only the newest ones stay good."""
    named = tokens_table.c.device_id == device_id, tokens_table.c.name == TOKEN_NAME
    query = select(tokens_table.c.id).where(*named, tokens_table.c.revoked_at.is_(None))
    older = conn.execute(query.order_by(tokens_table.c.id.desc()).offset(keep)).scalars().all()
    return sum(1 for token_id in older if tokens.revoke(conn, token_id, now))


def stale(
    conn: Connection, kinds: Sequence[str], before: datetime, limit: int = 1_000
) -> list[str]:
    """Devices of these kinds that count as online but have sent nothing since then."""
    query = select(devices.c.id).where(
        devices.c.kind.in_(kinds), devices.c.online, devices.c.last_seen < before
    )
    return list(conn.execute(query.limit(limit)).scalars())


def _of(hardware: str) -> Any:
    return select(activations).where(activations.c.hardware == hardware)


def _free_code(conn: Connection, first: str) -> str:
    taken = set(conn.execute(select(activations.c.code)).scalars())
    number = int(first)
    while f"{number:06}" in taken:
        number = (number + 7_919) % 1_000_000  # a prime: reaches every code before one repeats
    return f"{number:06}"


def _values(one: Activation) -> dict[str, Any]:
    return {
        "code": one.code,
        "hardware": one.hardware,
        "proof": one.proof,
        "challenge": one.challenge,
        "facts": dict(one.facts),
        "asked_at": one.asked_at,
        "expires_at": one.expires_at,
        **_promise(one.promise),
    }


def _promise(promise: Promise) -> dict[str, Any]:
    return {"token_id": promise.token_id, "token_hash": promise.hash}


def _activation(row: Row[Any]) -> Activation:
    facts = dict(row._mapping)
    promise = Promise(facts.pop("token_id"), facts.pop("token_hash"))
    return Activation(**facts, promise=promise)


class SqlActivations:
    """`ActivationStore` over one database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def owner(self, hardware: str, proof: str) -> Device | None:
        return await self._db.read(owner, hardware, proof)

    async def ask(self, wanted: Activation, waiting_max: int) -> Activation:
        return await self._db.write(ask, wanted, waiting_max)

    async def waiting(self, now: datetime) -> list[Activation]:
        return await self._db.read(waiting, now)

    async def confirm(self, code: str, device: Device, now: datetime) -> Device | None:
        return await self._db.write(confirm, code, device, now)

    async def refuse(self, code: str) -> bool:
        return await self._db.write(refuse, code)
