"""Routes about devices: where a user's reminders ring, in which order they are tried, and the
codes of devices that wait for their owner's yes.
"""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.access.tokens import TokenKind
from clarion.base.clock import Clock
from clarion.base.errors import NotFound
from clarion.base.ids import DeviceId, UserId
from clarion.doors.http.api.people.users import Quiet, quiet_in, quiet_out
from clarion.doors.http.api.reminders import ReminderOut, created
from clarion.doors.http.auth import Admin, Asking, FailedTries, Who, actor_of, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Cursor,
    Id,
    IfMatch,
    IfNoneMatch,
    Limit,
    Name,
    Patch,
    Shape,
    answer_json,
    answer_made,
    answer_versioned,
    expected_version,
    given,
    nothing,
    refusals,
    removes,
    shaped,
)
from clarion.people.activation import Activation, Activations, NoSuchCode
from clarion.people.model import CLARION, Device, DeviceKind
from clarion.people.service import People
from clarion.reminders.service import Reminders

ORDER_MOST = 1_000
CHANGES = refusals(404, 412, 428)


class DevicePatch(Patch):
    name: Annotated[str, Field(max_length=100)] = ""
    address: Annotated[str, Field(max_length=1000)] = Field(
        "", description="What its driver needs: a chat id, an Apprise address, a webhook."
    )
    order: Annotated[int, Field(ge=-ORDER_MOST, le=ORDER_MOST)] = 0
    quiet: Quiet | None = None
    enabled: bool = True


class DeviceIn(DevicePatch):
    kind: DeviceKind
    id: Id | None = Field(None, description="Left out, one is made.")
    user_id: Id | None = Field(None, description="For admin tokens: whose it is.")


class DeviceOut(Shape):
    id: str
    user_id: str | None
    kind: DeviceKind
    name: Name
    address: str
    order: int
    online: bool
    last_seen: str | None
    offline_since: str | None
    proved_at: str | None = Field(description="When it was last heard to the end or answered.")
    quiet: Quiet | None
    facts: dict[str, Any]
    enabled: bool
    version: int


class DevicePage(Shape):
    items: list[DeviceOut]
    next_cursor: str | None


def device_routes(people: People, reminders: Reminders) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/devices", tags=["devices"])

    @router.get("", response_model=DevicePage, summary="Your devices; all of them for admins")
    async def list_devices(
        actor: Asking,
        user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None,
        kind: DeviceKind | None = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Response:
        owner = UserId(user_id) if user_id and actor.admin else None
        if not actor.admin:
            owner = whose(actor, user_id)
        page = await people.devices(actor, user_id=owner, kind=kind, limit=limit, cursor=cursor)
        items = [shown(device) for device in page.items]
        return answer_json({"items": items, "next_cursor": page.next_cursor})

    @router.post(
        "",
        response_model=DeviceOut,
        status_code=HTTPStatus.CREATED,
        summary="Add a device",
        responses=refusals(404, 409),
    )
    async def add_device(actor: Asking, body: DeviceIn) -> Response:
        fields = given(body, quiet=quiet_in)
        fields["device_id"] = DeviceId(fields.pop("id")) if body.id else None
        fields.pop("id", None)
        fields["user_id"] = whose(actor, body.user_id)
        device = await people.add_device(actor, **fields)
        return answer_made(shown(device), f"{PREFIX}/devices/{device.id}", device.version)

    add_one(router, people)
    add_test(router, reminders)
    return router


def add_test(router: APIRouter, reminders: Reminders) -> None:
    @router.post(
        "/{device_id}/test",
        response_model=ReminderOut,
        status_code=HTTPStatus.CREATED,
        summary="Ring it now and ask for an answer; the answer is the reminder to look at",
        responses=refusals(404),
    )
    async def test_device(actor: Asking, device_id: str) -> Response:
        made = await reminders.proofs.device(actor, DeviceId(device_id))
        return await created(reminders, made)


def add_one(router: APIRouter, people: People) -> None:
    @router.get(
        "/{device_id}", response_model=DeviceOut, summary="One device", responses=refusals(404)
    )
    async def get_device(who: Who, device_id: str, same: IfNoneMatch = None) -> Response:
        device = await visible(people, who, device_id)
        return answer_versioned(shown(device), device.version, same)

    @router.patch("/{device_id}", response_model=DeviceOut, summary="Change", responses=CHANGES)
    async def change_device(
        actor: Asking, device_id: str, body: DevicePatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = given(body, quiet=quiet_in)
        device = await people.update_device(actor, DeviceId(device_id), version=version, **fields)
        return answer_json(shown(device), version=device.version)

    @router.delete(
        "/{device_id}",
        summary="Remove a device",
        **removes(),
    )
    async def remove_device(actor: Asking, device_id: str) -> Response:
        await people.remove_device(actor, DeviceId(device_id))
        return nothing()


async def visible(people: People, who: Who, device_id: str) -> Device:
    """A device's own token sees that device and nothing else."""
    if who.kind is not TokenKind.DEVICE:
        return await people.device(actor_of(who), DeviceId(device_id))
    if who.device_id != device_id:
        raise NotFound(f"There is no device {device_id!r}.")
    return await people.device(CLARION, DeviceId(device_id))


def shown(device: Device) -> dict[str, Any]:
    return shaped(DeviceOut, device, quiet=quiet_out(device.quiet))


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
        return answer_json({"items": [activation_out(one) for one in waiting]})

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
        return answer_made(shown(device), f"{PREFIX}/devices/{device.id}", device.version)

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


def activation_out(one: Activation) -> dict[str, Any]:
    return shaped(ActivationOut, one)
