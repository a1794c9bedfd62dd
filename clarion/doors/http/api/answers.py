"""How a reminder is answered over HTTP: its body, its guarantee, its version."""

from http import HTTPStatus
from typing import Any

from fastapi import Response

from clarion.doors.http.api.shapes import guarantee_out, reminder_out
from clarion.doors.http.conventions import (
    PREFIX,
    answer_json,
)
from clarion.reminders.model import Reminder
from clarion.reminders.service import Reminders


async def created(reminders: Reminders, reminder: Reminder) -> Response:
    where = {"Location": f"{PREFIX}/reminders/{reminder.id}"}
    body = await whole(reminders, reminder)
    return answer_json(body, HTTPStatus.CREATED, version=reminder.version, headers=where)


async def current(reminders: Reminders, reminder: Reminder) -> Response:
    return answer_json(await whole(reminders, reminder), version=reminder.version)


async def whole(reminders: Reminders, reminder: Reminder) -> dict[str, Any]:
    found = await reminders.guarantees([reminder])
    return {**reminder_out(reminder), "guarantee": guarantee_out(found.get(reminder.id))}
