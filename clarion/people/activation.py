"""A device joins only when its owner says so: it shows a code, somebody confirms that code.

The MAC address is no secret. The proof that the same device comes back is the client id that it
made for itself and tells only us; we keep its hash. A device that lost it has to ask again.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, NotFound
from clarion.base.ids import DeviceId, UserId, new_id
from clarion.people.errors import NoSuchUser
from clarion.people.model import Actor, Device, DeviceKind

CODE_LIFE = timedelta(minutes=30)  # long enough for a person to find the console
WAITING_MAX = 200  # codes; more than one household needs, too few for an attacker
HARDWARE = re.compile(r"[0-9a-z][0-9a-z:._-]{3,63}")


class NoSuchCode(NotFound):
    code = "no_such_code"

    def __init__(self) -> None:
        super().__init__(
            "No device waits with this code.",
            hint="Codes are good for half an hour. Restart the device and it says a new one.",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A device as it describes itself, before it has an owner."""

    hardware: str
    client: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def proof(self) -> str:
        return hashlib.sha256(f"{self.hardware} {self.client}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Promise:
    """A token that opens nothing yet: it becomes the device's when its owner says yes.

    Many clients keep the first token they are given and do not ask again after the yes.
    """

    token_id: str
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """A device that waits for its owner's yes."""

    code: str
    hardware: str
    proof: str
    challenge: str
    facts: Mapping[str, Any]
    asked_at: datetime
    expires_at: datetime
    promise: Promise


class ActivationStore(Protocol):
    """Each method is one transaction."""

    async def owner(self, hardware: str, proof: str) -> Device | None:
        """The device of this machine; None before it is confirmed and after it is removed."""
        ...

    async def ask(self, wanted: Activation, waiting_max: int) -> Activation:
        """Store it, or return the one that this machine has already, with the new promise.

        When too many wait, the oldest goes.

        A machine with another proof replaces the one before: only one of them can be real, and
        only the owner knows which code is on the device's screen.
        """
        ...

    async def waiting(self, now: datetime) -> list[Activation]: ...

    async def confirm(self, code: str, device: Device, now: datetime) -> Device | None:
        """Bind the machine, add its device, and make the promised token good.

        A machine bound before keeps its device's id.

        None when no such code waits. Of two who confirm, one does. Raises NoSuchUser.
        """
        ...

    async def refuse(self, code: str) -> bool: ...


class Activations:
    """The verbs: a machine asks, people look, confirm or refuse."""

    def __init__(self, store: ActivationStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def recognise(self, machine: Machine) -> Device | None:
        """The device that this machine is, if somebody has confirmed it."""
        return await self._store.owner(machine.hardware, machine.proof)

    async def ask(self, machine: Machine, promise: Promise) -> Activation:
        """The code that the machine has to show. Asking again gives the same one."""
        if not HARDWARE.fullmatch(machine.hardware):
            raise BadInput("This is no name of a device.", hint="Send its MAC as Device-Id.")
        now = self._clock.now()
        wanted = Activation(
            code=f"{secrets.randbelow(1_000_000):06}",
            hardware=machine.hardware,
            proof=machine.proof,
            challenge=secrets.token_hex(16),
            facts=dict(machine.facts),
            asked_at=now,
            expires_at=now + CODE_LIFE,
            promise=promise,
        )
        return await self._store.ask(wanted, WAITING_MAX)

    async def asked(self, machine: Machine) -> Activation | None:
        """The waiting activation of this machine; makes no new promise."""
        waiting = await self._store.waiting(self._clock.now())
        return next((one for one in waiting if one.proof == machine.proof), None)

    async def waiting(self, actor: Actor) -> list[Activation]:
        """For admins: a waiting device has no owner yet, and its code is its only secret."""
        return await self._store.waiting(self._clock.now()) if actor.admin else []

    async def confirm(self, actor: Actor, code: str, *, user_id: UserId, name: str = "") -> Device:
        """Give the device to `user_id`. A person who can read the code on it may claim it."""
        if not actor.may_see(user_id):
            raise NoSuchUser(user_id)
        now = self._clock.now()
        device = Device(
            id=DeviceId(new_id("dev", now)),
            user_id=user_id,
            kind=DeviceKind.XIAOZHI,
            name=name.strip()[:100],
        )
        made = await self._store.confirm(code.strip(), device, now)
        if made is None:
            raise NoSuchCode
        return made

    async def refuse(self, actor: Actor, code: str) -> None:
        """Delete the code; the device may ask again. Twice is harmless."""
        if actor.admin:
            await self._store.refuse(code.strip())
