"""What the devices' door needs from outside: speech, recognition, and who is calling."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from clarion.base.ids import DeviceId, UserId
from clarion.people.model import Device


@dataclass(frozen=True, slots=True)
class Guest:
    """A device that was admitted."""

    device_id: DeviceId
    user_id: UserId
    language: str = "zh"
    tools: frozenset[str] = frozenset()
    """What it could do in its last session."""
    volume: int | None = None
    """The volume to go back to, when a session that raised it was cut off."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a visitor presents: the headers of a handshake, or a query."""

    token: str
    hardware: str = ""
    """The MAC address as a machine writes it, or the device's id as the console does."""
    client: str = ""
    cookie: str = ""
    is_gateway: bool = False
    """Somebody who speaks for many devices."""


class Doorman(Protocol):
    async def admit(self, visit: Visit) -> Guest | None:
        """None: unknown, or no longer allowed."""
        ...


class Newcomers(Protocol):
    async def code(self, visit: Visit, address: str) -> str | None:
        """The code that a device without an owner has to show; None for other callers.

        Asking promises nothing: a token that the device was promised before stays promised.
        """
        ...


class Directory(Protocol):
    """What is known about devices, for waking them."""

    async def device(self, device_id: DeviceId) -> Device | None: ...

    async def learn(self, device_id: DeviceId, facts: Mapping[str, Any]) -> None:
        """Add to what the device told about itself. Writes only what is new."""
        ...


class Voice(Protocol):
    async def packets(self, text: str, language: str) -> Sequence[bytes]:
        """Opus packets of one sentence, as announced in our hello. Raises Unavailable."""
        ...


class Ear(Protocol):
    """One microphone that is on. Never blocks; drops sound when it cannot keep up."""

    def feed(self, packet: bytes) -> None: ...

    def finish(self) -> None:
        """The device says that this was all."""
        ...

    def close(self) -> None: ...


class Ears(Protocol):
    def open(
        self,
        *,
        rate: int,
        ends_itself: bool,
        voice: Callable[[], None],
        words: Callable[[str], None],
    ) -> Ear:
        """`voice` is called while somebody speaks, `words` with what was understood."""
        ...


class Wire(Protocol):
    """One connection as the line sees it. Each call is bounded by the line."""

    door: str
    """The way in, for people: `websocket`, `gateway`, `udp`."""
    lead: float
    """Seconds by which words have to be ahead of sound, where they travel apart."""
    version: int
    """The framing of sound, both ways."""

    def agree(self, version: int) -> None:
        """The device's hello names a framing; what the handshake said counts more."""
        ...

    async def ready(self) -> bool:
        """Whether sound can be sent; over UDP that is known a moment later."""
        ...

    async def send(self, message: dict[str, Any]) -> None: ...
    async def send_audio(self, packet: bytes, at_ms: int) -> None: ...
    async def close(self, code: int, reason: str) -> None: ...
