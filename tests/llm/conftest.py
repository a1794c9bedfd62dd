from dataclasses import dataclass, field

import pytest

from clarion.llm.client import LlmClient, LlmOptions
from tests.support.clock import ManualClock
from tests.support.openai_double import OpenAiDouble

KEY = "sk-very-secret"


@dataclass
class Ledger:
    """A meter that remembers."""

    calls: list[tuple[str, str]] = field(default_factory=list)
    tokens: int = 0

    def llm_call(
        self, purpose: str, outcome: str, seconds: float, tokens_in: int, tokens_out: int
    ) -> None:
        self.calls.append((purpose, outcome))
        self.tokens += tokens_in + tokens_out


class Clients:
    """Clients of a double, closed when the test ends."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock = clock
        self.ledger = Ledger()
        self.made: list[LlmClient] = []

    def of(self, double: OpenAiDouble, *, timeout: float = 2.0, retries_max: int = 0) -> LlmClient:
        return self.at(double.base_url, timeout=timeout, retries_max=retries_max)

    def at(self, base_url: str, *, timeout: float = 2.0, retries_max: int = 0) -> LlmClient:
        options = LlmOptions(
            base_url=base_url,
            model="small",
            api_key=KEY,
            timeout=timeout,
            retries_max=retries_max,
            failures_max=3,
            rest=30.0,
        )
        self.made.append(LlmClient(options, self.clock, meter=self.ledger))
        return self.made[-1]


@pytest.fixture
async def clients(clock: ManualClock):  # type: ignore[no-untyped-def]  # an async generator fixture
    clients = Clients(clock)
    yield clients
    for client in clients.made:
        await client.close()
