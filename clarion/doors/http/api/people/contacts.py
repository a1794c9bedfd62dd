"""Routes about contacts: who is told, step by step, when nobody confirmed."""

from datetime import date
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from pydantic import Field

from clarion.base.ids import ContactId
from clarion.doors.http.api.people.users import Quiet, quiet_in, quiet_out
from clarion.doors.http.api.reminders import ReminderOut, created
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
    removes,
    shaped,
)
from clarion.people.invitations import Invitations
from clarion.people.model import AwayDays, Contact, ContactConsent, FurtherWay
from clarion.people.service import People
from clarion.reminders.service import Reminders

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


class WayShape(Shape):
    address: Address
    after: int = Field(0, ge=0, le=86_400, description="Seconds without a word from them.")


Language = Annotated[Literal["zh", "en", ""], Field(description="Theirs; empty: the user's.")]
Ways = Annotated[
    list[WayShape], Field(max_length=5, description="Where else, when they say nothing there.")
]


class DaysShape(Shape):
    first: date
    last: date = Field(description="Included.")


Away = Annotated[
    list[DaysShape],
    Field(max_length=50, description="Holidays: others are called, unless everybody is away."),
]


class ContactPatch(Patch):
    name: ShortName = ""
    address: Address = "device:"
    order: Order = 0
    delay: Delay = 0
    ways: Ways = Field(default_factory=list)
    quiet: Quiet | None = None
    language: Language = ""
    away: Away = Field(default_factory=list)


class ContactIn(Shape):
    name: ShortName = Field(examples=["Ana"])
    address: Address | None = Field(
        None, description="Without one you get an invitation to pass on, and they name it."
    )
    order: Order = 0
    delay: Delay = 0
    ways: Ways = Field(default_factory=list)
    quiet: Quiet | None = Field(None, description="Others are told first, unless it is critical.")
    language: Language = ""
    away: Away = Field(default_factory=list)
    invite: bool = Field(False, description="For admin tokens: ask them instead of vouching.")
    user_id: Id | None = Field(None, description="For admin tokens: whose contact it is.")


class ContactOut(Shape):
    id: str
    user_id: str
    name: str
    address: str
    order: int
    delay: int
    proved_at: str | None = Field(description="When they last answered a test.")
    version: int
    ways: list[WayShape]
    quiet: Quiet | None
    language: str
    away: list[DaysShape]
    consent: ContactConsent = Field(description="Nobody is told anything before they have agreed.")
    invitation: str | None = Field(
        None, description="A link for them, when they are to name their address themselves."
    )


class InvitationOut(Shape):
    consent: ContactConsent
    invitation: str | None = Field(description="To pass on; null: it was sent to them.")


class AcceptIn(Shape):
    invitation: str = Field(max_length=2_000, description="The link that you were given.")
    address: Address = Field(examples=["device:study"], description="A device or chat of yours.")


class ContactList(Shape):
    items: list[ContactOut]
    next_cursor: None = Field(None, description="The whole ladder fits on one page.")


def contact_routes(people: People, reminders: Reminders, invitations: Invitations) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/contacts", tags=["contacts"])

    @router.get("", response_model=ContactList, summary="The ladder, the first step first")
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
            address=body.address or "",
            order=body.order,
            delay=body.delay,
            ways=ways_in(body.ways),
            quiet=quiet_in(body.quiet),
            language=body.language,
            away=days_in(body.away),
            invite=body.invite,
        )
        where = {"Location": f"{PREFIX}/contacts/{contact.id}"}
        made = shown(contact)
        if not contact.address:
            made["invitation"] = invitations.link(contact)
        return answer_json(made, HTTPStatus.CREATED, version=contact.version, headers=where)

    add_invitations(router, people, invitations)
    add_one(router, people)
    add_test(router, reminders)
    return router


def add_invitations(router: APIRouter, people: People, invitations: Invitations) -> None:
    @router.post(
        "/accept",
        response_model=InvitationOut,
        summary="Be somebody's contact, on a device or in a chat of your own",
        responses=refusals(403, 404),
    )
    async def accept(actor: Asking, body: AcceptIn) -> Response:
        token = body.invitation.rstrip("/").rpartition("/")[2]
        invited = await invitations.accept(actor, token, body.address)
        return answer_json({"consent": invited.contact.consent, "invitation": None})

    @router.post(
        "/{contact_id}/invite",
        response_model=InvitationOut,
        summary="Ask them once more whether they agree",
        responses=refusals(404),
    )
    async def invite(actor: Asking, contact_id: str) -> Response:
        contact = await people.contact(actor, ContactId(contact_id))
        link = await invitations.ask_again(actor, contact.id)
        return answer_json({"consent": contact.consent, "invitation": link or None})


def add_test(router: APIRouter, reminders: Reminders) -> None:
    @router.post(
        "/{contact_id}/test",
        response_model=ReminderOut,
        status_code=HTTPStatus.CREATED,
        summary="Tell them now that it is a test; the answer is the reminder to look at",
        responses=refusals(404),
    )
    async def test_contact(actor: Asking, contact_id: str) -> Response:
        made = await reminders.proofs.contact(actor, ContactId(contact_id))
        return await created(reminders, made)


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
        fields = given(body, quiet=quiet_in, away=days_in, ways=ways_in)
        contact = await people.update_contact(
            actor, ContactId(contact_id), version=version, **fields
        )
        return answer_json(shown(contact), version=contact.version)

    @router.delete(
        "/{contact_id}",
        summary="Remove a contact",
        **removes(),
    )
    async def remove_contact(actor: Asking, contact_id: str) -> Response:
        await people.remove_contact(actor, ContactId(contact_id))
        return nothing()


def ways_in(ways: list[WayShape]) -> list[FurtherWay]:
    return [FurtherWay(one.address, one.after) for one in ways]


def days_in(days: list[DaysShape]) -> tuple[AwayDays, ...]:
    return tuple(AwayDays(one.first, one.last) for one in days)


def days_out(days: tuple[AwayDays, ...]) -> list[dict[str, str]]:
    return [{"first": one.first.isoformat(), "last": one.last.isoformat()} for one in days]


def shown(contact: Contact) -> dict[str, Any]:
    return shaped(
        ContactOut,
        contact,
        ways=[shaped(WayShape, one) for one in contact.ways],
        quiet=quiet_out(contact.quiet),
        away=days_out(contact.away),
        invitation=None,
    )
