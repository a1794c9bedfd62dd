"""Routes about contacts: who is told when nobody confirmed, rung by rung."""

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.base.ids import ContactId
from clarion.doors.http.auth import Asking, whose
from clarion.doors.http.conventions import (
    ID_LETTERS_MAX,
    PREFIX,
    Id,
    IfMatch,
    IfNoneMatch,
    Patch,
    Shape,
    answer_json,
    answer_versioned,
    expected_version,
    given,
    nothing,
    refusals,
)
from clarion.people.model import Contact
from clarion.people.service import People

Address = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="`device:<id>`, `chat:<id>`, or any Apprise address.",
        examples=["ntfy://grandmas-pills"],
    ),
]
Order = Annotated[int, Field(ge=-1000, le=1000, description="The smallest is told first.")]
Delay = Annotated[int, Field(ge=0, le=86_400, description="Seconds after the one before.")]
ShortName = Annotated[str, Field(max_length=100)]
CHANGES = refusals(404, 412, 428)


class ContactPatch(Patch):
    name: ShortName = ""
    address: Address = "device:"
    order: Order = 0
    delay: Delay = 0


class ContactIn(Shape):
    name: ShortName = Field(examples=["Ana"])
    address: Address
    order: Order = 0
    delay: Delay = 0
    user_id: Id | None = Field(None, description="For admin tokens: whose contact it is.")


class ContactOut(Shape):
    id: str
    user_id: str
    name: str
    address: str
    order: int
    delay: int
    version: int


class ContactList(Shape):
    items: list[ContactOut]
    next_cursor: None = Field(None, description="The whole ladder fits on one page.")


def contact_routes(people: People) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/contacts", tags=["contacts"])

    @router.get("", response_model=ContactList, summary="The ladder, the first rung first")
    async def list_contacts(
        actor: Asking, user_id: Annotated[str | None, Query(max_length=ID_LETTERS_MAX)] = None
    ) -> Response:
        found = await people.contacts(actor, whose(actor, user_id))
        return answer_json({"items": [shown(one) for one in found], "next_cursor": None})

    @router.post(
        "",
        response_model=ContactOut,
        status_code=HTTPStatus.CREATED,
        summary="Add a contact",
        responses=refusals(404),
    )
    async def add_contact(actor: Asking, body: ContactIn) -> Response:
        contact = await people.add_contact(
            actor,
            user_id=whose(actor, body.user_id),
            name=body.name,
            address=body.address,
            order=body.order,
            delay=body.delay,
        )
        where = {"Location": f"{PREFIX}/contacts/{contact.id}"}
        return answer_json(
            shown(contact), HTTPStatus.CREATED, version=contact.version, headers=where
        )

    add_one(router, people)
    return router


def add_one(router: APIRouter, people: People) -> None:
    @router.get(
        "/{contact_id}", response_model=ContactOut, summary="One contact", responses=refusals(404)
    )
    async def get_contact(actor: Asking, contact_id: str, same: IfNoneMatch = None) -> Response:
        contact = await people.contact(actor, ContactId(contact_id))
        return answer_versioned(shown(contact), contact.version, same)

    @router.patch("/{contact_id}", response_model=ContactOut, summary="Change", responses=CHANGES)
    async def change_contact(
        actor: Asking, contact_id: str, body: ContactPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        contact = await people.update_contact(
            actor, ContactId(contact_id), version=version, **given(body)
        )
        return answer_json(shown(contact), version=contact.version)

    @router.delete(
        "/{contact_id}",
        status_code=HTTPStatus.NO_CONTENT,
        response_class=Response,
        summary="Remove a contact",
        responses=refusals(404),
    )
    async def remove_contact(actor: Asking, contact_id: str) -> Response:
        await people.remove_contact(actor, ContactId(contact_id))
        return nothing()


def shown(contact: Contact) -> dict[str, Any]:
    return {
        "id": contact.id,
        "user_id": contact.user_id,
        "name": contact.name,
        "address": contact.address,
        "order": contact.order,
        "delay": contact.delay,
        "version": contact.version,
    }
