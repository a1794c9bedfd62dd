"""Our topics on an MQTT broker, and what is said on them. Pure; docs/devices.md has the table.

clarion/devices/<device>/status    device → us, retained, also its last will
clarion/devices/<device>/wake      us → device: something to tell, open a session or show it
clarion/devices/<device>/taken     device → us: it is being shown
clarion/devices/<device>/answer    device → us: words or a button
clarion/devices/<device>/position  device → us: where it is, and when it was there
clarion/devices/<device>/hush      us → device: it was settled elsewhere
clarion/devices/<device>/say       us → device: words that want no answer
"""

import json
import math
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from clarion.base.ids import DeviceId
from clarion.base.place import Place
from clarion.reminders.ports import Ring, RingId

PAYLOAD_BYTES_MAX = 8_192
NAME = re.compile(r"[^/+#\s]{1,128}")
BUTTONS = ("confirm", "snooze", "cancel")


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    device_id: DeviceId
    online: bool
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RingTaken:
    device_id: DeviceId
    ring_id: RingId


@dataclass(frozen=True, slots=True)
class Answered:
    device_id: DeviceId
    ring_id: RingId
    text: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True)
class Positioned:
    device_id: DeviceId
    place: Place
    at: datetime | None
    accuracy_m: float | None


Uplink: TypeAlias = DeviceStatus | RingTaken | Answered | Positioned


class Topics:
    def __init__(self, prefix: str = "clarion") -> None:
        self._base = f"{prefix.strip('/')}/devices/"

    def of(self, device_id: DeviceId, what: str) -> str:
        return f"{self._base}{device_id}/{what}"

    @property
    def subscriptions(self) -> list[str]:
        return [f"{self._base}+/{what}" for what in ("status", "taken", "answer", "position")]

    def read(self, topic: str, payload: bytes) -> Uplink | None:
        """None for what is not ours or cannot be understood."""
        if not topic.startswith(self._base) or len(payload) > PAYLOAD_BYTES_MAX:
            return None
        device, _, what = topic.removeprefix(self._base).partition("/")
        if not NAME.fullmatch(device):
            return None
        device_id = DeviceId(device)
        if what == "status":
            return read_status(device_id, payload)
        message = read_object(payload)
        if what == "position":
            return read_position(device_id, message)
        ring_id = message.get("ring")
        if not isinstance(ring_id, str) or not ring_id:
            return None
        if what == "taken":
            return RingTaken(device_id, RingId(ring_id))
        return read_answer(device_id, RingId(ring_id), message) if what == "answer" else None


def read_status(device_id: DeviceId, payload: bytes) -> DeviceStatus | None:
    """`online`, `offline`, or an object with `online` and what the device tells of itself."""
    plain = payload.decode(errors="replace").strip().lower()
    if plain in ("online", "offline"):
        return DeviceStatus(device_id, plain == "online", {})
    message = read_object(payload)
    if not isinstance(message.get("online"), bool):
        return None
    facts = {name: str(message[name])[:64] for name in ("firmware", "board") if message.get(name)}
    return DeviceStatus(device_id, message["online"], facts)


def read_answer(device_id: DeviceId, ring_id: RingId, message: dict[str, Any]) -> Answered | None:
    text, button = message.get("text"), message.get("button")
    if button in BUTTONS:
        return Answered(device_id, ring_id, button=str(button))
    if isinstance(text, str) and text.strip():
        return Answered(device_id, ring_id, text=text.strip()[:1_000])
    return None


def read_position(device_id: DeviceId, message: dict[str, Any]) -> Positioned | None:
    """`latitude`, `longitude`, and if it knows them `at` (with its zone) and `accuracy_m`."""
    latitude, longitude = _number(message.get("latitude")), _number(message.get("longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    accuracy = _number(message.get("accuracy_m"))
    at: datetime | None = None
    if isinstance(said := message.get("at"), str):
        try:
            at = datetime.fromisoformat(said)
        except ValueError:
            return None
        if at.tzinfo is None:
            return None
    rough = accuracy if accuracy is not None and accuracy >= 0 else None
    return Positioned(device_id, Place(latitude, longitude), at, rough)


def _number(value: Any) -> float | None:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if real and math.isfinite(value) else None


def read_object(payload: bytes) -> dict[str, Any]:
    try:
        message = json.loads(payload)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def wake(ring: Ring) -> str:
    return write(
        {
            "ring": ring.id,
            "text": ring.text,
            "content": ring.content,
            "language": ring.language,
            "confirm": ring.wants_confirmation,
            "critical": ring.critical,
            "attempt": ring.attempt,
            "answer_by": ring.answer_by.isoformat(),
        }
    )


def write(message: dict[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
