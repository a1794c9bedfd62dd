"""When somebody has finished speaking. Pure: probabilities of speech in, the end of a turn out."""

from dataclasses import dataclass

CHUNK = 512  # samples; what the detector looks at in one go
RATE = 16_000


@dataclass(frozen=True, slots=True)
class TurnPatience:
    """In seconds, but for `threshold`."""

    threshold: float = 0.5
    begins: float = 0.1  # shorter noises are not speech
    ends: float = 0.7  # people breathe for less
    longest: float = 20.0
    before: float = 0.3  # kept from before the beginning: soft first consonants


class SpeechTurn:
    """Collects one turn of speech out of a stream of chunks of 32 ms."""

    def __init__(self, patience: TurnPatience | None = None) -> None:
        self._patience = patience or TurnPatience()
        self._chunk_seconds = CHUNK / RATE
        self.clear()

    def clear(self) -> None:
        self._samples = bytearray()
        self._loud = 0.0
        self._quiet = 0.0
        self.is_speech = False

    def add(self, chunk: bytes, probability: float) -> bytes | None:
        """The whole turn when this chunk ends it."""
        patience = self._patience
        self._samples += chunk
        if probability >= patience.threshold:
            self._loud += self._chunk_seconds
            self._quiet = 0.0
            self.is_speech = self.is_speech or self._loud >= patience.begins
        else:
            self._quiet += self._chunk_seconds
        if not self.is_speech:
            self._forget_old()
            return None
        seconds = len(self._samples) / 2 / RATE
        if self._quiet < patience.ends and seconds < patience.longest:
            return None
        return self.take()

    def take(self) -> bytes:
        """Returns what was collected so far, and starts again."""
        taken = bytes(self._samples)
        self.clear()
        return taken

    def _forget_old(self) -> None:
        if self._quiet > self._patience.before:
            self._loud = 0.0
        kept = int(self._patience.before * RATE) * 2
        if self._loud == 0.0 and len(self._samples) > kept:
            del self._samples[:-kept]
