"""What all routes agree on: their names, instants with an offset, pages, versions as ETags,
refusals, and that a request which is sent twice is done once.
"""

import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus
from types import NoneType
from typing import Annotated, Any, NamedTuple, get_args
from urllib.parse import parse_qsl

from fastapi import Header, Query, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)
from starlette.requests import HTTPConnection, Request

from clarion.access.ports import AnswerStore, Remembered
from clarion.base.clock import Clock
from clarion.base.errors import BadInput, ClarionError, Conflict, Stale, Unprocessable
from clarion.base.ids import KEY_LETTERS_MAX, InFlight, KeyUsedOtherwise, UserId

PREFIX = "/api/v1"
PROBLEM = "Problem"  # what OpenAPI calls a refusal
MEDIA_TYPE = "application/problem+json"
SPOKEN = ("zh", "en")
LIMIT_MOST = 100
ID = r"^[A-Za-z0-9][A-Za-z0-9_.:@+-]*$"
ID_LETTERS_MAX = 128
BOOLS = frozenset({bool, Any})
NUMBERS = frozenset({bool, int, float})


class PreconditionRequired(ClarionError):
    """A change without If-Match: two people could overwrite each other's changes unnoticed."""

    code = "precondition_required"
    status = 428


def _is_slip(value: Any, annotation: Any) -> bool:
    """Whether Pydantic would silently convert a value of another type."""
    wanted = frozenset(get_args(annotation) or (annotation,)) - {NoneType}
    if isinstance(value, bool):
        return not BOOLS & wanted
    if isinstance(value, str):
        return wanted <= NUMBERS
    return value is not None and wanted == {bool}


class Shape(BaseModel):
    """The base of all bodies: unknown fields are refused, so that a typo is seen."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _no_yes_for_a_number(cls, data: Any) -> Any:
        """Pydantic reads `true` as 1, `0` as no and "5" as 5: slips, and the schema says so."""
        for name, value in data.items() if isinstance(data, dict) else ():
            field = cls.model_fields.get(name)
            if field is not None and _is_slip(value, field.annotation):
                raise ValueError(f"{name} cannot be {json.dumps(value)[:40]}")
        return data


def _no_defaults(schema: dict[str, Any]) -> None:
    for one in schema.get("properties", {}).values():
        one.pop("default", None)


Languages = Annotated[
    str | None,
    Header(
        alias="Accept-Language",
        max_length=500,
        description="What is said back is said in the first of these that we speak.",
    ),
]


def shown_in(asked: str | None) -> str | None:
    """The first language of a screen that we speak; None: whatever is the person's own."""
    wanted = (one.strip()[:2] for one in asked.lower().split(",")) if asked else ()
    return next((one for one in wanted if one in SPOKEN), None)


