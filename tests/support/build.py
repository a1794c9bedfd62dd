"""Builders: every value has a sensible default, so that a test names only what it is about."""

import itertools
from datetime import datetime, timedelta
from typing import Any

from clarion.base.ids import ContactId, DeviceId, ReminderId, UserId
from clarion.people.model import Contact, Device, DeviceKind, User
from clarion.reminders.model import ConfirmationConfig, Reminder, Series
from tests.support.clock import START

ANA = UserId("ana")
KITCHEN = DeviceId("kitchen")
BEDROOM = DeviceId("bedroom")
CONFIRM = ConfirmationConfig(required=True)
_numbers = itertools.count(1)


def user(id_: str = "ana", **fields: Any) -> User:
    return User(**{"id": UserId(id_), "zone": "UTC", "created_at": START, **fields})


def device(id_: str = "kitchen", **fields: Any) -> Device:
    given = {"id": DeviceId(id_), "user_id": ANA, "kind": DeviceKind.TERMINAL, **fields}
    return Device(**given)


def contact(name: str = "boris", **fields: Any) -> Contact:
    given = {
        "id": ContactId(f"con_{name}"),
        "user_id": ANA,
        "name": name,
        "address": f"chat:{name}",
        **fields,
    }
    return Contact(**given)


def reminder(content: str = "take the pills", **fields: Any) -> Reminder:
    at: datetime = fields.get("trigger_at", START + timedelta(minutes=30))
    given = {
        "id": ReminderId(f"rem_{next(_numbers)}"),
        "user_id": ANA,
        "content": content,
        "trigger_at": at,
        "planned_at": at,
        "created_at": START,
        **fields,
    }
    return Reminder(**given)


def series(**fields: Any) -> Series:
    given = {
        "id": f"ser_{next(_numbers)}",
        "user_id": ANA,
        "content": "water the plants",
        "rule": "",
        "zone": "UTC",
        "created_at": START,
        **fields,
    }
    return Series(**given)
