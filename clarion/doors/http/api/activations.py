"""Routes about devices that wait for their owner's yes: the codes that they show."""

from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Response

from clarion.base.clock import Clock
from clarion.doors.http.api.devices import DeviceOut
from clarion.doors.http.api.devices import shown as shown_device
from clarion.doors.http.auth import Admin, Asking, whose
from clarion.doors.http.conventions import (
    PREFIX,
    Id,
    Name,
    Shape,
    answer_json,
    answer_made,
    nothing,
    refusals,
    said,
)
from clarion.doors.http.limits import FailedTries
from clarion.people.activation import Activation, Activations, NoSuchCode

WRONG_CODES_MAX = 10  # in a quarter of an hour: of a million codes, some may wait
WRONG_CODES_SECONDS = 900.0


class ActivationOut(Shape):
    code: str
    hardware: str
    facts: dict[str, Any]
    asked_at: str
    expires_at: str


class ActivationList(Shape):
    items: list[ActivationOut]


class TakeDeviceIn(Shape):
    user_id: Id | None = None
    name: Name = ""


def activation_routes(activations: Activations, clock: Clock) -> APIRouter:
    """Include it before the routes about devices: `activations` is no device's id."""
    router = APIRouter(prefix=f"{PREFIX}/devices/activations", tags=["devices"])
    tries = FailedTries(
        clock, WRONG_CODES_MAX, window=WRONG_CODES_SECONDS, what="wrong codes; look at the device"
    )

    @router.get("", response_model=ActivationList, summary="Devices that wait to be confirmed")
    async def list_activations(_: Admin, actor: Asking) -> Response:
        waiting = await activations.waiting(actor)
        return answer_json({"items": [shown(one) for one in waiting]})

    @router.post(
        "/{code}",
        response_model=DeviceOut,
        status_code=HTTPStatus.CREATED,
        summary="Take the device that shows this code",
        responses=refusals(404, 429),
    )
    async def confirm(actor: Asking, code: str, body: TakeDeviceIn) -> Response:
        owner = whose(actor, body.user_id)
        if not actor.admin:  # an admin sees every code, and has no need to guess
            tries.check(owner)
        try:
            device = await activations.confirm(actor, code, user_id=owner, name=body.name)
        except NoSuchCode:
            tries.note(owner)
            raise
        return answer_made(shown_device(device), f"{PREFIX}/devices/{device.id}", device.version)

    @router.delete(
        "/{code}",
        status_code=HTTPStatus.NO_CONTENT,
        response_class=Response,
        summary="Refuse the device that shows this code",
    )
    async def refuse(_: Admin, actor: Asking, code: str) -> Response:
        await activations.refuse(actor, code)
        return nothing()

    return router


def shown(one: Activation) -> dict[str, Any]:
    return {
        "code": one.code,
        "hardware": one.hardware,
        "facts": dict(one.facts),
        "asked_at": said(one.asked_at),
        "expires_at": said(one.expires_at),
    }
