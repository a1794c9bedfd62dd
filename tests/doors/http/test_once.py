"""A key whose server died in the middle is taken over, and what was asked is done once."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from clarion.base.clock import SystemClock
from clarion.store.sql.idempotency import GIVEN_UP_AFTER
from tests.support.clock import ManualClock
from tests.support.doors import open_doors
from tests.support.program import environment

DIES = """
import os, signal
from clarion.store.sql.idempotency import SqlAnswers
from clarion.store.sql.reminders.store import SqlReminders

async def die(*_anything, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

setattr({where}, "{verb}", die)
from clarion.cli import main
main()
"""


def ask_and_lose_the_server(folder: Path, where: str, verb: str, body: dict[str, str]) -> str:
    """A server that is killed while it works on the request; its admin token."""
    process = subprocess.Popen(
        [sys.executable, "-c", DIES.format(where=where, verb=verb), "serve"],
        cwd=folder.parent,
        env=environment(folder) | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            assert "Clarion is at" in process.stdout.readline()
            token = (folder / "token").read_text().strip()
            url = (folder / "address").read_text().strip()
            bearer = {"Authorization": f"Bearer {token}"}
            httpx.post(f"{url}/api/v1/users", json={"id": "eve"}, headers=bearer).raise_for_status()
            with pytest.raises(httpx.TransportError):
                httpx.post(f"{url}/api/v1/reminders", json=body, headers=keyed(token), timeout=30)
        finally:
            process.kill()
    return token


def keyed(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}", "Idempotency-Key": "breakfast"}


@pytest.mark.parametrize(
    ("where", "verb"),
    [
        pytest.param("SqlReminders", "add", id="before the reminder was written"),
        pytest.param("SqlAnswers", "finish", id="after it was written, before it was answered"),
    ],
)
async def test_a_key_whose_server_was_killed_is_taken_over(
    tmp_path: Path, where: str, verb: str
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    now = SystemClock().now()
    at = (now + timedelta(days=1)).isoformat()
    body = {"user_id": "eve", "content": "吃药", "trigger_at": at}
    token = ask_and_lose_the_server(folder, where, verb, body)
    clock = ManualClock(SystemClock().now())
    url = f"sqlite:{folder / 'clarion.db'}"

    secret = (folder / "key").read_text().strip()
    async with (
        open_doors(folder, clock, database_url=url, secret_key=secret) as doors,
        doors.client() as client,
    ):
        client.headers.update(keyed(token))
        early = await client.post("/api/v1/reminders", json=body)
        clock.advance(GIVEN_UP_AFTER)
        later = await client.post("/api/v1/reminders", json=body)
        again = await client.post("/api/v1/reminders", json=body)
        kept = (await client.get("/api/v1/reminders?user_id=eve")).json()["items"]

    assert (early.status_code, early.json()["code"]) == (409, "request_in_flight")
    assert "retry-after" in early.headers
    assert (later.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert [one["id"] for one in kept] == [later.json()["id"]] == [again.json()["id"]]
