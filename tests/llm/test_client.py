import asyncio
import logging
from datetime import timedelta

import pytest

from clarion.base.breaker import BreakerState
from clarion.base.errors import CircuitOpen, TimedOut, Unavailable
from clarion.llm.client import LlmOptions, MalformedAnswer, parse_object
from clarion.llm.prompts import TEXT, asked
from tests.llm.conftest import KEY, Clients
from tests.support.openai_double import (
    Babbles,
    Drops,
    Fails,
    Hangs,
    Refuses,
    Says,
    Step,
    openai_double,
    says,
)

MESSAGES = asked("Say something.", task="吃药")


async def test_it_asks_for_structured_output_and_reads_it(clients: Clients) -> None:
    async with openai_double(says(text="好")) as double:
        found = await clients.of(double).fill("phrase", MESSAGES, TEXT)

    assert found == {"text": "好"}
    assert double.requests[0]["response_format"]["json_schema"]["schema"] == TEXT
    assert double.requests[0]["model"] == "small"
    assert clients.ledger.calls == [("phrase", "answered")]
    assert clients.ledger.tokens == 47


async def test_an_endpoint_without_structured_output_is_asked_plainly_from_then_on(
    clients: Clients,
) -> None:
    async with openai_double(says(text="好"), knows_schemas=False) as double:
        client = clients.of(double)
        first = await client.fill("phrase", MESSAGES, TEXT)
        await client.fill("phrase", MESSAGES, TEXT)

    assert first == {"text": "好"}
    assert ["response_format" in request for request in double.requests] == [True, False, False]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Says("not json at all"), id="prose"),
        pytest.param(Says('{"text": "a"} and more'), id="json and prose"),
        pytest.param(says(), id="a field missing"),
        pytest.param(says(text=1), id="wrong type"),
        pytest.param(Says('["a"]'), id="a list"),
        pytest.param(Says('{"text": "a"', finish="length"), id="cut off"),
        pytest.param(Refuses(), id="refusal"),
        pytest.param(Says(" "), id="blank"),
        pytest.param(Babbles("<html>gateway</html>", "text/html"), id="a page"),
        pytest.param(Babbles('{"hello": "world"}'), id="another protocol"),
        pytest.param(Babbles('{"choices": [{"mes'), id="broken json"),
        pytest.param(Babbles('{"choices": []}'), id="no choices"),
        pytest.param(Babbles("null"), id="null"),
    ],
)
async def test_an_answer_of_the_wrong_shape_is_malformed_and_does_not_open_the_breaker(
    clients: Clients, step: Step
) -> None:
    async with openai_double(step) as double:
        client = clients.of(double)
        for _ in range(5):
            with pytest.raises(MalformedAnswer):
                await client.fill("phrase", MESSAGES, TEXT)

    assert client.breaker.state is BreakerState.CLOSED


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Fails(500), id="500"),
        pytest.param(Fails(429, retry_after="3600"), id="429"),
        pytest.param(Fails(401), id="401"),
        pytest.param(Drops(), id="drops"),
    ],
)
async def test_a_failing_endpoint_is_unavailable_and_opens_the_breaker(
    clients: Clients, step: Step
) -> None:
    async with openai_double(step) as double:
        client = clients.of(double)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await client.write("chat", MESSAGES)
        with pytest.raises(CircuitOpen):
            await client.write("chat", MESSAGES)

    assert len(double.requests) == 3
    assert clients.ledger.calls[-1] == ("chat", "open")


async def test_a_hanging_endpoint_is_given_up_in_time(clients: Clients) -> None:
    async with openai_double(Hangs()) as double:
        client = clients.of(double, timeout=0.05, retries_max=3)
        async with asyncio.timeout(30):
            with pytest.raises(TimedOut):
                await client.write("chat", MESSAGES)

    assert clients.ledger.calls == [("chat", "timed_out")]


async def test_a_long_retry_after_does_not_stretch_the_time_limit(clients: Clients) -> None:
    async with openai_double(Fails(429, retry_after="60")) as double:
        client = clients.of(double, timeout=0.2, retries_max=2)
        async with asyncio.timeout(30):
            with pytest.raises(TimedOut):
                await client.write("chat", MESSAGES)


async def test_one_bad_moment_is_retried(clients: Clients) -> None:
    async with openai_double(Fails(500, retry_after="0.01"), Says("hello")) as double:
        said = await clients.of(double, retries_max=1).write("chat", MESSAGES)

    assert said == "hello"
    assert len(double.requests) == 2


async def test_nobody_at_the_address_is_unavailable(clients: Clients) -> None:
    async with openai_double(Says("gone")) as double:
        gone = double.base_url

    with pytest.raises(Unavailable):
        await clients.at(gone).write("chat", MESSAGES)


async def test_the_breaker_closes_by_itself_when_the_endpoint_is_back(clients: Clients) -> None:
    script: list[Step] = [Fails(500), Fails(500), Fails(500), Says("back")]
    async with openai_double(*script) as double:
        client = clients.of(double)
        for _ in range(3):
            with pytest.raises(Unavailable):
                await client.write("chat", MESSAGES)
        clients.clock.advance(timedelta(seconds=30))

        said = await client.write("chat", MESSAGES)

    assert said == "back"
    assert client.breaker.state is BreakerState.CLOSED


async def test_a_cancelled_caller_does_not_count_against_the_endpoint(clients: Clients) -> None:
    async with openai_double(Hangs()) as double:
        client = clients.of(double)
        for _ in range(4):
            double.arrived.clear()
            call = asyncio.ensure_future(client.write("chat", MESSAGES))
            await double.arrived.wait()
            call.cancel()
            await asyncio.wait([call])

    assert client.breaker.state is BreakerState.CLOSED


async def test_the_key_is_sent_and_never_shown(
    clients: Clients, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with openai_double(Fails(401)) as double:
        client = clients.of(double)
        with pytest.raises(Unavailable) as failed:
            await client.write("chat", MESSAGES)

    assert double.headers[0]["authorization"] == f"bearer {KEY}"
    assert KEY not in caplog.text
    assert KEY not in repr(LlmOptions("http://x", "m", KEY)) + str(failed.value)


def test_a_fenced_object_is_read() -> None:
    assert parse_object('```json\n{"text": "a"}\n```', TEXT) == {"text": "a"}
