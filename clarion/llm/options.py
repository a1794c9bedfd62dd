"""Where the LLM is and how long it may take."""

from dataclasses import dataclass, field


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