class Patch(Shape):
    """A merge patch: fields that are left out stay as they are, so OpenAPI shows no defaults."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_no_defaults)


def _only_text(value: Any) -> Any:
    # Pydantic also takes numbers and reads them as seconds or milliseconds: a guess, not a time.
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or len(value) < len("2030-01-01T00:00Z"):
        raise ValueError("an instant is text in RFC 3339 with an offset: 2030-01-01T08:00:00+08:00")
    return value


def _in_reach(value: datetime) -> datetime:
    # The first and last days of the calendar have no instant in every zone.
    if not 1900 <= value.year <= 9000:
        raise ValueError("out of reach")
    return value.astimezone(UTC)


Instant = Annotated[
    AwareDatetime,
    BeforeValidator(_only_text),
    AfterValidator(_in_reach),
    WithJsonSchema(
        {
            "type": "string",
            "format": "date-time",
            "examples": ["2030-01-07T08:00:00+08:00"],
            "description": "RFC 3339 with an offset; a time without one is refused.",
        }
    ),
]
Name = Annotated[str, Field(max_length=200)]
Id = Annotated[str, Field(min_length=1, max_length=ID_LETTERS_MAX, pattern=ID)]
Limit = Annotated[int, Query(ge=1, le=LIMIT_MOST, description="How many at most.")]
Cursor = Annotated[
    str | None,
    Query(max_length=500, description="`next_cursor` of the page before; opaque."),
]
IfMatch = Annotated[
    str | None,
    Header(alias="If-Match", description='The ETag you saw, such as "3"; `*` overwrites.'),
]
IfNoneMatch = Annotated[
    str | None, Header(alias="If-None-Match", description="Answer 304 if same.")
]


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(if_match: str | None) -> int | None:
    """The version that a change is about; None for `*`. Raises 428 without a header."""
    if if_match is None:
        raise PreconditionRequired(
            "Say which version you change.", hint="Send the ETag you saw as If-Match, or `*`."
        )
    text = if_match.strip()
    if text == "*":
        return None
    number = text.removeprefix("W/").strip('"')
    if not number.isascii() or not number.isdecimal() or len(number) > 9:
        raise Stale("That ETag is none of ours.", hint="Read it again, then change it.")
    return int(number)


def is_same(if_none_match: str | None, version: int) -> bool:
    if if_none_match is None:
        return False
    seen = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return "*" in seen or etag(version) in seen


# Made once: `json.dumps` would make an encoder for each call. We send no circular values.
write_json = json.JSONEncoder(
    ensure_ascii=False, separators=(",", ":"), check_circular=False
).encode


def answer_json(
    body: Any,
    status: int = HTTPStatus.OK,
    *,
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Written directly: our own values need no validation before they are sent."""
    return answer_written(write_json(body), status, version=version, headers=headers)


def answer_written(
    text: str,
    status: int = HTTPStatus.OK,
    *,
    version: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """`text` is JSON already."""
    sent = dict(headers or {})
    if version is not None:
        sent["ETag"] = etag(version)
    content = text.encode()
    return Response(content, status_code=status, media_type="application/json", headers=sent)


def answer_versioned(body: Any, version: int, if_none_match: str | None) -> Response:
    if is_same(if_none_match, version):
        return unchanged(version)
    return answer_json(body, version=version)


def unchanged(version: int) -> Response:
    return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag(version)})


def answer_made(body: Any, where: str, version: int | None = None) -> Response:
    """201 with the path at which it is found from now on."""
    return answer_json(body, HTTPStatus.CREATED, version=version, headers={"Location": where})


def nothing() -> Response:
    return Response(status_code=HTTPStatus.NO_CONTENT)


def said(at: datetime | None) -> str | None:
    """An instant as we write it: UTC, to the millisecond, `Z`."""
    if at is None:
        return None
    utc = at if at.tzinfo is UTC else at.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds")[: -len("+00:00")] + "Z"


def shaped(shape: type[BaseModel], value: object, **other: Any) -> dict[str, Any]:
    """What a shape names, taken from a value that has it under the same names.

    `other`: what the value has under another name, in another form, or not at all.
    """
    return {
        name: other[name] if name in other else written(getattr(value, name))
        for name in shape.model_fields
    }


def written(value: Any) -> Any:
    write = WRITTEN.get(type(value))
    return value if write is None else write(value)


WRITTEN: Mapping[type, Callable[[Any], Any]] = {datetime: said, tuple: list}
"""What JSON cannot say, or would say in another form."""


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route refuses beyond what every route does; `openapi.document` adds those."""
    return {status: refusal(status) for status in statuses}


def removes(*statuses: int) -> dict[str, Any]:
    """Describes a route that removes something: 204 without a body, or 404."""
    return {
        "status_code": HTTPStatus.NO_CONTENT,
        "response_class": Response,
        "responses": refusals(HTTPStatus.NOT_FOUND, *statuses),
    }


def refusal(status: int) -> dict[str, Any]:
    return {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{PROBLEM}"}}},
    }


def given(body: BaseModel, **readers: Callable[[Any], Any]) -> dict[str, Any]:
    """The fields that a merge patch names; `readers` turn shapes into values."""
    named = {name: getattr(body, name) for name in body.model_fields_set}
    return {name: readers.get(name, as_it_is)(value) for name, value in named.items()}


def as_it_is(value: Any) -> Any:
    return value


class UnknownParameter(Unprocessable):
    code = "unknown_parameter"

    def __init__(self, unknown: list[str], known: frozenset[str]) -> None:
        takes = f"It takes {', '.join(sorted(known))}." if known else "It takes none."
        super().__init__(f"There is no parameter {', '.join(unknown)} here.", hint=takes)


def operation_name(route: APIRoute) -> str:
    """What generated clients call it: its tag and the function's name, such as `series_pause`."""
    tag = str(route.tags[0]) if route.tags else "clarion"
    return f"{tag}_{route.name}".replace("-", "_")


