"""Web Push from the browser's side: the key to subscribe with, and what notifications report.

A service worker has no page and perhaps no session any more. The ticket that came sealed with the
ring is what it proves itself with.
"""

from collections.abc import Callable
from enum import StrEnum

from fastapi import APIRouter, Response

from clarion.base.clock import Clock
from clarion.doors.http.auth import Asking
from clarion.doors.http.conventions import PREFIX, Patch, Shape, answer_json
from clarion.reminders.links import RingTickets
from clarion.reminders.ports import Facts

PATH = "/n/"


class PushKeyOut(Shape):
    key: str


class Reported(StrEnum):
    ARRIVED = "arrived"
    SEEN = "seen"
    CONFIRM = "confirm"
    SNOOZE = "snooze"
    TAKE = "take"
    CANNOT = "cannot"


class Report(Patch):
    do: Reported


def push_routes(
    public_key: Callable[[], str], tickets: RingTickets, facts: Facts, clock: Clock
) -> APIRouter:
    router = APIRouter(tags=["devices"])

    @router.get(
        f"{PREFIX}/push",
        response_model=PushKeyOut,
        summary="The key that a browser subscribes with to be rung while no page is open",
    )
    async def push_key(_actor: Asking) -> Response:
        return answer_json({"key": public_key()})

    @router.post(PATH + "{ticket}", include_in_schema=False)
    async def report(ticket: str, body: Report) -> Response:
        ring_id = tickets.read(ticket, clock.now())
        match body.do:
            case Reported.ARRIVED:
                await facts.delivered(ring_id)
            case Reported.SEEN:
                await facts.heard(ring_id)
            case Reported.CONFIRM | Reported.SNOOZE | Reported.TAKE | Reported.CANNOT:
                reaction = await facts.pressed(ring_id, body.do.value)
                return answer_json({"outcome": reaction.outcome, "say": reaction.say})
        return answer_json({"outcome": body.do.value, "say": ""})

    return router
