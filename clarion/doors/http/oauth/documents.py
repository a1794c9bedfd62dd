"""Fetches the description of a client from the address that is its id: guarded and limited."""

import json
from collections.abc import Mapping
from typing import Any

from clarion.access.oauth import OAuthRefused
from clarion.base.errors import ClarionError
from clarion.exits.http import guarded_client
from clarion.exits.reach import Reach

SECONDS_MAX = 5.0
BYTES_MAX = 16_384  # what the draft calls reasonable, three times over


class HttpDocuments:
    """Implements `ClientDocuments`."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    async def fetch(self, address: str) -> Mapping[str, Any]:
        import httpx

        asked = {"Accept": "application/json", "User-Agent": "Clarion"}
        body = b""
        try:
            async with (
                guarded_client(self._reach, SECONDS_MAX) as client,
                client.stream("GET", address, headers=asked) as response,
            ):
                if response.status_code != 200:
                    raise missing(f"it answered {response.status_code}")
                async for piece in response.aiter_bytes():
                    body += piece
                    if len(body) > BYTES_MAX:
                        raise missing("it is too long")
        except (httpx.HTTPError, httpx.InvalidURL):
            raise missing("it did not answer") from None
        except ClarionError as error:
            raise missing(error.message) from None
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise missing("it is no JSON object")
        return document


def missing(why: str) -> OAuthRefused:
    return OAuthRefused(
        "invalid_client", f"The client's own description cannot be had: {why}.", 401
    )