async def known_parameters(connection: HTTPConnection) -> None:
    """A dependency of every route of the API. Costs nothing where nothing was asked for."""
    route = connection.scope["route"]
    if getattr(route, "body_field", None) and isinstance(connection, Request):
        await _check_body(connection)
    query = connection.scope.get("query_string", b"")
    if not query:
        return
    known = _known(route.dependant)
    given = {name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)}
    if not given <= known:
        raise UnknownParameter(sorted(given - known), known)


async def _check_body(request: Request) -> None:
    """FastAPI accepts `null` in place of a body; our OpenAPI document does not allow that."""
    if (await request.body()).strip() == b"null":
        raise BadInput("The body is null.", hint="Send an object, or leave the body out.")


class _ById:
    """Makes a route's dependant usable as a cache key: it is compared by identity."""

    def __init__(self, dependant: Dependant) -> None:
        self.dependant = dependant

    def __hash__(self) -> int:
        return id(self.dependant)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ById) and other.dependant is self.dependant


def _known(dependant: Dependant) -> frozenset[str]:
    return _names(_ById(dependant))


@lru_cache(maxsize=512)
def _names(key: _ById) -> frozenset[str]:
    return frozenset(_in(key.dependant))


def _in(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for inner in dependant.dependencies:
        yield from _in(inner)


KEPT_HEADERS = ("etag", "location", "content-type")
REPLAYED = "Idempotency-Replayed"

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=KEY_LETTERS_MAX,
        pattern=r"^[!-~]+$",
        description="Any text of your own: sending the request again with it does nothing twice.",
    ),
]


class KeyUsed(Unprocessable):
    code = "idempotency_key_used"


class StillAtIt(Conflict):
    code = "request_in_flight"


class RequestClaim(NamedTuple):
    holder: str
    key: str
    begun_at: datetime


class OnceOnly:
    """`Idempotency-Key`: a request that is sent twice is done once and answered alike.

    Only answers that succeeded are kept. A refusal frees the key, so a caller may mend the
    request and try again with the same one.
    """

    def __init__(self, answers: AnswerStore, clock: Clock) -> None:
        self._answers = answers
        self._clock = clock

    async def do(
        self,
        request: Request,
        user_id: UserId | None,
        key: str | None,
        work: Callable[[], Awaitable[Response]],
    ) -> Response:
        """Run `work`, or return the earlier answer. Without a key it always runs.

        `user_id`: whose key it is; None for an admin's.
        """
        if key is None:
            return await work()
        claim = RequestClaim(user_id or "admin", key, self._clock.now())
        try:
            kept = await self._answers.begin(
                claim.holder, key, await fingerprint(request), claim.begun_at
            )
        except KeyUsedOtherwise:
            raise KeyUsed(
                "This idempotency key came with another request before.",
                hint="Use a new key for each request.",
            ) from None
        except InFlight:
            raise StillAtIt(
                "The first request with this key is still being worked on.", retry_after=1
            ) from None
        if kept is not None:
            headers = {**dict(kept.headers), REPLAYED: "true"}
            return Response(kept.body, status_code=kept.status, headers=headers)
        return await self._run(claim, work)

    async def _run(self, claim: RequestClaim, work: Callable[[], Awaitable[Response]]) -> Response:
        try:
            response = await work()
        except BaseException:
            await self._answers.release(*claim)
            raise
        headers = [
            (name, response.headers[name]) for name in KEPT_HEADERS if name in response.headers
        ]
        body = bytes(response.body).decode()
        await self._answers.finish(*claim, Remembered(response.status_code, headers, body))
        return response


async def fingerprint(request: Request) -> str:
    whole = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
    return hashlib.sha256(whole + await request.body()).hexdigest()
