"""Sound as plain samples. Values only."""

from dataclasses import dataclass
from typing import Protocol

from clarion.base.errors import Unavailable

SAMPLE_BYTES = 2


class NoVoice(Unavailable):
    """Nothing can turn words into sound now: a package is missing, or a service is away."""

    code = "no_voice"


class NotHeard(Unavailable):
    """Speech could not be turned into words: the service that does it is away."""

    code = "not_heard"


@dataclass(frozen=True, slots=True)
class Pcm:
    """Signed 16-bit mono samples."""

    samples: bytes
    rate: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / SAMPLE_BYTES / self.rate


class Synthesiser(Protocol):
    name: str

    async def say(self, text: str, language: str) -> Pcm:
        """Raises NoVoice."""
        ...


class Transcriber(Protocol):
    async def understand(self, sound: Pcm) -> str:
        """What was said; empty when nothing was. Raises NotHeard."""
        ...
