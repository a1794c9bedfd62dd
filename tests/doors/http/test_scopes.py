"""Each route of the API needs one scope, and this list says which. What is new needs a line."""

from pathlib import Path

import pytest

from clarion.access.tokens import Scope
from clarion.app.build import build
from clarion.doors.http.auth import needed_scope
from clarion.doors.mcp.names import scope_of
from clarion.settings import Settings
from tests.support.databases import sqlite_file
from tests.support.routes import every_route

API = "/api/v1"
READ = {
    *(("GET", f"{API}/{path}") for path in ("reminders", "series", "events", "events/log")),
    *(("GET", f"{API}/{path}") for path in ("reminders/{reminder_id}", "series/{series_id}")),
    ("GET", f"{API}/reminders/{{reminder_id}}/history"),
    ("POST", f"{API}/reminders/preview"),
    ("GET", f"{API}/questions"),
    ("GET", f"{API}/questions/{{question_id}}"),
    ("GET", f"{API}/users/{{user_id}}/adherence"),
    ("GET", f"{API}/users/{{user_id}}/export"),
    ("GET", f"{API}/users/{{user_id}}/upcoming"),
}
CONFIRM = {("POST", f"{API}/reminders/{{reminder_id}}/{verb}") for verb in ("confirm", "snooze")}
SET_UNDER = (f"{API}/reminders", f"{API}/series", f"{API}/questions")
PEOPLE_UNDER = tuple(
    f"{API}/{one}" for one in ("users", "devices", "contacts", "rotations", "oncall")
)
FREE = {("GET", f"{API}/me")}


def expected(method: str, path: str) -> Scope | None:
    if (method, path) in FREE:
        return None
    if (method, path) in READ:
        return Scope.READ
    if (method, path) in CONFIRM:
        return Scope.CONFIRM
    if path.startswith(SET_UNDER):
        return Scope.SET
    if path.startswith(PEOPLE_UNDER):
        return Scope.PEOPLE
    return Scope.DISPATCH if path.startswith("/ai/") else Scope.ADMIN


async def test_every_route_needs_what_the_list_says(tmp_path: Path) -> None:
    await sqlite_file(tmp_path)
    async with await build(Settings(port=0, data_dir=tmp_path)) as clarion:
        assert clarion.server is not None
        found = [
            one
            for one in every_route(clarion.server.app.routes)
            if one[1].startswith((API, "/ai/"))
        ]

    assert len(found) > 90
    assert needed_scope("GET", "/xiaozhi/context") is Scope.READ
    for method, path in found:
        assert needed_scope(method, path) == expected(method, path), (method, path)


@pytest.mark.parametrize(
    ("tool", "scope"),
    [
        ("reminder_list", "read"),
        ("reminder_get", "read"),
        ("reminder_create", "set"),
        ("reminder_create_natural", "set"),
        ("reminder_create_recurring", "set"),
        ("reminder_update", "set"),
        ("reminder_cancel", "set"),
        ("reminder_confirm", "confirm"),
        ("reminder_snooze", "confirm"),
        ("ask_person", "set"),
        ("question_result", "read"),
        ("task_list", "admin"),
        ("task_replay", "admin"),
        ("team_list", "dispatch"),
        ("dispatch_generate_scheme", "dispatch"),
        ("anything_new", "admin"),
    ],
)
def test_every_tool_needs_one_scope(tool: str, scope: str) -> None:
    assert scope_of(tool) == scope
