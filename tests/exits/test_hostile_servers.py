"""What a server may do to us that answers as no server should: nothing beyond its own call."""

import asyncio
import contextlib
import gc
import gzip
import tracemalloc
from contextlib import AsyncExitStack
from typing import Any

import pytest

from clarion.base.errors import Unavailable
from clarion.exits import reach as looking_up
from clarion.exits.http import (
    CONNECTIONS_MAX,
    FRAME_BYTES_MAX,
    IDLE_CONNECTIONS_MAX,
    GuardedHttp,
)
from clarion.exits.reach import PrivateAddress, Reach
from tests.support.fakes.hostile import (
    CHUNKED,
    HEAD,
    Hostile,
    Line,
    Says,
    ask,
    hostile,
    ok,
    saying,
    then_waiting,
)

SHORT = 0.2  # seconds


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
