"""Routes about kinds of task and queues: who carries out what, and what is paused. Admins only."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Path, Response
from pydantic import Field, model_validator

from clarion.base.clock import Clock
from clarion.base.errors import BadInput, Conflict, NotFound
from clarion.doors.http.auth import Admin
from clarion.doors.http.conventions import (
    PREFIX,
    Shape,
    answer_json,
    nothing,
    refusals,
    removes,
    said,
)
from clarion.tasks.kinds import KIND, QUEUE, Kind, KindRegistry, Kinds, RemoteKind, Target
from clarion.tasks.model import KindLimit, Queue, Rate
from clarion.webhooks.model import new_secret

KindName = Annotated[str, Path(max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
LENT_AT_ONCE = 100  # jobs in a queue of others, unless its kind says otherwise


class NoSuchRemoteKind(NotFound):
    code = "no_such_kind"


class KindTaken(Conflict):
    code = "kind_taken"


class CannotCarryOut(Conflict):
    code = "no_bullmq_here"


class KindStore(Protocol):
    async def remote_kinds(self) -> Sequence[RemoteKind]: ...
    async def put_kind(self, kind: RemoteKind) -> None: ...
    async def remove_kind(self, name: str) -> bool: ...
    async def pause(self, name: str, now: datetime) -> None: ...
    async def resume(self, name: str) -> bool: ...
    async def paused(self) -> Sequence[str]: ...


class UrlCheck(Protocol):
    def check(self, url: str) -> None:
        """Raises Forbidden for an address that we must not call, as far as it can be told now."""
        ...


class RateShape(Shape):
    number: int = Field(ge=1, le=10_000, description="So many of them begin…")
    seconds: float = Field(1.0, gt=0, le=86_400, description="…in so many seconds, evenly.")


class KindIn(Shape):
    """Either `url` or `bullmq`."""

    url: str | None = Field(
        None, max_length=2_000, pattern="^https?://", description="Asked by a signed POST."
    )
    bullmq: str | None = Field(
        None, max_length=100, pattern=r"^[^:\s]+$", description="A queue of your own in Redis."
    )
    limit_seconds: float = Field(30.0, gt=0, le=3_600, description="How long one try may take.")
    retries: int = Field(5, ge=0, le=100)
    concurrency: int | None = Field(
        None, ge=1, le=10_000, description="How many at a time, on all servers together."
    )
    rate: RateShape | None = None

    @model_validator(mode="after")
    def _one_target(self) -> "KindIn":
        if (self.url is None) == (self.bullmq is None):
            raise ValueError("Say either url or bullmq.")
        if self.bullmq in {queue.value for queue in Queue}:
            raise ValueError("Clarion shows its own tasks in this queue: take another name.")
        return self


class KindOut(Shape):
    name: str
    target: str = Field(description="`python`, `http` or `bullmq`.")
    address: str | None = Field(description="The URL or the BullMQ queue.")
    limit_seconds: float
    retries: int
    concurrency: int | None
    rate: RateShape | None
    paused: bool
    secret: str | None = Field(None, description="Shown once, when the kind is made.")
    created_at: str | None


class KindList(Shape):
    items: list[KindOut]


class QueueOut(Shape):
    name: Queue
    paused: bool


class QueueList(Shape):
    items: list[QueueOut]


def kind_routes(
    store: KindStore, registry: KindRegistry, kinds: Kinds, clock: Clock, urls: UrlCheck
) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/kinds", tags=["kinds"])

    @router.get("", response_model=KindList, summary="The kinds of task that you may add")
    async def find(_: Admin) -> Response:
        await registry.refresh()
        return answer_json({"items": [shown(one, registry, kinds) for one in kinds if one.open]})

    @router.put(
        "/{name}",
        response_model=KindOut,
        status_code=HTTPStatus.CREATED,
        summary="Let others carry out a kind of task: by a signed POST, or as a BullMQ job",
        responses=refusals(403, 409) | {200: {"model": KindOut}},
    )
    async def put(_: Admin, name: KindName, body: KindIn) -> Response:
        await registry.refresh()
        before = registry.remote.get(name)
        wanted = wanted_kind(name, body, before, clock.now())
        check(wanted, registry, kinds, urls)
        await store.put_kind(wanted)
        await registry.refresh()
        found = kinds.get(name)
        assert found is not None
        secret = wanted.secret if wanted.secret and before is None else None
        status = HTTPStatus.CREATED if before is None else HTTPStatus.OK
        return answer_json(shown(found, registry, kinds) | {"secret": secret}, status=status)

    @router.delete(
        "/{name}",
        summary="Forget a kind that others carry out; tasks of it fail from then on",
        **removes(),
    )
    async def remove(_: Admin, name: KindName) -> Response:
        if not await store.remove_kind(name):
            raise NoSuchRemoteKind(f"No kind {name!r} is carried out by others.")
        await registry.refresh()
        return nothing()

    add_pausing(router, KIND, store, registry, clock)
    return router


def queue_routes(store: KindStore, registry: KindRegistry, clock: Clock) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/queues", tags=["queues"])

    @router.get("", response_model=QueueList, summary="The queues, and which of them are paused")
    async def find(_: Admin) -> Response:
        paused = set(await store.paused())
        items = [{"name": one.value, "paused": QUEUE + one.value in paused} for one in Queue]
        return answer_json({"items": items})

    add_pausing(router, QUEUE, store, registry, clock)
    return router


def add_pausing(
    router: APIRouter, what: str, store: KindStore, registry: KindRegistry, clock: Clock
) -> None:
    named = "queue" if what == QUEUE else "kind"

    @router.post(
        "/{name}/pause",
        summary=f"Let no task of this {named} begin until it is resumed; what runs goes on",
        **removes(),
    )
    async def pause(_: Admin, name: KindName) -> Response:
        known(what, name)
        await store.pause(what + name, clock.now())
        await registry.refresh()
        return nothing()

    @router.post(
        "/{name}/resume",
        summary=f"Let tasks of this {named} begin again, in their order",
        **removes(),
    )
    async def resume(_: Admin, name: KindName) -> Response:
        known(what, name)
        await store.resume(what + name)
        await registry.refresh()
        return nothing()


def known(what: str, name: str) -> None:
    """A kind may be paused before anybody knows it; of queues there are just these."""
    if what == QUEUE and name not in {queue.value for queue in Queue}:
        raise NoSuchQueue(f"There is no queue {name!r}.", hint=", ".join(Queue))


class NoSuchQueue(NotFound):
    code = "no_such_queue"


def wanted_kind(name: str, body: KindIn, before: RemoteKind | None, now: datetime) -> RemoteKind:
    """The secret stays the same as long as the kind is carried out by POSTs."""
    target = Target.HTTP if body.url else Target.BULLMQ
    kept = before.secret if before and before.target is target else ""
    concurrency = body.concurrency or (LENT_AT_ONCE if target is Target.BULLMQ else None)
    rate = Rate(body.rate.number, timedelta(seconds=body.rate.seconds)) if body.rate else None
    return RemoteKind(
        name=name,
        target=target,
        address=body.url or body.bullmq or "",
        secret=(kept or new_secret()) if target is Target.HTTP else "",
        limit=timedelta(seconds=body.limit_seconds),
        retries=body.retries,
        bounds=KindLimit(concurrency, rate),
        created_at=before.created_at if before else now,
    )


def check(wanted: RemoteKind, registry: KindRegistry, kinds: Kinds, urls: UrlCheck) -> None:
    mine = kinds.get(wanted.name)
    if mine is not None and not mine.remote:
        raise KindTaken(f"{wanted.name!r} is carried out by Clarion itself.")
    if wanted.target not in registry.makers:
        raise CannotCarryOut(
            "BullMQ needs Redis beside PostgreSQL.", hint="Set CLARION_REDIS_URL: docs/cluster.md."
        )
    if wanted.bounds.rate is not None and wanted.bounds.rate.apart < timedelta(microseconds=100):
        raise BadInput("That is faster than ten thousand a second.")
    if wanted.target is Target.HTTP:
        urls.check(wanted.address)


def shown(kind: Kind, registry: KindRegistry, kinds: Kinds) -> dict[str, Any]:
    remote, rate = registry.remote.get(kind.name) if kind.remote else None, kind.bounds.rate
    return {
        "name": kind.name,
        "target": remote.target if remote else "python",
        "address": remote.address if remote else None,
        "limit_seconds": kind.limit.total_seconds(),
        "retries": kind.retries,
        "concurrency": kind.bounds.concurrency,
        "rate": rate and {"number": rate.number, "seconds": rate.per.total_seconds()},
        "paused": kind.name in kinds.gates.paused_kinds,
        "secret": None,
        "created_at": said(remote.created_at) if remote else None,
    }
