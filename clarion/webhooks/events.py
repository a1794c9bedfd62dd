"""Events about the webhooks themselves."""

from dataclasses import dataclass
from typing import ClassVar

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookTest(Event):
    """Somebody asked for a trial message."""

    kind: ClassVar[str] = "webhook.test"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSwitchedOff(Event):
    """Clarion itself stopped calling it: `gone` (410) or `failing`."""

    kind: ClassVar[str] = "webhook.switched_off"

    reason: str
