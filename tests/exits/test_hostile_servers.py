"""What a server may do to us that answers as no server should: nothing beyond its own call."""

import asyncio
import contextlib
import gc
import gzip
import ssl
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from clarion.base.clock import SystemClock
from clarion.base.errors import Unavailable
from clarion.exits import reach as looking_up
from clarion.exits.http import (
    CONNECTIONS_MAX,
    FRAME_BYTES_MAX,
    IDLE_CONNECTIONS_MAX,
    GuardedHttp,
    HttpAnswer,
)
from clarion.exits.reach import PrivateAddress, Reach

HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LONG = 5.0  # seconds: more than any call here takes, less than a test may
SHORT = 0.2


def ok(body: bytes = b"ok") -> bytes:
    return HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Line:
    """One connection, as the server sees it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def hear(self) -> bytes:
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split()[0])
        return head + await self._reader.readexactly(length)

    async def say(self, said: bytes) -> None:
        self._writer.write(said)
        await self._writer.drain()

    async def say_for_ever(self, said: bytes) -> None:
        while True:
            await self.say(said)

    async def until_left(self) -> None:
        assert await self._reader.read() == b"", "a connection was used that could not be"

    async def ignore(self) -> None:
        await self._reader.read()

    def reset(self) -> None:
        self._writer.transport.abort()


Says = Callable[[Line], Awaitable[None]]


class Hostile:
    def __init__(self, says: Says) -> None:
        self._says = says
        self.port = 0
        self.lines = 0
        self.open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.lines, self.open[task] = self.lines + 1, writer
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await self._says(Line(reader, writer))
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        del self.open[task]

    async def until_all_left(self) -> None:
        """Fails when a connection is still open after a moment."""
        if self.open:
            over, still = await asyncio.wait(self.open, timeout=1)
            assert not still
            await asyncio.gather(*over)


@asynccontextmanager
async def hostile(says: Says, host: str = "127.0.0.1", **listens: Any) -> AsyncIterator[Hostile]:
    server = Hostile(says)
    listening = await asyncio.start_server(server.serve, host, 0, **listens)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()
    tasks = tuple(server.open)
    for writer in tuple(server.open.values()):
        writer.transport.abort()
    if tasks:
        await asyncio.wait(tasks, timeout=1)


def saying(*said: bytes) -> Says:
    """To each request of a connection in turn; then it closes."""

    async def say(line: Line) -> None:
        for one in said:
            await line.hear()
            await line.say(one)

    return say


def then_waiting(*said: bytes) -> Says:
    """Likewise, but it leaves the connection open."""

    async def say(line: Line) -> None:
        await saying(*said)(line)
        await line.until_left()

    return say


@pytest.fixture
async def http() -> AsyncIterator[GuardedHttp]:
    made = GuardedHttp(Reach(private_allowed=True))
    yield made
    made.close()


async def ask(
    http: GuardedHttp, url: str, *, bytes_max: int = 100, seconds: float = LONG
) -> HttpAnswer:
    return await http.ask("POST", url, {}, b"hello", bytes_max=bytes_max, seconds=seconds)


# An answer that is said ahead of time must not become the answer to the next request.


@pytest.mark.parametrize(
    "more",
    [ok(b"forged"), b"H", b"HTTP/1.1 200 OK\r\n", b"x", b"\0", b"0\r\n\r\n", ok(b"a") * 50],
    ids=["an answer", "a letter", "half a head", "no HTTP", "nul", "a chunk", "fifty answers"],
)
@pytest.mark.parametrize("apart", [False, True], ids=["at once", "later"])
async def test_what_follows_an_answer_is_never_the_next_one(
    http: GuardedHttp, more: bytes, apart: bool
) -> None:
    read = asyncio.Event()

    async def say(line: Line) -> None:
        await line.hear()
        await line.say(ok(b"first") if apart else ok(b"first") + more)
        if apart:
            await read.wait()
            await line.say(more)
        await line.until_left()

    async with hostile(say) as server:
        first = await ask(http, server.url)
        read.set()
        await server.until_all_left()
        second = await ask(http, server.url)

        assert (first.body, second.body) == (b"first", b"first")
        assert server.lines == 2


@pytest.mark.parametrize(
    "said",
    [
        HEAD + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        HEAD + b"Content-Length: 2\r\nContent-Length: 50\r\n\r\nok",
        HEAD + b"Content-Length: 2, 2\r\n\r\nok",
        HEAD + b"Content-Length: -1\r\n\r\nok",
        HEAD + b"Content-Length: +2\r\n\r\nok",
        HEAD + b"Content-Length: 0x2\r\n\r\nok",
        HEAD + b"Content-Length: 99999999999999999999999\r\n\r\nok",
        HEAD + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n",
        HEAD + b"Content-Length : 2\r\n\r\nok",
        HEAD + b" Content-Length: 2\r\n\r\nok",
        HEAD + b"X: a\0b\r\nContent-Length: 2\r\n\r\nok",
        HEAD + b"X: a\rContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 000 No\r\nContent-Length: 2\r\n\r\nok" + ok(),
        b"HTTP/1.1 099 No\r\nContent-Length: 2\r\n\r\nok" + ok(),
        b"HTTP/1.1 20 No\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 2000 No\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 -20 No\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"ICY 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        CHUNKED + b"zz\r\nok\r\n0\r\n\r\n",
        CHUNKED + b"-2\r\nok\r\n0\r\n\r\n",
        CHUNKED + b"2\r\nokay\r\n0\r\n\r\n",
        CHUNKED + b"ffffffffffffffffff\r\nok",
        CHUNKED + b"2;" + b"x" * 2 * FRAME_BYTES_MAX + b"\r\nok\r\n0\r\n\r\n",
        CHUNKED + b"0\r\n" + b"X: y\r\n" * FRAME_BYTES_MAX,
        CHUNKED + b"0\r\nX: " + b"y" * 2 * FRAME_BYTES_MAX,
        b"HTTP/1.1 100 Continue\r\n\r\n" * FRAME_BYTES_MAX,
        b"HTTP/1.1 103 Early\r\n" + b"X: y\r\n" * FRAME_BYTES_MAX,
    ],
)
async def test_what_can_be_read_in_two_ways_is_no_answer(http: GuardedHttp, said: bytes) -> None:
    async with hostile(then_waiting(said)) as server:
        with pytest.raises(Unavailable, match=r"no HTTP|around"):
            await ask(http, server.url)

        await server.until_all_left()


async def test_a_trailer_is_no_header(http: GuardedHttp) -> None:
    trailed = b"2\r\nok\r\n0\r\nRetry-After: 9\r\nX: two\r\n\r\n"
    async with hostile(
        then_waiting(HEAD + b"X: one\r\nTransfer-Encoding: chunked\r\n\r\n" + trailed)
    ) as server:
        answer = await ask(http, server.url)

    assert (answer.body, answer.headers) == (
        b"ok",
        {"x": "one", "transfer-encoding": "chunked"},
    )


async def test_a_packed_body_stays_packed(http: GuardedHttp) -> None:
    packed = gzip.compress(b"\0" * 1_000_000)
    head = HEAD + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    async with hostile(then_waiting(head + packed)) as server:
        answer = await ask(http, server.url, bytes_max=10_000)

    assert answer.body == packed


async def test_many_headers_of_one_name_cost_little(http: GuardedHttp) -> None:
    async with hostile(
        then_waiting(HEAD + b"a:\r\n" * (FRAME_BYTES_MAX // 5) + b"Content-Length: 2\r\n\r\nok")
    ) as server:
        answer = await ask(http, server.url)

    assert answer.headers == {"a": "", "content-length": "2"}


# Bounds: of time, of memory, of connections.


@pytest.mark.parametrize(
    ("begin", "on_and_on"),
    [
        (HEAD, b"X: y\r\n" * 100),
        (HEAD + b"X: ", b"y" * 1000),
        (b"", b"\r\n" * 500),
        (CHUNKED, b"0" * 1000),
        (CHUNKED + b"1;", b"x" * 1000),
        (CHUNKED + b"0\r\n", b"X: y\r\n" * 100),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        (CHUNKED, b"5\r\nhello\r\n" * 100),
        (HEAD + b"Content-Length: 9999999999\r\n\r\n", b"x" * 10_000),
        (HEAD + b"\r\n", b"x" * 10_000),
    ],
    ids=[
        "headers",
        "one header",
        "empty lines",
        "the length of a chunk",
        "the words beside a chunk",
        "trailers",
        "hints",
        "chunks",
        "a body",
        "a body until the end",
    ],
)
async def test_what_never_ends_is_cut_off_early(
    http: GuardedHttp, begin: bytes, on_and_on: bytes
) -> None:
    async def say(line: Line) -> None:
        await line.hear()
        await line.say(begin)
        await line.say_for_ever(on_and_on)

    async with hostile(say) as server:
        tracemalloc.start()
        with contextlib.suppress(Unavailable):
            answer = await ask(http, server.url, bytes_max=1000)
            assert len(answer.body) == 1001
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()

        await server.until_all_left()
        assert most < 5_000_000


@pytest.mark.parametrize("begin", [HEAD[:-2], HEAD, CHUNKED, HEAD + b"Content-Length: 99\r\n\r\n"])
async def test_an_answer_byte_by_byte_has_to_be_over_in_time(
    http: GuardedHttp, begin: bytes
) -> None:
    async def say(line: Line) -> None:
        await line.hear()
        await line.say(begin)
        left = asyncio.ensure_future(line.until_left())
        while not left.done():
            await line.say(b"1")
            await asyncio.wait({left}, timeout=SHORT / 10)

    async with hostile(say) as server:
        with pytest.raises(Unavailable, match="too long"):
            await ask(http, server.url, seconds=SHORT)

        await server.until_all_left()


async def test_a_server_that_never_shakes_hands_is_left_in_time(http: GuardedHttp) -> None:
    async with hostile(Line.ignore) as server:
        with pytest.raises(Unavailable, match="too long"):
            await ask(http, server.url.replace("http:", "https:"), seconds=SHORT)

        await server.until_all_left()


# Ends: before, within and after an answer.


async def closing(line: Line) -> None:
    """As soon as somebody comes."""


async def resetting(line: Line) -> None:
    line.reset()


async def hearing_and_closing(line: Line) -> None:
    await line.hear()


async def hearing_and_resetting(line: Line) -> None:
    await line.hear()
    line.reset()


@pytest.mark.parametrize("says", [closing, resetting, hearing_and_closing, hearing_and_resetting])
async def test_a_new_connection_that_fails_is_not_tried_again_nor_waited_for(
    http: GuardedHttp, says: Says
) -> None:
    async with hostile(says) as server:
        with pytest.raises(Unavailable, match="closed"):
            await ask(http, server.url)

        await server.until_all_left()
        assert server.lines == 1


@pytest.mark.parametrize(
    "said",
    [
        b"H",
        HEAD,
        HEAD + b"Content-Length: 50\r\n\r\n",
        CHUNKED + b"2\r\nok\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n",
    ],
)
async def test_an_answer_that_has_begun_is_not_asked_for_again(
    http: GuardedHttp, said: bytes
) -> None:
    async with hostile(saying(ok(), said)) as server:
        await ask(http, server.url)
        with pytest.raises(Unavailable, match="cut off"):
            await ask(http, server.url)

        assert server.lines == 1


async def test_a_kept_connection_is_replaced_once_at_most(http: GuardedHttp) -> None:
    heard: list[bytes] = []

    async def say(line: Line) -> None:
        is_first = not heard
        heard.append(await line.hear())
        if is_first:
            await line.say(ok())
            heard.append(await line.hear())

    async with hostile(say) as server:
        await ask(http, server.url)
        with pytest.raises(Unavailable, match="closed"):
            await ask(http, server.url)

        assert (len(heard), server.lines) == (3, 2)


@pytest.mark.parametrize("begun", [b"", HEAD, HEAD + b"Content-Length: 9\r\n\r\nfirst"])
async def test_what_was_given_up_is_not_heard_by_the_next_call(
    http: GuardedHttp, begun: bytes
) -> None:
    heard = asyncio.Event()

    async def say(line: Line) -> None:
        await line.hear()
        if not heard.is_set():
            await line.say(begun)
            heard.set()
            await line.until_left()
        else:
            await line.say(ok(b"second"))

    async with hostile(say) as server:
        first = asyncio.create_task(ask(http, server.url))
        await heard.wait()
        first.cancel()
        second = await ask(http, server.url)

        assert first.cancelled()
        assert (second.body, server.lines) == (b"second", 2)
        await server.until_all_left()


async def test_a_call_given_up_in_the_moment_of_its_answer_confuses_no_other(
    http: GuardedHttp,
) -> None:
    """At each turn of the event loop between the request and after the answer."""

    async def say(line: Line) -> None:
        while True:
            asked = await line.hear()
            await line.say(ok(asked.split()[1]))

    async with hostile(say) as server:
        for turns in range(40):
            first = asyncio.create_task(ask(http, f"{server.url}first{turns}"))
            for _ in range(turns):
                await asyncio.wait({asyncio.create_task(nothing())})
            first.cancel()
            second = await ask(http, f"{server.url}second{turns}")
            assert second.body == f"/second{turns}".encode()
            await asyncio.wait({first})


async def nothing() -> None:
    """Lets the others have their turn."""


async def test_many_hosts_and_calls_share_a_bounded_number_of_connections(
    http: GuardedHttp,
) -> None:
    busy, most = asyncio.Semaphore(0), 0
    servers: list[Hostile] = []

    async def say(line: Line) -> None:
        nonlocal most
        most = max(most, sum(len(one.open) for one in servers))
        while True:
            await line.hear()
            await busy.acquire()
            await line.say(ok())

    async with AsyncExitStack() as stack:
        servers += [await stack.enter_async_context(hostile(say)) for _ in range(20)]
        calls = [
            asyncio.create_task(ask(http, servers[number % 20].url))
            for number in range(CONNECTIONS_MAX * 2)
        ]
        while most < CONNECTIONS_MAX:
            await asyncio.wait(calls, timeout=0.01)
        for _ in calls:
            busy.release()
        await asyncio.gather(*calls)
        kept = sum(len(one.open) for one in servers)

        assert most <= CONNECTIONS_MAX + IDLE_CONNECTIONS_MAX
        while kept > IDLE_CONNECTIONS_MAX:
            await asyncio.wait([asyncio.create_task(nothing())])
            kept = sum(len(one.open) for one in servers)
        http.close()
        for one in servers:
            await one.until_all_left()


async def test_nothing_is_kept_once_it_is_closed() -> None:
    http, heard = GuardedHttp(Reach(private_allowed=True)), asyncio.Event()

    async def say(line: Line) -> None:
        await line.hear()
        heard.set()
        await closed.wait()
        await line.say(ok())
        await line.until_left()

    closed = asyncio.Event()
    async with hostile(say) as server:
        asking = asyncio.create_task(ask(http, server.url))
        await heard.wait()
        http.close()
        closed.set()

        assert (await asking).body == b"ok"
        await server.until_all_left()


@pytest.mark.filterwarnings("error::ResourceWarning")
async def test_closing_leaves_no_socket_behind() -> None:
    http = GuardedHttp(Reach(private_allowed=True))
    async with hostile(then_waiting(ok())) as server:
        await asyncio.gather(*(ask(http, server.url) for _ in range(5)))
        http.close()

        await server.until_all_left()
    del http
    gc.collect()


# Where a call may lead.


async def test_a_redirect_is_an_answer_like_another(http: GuardedHttp) -> None:
    async with hostile(then_waiting(ok())) as inside:
        moved = f"HTTP/1.1 307 Moved\r\nLocation: {inside.url}\r\nContent-Length: 0\r\n\r\n"
        async with hostile(then_waiting(moved.encode())) as server:
            answer = await ask(http, server.url)

        assert (answer.status, inside.lines) == (307, 0)


Found = list[tuple[Any, ...]]


def names(monkeypatch: pytest.MonkeyPatch, *turns: list[str]) -> list[str]:
    """A name server that says another address each time."""
    asked: list[str] = []

    def look_up(host: str, port: int) -> Found:
        asked.append(host)
        return [(0, 0, 0, "", (one, port)) for one in turns[min(len(asked), len(turns)) - 1]]

    monkeypatch.setattr(looking_up, "look_up", look_up)
    return asked


class ReachLoopback(Reach):
    """127.0.0.1 is public here, and 127.0.0.2 is not."""

    def allows(self, address: str) -> bool:
        return address == "127.0.0.1"


async def test_a_name_that_changes_its_address_is_looked_up_once_for_each_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
    http = GuardedHttp(ReachLoopback())
    async with hostile(saying(ok(b"one"), ok(b"two"))) as server:
        url = f"http://rebinds.example:{server.port}/"
        bodies = [(await ask(http, url)).body, (await ask(http, url)).body]
        await server.until_all_left()
        with pytest.raises(PrivateAddress):
            await ask(http, url)

        assert bodies == [b"one", b"two"]
        assert (server.lines, len(asked)) == (1, 2)
    http.close()


async def test_one_private_address_among_others_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    names(monkeypatch, ["127.0.0.1", "127.0.0.2"])
    http = GuardedHttp(ReachLoopback())
    async with hostile(then_waiting(ok())) as server:
        with pytest.raises(PrivateAddress):
            await ask(http, f"http://both.example:{server.port}/")

        assert server.lines == 0


async def test_a_kept_connection_is_for_its_own_name_and_port_alone(
    monkeypatch: pytest.MonkeyPatch, http: GuardedHttp
) -> None:
    names(monkeypatch, ["127.0.0.1"])
    async with hostile(then_waiting(ok())) as server:
        for host in ("a.example", "b.example"):
            await ask(http, f"http://{host}:{server.port}/")

        assert server.lines == 2


async def test_an_address_in_brackets_is_called(http: GuardedHttp) -> None:
    heard: list[bytes] = []

    async def say(line: Line) -> None:
        heard.append(await line.hear())
        await line.say(ok())

    async with hostile(say, "::1") as server:
        await ask(http, f"http://[::1]:{server.port}/")

        assert f"\r\nhost: [::1]:{server.port}\r\n".encode() in heard[0]


@pytest.mark.parametrize("url", ["http://public.example@{}/", "http://public.example:80@{}/"])
async def test_what_stands_before_the_host_does_not_make_it_public(url: str) -> None:
    async with hostile(then_waiting(ok())) as server:
        with pytest.raises(PrivateAddress):
            await ask(GuardedHttp(Reach()), url.format(f"127.0.0.1:{server.port}"))

        assert server.lines == 0


# Certificates.


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> "Authority":
    return Authority(tmp_path_factory.mktemp("tls"))


class Authority:
    """Signs certificates, which are trusted where SSL_CERT_FILE names its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._now = SystemClock().now()
        self.trusted = folder / "authority.pem"
        mine = self._certificate("authority", self._key, self._key, "authority", self._now)
        self.trusted.write_bytes(mine.public_bytes(serialization.Encoding.PEM))

    def _certificate(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        signing: ec.EllipticCurvePrivateKey,
        signer: str,
        until: datetime,
    ) -> x509.Certificate:
        def called(one: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)])

        known_as: x509.GeneralName = x509.DNSName(name)
        with contextlib.suppress(ValueError):
            known_as = x509.IPAddress(ip_address(name))
        return (
            x509.CertificateBuilder()
            .subject_name(called(name))
            .issuer_name(called(signer))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(self._now - timedelta(days=9))
            .not_valid_after(until + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([known_as]), critical=False)
            .add_extension(
                x509.BasicConstraints(ca=name == "authority", path_length=None), critical=True
            )
            .sign(signing, hashes.SHA256())
        )

    def server(self, name: str, days: int = 1, *, self_signed: bool = False) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        until = self._now + timedelta(days=days)
        signed = (key, name) if self_signed else (self._key, "authority")
        made = self._certificate(name, key, *signed, until)
        file = self._folder / f"{name}{days}{self_signed}.pem"
        file.write_bytes(
            made.public_bytes(serialization.Encoding.PEM)
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        return context


@pytest.mark.parametrize(
    ("name", "days", "self_signed"),
    [
        pytest.param("localhost", 1, True, id="signed by itself"),
        pytest.param("localhost", -3, False, id="expired"),
        pytest.param("other.example", 1, False, id="of another name"),
        pytest.param("127.0.0.1", 1, False, id="of the address, not of the name"),
    ],
)
async def test_a_certificate_that_proves_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    http: GuardedHttp,
    authority: Authority,
    name: str,
    days: int,
    self_signed: bool,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.trusted))
    heard: list[bytes] = []

    async def say(line: Line) -> None:
        heard.append(await line.hear())

    context = authority.server(name, days, self_signed=self_signed)
    async with hostile(say, ssl=context) as server:
        with pytest.raises(Unavailable, match="CERTIFICATE_VERIFY_FAILED"):
            await ask(http, f"https://localhost:{server.port}/")

        assert heard == []


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
async def test_a_certificate_that_is_right_is_not(
    monkeypatch: pytest.MonkeyPatch, http: GuardedHttp, authority: Authority, name: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.trusted))
    async with hostile(then_waiting(ok(), ok()), ssl=authority.server(name)) as server:
        url = f"https://{name}:{server.port}/"

        assert [(await ask(http, url)).body, (await ask(http, url)).body] == [b"ok", b"ok"]
        assert server.lines == 1
        http.close()
        await server.until_all_left()


async def test_plain_words_where_a_certificate_was_due_are_refused(http: GuardedHttp) -> None:
    async def say(line: Line) -> None:
        await line.say(ok())
        await line.ignore()

    async with hostile(say) as server:
        with pytest.raises(Unavailable):
            await ask(http, f"https://127.0.0.1:{server.port}/")
