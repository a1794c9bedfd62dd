"""What workers need from outside: a store that keeps tasks, and handlers that carry them out."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeAlias, runtime_checkable

from clarion.base.clock import Clock
from clarion.base.errors import TooMany
from clarion.base.ids import TaskId
from clarion.tasks.model import A_POINT, OPEN, Gates, Level, Task, rank

RESULT_LETTERS_MAX = 65_536  # a result is an answer, not a file


class QueueFull(TooMany):
    """A producer has reached its limit of waiting tasks; those it added before are safe."""

    code = "queue_full"


Ticket: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """A task that is ours until the lease ends. `fence` is higher than any claim's before."""

    task: Task
    attempt: int
    """1 for the first try; it starts again after a replay or an `Again`."""
    fence: int
    sequence: int = 0
    start_at: datetime | None = None
    """What its rank counts from; None: from `due_at`."""

    @property
    def rank(self) -> datetime:
        return rank(self.start_at or self.task.due_at, self.task.base)

    @property
    def ticket(self) -> "Ticket":
        """Identifies this claim among all claims, also among those of the same task."""
        return self.sequence, self.fence


@dataclass(frozen=True, slots=True)
class Again:
    """A handler's wish to be run again later. Not a failure: no attempt is used up."""

    at: datetime
    payload: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What a handler leaves for the caller who added the task: any JSON value."""

    value: Any


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A handler returns this when another program does the work, renews the lease, ends the task.

    `by` is kept as the task's worker; nothing here waits for it.
    """

    by: str
    until: datetime


HandlerAnswer: TypeAlias = Again | Result | Elsewhere | None
Handler: TypeAlias = Callable[[Claim], Awaitable[HandlerAnswer]]


@dataclass(frozen=True, slots=True)
class Done:
    claim: Claim
    result: str | None = None
    """JSON."""


@dataclass(frozen=True, slots=True)
class Later:
    """The handler asked for `Again`."""

    claim: Claim
    again: Again


@dataclass(frozen=True, slots=True)
class Failed:
    claim: Claim
    error: str
    retry_at: datetime | None
    """None: it was the last try, and the task is dead."""


@dataclass(frozen=True, slots=True)
class Released:
    """It was never begun, or its worker stops: it waits again and no attempt is used up."""

    claim: Claim


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The handler returned `Elsewhere`: the task still runs, but we no longer renew its lease."""

    claim: Claim
    to: Elsewhere


@dataclass(frozen=True, slots=True)
class Lent:
    """A claim that another program carries out."""

    claim: Claim
    worker: str
    leased_until: datetime


Outcome: TypeAlias = Done | Later | Failed | Released | HandedOver


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much a worker can take now."""

    worker: str
    lease: timedelta
    any: int = 0
    """Tasks of every level, in the order of their ranks."""
    critical: int = 0
    """Besides those: critical ones, for the reserved slots."""
    control: int = 0
    """Besides those: what people do themselves, for slots of their own."""
    before: datetime | None = None
    """Only tasks with a smaller rank than this."""
    gates: Gates = OPEN
    """What is claimed but may not begin is held, and not handed out."""
    at_once: int = 0
    """How many new ones could begin right now; see `ClaimOnInsert`."""


@dataclass(frozen=True, slots=True)
class TakenClaims:
    claims: list[Claim]
    look_at: datetime | None
    """When the next task falls due, or may begin by its rate."""


class ClaimSource(Protocol):
    """Where claims come from: the store, or in tests a wrapper around it."""

    async def turn(self, outcomes: Sequence[Outcome], wanted: Wanted, now: datetime) -> TakenClaims:
        """Write the outcomes of earlier claims, and claim more: one transaction.

        An outcome whose fence is old changes nothing. Nothing is claimed before it is due.
        """
        ...

    def listen(self, listener: Callable[["News"], None]) -> Callable[[], None]:
        """Call back, after the commit, when tasks were added or moved. A call may be lost."""
        ...


NO_RANK = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class News:
    """The earliest due instant and the best rank among tasks that were added or moved."""

    due_at: datetime
    rank: datetime
    """`NO_RANK` when it is not known: then it may be better than all."""
    critical: bool
    control: bool = False

    @property
    def is_unranked(self) -> bool:
        """True when the rank is not known: any task may be meant."""
        return self.rank == NO_RANK

    @property
    def overtakes(self) -> bool:
        """True when the best task has at least the priority of a VIP."""
        return (
            self.due_at - A_POINT * Level.CRITICAL
            <= self.rank
            <= self.due_at - A_POINT * Level.HIGH
        )


@runtime_checkable
class ClaimOnInsert(Protocol):
    """A store whose tasks can be claimed in the same transaction that adds them.

    With several servers, only as many as can begin here `at_once`: others may have free slots.
    """

    async def prepare(self, now: datetime) -> None:
        """Do once what would make the first tasks wait: open connections, plan statements.

        Raises nothing: when the store is away, they wait.
        """
        ...

    def claim_on_insert(
        self,
        wanted: Callable[[News], Wanted | None],
        accept: Callable[[list[Claim]], None],
        clock: Clock,
    ) -> Callable[[], Awaitable[None]]:
        """Claim on insert until the returned function is called.

        It returns when everything that was claimed has been accepted. `wanted` may be called in a
        thread of the store, `accept` is called in the event loop after the commit. When `wanted`
        returns None, the listener is told of the new tasks as usual; else it is not.
        """
        ...


class TaskStore(ClaimSource, Protocol):
    """The truth about tasks. Each method is one transaction."""

    async def add(
        self, tasks: Sequence[Task], now: datetime, *, backlog_max: int | None = None
    ) -> list[TaskId]:
        """Returns the tasks that were added; one whose key already waits changes nothing.

        Raises `QueueFull`, and adds none, when a source would have more than `backlog_max`
        open tasks.
        """
        ...

    async def cancel(self, ids: Sequence[TaskId], now: datetime) -> int: ...

    async def reschedule(self, key: str, due_at: datetime, now: datetime) -> bool: ...

    async def reprioritise(self, ids: Sequence[TaskId], base: int, now: datetime) -> int: ...

    async def reprioritise_source(self, source: str, base: int, now: datetime) -> int: ...

    async def claim(self, ids: Sequence[TaskId], wanted: Wanted, now: datetime) -> list[Claim]:
        """Claim exactly these, except those that are not due or that another worker has."""
        ...

    async def renew(self, claims: Sequence[Claim], lease: timedelta, now: datetime) -> set[Ticket]:
        """Returns the claims that are still ours; the handlers of the others must stop."""
        ...

    async def take_back(self, now: datetime, *, everybody: bool = False) -> int:
        """Tasks whose lease ran out wait again. `everybody`: no other worker can be alive."""
        ...

    async def replay(self, ids: Sequence[TaskId], now: datetime) -> list[TaskId]:
        """Dead tasks wait again, with all their attempts."""
        ...

    async def drop(self, ids: Sequence[TaskId]) -> int:
        """Forget dead tasks."""
        ...
