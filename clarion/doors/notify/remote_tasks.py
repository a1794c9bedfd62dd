"""Carries out a task by a signed POST: what is answered is its result.

The message is signed as webhooks are (Standard Webhooks). `webhook-id` is the task's id, the same
at every try, so a receiver that did it already can say so again.
"""

import json
from datetime import timedelta
from typing import Any

from clarion.base.clock import Clock
from clarion.base.errors import Unavailable
from clarion.base.ids import TRACE_HEADER
from clarion.doors.notify.post import HttpSender, host_of
from clarion.exits.http import HttpAnswer
from clarion.tasks.kinds import RemoteKind
from clarion.tasks.ports import RESULT_LETTERS_MAX, Again, Claim, Handler, Result
from clarion.webhooks.model import sign

ANSWER_BYTES_MAX = RESULT_LETTERS_MAX
SAID_LETTERS_MAX = 300  # of a refusal, in the error of the task
PATIENCE = timedelta(hours=1)  # longer than that is not asked of us without a try
DIGITS_MAX = 9  # of seconds: thirty years; what is longer may be more than a timedelta holds
OK = range(200, 300)
BUSY = (429, 503)


class RemoteTaskFailed(Unavailable):
    """The receiver did not carry out the task. It is tried again, later each time."""

    code = "remote_task_failed"


class RemoteTasks:
    def __init__(self, sender: HttpSender, clock: Clock) -> None:
        self._sender = sender
        self._clock = clock

    def handler(self, kind: RemoteKind) -> Handler:
        async def post(claim: Claim) -> Result | Again:
            return await self.carry_out(kind, claim)

        return post

    async def carry_out(self, kind: RemoteKind, claim: Claim) -> Result | Again:
        body = message(claim)
        answer = await self._sender.ask(
            kind.address,
            body,
            self._headers(kind, claim, body),
            bytes_max=ANSWER_BYTES_MAX,
            seconds=kind.limit.total_seconds(),
        )
        if answer.status in BUSY and (wait := _retry_after(answer)) is not None:
            return Again(self._clock.now() + min(wait, PATIENCE))
        if answer.status not in OK:
            # PostgreSQL keeps every letter but NUL.
            said = answer.body.decode(errors="replace").replace("\0", "").strip()
            said = said[:SAID_LETTERS_MAX]
            raise RemoteTaskFailed(f"{host_of(kind.address)} answered {answer.status}: {said}")
        return Result(_value(answer))

    def _headers(self, kind: RemoteKind, claim: Claim, body: bytes) -> dict[str, str]:
        task, timestamp = claim.task, int(self._clock.now().timestamp())
        headers = {
            "content-type": "application/json",
            "webhook-id": task.id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": sign(kind.secret, task.id, timestamp, body),
        }
        return headers | ({TRACE_HEADER: task.trace} if task.trace else {})


def message(claim: Claim) -> bytes:
    task = claim.task
    said = {
        "type": "task",
        "id": task.id,
        "kind": task.kind,
        "attempt": claim.attempt,
        "due_at": task.due_at.isoformat(),
        "payload": dict(task.payload),
    }
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _value(answer: HttpAnswer) -> Any:
    """JSON as such, other words as a text, nothing as null."""
    if len(answer.body) > ANSWER_BYTES_MAX:
        raise RemoteTaskFailed(f"The answer has more than {ANSWER_BYTES_MAX} bytes.")
    text = answer.body.decode(errors="replace")
    if "json" not in answer.headers.get("content-type", ""):
        return text or None
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        raise RemoteTaskFailed("The answer says that it is JSON, and is none.") from None


def _retry_after(answer: HttpAnswer) -> timedelta | None:
    said = answer.headers.get("retry-after", "")
    if not (said.isascii() and said.isdigit()):
        return None
    return timedelta(seconds=int(said)) if len(said) <= DIGITS_MAX else PATIENCE
