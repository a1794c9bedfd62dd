"""Ways to wait and to sum up that need no packages: the scripts of the peers use them too."""

import asyncio
from collections.abc import Sequence


async def pause(seconds: float) -> None:
    """Keep a slot busy without keeping the processor busy."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    timer = loop.call_later(seconds, over.set_result, None)
    try:
        await over
    finally:
        timer.cancel()  # of one that is cut, it would complain


def percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(percent / 100 * (len(ordered) - 1)))]
