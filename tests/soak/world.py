"""The servers, the devices and the clock of one simulation, and every misfortune written down."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from random import Random
from typing import TypeVar

from clarion.base.errors import ClarionError, TimedOut, Unavailable
from clarion.base.ids import DeviceId, ReminderId, UserId
from clarion.people.model import DeviceKind, QuietHours
from clarion.settings import Settings
from clarion.store.redis.holds import RedisHolds, holds_client
from tests.soak.server import Node, start
from tests.support.clarion_by_hand import ADMIN
from tests.support.clock import ManualClock
from tests.support.dispatching import team
from tests.support.fakes.channel import Outside
from tests.support.fakes.dying import Died
from tests.support.services import RedisServer

T = TypeVar("T")

USERS = tuple(UserId(f"user-{number}") for number in range(6))
TEAMS = tuple(f"team-{number}" for number in range(4))
QUIET = {user: QuietHours(time(22), time(7)) for user in USERS[-2:]}  # the others never sleep
STOP_MAX = timedelta(minutes=5)  # the longest sleep between two looks around
TAKEN_OVER = timedelta(seconds=76)  # a lease of 15 s, and at most a minute until somebody looks
TRIES_MAX = 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody was told who set a reminder, and whether anything could have rung then."""

    reminder: ReminderId
    at: datetime
    level: str
    said: str
    reachable: bool


@dataclass
class World:
    """`fault` notes from when until when anything may be late, and why."""

    settings: Settings
    url: str
    clock: ManualClock
    random: Random
    size: int
    """How many servers there should be."""
    together: bool
    """Servers really run side by side; else one after the other, the same in every run."""
    outside: Outside = field(init=False)
    nodes: list[Node] = field(default_factory=list)
    faults: list[tuple[datetime, datetime, str]] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    """How much had been spoken when the lines to the devices were cut."""
    made: set[ReminderId] = field(default_factory=set)
    burst: dict[ReminderId, int] = field(default_factory=dict)
    """Reminders for one instant on devices of their own, with their base."""
    answers: list[Answer] = field(default_factory=list)
    cut_off: set[str] = field(default_factory=set)
    """Devices that went without a goodbye: nobody can know it yet."""
    chatted: set[str] = field(default_factory=set)
    """What was asked for in chats, each in words of its own."""
    counts: dict[str, int] = field(default_factory=dict)
    redis: RedisServer | None = None
    """Where teams are held; None: in the database."""
    _plans: datetime | None = None

    def __post_init__(self) -> None:
        self.outside = Outside(self.clock)

    def count(self, what: str, by: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + by

    def fault(self, why: str, begins: datetime, ends: datetime) -> None:
        self.faults.append((begins, ends + TAKEN_OVER, why))
        self.count(why)

    async def begin(self) -> None:
        await self.staff()
        node = self.nodes[0]
        for user in USERS:
            await node.services.people.add_user(
                ADMIN, user_id=user, name=user, zone="UTC", quiet=QUIET.get(user)
            )
            for place in ("hall", "bed"):
                await node.services.people.add_device(
                    ADMIN,
                    kind=DeviceKind.TERMINAL,
                    user_id=user,
                    device_id=DeviceId(f"{user}-{place}"),
                    order=("hall", "bed").index(place),
                )
                await node.services.facts.seen(
                    DeviceId(f"{user}-{place}"), online=True, through="soak"
                )
        await self._neighbours()

    async def _neighbours(self) -> None:
        """Teams with a radio each, and for every user somebody who is told in the end."""
        people, desk = self.nodes[0].services.people, self.nodes[0].sent.desk
        for number, name in enumerate(TEAMS):
            radio = DeviceId(f"radio-{name}")
            owner = UserId(name)
            await people.ensure_user(owner)
            await people.add_device(ADMIN, kind=DeviceKind.TERMINAL, user_id=owner, device_id=radio)
            await desk.add_team(team(name, km=number + 1, user_id=owner, device_id=radio))
        for user in USERS:
            address = f"device:radio-{TEAMS[0]}"
            await people.add_contact(ADMIN, user_id=user, name="neighbour", address=address)

    async def staff(self) -> None:
        """Start as many servers as are missing."""
        while len(self.nodes) < self.size:
            self.nodes.append(await start(self.settings, self.url, self.clock, self.outside))

    async def bury(self) -> None:
        """Take away who has died: the lines to its devices are cut as well."""
        now = self.clock.now()
        for node in [one for one in self.nodes if one.plug.is_dead]:
            self.nodes.remove(node)
            await node.close()
            self.cut()
            self.fault("crash", now, now)
        if not self.nodes:
            await self.staff()

    def is_reachable(self, user: UserId) -> bool:
        """Whether a ring could be heard now, or somebody went without a word and may seem here."""
        theirs = {f"{user}-hall", f"{user}-bed"}
        return bool(theirs - self.outside.away) or bool(theirs & self.cut_off)

    def cut(self) -> None:
        self.outside.sessions.clear()
        self.cuts.append(len(self.outside.spoken))

    async def do(self, verb: Callable[[Node], Awaitable[T]]) -> T | None:
        """As a caller does it: on any server, and again on another when that one dies.

        A refusal is an answer.
        """
        for _ in range(TRIES_MAX):
            node = self.random.choice(self.nodes)
            try:
                return await verb(node)
            except Died:
                await self.bury()
            except (TimedOut, Unavailable):
                self.count("no answer")
                if all(one.plug.is_parted for one in self.nodes):
                    await self.staff()
            except ClarionError as error:
                self.count(f"refused: {error.code}")
                return None
        raise AssertionError("no server lives long enough to answer")

    async def settle(self) -> datetime | None:
        """All that is due at this instant, on every server, however many die of it."""
        for _ in range(TRIES_MAX):
            done = await self._turns()
            died = [one for one in done if isinstance(one, Died)]
            for one in done:
                if isinstance(one, BaseException) and not isinstance(one, Died):
                    raise one
            await self.bury()
            planned = [one for one in done if isinstance(one, datetime)]
            if not died and all(at > self.clock.now() for at in planned):
                return min(planned, default=None)
        raise AssertionError(f"some server never rests at {self.clock.now()}")

    async def _turns(self) -> list[datetime | BaseException | None]:
        now = self.clock.now()
        turns = [node.turn(now) for node in self.random.sample(self.nodes, len(self.nodes))]
        if self.together:
            return await asyncio.gather(*turns, return_exceptions=True)
        done: list[datetime | BaseException | None] = []
        for turn in turns:
            try:
                done.append(await turn)
            except Died as died:
                done.append(died)
        return done

    async def live(self, by: timedelta) -> None:
        end = self.clock.now() + by
        while self.clock.now() < end:
            planned = await self.settle() or end
            self.clock.move_to(min(planned, end, self.clock.now() + STOP_MAX))
        await self.settle()

    async def forget_holds(self) -> None:
        """Holds live in real time, and we do not: whatever is past its time goes now."""
        if self.redis is None:
            return
        client = holds_client(self.redis.url)
        holds = RedisHolds(client, self.clock)
        try:
            for one in await holds.all():
                if one.until <= self.clock.now():
                    await holds.release(one.owner, [one.team_id])
        except (TimedOut, Unavailable):
            self.count("Redis did not answer")
        finally:
            await client.aclose()

    async def close(self) -> None:
        for node in self.nodes:
            await node.close()
        self.nodes.clear()
