"""Routes about rotations: which contacts take turns, and who is on call now and next."""

from datetime import date, time
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.base.ids import ContactId
from clarion.doors.http.api.people.contacts import (
    DaysShape,
    Delay,
    Order,
    ShortName,
    days_in,
    days_out,
)
from clarion.doors.http.auth import Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Id,
    IfMatch,
    IfNoneMatch,
    Instant,
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
from clarion.people.model import Override, Rotation, RotationId, ShiftLength
from clarion.people.oncall import OnCall, OnCallShift
from clarion.people.rotations import Rotations

Members = Annotated[list[Id], Field(max_length=50, examples=[["con_01kc3…"]])]
Asked = Annotated[str | None, Query(max_length=ID_LETTERS_MAX)]


class OverrideShape(Shape):
    contact_id: Id
    begins_at: Instant
    ends_at: Instant


Days = Annotated[list[DaysShape], Field(max_length=200)]
Overrides = Annotated[
    list[OverrideShape],
    Field(max_length=200, description="Who stands in, whoever's turn it is; the last one wins."),
]


class RotationPatch(Patch):
    name: ShortName = ""
    every: ShiftLength = ShiftLength.WEEK
    hands_over: time = time(8)
    begins_on: date = date(2030, 1, 7)
    members: Members = Field(default_factory=list)
    order: Order = 0
    delay: Delay = 0
    overrides: Overrides = Field(default_factory=list)
    holidays: Days = Field(default_factory=list)
    holiday_members: Members = Field(default_factory=list)


class RotationIn(Shape):
    name: ShortName = Field(examples=["Nights"])
    every: ShiftLength = Field(ShiftLength.WEEK, description="How long one turn is.")
    hands_over: time = Field(time(8), description="In the zone of the person looked after.")
    begins_on: date = Field(
        description="The first day of the first member's first turn; with weeks also the weekday.",
        examples=["2030-01-07"],
    )
    members: Members = Field(description="Contacts, in the order of their turns.")
    order: Order = 0
    delay: Delay = 0
    overrides: Overrides = Field(default_factory=list)
    holidays: Days = Field(
        default_factory=list, description="Days on which the holiday members take turns."
    )
    holiday_members: Members = Field(default_factory=list)
    user_id: Id | None = Field(None, description="For admin tokens: whose contacts they are.")


class RotationOut(Shape):
    id: str
    user_id: str
    name: str
    every: ShiftLength
    hands_over: str
    begins_on: str
    members: list[str]
    order: int
    delay: int
    overrides: list[OverrideShape]
    holidays: list[DaysShape]
    holiday_members: list[str]
    version: int


class RotationList(Shape):
    items: list[RotationOut]
    next_cursor: None = None


class ShiftOut(Shape):
    contact_id: str
    name: str
    begins_at: str
    ends_at: str


class OnCallOut(Shape):
    rotation_id: str
    name: str
    now: ShiftOut | None = Field(description="Null: nobody in it has agreed.")
    next: ShiftOut | None = Field(description="Null: nobody else within a year.")


class OnCallList(Shape):
    items: list[OnCallOut]


def rotation_routes(rotations: Rotations) -> APIRouter:
    router = APIRouter(prefix=PREFIX, tags=["contacts"])

    @router.get("/oncall", response_model=OnCallList, summary="Who is on call now, and who is next")
    async def on_call(
        actor: Asking, user_id: Asked = None, at: Annotated[Instant | None, Query()] = None
    ) -> Response:
        found = await rotations.on_call(actor, whose(actor, user_id), at)
        return answer_json({"items": [on_call_out(one) for one in found]})

    @router.get("/rotations", response_model=RotationList, summary="Contacts who take turns")
    async def list_rotations(actor: Asking, user_id: Asked = None) -> Response:
        found = await rotations.of(actor, whose(actor, user_id))
        return answer_json({"items": [shown(one) for one in found], "next_cursor": None})

    @router.post(
        "/rotations",
        response_model=RotationOut,
        status_code=HTTPStatus.CREATED,
        summary="Let contacts take turns on one step of the ladder",
        responses=refusals(404, 409),
    )
    async def add_rotation(actor: Asking, body: RotationIn) -> Response:
        fields = {name: getattr(body, name) for name in RotationPatch.model_fields}
        made = await rotations.add(actor, user_id=whose(actor, body.user_id), **read(fields))
        return answer_made(shown(made), f"{PREFIX}/rotations/{made.id}", made.version)

    add_one(router, rotations)
    return router


def add_one(router: APIRouter, rotations: Rotations) -> None:
    path = "/rotations/{rotation_id}"

    @router.get(path, response_model=RotationOut, summary="One rotation", responses=refusals(404))
    async def get_rotation(actor: Asking, rotation_id: str, same: IfNoneMatch = None) -> Response:
        found = await rotations.get(actor, RotationId(rotation_id))
        return answer_versioned(shown(found), found.version, same)

    @router.patch(
        path, response_model=RotationOut, summary="Change", responses=refusals(404, 412, 428)
    )
    async def change_rotation(
        actor: Asking, rotation_id: str, body: RotationPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = given(body)
        changed = await rotations.update(actor, RotationId(rotation_id), read(fields), version)
        return answer_json(shown(changed), version=changed.version)

    @router.delete(
        path,
        summary="Remove a rotation; its contacts stay",
        **removes(),
    )
    async def remove_rotation(actor: Asking, rotation_id: str) -> Response:
        await rotations.remove(actor, RotationId(rotation_id))
        return nothing()


def read(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body, with shapes turned into values."""
    kept = dict(fields)
    for name in ("members", "holiday_members"):
        if name in kept:
            kept[name] = tuple(ContactId(one) for one in kept[name])
    if "overrides" in kept:
        kept["overrides"] = tuple(
            Override(ContactId(one.contact_id), one.begins_at, one.ends_at)
            for one in kept["overrides"]
        )
    if "holidays" in kept:
        kept["holidays"] = days_in(kept["holidays"])
    return kept


def shown(one: Rotation) -> dict[str, Any]:
    return shaped(
        RotationOut,
        one,
        hands_over=f"{one.hands_over:%H:%M}",
        begins_on=one.begins_on.isoformat(),
        overrides=[shaped(OverrideShape, each) for each in one.overrides],
        holidays=days_out(one.holidays),
    )


def on_call_out(one: OnCall) -> dict[str, Any]:
    return {
        "rotation_id": one.rotation.id,
        "name": one.rotation.name,
        "now": shift_out(one.now),
        "next": shift_out(one.next),
    }


def shift_out(shift: OnCallShift | None) -> dict[str, Any] | None:
    if shift is None:
        return None
    return shaped(ShiftOut, shift, contact_id=shift.contact.id, name=shift.contact.name)
