"""Calls a Matrix homeserver by its client-server API, and translates its errors into ours.

A message has a transaction id made of our own key, so one that is sent twice after a crash
arrives once. How far we have read lies on the homeserver too, as our account's own data.
"""

import hashlib
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from clarion.base.clock import Clock
from clarion.base.errors import ClarionError, Unavailable
from clarion.chats.model import Chat, ChatId, ChatKind, Message, PersonId
from clarion.chats.platforms import PlatformReach
from clarion.chats.ports import Gone, Inbox, MessageRefused, Outbox, Outgoing, Paused
from clarion.doors.matrix import codec
from clarion.exits.http import operator_client

log = logging.getLogger(__name__)

FILTER = '{"room":{"timeline":{"limit":500}},"presence":{"types":[]}}'
POLL = timedelta(seconds=25)
PATIENCE = 10.0  # seconds a call may take before the homeserver counts as away
MODERATOR = 50  # the level from which a room lets somebody manage it
CHANGES = frozenset({"m.room.member", "m.room.name"})  # of who is in a room, and its name


class NoSuchThing(Gone):
    """The room or our account has no data of that name."""

    code = "chat_nothing_there"


class MatrixBot:
    """A chat platform. It needs nobody at the other end to be made."""

    def __init__(self, homeserver: str, token: str) -> None:
        base = homeserver.rstrip("/") + "/_matrix/client/v3"
        headers = {"Authorization": f"Bearer {token}"}
        wait = POLL.total_seconds() + PATIENCE
        self._http = operator_client(wait, base_url=base, headers=headers)
        self.us = ""
        """Our own full name; known once the homeserver was reached."""

    async def close(self) -> None:
        await self._http.aclose()

    def bot_name(self, chat_id: ChatId) -> str:
        return codec.called(self.us)

    async def open(self) -> None:
        """Ask who we are. Raises `Unavailable` while it is away or refuses the token."""
        if not self.us:
            self.us = str((await self.call("GET", "account", "whoami"))["user_id"])

    async def send(self, outgoing: Outgoing) -> str:
        room, content = codec.own_name(outgoing.chat_id), codec.write_message(outgoing)
        if outgoing.deletes_of:
            gone = outgoing.edits
            await self.call("PUT", "rooms", room, "redact", gone, _once(room, outgoing.key))
            return gone
        lies_here = (outgoing.source or "").startswith(codec.PLATFORM)
        if outgoing.copies and lies_here and not outgoing.edits:
            # A picture stays where it lies: the copy names the same file.
            kept = await self.event(codec.own_name(outgoing.source or ""), outgoing.copies)
            content = {k: v for k, v in kept["content"].items() if k != "m.relates_to"}
        sent = await self._put(room, "m.room.message", outgoing.key, content)
        for label, _ in () if outgoing.edits else outgoing.buttons:
            # Our own reaction under the message: people press it as they would a button.
            related = {"rel_type": "m.annotation", "event_id": sent, "key": label}
            key = f"{outgoing.key} {label}"
            await self._put(room, "m.reaction", key, {"m.relates_to": related})
        return outgoing.edits or sent

    async def _put(self, room: str, kind: str, key: str, content: Mapping[str, Any]) -> str:
        sent = await self.call("PUT", "rooms", room, "send", kind, _once(room, key), **content)
        return str(sent["event_id"])

    async def event(self, room: str, event: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = await self.call("GET", "rooms", room, "event", event)
        return found

    async def is_admin(self, chat_id: ChatId, person: PersonId) -> bool:
        levels = await self.state(codec.own_name(chat_id), "m.room.power_levels")
        usual = levels.get("users_default", 0)
        return int(levels.get("users", {}).get(codec.own_name(person), usual)) >= MODERATOR

    async def problem_with(self, chat_id: ChatId) -> str:
        await self.open()
        room = codec.own_name(chat_id)
        try:
            if (await self.state(room, "m.room.member", self.us)).get("membership") != "join":
                return "the bot is not in it"
            if await self.state(room, "m.room.encryption"):
                return "the room is encrypted, and Clarion cannot read it"
        except Gone as gone:
            return gone.message
        return ""

    def may_be_a_sender(self, person: PersonId) -> bool:
        return codec.own_name(person).startswith("@") and ":" in codec.own_name(person)

    async def acknowledge(self, chat_id: ChatId, button_id: str, text: str) -> None:
        """Does nothing: Matrix shows no waiting button."""

    async def state(self, room: str, *kind: str) -> Mapping[str, Any]:
        """Empty when the room has none of the kind."""
        try:
            found: Mapping[str, Any] = await self.call("GET", "rooms", room, "state", *kind)
        except NoSuchThing:
            return {}
        return found

    async def look_at(self, room: str, language: str) -> Chat:
        """A room of two is private."""
        members = (await self.call("GET", "rooms", room, "joined_members")).get("joined", {})
        kind = ChatKind.PRIVATE if len(members) <= 2 else ChatKind.GROUP
        title = str((await self.state(room, "m.room.name")).get("name", ""))
        return Chat(id=codec.chat_id(room), kind=kind, title=title, language=language)

    async def position(self, now: str = "") -> str:
        """How far we had read, empty the first time; or from `now` on."""
        await self.open()
        place = "user", self.us, "account_data", "chat.clarion.position"
        if now:
            await self.call("PUT", *place, since=now)
            return now
        try:
            return str((await self.call("GET", *place)).get("since", ""))
        except NoSuchThing:
            return ""

    async def sync(self, since: str) -> Mapping[str, Any]:
        """What is new; waits for it, but not the first time."""
        wait = int(POLL.total_seconds() * 1000) if since else 0
        query = {"timeout": str(wait), "filter": FILTER} | ({"since": since} if since else {})
        got: Mapping[str, Any] = await self.call("GET", "sync", query=query)
        return got

    async def call(
        self, method: str, *path: str, query: Mapping[str, str] | None = None, **body: Any
    ) -> Any:
        import httpx

        where = "/" + "/".join(quote(part, safe="") for part in path)
        content = None if method == "GET" else body
        try:
            answer = await self._http.request(method, where, params=query, json=content)
            reply = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            words = str(error) or type(error).__name__
            raise Unavailable(f"Matrix is away: {words}", retry_after=3) from error
        if answer.is_success and isinstance(reply, dict):
            return reply
        raise translate(answer.status_code, reply if isinstance(reply, dict) else {})


def _once(room: str, key: str) -> str:
    return hashlib.sha256(f"{room} {key}".encode()).hexdigest()


def translate(status: int, body: Mapping[str, Any]) -> ClarionError:
    code, words = str(body.get("errcode", "")), str(body.get("error", "")) or f"status {status}"
    match code:
        case "M_LIMIT_EXCEEDED":
            return Paused(words, retry_after=float(body.get("retry_after_ms", 5000)) / 1000)
        case "M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" | "M_USER_DEACTIVATED":
            # Whatever we send is refused, so it is no message's fault: all wait for a good token.
            return Unavailable(f"Matrix does not take the token: {words}", retry_after=30)
        case _ if status >= HTTPStatus.INTERNAL_SERVER_ERROR or not code:
            return Unavailable(f"Matrix is away: {words}", retry_after=3)
        case "M_NOT_FOUND":
            return NoSuchThing(words)
        case "M_FORBIDDEN":
            return Gone(words)
        case _:
            return MessageRefused(words)


class MatrixPoller:
    """One of several servers reads: fetch what is new, keep it, then move on. Twice is once."""

    name = "matrix"

    def __init__(
        self, bot: MatrixBot, inbox: Inbox, outbox: Outbox, clock: Clock, reach: PlatformReach
    ) -> None:
        self._bot = bot
        self._inbox = inbox
        self._outbox = outbox
        self._clock = clock
        self._reach = reach
        self._since: str | None = None
        self._chats: dict[str, Chat] = {}

    async def run_once(self) -> datetime | None:
        try:
            await self._round()
        except ClarionError as error:
            self._reach.note(error, "updates")
            log.warning("no news from Matrix: %s", error)
            return self._clock.now() + timedelta(seconds=error.retry_after or PATIENCE)
        self._reach.note(None, "updates")
        return self._clock.now()

    async def _round(self) -> None:
        if self._since is None:
            self._since = await self._bot.position()
        news = await self._bot.sync(self._since)
        rooms = news.get("rooms", {})
        for room in rooms.get("invite", {}):
            await self._bot.call("POST", "rooms", room, "join")
            await self._outbox.revive(codec.chat_id(room), self._clock.now())
        found: list[Message] = []
        if self._since:  # what was said before we came was not said to us
            for room, joined in rooms.get("join", {}).items():
                found += await self._read(room, joined)
        if found:
            await self._inbox.take_in(found, self._clock.now())
        is_first, self._since = not self._since, str(news["next_batch"])
        if found or is_first:
            await self._bot.position(self._since)

    async def _read(self, room: str, joined: Mapping[str, Any]) -> list[Message]:
        parts = (joined.get(part, {}).get("events", ()) for part in ("state", "timeline"))
        if any(event.get("type") in CHANGES for part in parts for event in part):
            self._chats.pop(room, None)
        said = [e for e in joined.get("timeline", {}).get("events", ()) if "state_key" not in e]
        found = [await self._one(room, event) for event in said if event["sender"] != self._bot.us]
        return [one for one in found if one is not None]

    async def _one(self, room: str, event: Mapping[str, Any]) -> Message | None:
        if room not in self._chats:
            self._chats[room] = await self._bot.look_at(room, "zh")
        try:
            if under := codec.reacts_to(event):
                shown = await self._bot.event(room, under)
                ours = shown.get("sender") == self._bot.us
                return codec.read_press(event, shown, self._chats[room]) if ours else None
            return codec.read_message(event, self._chats[room])
        except (Gone, KeyError, TypeError, ValueError, AttributeError):
            # One event that we cannot read must not stop those behind it.
            log.exception("event not understood", extra={"event": event.get("event_id")})
            return None
