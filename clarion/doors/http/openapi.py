"""Completes the OpenAPI document: what every route may refuse, and what a refusal looks like."""

from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict, Field

from clarion.doors.http.auth import COOKIE
from clarion.doors.http.conventions import PROBLEM, refusal

EVERYWHERE = (400, 421, 429, 503)
"""A body that cannot be read, a wrong host, too many requests, a service that is down."""
WITH_A_TOKEN = (401, 403)
WITH_INPUT = (413, 422)
TO_CHANGE = (409,)
"""For changes that conflict with the present state."""
OPEN = ("/health", "/metrics")
"""Paths that document themselves and ask for no token."""


class ProblemOut(BaseModel):
    """RFC 9457, with the fields that clients of the dispatch interface read."""

    model_config = ConfigDict(title=PROBLEM)

    type: str = Field(examples=["urn:clarion:problem:not_found"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is no reminder 'rem_1'."])
    instance: str = Field(examples=["/api/v1/reminders/rem_1"])
    code: str = Field(examples=["no_such_reminder"])
    error_code: str
    message: str
    details: dict[str, Any]
    request_id: str
    hint: str = ""
    retry_after: float = Field(0, description="Seconds until trying again makes sense.")
    errors: list[dict[str, Any]] = Field([], description="Each mistake with its place.")


def document(app: FastAPI) -> None:
    """Let `app` serve the complete document."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        return app.openapi_schema or completed(plain())

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's own way to extend it


def completed(schema: dict[str, Any]) -> dict[str, Any]:
    schemas = schema.setdefault("components", {}).setdefault("schemas", {})
    schemas[PROBLEM] = ProblemOut.model_json_schema()
    schema["servers"] = [{"url": "/"}]
    schemes = schema["components"].setdefault("securitySchemes", {})
    schemes["session"] = {"type": "apiKey", "in": "cookie", "name": COOKIE}
    for path, methods in schema["paths"].items():
        if path.startswith(OPEN):
            continue
        for method, operation in methods.items():
            _complete(method, operation)
    return schema


def _complete(method: str, operation: dict[str, Any]) -> None:
    _plain_body(operation)
    responses = operation["responses"]
    wanted = list(EVERYWHERE)
    if method != "get":
        wanted += TO_CHANGE
    if operation.get("security"):
        wanted += WITH_A_TOKEN
        operation["security"].append({"session": []})  # either will do
    if operation.get("parameters") or "requestBody" in operation:
        wanted += WITH_INPUT
        responses.pop("422", None)  # FastAPI's own shape, which we never send
    if _has_path(operation):
        wanted.append(404)
    for status in wanted:
        responses.setdefault(str(status), refusal(status))


def _plain_body(operation: dict[str, Any]) -> None:
    """A body that may be left out is described as itself: leaving out is not sending `null`,
    and generated clients would send it.
    """
    for content in operation.get("requestBody", {}).get("content", {}).values():
        choices = content.get("schema", {}).get("anyOf", [])
        real = [one for one in choices if one != {"type": "null"}]
        if len(real) == 1:
            content["schema"] = real[0]


def _has_path(operation: dict[str, Any]) -> bool:
    return any(one["in"] == "path" for one in operation.get("parameters", ()))
