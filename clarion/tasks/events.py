"""Events about the servers that carry the queue, for operators."""

from dataclasses import dataclass
from typing import ClassVar

from clarion.base.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterDegraded(Event):
    """The subject is the server that noticed."""

    kind: ClassVar[str] = "cluster.degraded"

    away: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRecovered(Event):
    kind: ClassVar[str] = "cluster.recovered"

    back: str
    seconds: float
