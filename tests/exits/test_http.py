"""How we call addresses outside: what is sent, what is kept, and every way an answer goes wrong."""

import asyncio
import base64
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from clarion.base.errors import Unavailable
from clarion.exits.http import CONNECTIONS_MAX, FRAME_BYTES_MAX, GuardedHttp, HttpAnswer
from clarion.exits.reach import PrivateAddress, Reach

Says = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@dataclass
class Server:
    """Says these bytes to each request in turn, the last of them again and again."""

    said: list[bytes]
    closes: bool = False
    url: str = ""
    connections: int = 0
    asked: list[bytes] = field(default_factory=list)
    open: list[asyncio.StreamWriter] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.open.append(writer)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length: ")[2].split()[0])
                self.asked.append(head + await reader.readexactly(length))
                writer.write(self.said.pop(0) if len(self.said) > 1 else self.said[0])
                if self.closes:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def saying(*said: bytes, closes: bool = False) -> AsyncIterator[Server]:
    server = Server(list(said), closes)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    yield server
    listening.close()
    for one in server.open:
        one.close()


async def ask(http: GuardedHttp, url: str, bytes_max: int = 100) -> HttpAnswer:
    return await http.ask(
        "POST", url, {"content-type": "text/plain"}, b"hello", bytes_max=bytes_max
    )


async def test_a_request_names_the_host_and_says_all_of_its_body(http: GuardedHttp) -> None:
    async with saying(OK) as server:
        answer = await ask(http, f"{server.url}/a b?q=吃药")

    place = server.url.removeprefix("http://").encode()
    assert (answer.status, answer.body) == (200, b"ok")
    assert server.asked == [
        b"POST /a%20b?q=%E5%90%83%E8%8D%AF HTTP/1.1\r\nhost: " + place + b"\r\n"
        b"content-type: text/plain\r\naccept-encoding: identity\r\ncontent-length: 5\r\n\r\nhello"
    ]


async def test_a_password_in_the_address_is_sent_as_such(http: GuardedHttp) -> None:
    async with saying(OK) as server:
        await ask(http, server.url.replace("//", "//ana:p%40ss@"))

    who = base64.b64encode(b"ana:p@ss")
    assert b"\r\nauthorization: Basic " + who + b"\r\n" in server.asked[0]


async def test_calls_of_one_place_share_a_connection(http: GuardedHttp) -> None:
    async with saying(OK) as server:
        for _ in range(3):
            await ask(http, server.url)
        await asyncio.gather(*(ask(http, server.url) for _ in range(3)))

        assert (len(server.asked), server.connections) == (6, 3)


async def test_a_burst_goes_over_the_connections_of_the_one_before(http: GuardedHttp) -> None:
    async with saying(OK) as server:
        for _ in range(2):
            await asyncio.gather(*(ask(http, server.url) for _ in range(CONNECTIONS_MAX)))

        assert len(server.asked) == 2 * CONNECTIONS_MAX
        assert server.connections <= CONNECTIONS_MAX


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
        OK + OK,
    ],
    ids=["old", "closing", "two answers"],
)
async def test_a_connection_that_may_not_go_on_is_not_kept(http: GuardedHttp, said: bytes) -> None:
    async with saying(said) as server:
        answers = [await ask(http, server.url), await ask(http, server.url)]

        assert [one.body for one in answers] == [b"ok", b"ok"]
        assert server.connections == 2


async def test_a_kept_connection_that_was_closed_meanwhile_is_made_anew(http: GuardedHttp) -> None:
    async with saying(OK, b"", OK) as server:
        await ask(http, server.url)
        second = asyncio.create_task(ask(http, server.url))
        while len(server.asked) < 2:
            await asyncio.wait({second}, timeout=0.01)
        server.open[0].close()  # without a word, as when it was idle for too long

        assert (await second).body == b"ok"
        assert (len(server.asked), server.connections) == (3, 2)


