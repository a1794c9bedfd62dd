"""kill -9 on a server while devices are being spoken to, as often as wanted.

The devices are real sessions over sockets and answer only when they were asked; in a `OneWayHouse`
they are webhooks and notifications. Nothing waits for time to go by: a server dies after so many
tellings, and everything else waits for a fact.
"""

import asyncio
import re
from collections import Counter
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from websockets.exceptions import WebSocketException

from clarion.base.clock import SystemClock
from clarion.doors.devices.simulator import NoChannel, SimulatedDevice, SimulatedIdentity
from tests.support.http import serving
from tests.support.program import Running, served
from tests.support.server import free_port

NAMED = re.compile(r"第(\d+)号")
SOON = timedelta(milliseconds=300)
ASKS = {"required": True, "timeout": 15, "retry_interval": 15, "max_retries": 20}
TELLINGS_MAX = 8
SECONDS_MAX = 180.0
OVER = ("confirmed", "completed", "timeout", "failed", "cancelled")


@dataclass
class Kills:
    """What happened. `twice` are rings, by their reminder, that one session told two times."""

    kills: int = 0
    accepted: set[int] = field(default_factory=set)
    told: Counter[int] = field(default_factory=Counter)
    sessions: int = 0
    twice: list[int] = field(default_factory=list)
    asked_again: int = 0
    """Second rings of one reminder in one session, because its first got no answer."""
    lost: list[str] = field(default_factory=list)
    unheard: list[str] = field(default_factory=list)
    """Confirmed, though no device was ever told."""

    @property
    def again(self) -> int:
        """Told in a second session, because nobody knew what had become of the first."""
        return sum(count > 1 for count in self.told.values())


