"""One client for any OpenAI-compatible endpoint: bounded in time, retries and trust.

Every call ends within `timeout` seconds, retries included, or is refused at once while the
breaker is open. What comes back is text or a JSON object; whether it may be used is the caller's
question.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from clarion.base.breaker import Breaker, Listener
from clarion.base.clock import Clock
from clarion.base.errors import CircuitOpen, ClarionError, TimedOut, Unavailable


@dataclass(frozen=True, slots=True)
class LlmOptions:
    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    """Empty for an endpoint of one's own that asks for none. Never shown."""
    timeout: float = 8.0
    """Seconds for one answer with all its retries: a person is waiting for a sentence."""
    retries_max: int = 1
    failures_max: int = 5
    rest: float = 30.0
    """Seconds for which a failing endpoint is left alone."""
    tokens_max: int = 300


if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletion

log = logging.getLogger(__name__)

Read = TypeVar("Read")
Message = Mapping[str, str]
"""`role` and `content`, as the protocol has them."""

_FENCED: Final = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.DOTALL)
CALLS_MAX: Final = 3  # of tools in one answer: nobody asks for more in a sentence
_NO_KEY: Final = "none"  # the package insists on one; endpoints without keys ignore it


class CallMeter(Protocol):
    """Counts calls. `outcome` is answered, malformed, refused, timed_out, failed or open."""

    def llm_call(
        self, purpose: str, outcome: str, seconds: float, tokens_in: int, tokens_out: int
    ) -> None: ...


class ModelCall(NamedTuple):
    """A tool that the model wants to use. Whether it may is the caller's question."""

    tool: str
    fields: dict[str, Any]


class MalformedAnswer(Unavailable):
    """The endpoint answered, but not as asked. Callers treat it as unavailable."""


class LlmClient:
    def __init__(
        self,
        options: LlmOptions,
        clock: Clock,
        *,
        meter: CallMeter | None = None,
        listeners: Sequence[Listener] = (),
    ) -> None:
        self._options = options
        self._clock = clock
        self._meter = meter
        self._unknown: set[str] = set()
        """What this endpoint has refused: `response_format`, `tools`."""
        # Here rather than in the first call: loading the package takes longer than a person waits.
        self._api = _connect(options)
        self.breaker = Breaker(
            "llm",
            clock,
            failures_max=options.failures_max,
            rest=options.rest,
            counts=lambda error: not isinstance(error, MalformedAnswer),
            listeners=listeners,
        )

    async def write(self, purpose: str, messages: Sequence[Message]) -> str:
        """Free text. Raises Unavailable, TimedOut, CircuitOpen or Malformed."""
        return await self._metered(purpose, messages, {}, _text_of)

    async def fill(
        self, purpose: str, messages: Sequence[Message], schema: Mapping[str, Any]
    ) -> dict[str, Any]:
        """A JSON object with the schema's fields. Raises as `write` does."""
        text = await self._metered(purpose, messages, _format(schema), _text_of)
        try:
            return parse_object(text, schema)
        except MalformedAnswer:
            self._count(purpose, "malformed", 0.0, None)
            raise

    async def act(
        self, purpose: str, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]
    ) -> "str | list[ModelCall]":
        """Free text, or the tools it wants to use. Raises as `write` does."""
        wanted = {"tools": list(tools)}
        return await self._metered(purpose, messages, wanted, _calls_or_text)

    async def close(self) -> None:
        await self._api.close()

    async def _metered(
        self,
        purpose: str,
        messages: Sequence[Message],
        wanted: Mapping[str, Any],
        read: "Callable[[ChatCompletion], Read]",
    ) -> Read:
        began = self._clock.monotonic()
        outcome, completion = "failed", None
        try:
            completion = await self.breaker.call(lambda: self._bounded(messages, wanted))
            outcome = "answered"
            return read(completion)
        except ClarionError as error:
            outcome = _OUTCOMES.get(type(error), "failed")
            # The error's own words may hold an address or a key: its kind is enough.
            log.warning("llm did not help", extra={"purpose": purpose, "outcome": outcome})
            raise
        finally:
            self._count(purpose, outcome, self._clock.monotonic() - began, completion)

    async def _bounded(
        self, messages: Sequence[Message], wanted: Mapping[str, Any]
    ) -> "ChatCompletion":
        try:
            async with asyncio.timeout(self._options.timeout):
                return await self._request(messages, wanted)
        except TimeoutError:
            raise TimedOut("The LLM did not answer in time.") from None

    async def _request(
        self, messages: Sequence[Message], wanted: Mapping[str, Any]
    ) -> "ChatCompletion":
        import openai

        try:
            if wanted and self._unknown.isdisjoint(wanted):
                try:
                    return await self._send(messages, wanted)
                except (openai.BadRequestError, openai.UnprocessableEntityError):
                    # An endpoint without structured output, or tools: ask plainly from now on.
                    self._unknown.update(wanted)
            return await self._send(messages, {})
        except openai.APITimeoutError:
            raise TimedOut("The LLM did not answer in time.") from None
        except openai.APIConnectionError:
            raise Unavailable("The LLM cannot be reached.") from None
        except openai.APIStatusError as error:
            raise Unavailable(f"The LLM answered with status {error.status_code}.") from None
        except (openai.OpenAIError, ValueError):
            raise MalformedAnswer("The LLM's answer cannot be read.") from None

    async def _send(
        self, messages: Sequence[Message], wanted: Mapping[str, Any]
    ) -> "ChatCompletion":
        from openai.types.chat import ChatCompletion

        # Plain mode sends the least that every endpoint understands.
        extra = {**wanted, "max_tokens": self._options.tokens_max} if wanted else {}
        create: Any = self._api.chat.completions.create
        completion = await create(model=self._options.model, messages=list(messages), **extra)
        if not isinstance(completion, ChatCompletion):  # a proxy's page in place of JSON
            raise MalformedAnswer("The LLM's answer cannot be read.")
        return completion

    def _count(
        self, purpose: str, outcome: str, seconds: float, completion: "ChatCompletion | None"
    ) -> None:
        if self._meter is None:
            return
        usage = getattr(completion, "usage", None)
        tokens_in = getattr(usage, "prompt_tokens", None) or 0
        tokens_out = getattr(usage, "completion_tokens", None) or 0
        self._meter.llm_call(purpose, outcome, seconds, tokens_in, tokens_out)