async def test_a_new_connection_that_is_closed_is_not_tried_again(http: GuardedHttp) -> None:
    async with saying(b"", closes=True) as server:
        with pytest.raises(Unavailable, match="closed"):
            await ask(http, server.url)

        assert server.connections == 1


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            b"abcde",
        ),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + OK, b"ok"),
    ],
    ids=["in chunks", "until it closes", "nothing", "after a hint"],
)
async def test_an_answer_is_read_as_it_comes(http: GuardedHttp, said: bytes, body: bytes) -> None:
    async with saying(said, closes=True) as server:
        answer = await ask(http, server.url)

        assert answer.body == body
        assert "link" not in answer.headers


@pytest.mark.parametrize(
    "said",
    [
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * FRAME_BYTES_MAX * 2,
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
    ids=["another protocol", "cut off", "cut off in chunks", "an endless head", "an upgrade"],
)
async def test_what_is_no_answer_is_unavailable(http: GuardedHttp, said: bytes) -> None:
    async with saying(said, closes=True) as server:
        with pytest.raises(Unavailable):
            await ask(http, server.url)


async def test_no_more_is_read_than_was_asked_for(http: GuardedHttp) -> None:
    async with saying(b"HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n" + b"x" * 500) as server:
        some = await ask(http, server.url, bytes_max=100)
        status = await ask(http, server.url, bytes_max=0)

        assert (some.body, status.status) == (b"x" * 101, 200)
        assert len(status.body) <= 1
        assert server.connections == 2


async def test_a_server_that_says_nothing_is_left_in_time(http: GuardedHttp) -> None:
    async with saying(b"") as server:
        with pytest.raises(Unavailable, match="too long"):
            await http.ask("GET", server.url, {}, bytes_max=0, seconds=0.05)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://",
        "http://[x",
        "http://127.0.0.1:0/",
        "http://127.0.0.1:65536/",
        "http://xn--a/",
        "http://example.com/\ud800",
        "http://example.com/\r\nx: y",
        "http://example.com\r\nx: y/",
    ],
)
async def test_only_addresses_of_the_web_are_called(http: GuardedHttp, url: str) -> None:
    with pytest.raises(Unavailable):
        await ask(http, url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x", "a\r\ninjected: yes"),
        ("x", "a\ninjected: yes"),
        ("x", "a\rb"),
        ("x", "a\0b"),
        ("x", "\ud800"),
        ("x: y\r\nz", "a"),
        ("x y", "a"),
        ("", "a"),
    ],
)
async def test_a_header_that_is_no_line_is_not_sent(
    http: GuardedHttp, name: str, value: str
) -> None:
    async with saying(OK) as server:
        with pytest.raises(Unavailable, match="header"):
            await http.ask("POST", server.url, {name: value}, b"", bytes_max=0)

        assert server.asked == []


async def test_a_password_in_the_address_adds_no_line(http: GuardedHttp) -> None:
    async with saying(OK) as server:
        await ask(http, server.url.replace("//", "//ana%0d%0ax:%0d%0ay@") + "/%0d%0az?%0d%0a#%0d")

    lines = [line.partition(b":")[0] for line in server.asked[0].splitlines()]
    assert lines[1:-2] == [
        b"host",
        b"authorization",
        b"content-type",
        b"accept-encoding",
        b"content-length",
    ]


async def test_each_new_connection_is_checked() -> None:
    guarded = GuardedHttp(Reach())

    async with saying(OK) as server:
        with pytest.raises(PrivateAddress):
            await ask(guarded, server.url)

        assert server.connections == 0


async def test_a_call_that_is_given_up_leaves_nothing_behind(http: GuardedHttp) -> None:
    async with saying(b"", OK) as server:
        asking = asyncio.create_task(ask(http, server.url))
        while not server.asked:
            await asyncio.wait({asking}, timeout=0.01)
        asking.cancel()
        await asyncio.wait({asking})

        assert (await ask(http, server.url)).body == b"ok"
        assert server.connections == 2
