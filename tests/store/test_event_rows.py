from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from clarion.base.events import Event
from clarion.store.sql.events import data_of
from clarion.tasks.model import Queue
from tests.support.clock import START


@dataclass(frozen=True, slots=True, kw_only=True)
class LampLit(Event):
    kind: ClassVar[str] = "lamp.lit"
    at: datetime
    rooms: tuple[str, ...]
    queue: Queue


def test_an_event_keeps_its_own_fields_as_json() -> None:
    lit = LampLit(subject="lamp", user="ana", at=START, rooms=("hall",), queue=Queue.CHORES)

    assert data_of(lit) == {
        "at": "2030-01-07T08:00:00+00:00",
        "rooms": ["hall"],
        "queue": "chores",
    }
