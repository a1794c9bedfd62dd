"""The same thing asked for twice within half a minute is done once.

Some hosts send a call again when its answer is late, up to three times. The second call gets the
first one's answer, also while the first is still at work. Lives in this process: a host repeats
itself on the connection that it has.
"""

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, InputRequiredResult

from clarion.base.clock import Clock

SECONDS = 30.0
REMEMBERED_MAX = 1_000

Result = CallToolResult | InputRequiredResult


@dataclass(slots=True)
class Asked:
    answer: asyncio.Future[Result]
    until: float
    """On the monotonic clock."""


class Repeats:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._asked: OrderedDict[tuple[str, str], Asked] = OrderedDict()

    async def once(
        self, holder: str, tool: str, arguments: Any, work: Callable[[], Awaitable[Result]]
    ) -> Result:
        """What `work` answers, or what it has answered to the same call of this holder.

        A refusal, or a question back, is not kept: the next try may go better.
        """
        name = holder, json.dumps([tool, arguments], sort_keys=True, default=str)
        known = self._asked.get(name)
        if known is not None and self._clock.monotonic() < known.until:
            return await asyncio.shield(known.answer)
        mine = Asked(asyncio.get_running_loop().create_future(), self._clock.monotonic() + SECONDS)
        self._asked[name] = mine
        if len(self._asked) > REMEMBERED_MAX:
            self._asked.popitem(last=False)
        try:
            result = await work()
        except BaseException as error:
            self._asked.pop(name, None)
            mine.answer.set_exception(error)
            mine.answer.exception()  # nobody else may be waiting: that is no defect
            raise
        if isinstance(result, InputRequiredResult) or result.is_error:
            self._asked.pop(name, None)
        mine.answer.set_result(result)
        return result

    def forget(self, holder: str) -> None:
        """The caller changed something since: the same request is then meant anew."""
        for name in [one for one in self._asked if one[0] == holder]:
            del self._asked[name]
