"""Joins dispatch: the agent, the holds, the verbs, the calls, the routes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from clarion.agent.choosers import ChooserWithFallback, ExactChooser, GreedyChooser
from clarion.agent.graph import NodePatience, Planner
from clarion.agent.nodes import Nodes
from clarion.agent.roads import MatrixFile, OsrmRoads, RoadsInTurn, ValhallaRoads
from clarion.agent.rulebook import DEFAULT, RuleFile
from clarion.agent.warmup import WarmUp
from clarion.app.llm import Helpers
from clarion.app.parts import Parts
from clarion.app.services import Dispatching, ReminderServices
from clarion.base.breaker import Breaker
from clarion.base.clock import Clock
from clarion.base.errors import TimedOut, Unavailable
from clarion.base.ids import TaskId, UserId
from clarion.dispatch.desk import Desk
from clarion.dispatch.guarding import DispatchGuard
from clarion.dispatch.holding import CountedHolds, Counts, HoldsWithFallback
from clarion.dispatch.model import SchemeId, TeamId
from clarion.dispatch.ports import DispatchMeter, Holds, Records, Roads
from clarion.dispatch.reconciler import Reconciler
from clarion.dispatch.seat.sources import MapSource
from clarion.dispatch.seat.verbs import Seat
from clarion.dispatch.service import Dispatch, Policy, Reassign
from clarion.doors.http.api.dispatch.desk_log import dispatch_log_routes
from clarion.doors.http.api.dispatch.export import export_routes
from clarion.doors.http.api.dispatch.page import page_routes
from clarion.doors.http.api.dispatch.plans import dispatch_routes
from clarion.doors.http.api.dispatch.records import dispatch_record_routes
from clarion.doors.http.api.dispatch.seat import seat_routes
from clarion.doors.http.health import Check
from clarion.exits.http import operator_client
from clarion.flows.deployed_team_is_called import CallPolicy, CallsHearAnswers, DeployedTeamIsCalled
from clarion.flows.officer_is_told_about_dispatch import OfficerIsTold
from clarion.llm.dispatching import LlmExplanations, LlmReports
from clarion.settings import Settings
from clarion.store.sql import events
from clarion.store.sql.audit import SqlAudit
from clarion.store.sql.dispatch import lacks as dispatch_lacks
from clarion.store.sql.dispatch.holds import SqlHolds
from clarion.store.sql.dispatch.seat import SqlSeat
from clarion.store.sql.dispatch.store import SqlDispatch, SqlRecords
from clarion.store.sql.events import SqlEventLog
from clarion.store.tiles import LocalBytes, RemoteBytes, TileArchive, TileServer
from clarion.tasks.kinds import SLOWLY, TELL_RETRIES, Kind
from clarion.tasks.ports import Again, Claim, Handler

log = logging.getLogger(__name__)

REDIS_REST = 5.0  # seconds; a Redis that restarts is back by then
PLAN_LIMIT = timedelta(seconds=60)
PLANS_AT_ONCE = 4  # two in the optimiser's threads, two that read or save meanwhile
PLAN_AGAIN = timedelta(milliseconds=500)
NEVER_GIVES_UP = 1_000_000  # retries: runs and calls end by themselves; the queue must not be first
MAP_SECONDS_MAX = 5.0
SLOW_NODE = NodePatience(timedelta(seconds=20))


def add_dispatch(
    parts: Parts, services: ReminderServices, helpers: Helpers, meter: DispatchMeter | None = None
) -> Dispatching:
    settings, clock, database = parts.settings, parts.clock, parts.database
    reminders, people = services.reminders, services.people
    store = SqlDispatch(database)
    records = SqlRecords(database, approval=settings.dispatch_approval)
    breaker = Breaker("database", clock, counts=lambda e: isinstance(e, Unavailable | TimedOut))
    guard = DispatchGuard(breaker, settings.dispatch_query_timeout)
    holds, fallback = make_holds(parts, meter or Counts())
    policy = policy_of(settings)
    agent = make_agent(parts, helpers, records)
    dispatch = Dispatch(store, holds, agent.planner, clock, guard, policy)
    desk = Desk(records, store, clock, guard, approval=settings.dispatch_approval)
    officer = UserId(settings.dispatch_officer) if settings.dispatch_officer else None
    officer_is_told = OfficerIsTold(records, reminders, people, clock, officer)
    patience = call_policy(settings)
    calls = DeployedTeamIsCalled(store, records, reminders, people, clock, patience)
    add_kinds(parts, dispatch, desk)
    parts.positions.append(desk.device_was_at)
    parts.kinds.add(call_kind(calls.call))
    tell = officer_is_told.tell
    parts.kinds.add(Kind("dispatch.tell", tell, retries=TELL_RETRIES, backoff=SLOWLY))
    reconciler = parts.add_duty(Reconciler(store, clock, settings.home_zone))
    parts.on_signal(dispatch_lacks.LOOK, reconciler.wake)
    answers = parts.add_duty(CallsHearAnswers(store, clock))
    parts.on_signal(events.CHANNEL, answers.wake)
    seat = make_seat(parts, store, agent, guard)
    parts.routers += [
        dispatch_record_routes(desk, clock),
        dispatch_routes(dispatch, desk, clock, lambda: fallback is not None and fallback.degraded),
        seat_routes(seat, dispatch, desk, clock, policy.language),
        page_routes(seat, make_map(parts), settings.dispatch_map_credit, parts.dictation),
        dispatch_log_routes(SqlAudit(database), SqlEventLog(database)),
        export_routes(SqlSeat(database)),
    ]
    return Dispatching(dispatch, desk)


def plans_in_turn(
    run: Callable[[TaskId], Awaitable[object]], clock: Clock, at_once: int = PLANS_AT_ONCE
) -> Callable[[Claim], Awaitable[Again | None]]:
    """Handler of `dispatch.plan`. Fifty at once would all time out: the rest waits as rows."""
    free = asyncio.Semaphore(at_once)

    async def plan(claim: Claim) -> Again | None:
        if free.locked():
            return Again(clock.now() + PLAN_AGAIN)
        async with free:
            try:
                await run(TaskId(claim.task.payload["run_id"]))
            except (Unavailable, TimedOut) as error:
                # An outage is a pause: the run counts its own tries, the task spends none.
                log.warning("plan waits: %s", error, extra={"task": claim.task.id})
                wait = timedelta(seconds=error.retry_after or 0)
                return Again(clock.now() + max(PLAN_AGAIN, wait))
        return None

    return plan


def plan_kind(run: Callable[[TaskId], Awaitable[object]], clock: Clock) -> Kind:
    handler = plans_in_turn(run, clock)
    return Kind("dispatch.plan", handler, limit=PLAN_LIMIT, retries=NEVER_GIVES_UP)


def call_kind(call: Handler) -> Kind:
    return Kind("dispatch.call", call, retries=NEVER_GIVES_UP)


def add_kinds(parts: Parts, dispatch: Dispatch, desk: Desk) -> None:
    async def lapse(claim: Claim) -> None:
        await dispatch.lapse(SchemeId(claim.task.payload["scheme_id"]))

    async def end_rest(claim: Claim) -> None:
        given = claim.task.payload
        await desk.end_rest(TeamId(given["team_id"]), given["fence"])

    parts.kinds.add(plan_kind(dispatch.run, parts.clock))
    parts.kinds.add(Kind("dispatch.rest", end_rest))
    parts.kinds.add(Kind("dispatch.lapse", lapse))


@dataclass(frozen=True, slots=True)
class MadeAgent:
    planner: Planner
    book: RuleFile


def make_seat(parts: Parts, store: SqlDispatch, agent: MadeAgent, guard: DispatchGuard) -> Seat:
    seats, zone = SqlSeat(parts.database), parts.settings.home_zone
    return Seat(store, seats, agent.planner, agent.book, parts.clock, guard, zone)


def make_agent(parts: Parts, helpers: Helpers, records: Records) -> MadeAgent:
    settings, client = parts.settings, helpers.client
    exact = ExactChooser(settings.dispatch_choose_timeout)
    parts.closing.callback(exact.close)
    book = RuleFile(settings.dispatch_rules or DEFAULT)
    parts.checks.append(Check("dispatch rules", partial(asyncio.to_thread, book.check), False))
    nodes = Nodes(
        book,
        ChooserWithFallback(exact, GreedyChooser()),
        LlmReports(client) if client is not None else None,
        LlmExplanations(client) if client is not None else None,
        make_roads(parts),
        settings.home_zone,
    )
    slow = ("understand", "choose", "explain")
    planner = Planner(nodes.by_name(), dict.fromkeys(slow, SLOW_NODE))
    parts.add_pass(WarmUp(records, (planner.warm_up, exact.warm_up)))
    return MadeAgent(planner, book)


def make_map(parts: Parts) -> MapSource | None:
    """Through this server: the page needs no way to anybody else, and nobody learns who looks."""
    where = parts.settings.dispatch_map
    if not where:
        return None
    if not where.startswith(("https://", "http://")):
        return TileArchive(LocalBytes(Path(where)))
    client = operator_client(MAP_SECONDS_MAX)
    parts.closing.push_async_callback(client.aclose)
    return TileServer(where, client) if "{z}" in where else TileArchive(RemoteBytes(where, client))


def make_roads(parts: Parts) -> Roads | None:
    """A routing server, then another, then a file; None: everything is estimated by air."""
    settings, clock = parts.settings, parts.clock
    timeout = settings.dispatch_roads_timeout.total_seconds()
    ways: list[tuple[str, Roads]] = []
    for name, url, make in (
        ("osrm", settings.dispatch_osrm_url, OsrmRoads),
        ("valhalla", settings.dispatch_valhalla_url, ValhallaRoads),
    ):
        if url:
            client = operator_client(timeout, base_url=url)
            parts.closing.push_async_callback(client.aclose)
            ways.append((name, make(client, clock)))
    if settings.dispatch_matrix is not None:
        ways.append(("matrix", MatrixFile(settings.dispatch_matrix)))
    return RoadsInTurn(ways, clock) if ways else None


def make_holds(parts: Parts, meter: DispatchMeter) -> tuple[Holds, HoldsWithFallback | None]:
    """Through Redis where there is one, and through the database where not or while it is away."""
    settings, clock = parts.settings, parts.clock
    database = SqlHolds(parts.database, clock)
    if not settings.redis_url:
        return CountedHolds(database, meter), None
    from clarion.store.redis.holds import RedisHolds, holds_client

    client = holds_client(settings.redis_url)
    parts.closing.push_async_callback(client.aclose)
    parts.add_redis_check(client.ping)
    breaker = Breaker("redis", clock, failures_max=3, rest=REDIS_REST)
    both = HoldsWithFallback(
        RedisHolds(client, clock),
        database,
        meter,
        breaker,
        allowed=settings.dispatch_redis_fallback,
    )
    parts.add_pass(both)
    return CountedHolds(both, meter), both


def policy_of(settings: Settings) -> Policy:
    return Policy(
        approval=settings.dispatch_approval,
        approval_window=settings.dispatch_approval_window,
        language=settings.language,
        reassign=Reassign(settings.dispatch_reassign),
        reassign_margin=settings.dispatch_reassign_margin,
    )


def call_policy(settings: Settings) -> CallPolicy:
    return CallPolicy(
        timeout=settings.dispatch_call_timeout,
        tries=settings.dispatch_call_tries,
        approval=settings.dispatch_approval,
        rest=settings.dispatch_silence or None,
    )
