"""HTTP that leaves: to an endpoint that the operator has set, or guarded, to any other address.

Neither follows a redirect: where it leads was checked by nobody.
"""

import asyncio
import base64
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import httptools

from clarion.base.errors import Unavailable
from clarion.exits.reach import Reach

if TYPE_CHECKING:
    import httpx

CONNECTIONS_MAX = 170  # as there are slots for tasks: who waits for slow ones delays no other
IDLE_CONNECTIONS_MAX = CONNECTIONS_MAX  # with fewer, a burst closes most of them to open others
IDLE_SECONDS_MAX = 2.0  # below the shortest that servers keep: five seconds are usual
FRAME_BYTES_MAX = 65_536  # all of an answer but its body: head, hints, chunk sizes, trailers
SECONDS_MAX = 10.0
PORTS = {"http": 80, "https": 443}
PORT_MAX = 65_535
RETRY_AFTER = 60
HEADER = re.compile(r"[\w!#$%&'*+.^`|~-]+: [^\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]*", re.ASCII)


def operator_client(
    timeout: float, *, base_url: str = "", headers: Mapping[str, str] | None = None
) -> "httpx.AsyncClient":
    """A client for an endpoint of the settings: a model on this machine, a speech service.

    The operator's word is enough to call a private address, and their proxy is used.
    """
    import httpx

    return httpx.AsyncClient(
        base_url=base_url, headers=dict(headers or {}), timeout=timeout, follow_redirects=False
    )


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: Mapping[str, str]
    """By their names in lower case; the first one where a name came twice."""
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpPlace:
    """Where connections lead: what they are kept by."""

    secure: bool
    host: str
    port: int


class GuardedHttp:
    """Calls addresses that users name. `reach` is asked at each connection.

    A connection is kept for a moment, for the next call of the same place. No proxy is used: it
    would look the name up again, past the check. Made of asyncio and the parser of our own server:
    with httpx, a call took forty times as much of the processor.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._free = asyncio.Semaphore(CONNECTIONS_MAX)
        self._idle: dict[HttpPlace, list[HttpConnection]] = {}
        self._closed = False

    def close(self) -> None:
        """Calls that still wait for their answer get it; their connections are not kept."""
        self._closed = True
        for kept in tuple(self._idle.values()):
            for one in tuple(kept):
                self._forget(one)

    async def ask(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes = b"",
        *,
        bytes_max: int,
        seconds: float = SECONDS_MAX,
    ) -> HttpAnswer:
        """Returns at most this many bytes of the answer, and one more if there were more.

        Raises PrivateAddress, and Unavailable when no answer came within `seconds`. A server that
        had closed a kept connection is called once more: it may hear the same request twice.
        """
        place, head = opened(url)
        request = written(f"{method} {head}", headers, body)
        try:
            async with asyncio.timeout(seconds), self._free:
                if kept := self._kept(place):
                    try:
                        return await self._exchange(kept, request, bytes_max)
                    except ClosedUnheard:
                        pass
                fresh = await self._connected(place, seconds)
                return await self._exchange(fresh, request, bytes_max)
        except TimeoutError:
            raise unanswered(place, "it took too long") from None
        except (OSError, CallBroken) as error:
            raise unanswered(place, str(error) or type(error).__name__) from None

    async def _exchange(
        self, connection: "HttpConnection", request: bytes, bytes_max: int
    ) -> HttpAnswer:
        try:
            return await connection.exchange(request, bytes_max)
        finally:
            if connection.is_reusable:
                self._keep(connection)
            else:
                connection.close()

    async def _connected(self, place: HttpPlace, seconds: float) -> "HttpConnection":
        """To an address that was checked, under the name that was asked for."""
        addresses = await self._reach.resolve(place.host, place.port)
        *others, last = addresses
        for address in others:
            try:
                async with asyncio.timeout(seconds / len(addresses)):
                    return await self._connected_to(address, place)
            except (OSError, TimeoutError):
                continue
        return await self._connected_to(last, place)

    async def _connected_to(self, address: str, place: HttpPlace) -> "HttpConnection":
        _, connection = await asyncio.get_running_loop().create_connection(
            lambda: HttpConnection(place),
            address,
            place.port,
            ssl=self._tls if place.secure else None,
            server_hostname=place.host if place.secure else None,
        )
        return connection

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        import httpx

        context = httpx.create_ssl_context()
        context.set_alpn_protocols(["http/1.1"])
        return context

    def _kept(self, place: HttpPlace) -> "HttpConnection | None":
        while kept := self._idle.get(place):
            newest = kept[-1]
            self._put_to_use(newest)
            if newest.is_reusable:
                return newest
        return None

    def _keep(self, connection: "HttpConnection") -> None:
        if self._closed or sum(map(len, self._idle.values())) >= IDLE_CONNECTIONS_MAX:
            connection.close()
            return
        self._idle.setdefault(connection.place, []).append(connection)
        loop = asyncio.get_running_loop()
        connection.expiry = loop.call_later(IDLE_SECONDS_MAX, self._forget, connection)

    def _forget(self, connection: "HttpConnection") -> None:
        self._put_to_use(connection)
        connection.close()

    def _put_to_use(self, connection: "HttpConnection") -> None:
        kept = self._idle[connection.place]
        kept.remove(connection)
        if not kept:
            del self._idle[connection.place]
        if connection.expiry is not None:
            connection.expiry.cancel()


def unanswered(place: HttpPlace, why: str) -> Unavailable:
    default = PORTS["https" if place.secure else "http"]
    host = f"[{place.host}]" if ":" in place.host else place.host
    name = host if place.port == default else f"{host}:{place.port}"
    return Unavailable(f"{name} did not answer: {why}", retry_after=RETRY_AFTER)


@lru_cache(maxsize=1_000)  # webhooks are called again and again
def opened(url: str) -> tuple[HttpPlace, str]:
    """Whom to call, and how the request begins after its method. Raises Unavailable."""
    import httpx

    try:
        read = httpx.URL(url)
        host = read.raw_host.decode()
    except (httpx.InvalidURL, UnicodeError) as error:
        raise Unavailable(f"The address cannot be read: {error}") from None
    if read.scheme not in PORTS or not host:
        raise Unavailable("Only addresses with http:// or https:// can be called.")
    port = PORTS[read.scheme] if read.port is None else read.port
    if not 0 < port <= PORT_MAX:
        raise Unavailable(f"There is no port {port}.")
    place = HttpPlace(read.scheme == "https", host, port)
    lines = [f"{read.raw_path.decode()} HTTP/1.1", f"host: {read.netloc.decode()}"]
    if read.userinfo:
        who = base64.b64encode(f"{read.username}:{read.password}".encode()).decode()
        lines.append(f"authorization: Basic {who}")
    return place, "\r\n".join(lines)


def written(begin: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Raises Unavailable for a header that would not stay one line."""
    lines = [f"{name}: {value}" for name, value in headers.items()]
    if not all(map(HEADER.fullmatch, lines)):
        raise Unavailable("A header of the request has letters that no header may have.")
    all_ = (begin, *lines, "accept-encoding: identity", f"content-length: {len(body)}", "", "")
    return "\r\n".join(all_).encode() + body