class SpeakingHouse:
    asks: dict[str, Any] = ASKS
    ends_as = "confirmed"
    tellings_max = TELLINGS_MAX

    def __init__(self, folder: Path, devices: int, seed: int) -> None:
        self.seen = Kills()
        self._folder = folder
        self._devices = devices
        self._dice = Random(seed)
        self._port = free_port()
        self._up = asyncio.Event()
        self._changed = asyncio.Condition()
        self._stopping = False
        self._number = 0
        self._messages = 0
        self._tokens: list[str] = []
        self._ids: dict[int, str] = {}
        self._repeated: list[tuple[int, datetime, datetime]] = []

    async def run(self, kills: int) -> Kills:
        async with AsyncExitStack() as stack:
            server = await self._start(stack)
            self._http = await stack.enter_async_context(self._client())
            await self._move_in()
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._device(one)) for one in range(self._devices)]
                wishes = [group.create_task(self._wishes(one)) for one in range(self._devices)]
                for _ in range(kills):
                    await self._until_told(self._dice.randint(1, self.tellings_max))
                    self._up.clear()
                    server.kill()
                    self.seen.kills += 1
                    server = await self._start(stack)
                await self._wish_no_more(wishes)
                await self._until_all_is_over()
                await self._look_at_unheard()
                await self._look_at_repeated()
                for task in tasks:
                    task.cancel()
        return self.seen

    async def _start(self, stack: AsyncExitStack) -> Running:
        def start() -> Running:
            data = self._folder / "data"
            # Whoever is told one way stands on loopback.
            given = {"port": str(self._port), "log_level": "error", "private_targets": "yes"}
            return stack.enter_context(served(data, **given))

        server = await asyncio.to_thread(start)
        self._up.set()
        return server

    def _client(self) -> httpx.AsyncClient:
        """One for every server: each has the address and the data of the one before."""
        token = (self._folder / "data" / "token").read_text(encoding="utf-8").strip()
        return httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{self._port}/api/v1",
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )

    async def _move_in(self) -> None:
        for number in range(self._devices):
            name = f"dev-{number}"
            await self._post("/users", {"id": f"user-{number}", "language": "zh"})
            await self._post(
                "/devices", {"id": name, "kind": "terminal", "user_id": f"user-{number}"}
            )
            made = await self._post(
                "/tokens", {"kind": "device", "device_id": name, "user_id": f"user-{number}"}
            )
            self._tokens.append(made["token"])

    async def _post(self, path: str, body: dict[str, Any], key: str = "") -> Any:
        """Until a server answers; the key makes one of several tries count."""
        headers = {"Idempotency-Key": key} if key else {}
        while True:
            await self._up.wait()
            try:
                answer = await self._http.post(path, json=body, headers=headers)
            except httpx.HTTPError:
                continue
            if answer.is_success:
                return answer.json()
            assert answer.status_code in (409, 503), answer.text

    async def _wishes(self, user: int) -> None:
        """One after the other: what was told makes room for the next."""
        while not self._stopping:
            self._number += 1
            number = self._number
            at = SystemClock().now() + SOON
            body = {
                "user_id": f"user-{user}",
                "content": f"吃第{number}号药",
                "trigger_at": at.isoformat(),
                "confirmation": self.asks,
            }
            try:
                made = await self._post("/reminders", body, f"wish-{number}")
            except AssertionError:
                continue  # its time had passed before a server took it: it was never promised
            self._ids[number] = made["id"]
            self.seen.accepted.add(number)
            async with self._changed:
                await self._changed.wait_for(
                    lambda number=number: bool(self.seen.told[number]) or self._stopping  # type: ignore[misc]
                )

    async def _device(self, number: int) -> None:
        identity = SimulatedIdentity(token=self._tokens[number])
        url = f"ws://127.0.0.1:{self._port}/xiaozhi/v1/"
        while True:
            await self._up.wait()
            heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
            device = SimulatedDevice(url, identity, on_message=heard.put_nowait)
            try:
                await device.open()
                self.seen.sessions += 1
                await self._listen(device, heard)
            except (OSError, WebSocketException, NoChannel):
                continue  # the server died: the next one is tried
            finally:
                with suppress(OSError, WebSocketException):
                    await device.close()

    async def _listen(
        self, device: SimulatedDevice, heard: "asyncio.Queue[dict[str, Any]]"
    ) -> None:
        """Until the line is closed and everything that came over it was heard."""
        told: dict[int, datetime] = {}
        asked = False
        closed = asyncio.create_task(device.closed.wait())
        try:
            while not (closed.done() and heard.empty()):
                getting = asyncio.create_task(heard.get())
                await asyncio.wait({getting, closed}, return_when=asyncio.FIRST_COMPLETED)
                if not getting.done() and heard.empty():
                    getting.cancel()
                    return
                message = await getting
                async with self._changed:
                    self._messages += 1
                    self._changed.notify_all()
                found = NAMED.search(str(message.get("text", "")))
                if message.get("state") == "sentence_start" and found:
                    await self._was_told(int(found[1]), told)
                    asked = True
                elif message.get("state") == "stop" and asked and not closed.done():
                    asked = False
                    await device.type("吃过了")
        finally:
            closed.cancel()

    async def _was_told(self, number: int, told: dict[int, datetime]) -> None:
        now = SystemClock().now()
        if number in told:
            self._repeated.append((number, told[number], now))
        told[number] = now
        async with self._changed:
            self.seen.told[number] += 1
            self._changed.notify_all()

    async def _until_told(self, tellings: int) -> None:
        wanted = self.seen.told.total() + tellings
        async with asyncio.timeout(SECONDS_MAX), self._changed:
            await self._changed.wait_for(lambda: self.seen.told.total() >= wanted)

    async def _wish_no_more(self, wishes: "list[asyncio.Task[None]]") -> None:
        """Also what was being asked for just now is a promise."""
        self._stopping = True
        async with self._changed:
            self._changed.notify_all()
        await asyncio.wait(wishes)

    async def _until_all_is_over(self) -> None:
        """Nobody is in a hurry any more: every promise is looked at."""
        open_ = list(self._ids.values())
        while open_:
            seen = self._messages
            stand = {name: await self._status(name) for name in open_}
            ended = {name: status for name, status in stand.items() if status in OVER}
            otherwise = [name for name in ended if ended[name] != self.ends_as]
            self.seen.lost += [f"{name}: {ended[name]}" for name in otherwise]
            open_ = [name for name in open_ if name not in ended]
            if open_ and not await self._something_came(seen):
                self.seen.lost += [f"{name}: {stand[name]}" for name in open_]
                return

    async def _look_at_repeated(self) -> None:
        """Another ring, begun between two tellings because nobody had answered, may be told."""
        for number, before, after in self._repeated:
            answer = await self._http.get(f"/reminders/{self._ids[number]}/history")
            begun: dict[str, datetime] = {}
            for one in answer.json()["items"]:
                begun.setdefault(one["data"].get("ring", ""), datetime.fromisoformat(one["at"]))
            begun.pop("", None)
            if any(before < at <= after for at in begun.values()):
                self.seen.asked_again += 1
            else:
                self.seen.twice.append(number)

    async def _look_at_unheard(self) -> None:
        """With their whole story: that is what has to be understood then."""
        for number in sorted(one for one in self.seen.accepted if not self.seen.told[one]):
            answer = await self._http.get(f"/reminders/{self._ids[number]}/history")
            story = [(one["kind"], one["data"]) for one in answer.json()["items"]]
            self.seen.unheard.append(f"{number}: {story}")

    async def _something_came(self, seen: int) -> bool:
        """Whoever is still open has to be told something."""
        try:
            async with asyncio.timeout(SECONDS_MAX), self._changed:
                await self._changed.wait_for(lambda: self._messages > seen)
        except TimeoutError:
            return False
        return True

    async def _status(self, name: str) -> str:
        answer = await self._http.get(f"/reminders/{name}")
        return str(answer.json()["status"])


