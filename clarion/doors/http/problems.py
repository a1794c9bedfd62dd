"""Every refusal as `application/problem+json`: the one place that turns errors into answers.

Errors are raised in English; those of dispatch in Chinese, as clients of that interface know
them; what a person said wrong in the person's own. A screen has a language of its own:
`Accept-Language` decides, and `refusals.tsv` has the other languages.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Mount
from starlette.types import Scope

from clarion.base.errors import (
    BadInput,
    ClarionError,
    NotFound,
    TooLarge,
    Unavailable,
    Unprocessable,
)
from clarion.base.ids import request_id
from clarion.doors.http.conventions import MEDIA_TYPE, shown_in
from clarion.language.script import HAN

TABLE = Path(__file__).with_name("refusals.tsv")


def in_language(error: ClarionError, language: str | None) -> tuple[str, str]:
    """Message and hint, unchanged when no language was asked for or there is no translation."""
    if language == "zh" and error.in_chinese:
        return error.in_chinese, ""
    row = table().get(error.code)
    if language is None or row is None or not row[language] or _speaks(error, row, language):
        return error.message, error.hint
    hint = error.hint if bool(HAN(error.hint)) == (language == "zh") else ""
    what = error.message.partition(": ")[2]  # those of dispatch name it behind their sentence
    return row[language].format(message=error.message, what=what), hint


def _speaks(error: ClarionError, row: dict[str, str], language: str) -> bool:
    """Whether it was raised in that language. English sentences may quote Chinese names."""
    raised_in_english = not row["en"]
    return not raised_in_english and bool(HAN(error.message)) == (language == "zh")


@cache
def table() -> dict[str, dict[str, str]]:
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {row["code"]: row for row in csv.DictReader(lines, delimiter="\t")}


METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


class MethodNotAllowed(ClarionError):
    code = "method_not_allowed"
    status = 405


class Internal(ClarionError):
    """Our own defect. The caller gets the request id; the log has the rest."""

    code = "internal"
    status = 500

    def __init__(self) -> None:
        super().__init__(
            "Something went wrong on our side.",
            hint="Tell the operator this request id; the log has the details.",
        )


def answer(
    error: ClarionError,
    *,
    instance: str,
    status: int | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
    language: str | None = None,
) -> Response:
    """The problem document that every door of ours speaks, under two vocabularies at once.

    `type`, `title`, `status`, `detail`, `instance` are RFC 9457; `error_code`, `message` and
    `details` are what clients of the dispatch interface read.
    """
    status = status or error.status
    message, hint = in_language(error, language)
    body = {
        "type": f"urn:clarion:problem:{error.code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": message,
        "instance": instance,
        "code": error.code,
        "error_code": error.error_code or error.code,
        "message": message,
        "details": error.details,
        "request_id": request_id.get(),
    }
    if hint:
        body["hint"] = hint
    if errors:
        body["errors"] = list(errors)
    sent = dict(headers or {})
    if error.retry_after is not None:
        body["retry_after"] = error.retry_after
        sent["Retry-After"] = str(max(1, round(error.retry_after)))
    content = json.dumps(body, ensure_ascii=False, default=str).encode()
    return Response(content, status_code=status, media_type=MEDIA_TYPE, headers=sent)


def add_problems(app: FastAPI) -> None:
    """Let `app` answer every error as a problem. Defects are caught by `LastResort`."""

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, ClarionError)
        # A plain challenge; `Attended` adds where a client gets a token.
        headers = {"WWW-Authenticate": "Bearer"} if error.status == HTTPStatus.UNAUTHORIZED else {}
        language = asked_language(request)
        return answer(error, instance=request.url.path, headers=headers, language=language)

    async def theirs(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["Allow"] = ", ".join(allowed_methods(app, request.scope)) or "GET"
            if request.method == "OPTIONS":
                return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        path = request.url.path
        kind = from_status(error.status_code, str(error.detail), path)
        language = asked_language(request)
        return answer(
            kind, instance=path, status=error.status_code, headers=headers, language=language
        )

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return answer_invalid(error, request.url.path, asked_language(request))

    app.add_exception_handler(ClarionError, ours)
    app.add_exception_handler(HTTPException, theirs)
    app.add_exception_handler(RequestValidationError, invalid)


def from_status(status: int, detail: str, path: str) -> ClarionError:
    """What Starlette and FastAPI refuse by number, in our own words."""
    match status:
        case HTTPStatus.NOT_FOUND:
            return NotFound(f"There is nothing at {path}.")
        case HTTPStatus.METHOD_NOT_ALLOWED:
            return MethodNotAllowed("This address does not know that method.")
        case HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return TooLarge("The request body is too large.")
        case HTTPStatus.REQUEST_TIMEOUT:
            return BadInput("The request body came too slowly.")
        case HTTPStatus.BAD_REQUEST:
            return BadInput("The request body cannot be read.")
        case _ if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            return BadInput(detail)
        case _:
            return Unavailable(detail)


def asked_language(request: Request) -> str | None:
    """None: as it was raised. Who asks dispatch for French gets English rather than Chinese."""
    asked = request.headers.get("accept-language", "")
    named = asked.strip(" *,").partition(";")[0]  # programs send `*`: any will do
    found = shown_in(asked)
    return "en" if found is None and named and request.url.path.startswith("/ai/") else found


def answer_invalid(
    error: RequestValidationError, path: str, language: str | None = None
) -> Response:
    found = [pointed(one) for one in error.errors()]
    if any(one["code"] == "json_invalid" for one in found):
        broken = BadInput("The request body is not valid JSON.")
        return answer(broken, instance=path, errors=found, language=language)
    places = ", ".join(sorted({one["pointer"] for one in found}))
    refusal = Unprocessable(f"The request cannot be used as it is: see {places}.")
    return answer(refusal, instance=path, errors=found, language=language)


def pointed(found: Mapping[str, Any]) -> dict[str, Any]:
    """One validation error with its place: a JSON pointer into the body, or `query:limit`."""
    where, *path = found["loc"]
    if found["type"] == "json_invalid":
        path = []
    steps = [str(step).replace("~", "~0").replace("/", "~1") for step in path]
    pointer = "".join(f"/{step}" for step in steps) if where == "body" else ".".join(steps)
    return {
        "pointer": f"#{pointer}" if where == "body" else f"{where}:{pointer}",
        "code": found["type"],
        "message": found["msg"],
    }


def every_route(routes: Iterable[Any]) -> Iterator[Any]:
    """FastAPI keeps the routes of an included router inside of it, and that one hides their ids."""
    for route in routes:
        inner = getattr(route, "effective_candidates", None)
        yield from every_route(inner()) if inner else (route,)


def allowed_methods(app: FastAPI, scope: Scope) -> list[str]:
    """What the address does allow, over all of its routes and not only the first.

    An address that is written out in a route is not also somebody's id: `/tasks/counts` has
    its own methods, and those of `/tasks/{task_id}` do not count.
    """
    routes = [route for route in every_route(app.router.routes) if not isinstance(route, Mount)]
    by_id: list[str] = []
    written_out: list[str] = []
    for method in METHODS:
        matches = (route.matches({**scope, "method": method}) for route in routes)
        found = [child for match, child in matches if match is Match.FULL]
        if found:
            is_id = any(found[0].get("path_params", {}).values())
            (by_id if is_id else written_out).append(method)
    allowed = written_out or by_id
    more = ["HEAD"] if "GET" in allowed else []
    return sorted({*allowed, *more, "OPTIONS"}) if allowed else []
