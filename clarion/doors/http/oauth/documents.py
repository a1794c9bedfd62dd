"""Fetches the description of a client from the address that is its id: guarded and limited."""

import json
from collections.abc import Mapping
from typing import Any

from clarion.access.oauth import OAuthRefused
from clarion.base.errors import ClarionError
from clarion.exits.http import GuardedHttp
from clarion.exits.reach import Reach

SECONDS_MAX = 5.0
BYTES_MAX = 16_384  # what the draft calls reasonable, three times over
ASKED = {"accept": "application/json", "user-agent": "Clarion"}


class HttpDocuments:
    """Implements `ClientDocuments`."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    async def fetch(self, address: str) -> Mapping[str, Any]:
        http = GuardedHttp(self._reach)  # seldom asked, so nothing of it is kept
        try:
            answer = await http.ask("GET", address, ASKED, bytes_max=BYTES_MAX, seconds=SECONDS_MAX)
        except ClarionError as error:
            raise missing(error.message) from None
        finally:
            http.close()
        if answer.status != 200:
            raise missing(f"it answered {answer.status}")
        if len(answer.body) > BYTES_MAX:
            raise missing("it is too long")
        try:
            document = json.loads(answer.body)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise missing("it is no JSON object")
        return document


def missing(why: str) -> OAuthRefused:
    return OAuthRefused(
        "invalid_client", f"The client's own description cannot be had: {why}.", 401
    )