class CallBroken(Exception):
    """What came back is no answer."""


class ClosedUnheard(CallBroken):
    """The connection ended before anything came back."""


@dataclass(slots=True)
class HttpCall:
    """One request that waits for its answer, and what came of it so far."""

    answer: asyncio.Future[HttpAnswer]
    bytes_max: int
    heard: int = 0
    """Bytes that came, of whatever kind."""
    status: int = 0
    """0 until the head is complete."""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytearray = field(default_factory=bytearray)
    complete: bool = False

    @property
    def is_long_enough(self) -> bool:
        return bool(self.status) and (self.bytes_max == 0 or len(self.body) > self.bytes_max)

    @property
    def ends_with_the_connection(self) -> bool:
        """Neither a length nor chunks: the server says by closing that this was all."""
        announced = {"content-length", "transfer-encoding"} & self.headers.keys()
        return bool(self.status) and not announced

    def give(self) -> None:
        if not self.answer.done():
            said = bytes(self.body[: self.bytes_max + 1])
            self.answer.set_result(HttpAnswer(self.status, self.headers, said))

    def fail(self, error: CallBroken) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class HttpConnection(asyncio.Protocol):
    """Carries one exchange after another. What is not wanted of an answer is not waited for: then
    the connection cannot carry the next one.
    """

    def __init__(self, place: HttpPlace) -> None:
        self.place = place
        self.expiry: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport
        self._exchange: HttpCall | None = None
        self._usable = True

    @property
    def is_reusable(self) -> bool:
        return self._usable and (self._exchange is None or self._exchange.complete)

    def close(self) -> None:
        self._usable = False
        self._transport.abort()

    async def exchange(self, request: bytes, bytes_max: int) -> HttpAnswer:
        if not self._usable:
            raise ClosedUnheard("the connection was closed before anything was asked")
        answer: asyncio.Future[HttpAnswer] = asyncio.get_running_loop().create_future()
        self._exchange = HttpCall(answer, bytes_max)
        self._parser = httptools.HttpResponseParser(self)
        self._transport.write(request)
        return await answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        now = self._exchange
        if now is None or now.answer.done():
            self.close()  # nobody asked
            return
        now.heard += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._usable = False
            now.fail(CallBroken("what came back is no HTTP"))
        if now.is_long_enough:
            now.give()
        elif now.heard - len(now.body) > FRAME_BYTES_MAX:
            now.fail(CallBroken("there is too much around the answer"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._usable = False
        now = self._exchange
        if now is None:
            return
        if exc is None and now.ends_with_the_connection:
            now.give()
        elif now.heard:
            now.fail(CallBroken("the answer was cut off"))
        else:
            now.fail(ClosedUnheard("the connection was closed"))

    # What the parser found.

    def on_message_begin(self) -> None:
        assert self._exchange is not None
        if self._exchange.complete:
            raise CallBroken("more than one answer")  # it ends the parsing

    def on_header(self, name: bytes, value: bytes) -> None:
        assert self._exchange is not None
        if not self._exchange.status:  # else it is a trailer, which was not asked for
            key = name.decode("latin-1").lower()
            self._exchange.headers.setdefault(key, value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        assert self._exchange is not None
        status = self._parser.get_status_code()
        if status < 100:
            raise CallBroken("no status")
        if status < 200:
            self._exchange.headers.clear()  # the answer itself is still to come
        else:
            self._exchange.status = status

    def on_body(self, body: bytes) -> None:
        assert self._exchange is not None
        if len(self._exchange.body) <= self._exchange.bytes_max:
            self._exchange.body += body

    def on_message_complete(self) -> None:
        assert self._exchange is not None
        if self._exchange.status:
            self._exchange.complete = True
            self._usable = self._usable and self._parser.should_keep_alive()
            self._exchange.give()
