"""Routes about users: their zone, language, quiet hours, and what we remember of them."""

from datetime import time
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from pydantic import Field

from clarion.base.ids import UserId
from clarion.doors.http.api.reminders import Escalation, escalation_in, escalation_out
from clarion.doors.http.auth import Actor, Admin, Asking
from clarion.doors.http.conventions import (
    PREFIX,
    Cursor,
    Id,
    IfMatch,
    IfNoneMatch,
    Instant,
    Languages,
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
    said,
    shaped,
    shown_in,
)
from clarion.language.when.zones import say_followed
from clarion.people.model import LONG_AGO, PersonAbsence, QuietHours, User
from clarion.people.service import People

Zone = Field("UTC", min_length=1, max_length=64, examples=["Europe/Paris"])
CHANGES = refusals(404, 409, 412, 428)
TimeOfDay = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", examples=["22:00"])]


class Quiet(Shape):
    """Over midnight when `ends` is the smaller."""

    begins: TimeOfDay
    ends: TimeOfDay


class AbsenceShape(Shape):
    """While it lasts the person is not rung; their series go on afterwards."""

    begins: Instant | None = Field(None, description="Left out: at once.")
    ends: Instant | None = Field(None, description="Left out: until somebody ends it.")
    medicines: Literal["ring", "pause"] = Field(
        "ring", description="Whether what must be done, and what is critical, rings all the same."
    )


class UserPatch(Patch):
    name: Name = ""
    zone: str = Zone
    language: Literal["zh", "en"] = "zh"
    context: dict[str, Any] = Field(
        {},
        description="What is worth remembering of them. `habits` are hours of their day: waking, "
        "breakfast, lunch, dinner, sleeping, morning, noon, afternoon, evening and so on; "
        "`learn` lets those of meals, waking and sleeping follow their answers.",
        examples=[{"habits": {"dinner": "19:00", "sleeping": "21:30"}}],
    )
    quiet: Quiet | None = None
    escalation: Escalation | None = None
    absence: AbsenceShape | None = None


class UserIn(UserPatch):
    id: Id


class UserOut(Shape):
    id: str
    name: str
    zone: str
    language: str
    context: dict[str, Any]
    quiet: Quiet | None
    escalation: Escalation | None
    absence: AbsenceShape | None
    created_at: str | None
    version: int


class UserChanged(UserOut):
    readback: str = Field(
        "", description="What else changed: series that follow them into another zone."
    )


class UserPage(Shape):
    items: list[UserOut]
    next_cursor: str | None


def user_routes(people: People) -> APIRouter:
    router = APIRouter(prefix=f"{PREFIX}/users", tags=["users"])

    @router.get("", response_model=UserPage, summary="Users; your own alone unless you are admin")
    async def list_users(actor: Asking, limit: Limit = 50, cursor: Cursor = None) -> Response:
        page = await people.users(actor, limit=limit, cursor=cursor)
        items = [shown(user) for user in page.items]
        return answer_json({"items": items, "next_cursor": page.next_cursor})

    @router.post(
        "",
        response_model=UserOut,
        status_code=HTTPStatus.CREATED,
        summary="Add a user",
        responses=refusals(409),
    )
    async def add_user(
        _: Admin, actor: Asking, body: UserIn, languages: Languages = None
    ) -> Response:
        fields = {"language": await spoken_by(people, actor, languages), **as_fields(body)}
        fields["user_id"] = UserId(fields.pop("id"))
        user = await people.add_user(actor, **fields)
        return answer_made(shown(user), f"{PREFIX}/users/{user.id}", user.version)

    add_one(router, people)
    return router


async def spoken_by(people: People, actor: Actor, languages: str | None) -> str | None:
    """What a new user most likely speaks: the screen's language, or that of who adds them."""
    if (shown := shown_in(languages)) is not None or actor.user_id is None:
        return shown
    return (await people.user(actor, actor.user_id)).language


def add_one(router: APIRouter, people: People) -> None:
    @router.get("/{user_id}", response_model=UserOut, summary="One user", responses=refusals(404))
    async def get_user(actor: Asking, user_id: str, same: IfNoneMatch = None) -> Response:
        user = await people.user(actor, UserId(user_id))
        return answer_versioned(shown(user), user.version, same)

    @router.patch("/{user_id}", response_model=UserChanged, summary="Change", responses=CHANGES)
    async def change_user(
        actor: Asking, user_id: str, body: UserPatch, if_match: IfMatch = None
    ) -> Response:
        version = expected_version(if_match)
        fields = as_fields(body)
        changed = await people.change_user(actor, UserId(user_id), version=version, **fields)
        user = changed.user
        readback = say_followed(changed.followed, user.zone, user.language)
        return answer_json({**shown(user), "readback": readback}, version=user.version)

    @router.delete(
        "/{user_id}",
        summary="Remove a user with all that is theirs",
        **removes(),
    )
    async def remove_user(_: Admin, actor: Asking, user_id: str) -> Response:
        await people.remove_user(actor, UserId(user_id))
        return nothing()


def as_fields(body: UserPatch) -> dict[str, Any]:
    return given(body, quiet=quiet_in, escalation=escalation_in, absence=absence_in)


def shown(user: User) -> dict[str, Any]:
    return shaped(
        UserOut,
        user,
        quiet=quiet_out(user.quiet),
        escalation=escalation_out(user.escalation),
        absence=absence_out(user.absence),
    )


def absence_in(absence: AbsenceShape | None) -> PersonAbsence | None:
    if absence is None:
        return None
    return PersonAbsence(
        begins=absence.begins or LONG_AGO,
        ends=absence.ends,
        medicines=absence.medicines == "ring",
    )


def absence_out(absence: PersonAbsence | None) -> dict[str, Any] | None:
    if absence is None:
        return None
    return {
        "begins": said(absence.begins),
        "ends": said(absence.ends),
        "medicines": "ring" if absence.medicines else "pause",
    }


def quiet_in(quiet: Quiet | None) -> QuietHours | None:
    if quiet is None:
        return None
    return QuietHours(time.fromisoformat(quiet.begins), time.fromisoformat(quiet.ends))


def quiet_out(quiet: QuietHours | None) -> dict[str, str] | None:
    if quiet is None:
        return None
    return {"begins": f"{quiet.begins:%H:%M}", "ends": f"{quiet.ends:%H:%M}"}
