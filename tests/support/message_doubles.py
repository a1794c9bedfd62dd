"""Services that carry messages to telephones, on loopback, as strict as their documents are.

An ntfy server, a Home Assistant with its app, and Pushover. Each refuses what the real one would
refuse, and keeps what its user would see; `press` does what the app does.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.support.http import serving

ACTIONS_MAX = 3  # ntfy's
BEARER = "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJob21lIn0.c2lnbmF0dXJl"


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    url: str
    method: str
    headers: dict[str, str]
    body: str


@dataclass
class MessageServices:
    url: str = ""
    ntfy: list[dict[str, Any]] = field(default_factory=list)
    app: list[dict[str, Any]] = field(default_factory=list)
    pushover: list[dict[str, str]] = field(default_factory=list)
    fates: dict[str, dict[str, Any]] = field(default_factory=dict)
    """What Pushover knows, by receipt."""
    cancelled: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Why, each time something was turned away."""

    @property
    def host(self) -> str:
        return self.url.removeprefix("http://")

    def buttons(self) -> list[Button]:
        """Of the last message of ntfy."""
        return [
            Button(one["label"], one["url"], one["method"], one["headers"], one["body"])
            for one in self.ntfy[-1]["actions"]
        ]

    def _no(self, status: int, why: str) -> JSONResponse:
        self.refused.append(why)
        return JSONResponse({"error": why, "status": 0}, status)

    async def publish(self, request: Request) -> JSONResponse:
        """https://docs.ntfy.sh/publish: as JSON, or a body with headers."""
        body = json.loads(await request.body())
        actions = json.loads(request.headers.get("x-actions", "[]"))
        if len(actions) > ACTIONS_MAX:
            return self._no(400, "too many actions")
        for one in actions:
            if one.get("action") != "http" or not one.get("label") or not one.get("url"):
                return self._no(400, "an action without a label or an address")
            if one.get("method") not in ("GET", "POST", "PUT"):
                return self._no(400, "no such method")
        if not body.get("topic"):
            return self._no(400, "no topic")
        click = request.headers.get("x-click", "")
        self.ntfy.append({**body, "actions": actions, "click": click})
        return JSONResponse({"id": "m1", "event": "message", "topic": body["topic"]})

    async def service(self, request: Request) -> JSONResponse:
        """Home Assistant's `notify` service of a telephone with its app."""
        if request.headers.get("authorization") != f"Bearer {BEARER}":
            return self._no(401, "not logged in")
        if request.path_params["service"] != "mobile_app_phone":
            return self._no(400, "no such service")
        body = await request.json()
        if set(body) - {"message", "title", "target", "data"} or not body.get("message"):
            return self._no(400, "extra keys not allowed")
        actions = body.get("data", {}).get("actions", [])
        if any(set(one) - {"action", "title", "uri"} or not one.get("title") for one in actions):
            return self._no(400, "an action without a title")
        self.app.append(body)
        return JSONResponse([])

    async def message(self, request: Request) -> JSONResponse:
        """https://pushover.net/api: emergencies need `retry` and `expire`, and get a receipt."""
        form = {name: one[0] for name, one in parse_qs((await request.body()).decode()).items()}
        if not all(len(form.get(name, "")) == 30 for name in ("token", "user")):
            return self._no(400, "token or user is invalid")
        if form.get("priority") == "2":
            retry, expire = int(form.get("retry", 0)), int(form.get("expire", 0))
            if retry < 30 or not 0 < expire <= 10_800:
                return self._no(400, "an emergency without retry and expire")
        receipt = f"r{len(self.pushover):029d}"
        self.pushover.append(form)
        self.fates[receipt] = {"acknowledged": 0, "expired": 0, "last_delivered_at": 0}
        return JSONResponse({"status": 1, "request": "x", "receipt": receipt})

    async def receipt(self, request: Request) -> JSONResponse:
        found = self.fates.get(request.path_params["receipt"])
        if found is None or len(request.query_params.get("token", "")) != 30:
            return self._no(404, "receipt not found")
        return JSONResponse({"status": 1, **found})

    async def cancel(self, request: Request) -> JSONResponse:
        self.cancelled.append(request.path_params["receipt"])
        return JSONResponse({"status": 1})


@asynccontextmanager
async def message_services() -> AsyncIterator[MessageServices]:
    services = MessageServices()
    app = Starlette(
        routes=[
            Route("/api/services/notify/{service}", services.service, methods=["POST"]),
            Route("/1/messages.json", services.message, methods=["POST"]),
            Route("/1/receipts/{receipt}.json", services.receipt, methods=["GET"]),
            Route("/1/receipts/{receipt}/cancel.json", services.cancel, methods=["POST"]),
            Route("/", services.publish, methods=["POST"]),
        ]
    )
    async with serving(app) as url:
        services.url = url
        yield services
