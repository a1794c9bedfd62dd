"""A Matrix homeserver on loopback: stateful, and strict where the client-server API is.

What it holds to: a bearer token with every call; rooms only for their members; one event for one
transaction id; `since` as the server gave it; `next_batch` in every answer to a sync; errors as
`errcode` and `error`; state events with a `state_key`; a reaction or edit only under an event of
the same room.
"""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from clarion.base.clock import Clock
from tests.support.http import serving

TOKEN = "syt_secret"
US = "@clarion:example.org"
ANA = "@ana:example.org"
BO = "@bo:example.org"
API = "/_matrix/client/v3"


class MatrixError(Exception):
    def __init__(self, status: int, errcode: str, **more: Any) -> None:
        super().__init__(errcode)
        self.answer = JSONResponse({"errcode": errcode, "error": errcode, **more}, status)


class MatrixDouble:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.url = ""
        self.rooms: dict[str, list[dict[str, Any]]] = {}
        """The events of each room, in order."""
        self.members: dict[str, dict[str, str]] = {}
        self.account_data: dict[str, Any] = {}
        self.trouble: list[str] = []
        """The next calls answer so: `502`, `html`, `429`."""
        self.calls: list[tuple[str, str]] = []
        self._stream: list[tuple[str, dict[str, Any]]] = []
        self._done: dict[str, str] = {}
        self._numbers = itertools.count(1)

    def room(self, room: str, *people: str, invited: bool = False, **levels: int) -> str:
        self.rooms[room] = []
        self.members[room] = dict.fromkeys(people, "join")
        self.members[room][US] = "invite" if invited else "join"
        named = {f"@{name}:example.org": level for name, level in levels.items()}
        self.state(room, "m.room.power_levels", "", {"users": named, "users_default": 0})
        for person in people:
            self.state(room, "m.room.member", person, {"membership": "join"})
        return room

    def state(self, room: str, kind: str, key: str, content: dict[str, Any]) -> None:
        self.add(room, {"type": kind, "state_key": key, "sender": ANA, "content": content})

    def add(self, room: str, event: dict[str, Any]) -> str:
        made = {
            **event,
            "event_id": f"${next(self._numbers)}:example.org",
            "origin_server_ts": int(self._clock.now().timestamp() * 1000),
        }
        self.rooms[room].append(made)
        self._stream.append((room, made))
        return str(made["event_id"])

    def say(self, room: str, text: str, sender: str = ANA, **more: Any) -> str:
        content = {"msgtype": "m.text", "body": text, **more}
        return self.add(room, {"type": "m.room.message", "sender": sender, "content": content})

    def react(self, room: str, under: str, key: str, sender: str = ANA) -> str:
        related = {"rel_type": "m.annotation", "event_id": under, "key": key}
        content = {"m.relates_to": related}
        return self.add(room, {"type": "m.reaction", "sender": sender, "content": content})

    def take_back(self, room: str, event: str, sender: str = ANA) -> str:
        """As people do: the server keeps the event without its content, and tells of it."""
        self._event(room, event)["content"] = {}
        body = {"type": "m.room.redaction", "sender": sender, "redacts": event, "content": {}}
        return self.add(room, body)

    def said(self, room: str) -> list[str]:
        """What we wrote there, as it reads now."""
        shown: dict[str, str] = {}
        for event in self.rooms[room]:
            content = event["content"]
            if event["sender"] != US or event["type"] != "m.room.message" or not content:
                continue
            related = content.get("m.relates_to", {})
            if related.get("rel_type") == "m.replace":
                shown[related["event_id"]] = content["m.new_content"]["body"]
            else:
                shown[event["event_id"]] = content["body"]
        return list(shown.values())

    def offered(self, room: str) -> list[tuple[str, str]]:
        """(message, label) of our own reactions."""
        ours = [e for e in self.rooms[room] if e["sender"] == US and e["type"] == "m.reaction"]
        related = [event["content"]["m.relates_to"] for event in ours]
        return [(one["event_id"], one["key"]) for one in related]

    async def answer(self, request: Request) -> Response:
        path = request.url.path.removeprefix(API)
        self.calls.append((request.method, path))
        if self.trouble:
            trouble = self.trouble.pop(0)
            if trouble == "429":
                return MatrixError(429, "M_LIMIT_EXCEEDED", retry_after_ms=2000).answer
            return PlainTextResponse("<html>", int(trouble) if trouble.isdigit() else 200)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return MatrixError(401, "M_UNKNOWN_TOKEN").answer
        body = await request.json() if request.method in {"PUT", "POST"} else {}
        try:
            return JSONResponse(self._do(request, path.strip("/").split("/"), body))
        except MatrixError as refused:
            return refused.answer

    def _do(self, request: Request, path: list[str], body: dict[str, Any]) -> Any:
        match request.method, path:
            case "GET", ["account", "whoami"]:
                return {"user_id": US}
            case "GET", ["sync"]:
                return self._sync(request.query_params.get("since"))
            case "PUT", ["user", str(who), "account_data", str(kind)] if who == US:
                self.account_data[kind] = body
                return {}
            case "GET", ["user", str(who), "account_data", str(kind)] if who == US:
                if kind not in self.account_data:
                    raise MatrixError(404, "M_NOT_FOUND")
                return self.account_data[kind]
            case _, ["rooms", str(room), *rest]:
                return self._in_room(request.method, room, rest, body)
            case _:
                raise MatrixError(404, "M_UNRECOGNIZED")

    def _in_room(self, method: str, room: str, path: list[str], body: dict[str, Any]) -> Any:
        here = self.members.get(room, {})
        if method == "POST" and path == ["join"] and here.get(US) == "invite":
            here[US] = "join"
            return {"room_id": room}
        if here.get(US) != "join":
            raise MatrixError(403, "M_FORBIDDEN")
        match method, path:
            case "GET", ["joined_members"]:
                return {"joined": {who: {} for who, how in here.items() if how == "join"}}
            case "GET", ["event", str(event)]:
                return self._event(room, event)
            case "GET", ["state", "m.room.member", str(who)]:
                return {"membership": here.get(who, "leave")}
            case "GET", ["state", str(kind), *key]:
                return self._state(room, kind, "/".join(key))
            case "PUT", ["redact", str(event), str(txn)]:
                if txn not in self._done:
                    self._event(room, event)["content"] = {}
                    body = {"type": "m.room.redaction", "sender": US, "redacts": event}
                    self._done[txn] = self.add(room, {**body, "content": {}})
                return {"event_id": self._done[txn]}
            case "PUT", ["send", str(kind), str(txn)]:
                return {"event_id": self._send(room, kind, txn, body)}
            case _:
                raise MatrixError(404, "M_UNRECOGNIZED")

    def _event(self, room: str, event_id: str) -> dict[str, Any]:
        found = [event for event in self.rooms[room] if event["event_id"] == event_id]
        if not found:
            raise MatrixError(404, "M_NOT_FOUND")
        return found[0]

    def _state(self, room: str, kind: str, key: str) -> Any:
        found = [e for e in self.rooms[room] if e["type"] == kind and e.get("state_key") == key]
        if not found:
            raise MatrixError(404, "M_NOT_FOUND")
        return found[-1]["content"]

    def _send(self, room: str, kind: str, txn: str, content: dict[str, Any]) -> str:
        if (done := self._done.get(txn)) is not None:
            return done
        if kind == "m.room.message" and not (content.get("msgtype") and content.get("body")):
            raise MatrixError(400, "M_BAD_JSON")
        if related := content.get("m.relates_to"):
            self._event(room, related.get("event_id") or related["m.in_reply_to"]["event_id"])
        made = self.add(room, {"type": kind, "sender": US, "content": content})
        self._done[txn] = made
        return made

    def _sync(self, since: str | None) -> dict[str, Any]:
        if since is not None and not (since.startswith("s") and since[1:].isdigit()):
            raise MatrixError(400, "M_INVALID_PARAM")
        begin = int(since[1:]) if since else 0
        joined: dict[str, Any] = {}
        for room, event in self._stream[begin:]:
            if self.members[room][US] == "join":
                place = joined.setdefault(room, {"timeline": {"events": []}})
                place["timeline"]["events"].append(event)
        waits = [room for room, here in self.members.items() if here[US] == "invite"]
        invited: dict[str, Any] = {room: {} for room in waits}
        return {
            "next_batch": f"s{len(self._stream)}",
            "rooms": {"join": joined, "invite": invited},
        }


@asynccontextmanager
async def matrix_double(clock: Clock) -> AsyncIterator[MatrixDouble]:
    double = MatrixDouble(clock)
    methods = ["GET", "PUT", "POST"]
    routes = [Route("/{path:path}", double.answer, methods=methods)]
    async with serving(Starlette(routes=routes)) as url:
        double.url = url
        yield double