class OneWayHouse(SpeakingHouse):
    """Half of its devices are webhooks, half are Apprise addresses; nobody answers.

    A server dies at the arrival of a message, before it can note that it was taken: the worst
    moment. Each reminder has one ring, so whatever comes twice is a double.
    """

    asks: dict[str, Any] = {"required": False}  # noqa: RUF012  # the type is the parent's
    ends_as = "completed"
    tellings_max = 40

    def __init__(self, folder: Path, devices: int, seed: int) -> None:
        super().__init__(folder, devices, seed)
        self.arrived: dict[str, Counter[int]] = {"webhook": Counter(), "notify": Counter()}
        self.keys: dict[int, set[str]] = {}
        """The `ring_id`s under which a webhook was told of each reminder: one, if it is a key."""

    async def run(self, kills: int) -> Kills:
        events = Route("/events", self._hear, methods=["POST"])
        app = Starlette(routes=[events, Route("/{kind}", self._take, methods=["POST"])])
        async with serving(app) as self._outside:
            return await super().run(kills)

    async def _move_in(self) -> None:
        url = f"{self._outside}/events"
        await self._post("/webhooks", {"url": url, "kinds": ["reminder.completed"]})
        for number in range(self._devices):
            kind = ("webhook", "notify")[number % 2]
            scheme = {"webhook": "http", "notify": "json"}[kind]
            address = f"{self._outside.replace('http', scheme, 1)}/{kind}"
            user = f"user-{number}"
            await self._post("/users", {"id": user, "language": "zh"})
            await self._post(
                "/devices",
                {"id": f"dev-{number}", "kind": kind, "user_id": user, "address": address},
            )

    async def _device(self, number: int) -> None:
        """It only takes what comes."""

    async def _hear(self, request: Request) -> Response:
        """What was sent is over half a minute later; an event says so."""
        del request
        async with self._changed:
            self._messages += 1
            self._changed.notify_all()
        return Response(status_code=204)

    async def _take(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        try:
            body = await request.json()
        except ClientDisconnect:
            return Response(status_code=400)  # it died before it had said anything
        found = NAMED.search(body.get("content") or body.get("title", ""))
        assert found, body
        number = int(found[1])
        self.arrived[kind][number] += 1
        if kind == "webhook":
            self.keys.setdefault(number, set()).add(body["ring_id"])
        async with self._changed:
            self._messages += 1
            self.seen.told[number] += 1
            self._changed.notify_all()
        return Response(status_code=204)
