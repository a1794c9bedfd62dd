"""`Idempotency-Key`: a request that is sent twice is done once and answered alike.

Only answers that succeeded are kept. A refusal frees the key, so a caller may mend the request
and try again with the same one.
"""

import hashlib
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, NamedTuple

from fastapi import Header, Request, Response
from fastapi.responses import Response as PlainResponse

from clarion.access.model import Identity
from clarion.access.ports import AnswerStore, Remembered
from clarion.base.clock import Clock
from clarion.base.errors import Conflict, Unprocessable
from clarion.base.ids import KEY_LETTERS_MAX, InFlight, KeyUsedOtherwise

KEPT_HEADERS = ("etag", "location", "content-type")
REPLAYED = "Idempotency-Replayed"

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=KEY_LETTERS_MAX,
        pattern=r"^[!-~]+$",
        description="Any text of your own: sending the request again with it does nothing twice.",
    ),
]


class KeyUsed(Unprocessable):
    code = "idempotency_key_used"


class StillAtIt(Conflict):
    code = "request_in_flight"


class RequestClaim(NamedTuple):
    holder: str
    key: str
    begun_at: datetime


class OnceOnly:
    def __init__(self, answers: AnswerStore, clock: Clock) -> None:
        self._answers = answers
        self._clock = clock

    async def do(
        self,
        request: Request,
        who: Identity,
        key: str | None,
        work: Callable[[], Awaitable[Response]],
    ) -> Response:
        """Run `work`, or answer as it was answered before. Without a key it always runs."""
        if key is None:
            return await work()
        claim = RequestClaim(who.user_id or "admin", key, self._clock.now())
        try:
            kept = await self._answers.begin(
                claim.holder, key, await fingerprint(request), claim.begun_at
            )
        except KeyUsedOtherwise:
            raise KeyUsed(
                "This idempotency key came with another request before.",
                hint="Use a new key for each request.",
            ) from None
        except InFlight:
            raise StillAtIt(
                "The first request with this key is still being worked on.", retry_after=1
            ) from None
        if kept is not None:
            headers = {**dict(kept.headers), REPLAYED: "true"}
            return PlainResponse(kept.body, status_code=kept.status, headers=headers)
        return await self._run(claim, work)

    async def _run(self, claim: RequestClaim, work: Callable[[], Awaitable[Response]]) -> Response:
        try:
            response = await work()
        except BaseException:
            await self._answers.release(*claim)
            raise
        headers = [
            (name, response.headers[name]) for name in KEPT_HEADERS if name in response.headers
        ]
        body = bytes(response.body).decode()
        await self._answers.finish(*claim, Remembered(response.status_code, headers, body))
        return response


async def fingerprint(request: Request) -> str:
    whole = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
    return hashlib.sha256(whole + await request.body()).hexdigest()