def _connect(options: LlmOptions) -> "AsyncOpenAI":
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient

    return AsyncOpenAI(
        base_url=options.base_url,
        api_key=options.api_key or _NO_KEY,
        timeout=options.timeout,
        max_retries=options.retries_max,
        # Where a redirect leads was set by nobody.
        http_client=DefaultAsyncHttpxClient(timeout=options.timeout, follow_redirects=False),
    )


_OUTCOMES: Final[dict[type[ClarionError], str]] = {
    CircuitOpen: "open",
    TimedOut: "timed_out",
    MalformedAnswer: "malformed",
    Unavailable: "failed",
}


def _format(schema: Mapping[str, Any]) -> dict[str, Any]:
    described = {"name": "answer", "strict": True, "schema": dict(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": described}}


def _text_of(completion: "ChatCompletion") -> str:
    """The text of the one choice. A refusal, an empty or a cut answer is none."""
    choices = getattr(completion, "choices", None)
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    text = getattr(message, "content", None)
    if getattr(message, "refusal", None) or not isinstance(text, str) or not text.strip():
        raise MalformedAnswer("The LLM declined or said nothing.")
    if getattr(choice, "finish_reason", None) == "length":
        raise MalformedAnswer("The LLM's answer was cut off.")
    return text.strip()


def _calls_or_text(completion: "ChatCompletion") -> str | list[ModelCall]:
    """The tools that the one choice calls, each with an object; its text when it calls none."""
    choices = getattr(completion, "choices", None)
    message = (
        getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    )
    called = getattr(message, "tool_calls", None)
    if not called:
        return _text_of(completion)
    if not isinstance(called, list) or len(called) > CALLS_MAX:
        raise MalformedAnswer("The LLM calls more than anybody asked for.")
    return [_call(one) for one in called]


def _call(called: object) -> ModelCall:
    function = getattr(called, "function", None)
    name, arguments = getattr(function, "name", None), getattr(function, "arguments", None)
    try:
        fields = json.loads(arguments or "{}")
    except (TypeError, ValueError, RecursionError):
        fields = None
    if not isinstance(name, str) or not isinstance(fields, dict):
        raise MalformedAnswer("The LLM's call cannot be read.")
    return ModelCall(name, fields)


def parse_object(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The whole text as one object: the schema's fields, of their types. Others are left out."""
    fenced = _FENCED.fullmatch(text)
    try:
        found = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        raise MalformedAnswer("The LLM's answer is not JSON.") from None
    fields: Mapping[str, Mapping[str, Any]] = schema["properties"]
    if not isinstance(found, dict) or not set(fields) <= set(found):
        raise MalformedAnswer("The LLM's answer lacks fields that it was asked for.")
    for name, described in fields.items():
        if not _fits(found[name], described):
            raise MalformedAnswer(f"The LLM's field {name!r} does not fit.")
    return {name: found[name] for name in fields}


_TYPES: Final[dict[str, type]] = {"string": str, "boolean": bool}


def _fits(value: Any, described: Mapping[str, Any]) -> bool:
    kinds = described["type"] if isinstance(described["type"], list) else [described["type"]]
    if value is None:
        return "null" in kinds
    if not any(kind in _TYPES and type(value) is _TYPES[kind] for kind in kinds):
        return False
    return "enum" not in described or value in described["enum"]
