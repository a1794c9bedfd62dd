"""The LLM as a reader of times that the grammar does not know."""

import re
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from clarion.base.errors import ClarionError
from clarion.llm.client import LlmClient
from clarion.llm.prompts import INSTANT, TIME, asked

AHEAD_MAX: Final = timedelta(days=2 * 366)  # nobody means a later one; a slip of the year does
_SHAPE: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::00)?(?:Z|[+-]\d\d:?\d\d)?")
_CLOCK: Final = re.compile(r"\b(\d{1,2}):(\d\d)\b")


class LlmTimes:
    def __init__(self, client: LlmClient) -> None:
        self._client = client

    async def read_time(self, text: str, base: datetime, zone: ZoneInfo) -> datetime | None:
        """A future instant in `zone`, or None; a clock time written in the text is kept to."""
        local = base.astimezone(zone)
        system = TIME.format(
            now=local.strftime("%Y-%m-%dT%H:%M"), weekday=local.strftime("%A"), zone=zone.key
        )
        try:
            filled = await self._client.fill("time", asked(system, text=text[:300]), INSTANT)
        except ClarionError:
            return None
        at = _instant(filled["at"], zone)
        if at is None or not base < at <= base + AHEAD_MAX or not _agrees(at, text):
            return None
        return at


def _instant(said: str | None, zone: ZoneInfo) -> datetime | None:
    if said is None or not _SHAPE.fullmatch(said):
        return None
    try:
        at = datetime.fromisoformat(said)
        return at.astimezone(zone) if at.tzinfo else at.replace(tzinfo=zone)
    except (OverflowError, ValueError):
        return None


def _agrees(at: datetime, text: str) -> bool:
    clocks = [(int(h) % 12, int(m)) for h, m in _CLOCK.findall(text)]
    return not clocks or (at.hour % 12, at.minute) in clocks
